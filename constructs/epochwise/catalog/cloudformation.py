"""What CloudFormation takes of one template.

Source: CloudFormation User Guide, cloudformation-limits; cfn-lint 1.50, helpers.LIMITS.
"""

MAX_INLINE_BYTES = 51_200
"""Largest body that is sent with the request; a larger one is named by its address in S3."""
MAX_TEMPLATE_BYTES = 1_000_000
"""Largest body in S3. AWS writes 1 MB, which cfn-lint takes in its smaller reading."""
MAX_RESOURCES = 500
MAX_PARAMETERS = 200
MAX_OUTPUTS = 200
MAX_MAPPINGS = 200
