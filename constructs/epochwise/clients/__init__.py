"""What runs on the clients of a file system: mounts, installation, tuning, striping, preload; pure text, no CDK."""
