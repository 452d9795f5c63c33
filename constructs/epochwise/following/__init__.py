"""Start a deployed job and follow a run: what a template says of it, what an execution asks for, what a look shows.

Pure functions and values; `epochwise.live` fetches, `epochwise.report` shows.
"""
