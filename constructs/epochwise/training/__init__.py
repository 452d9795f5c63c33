"""The CreateTrainingJob request and the rules that watch the job; pure functions."""
