"""Judge a running job by the metrics and logs that CloudWatch keeps of it; standard library only.

The same files run as the package `watching` inside a Lambda function, so they import each other by relative names and
nothing else of the library. `handler` alone, which fetches them, loads boto3.
"""
