"""CloudFormation templates as plain data: read them, and tell what an update from one to the other does; pure."""
