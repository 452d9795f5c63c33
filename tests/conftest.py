"""Settings of every test: how fast an example runs is the machine's affair, and is measured in benchmarks/ alone."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
