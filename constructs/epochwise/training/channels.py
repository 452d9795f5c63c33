"""The job's input channels: folders of the file system, and prefixes in S3 beside them."""

import re
from typing import Any

from epochwise.workload import Channel


def file_system_channel(name: str, *, file_system_id: str, mount_name: str, path: str, mode: str) -> dict[str, Any]:
    """Return a channel that mounts a directory of the file system, which begins with the mount name."""
    directory = re.sub("/+", "/", path).rstrip("/")
    return {
        "ChannelName": name,
        "DataSource": {
            "FileSystemDataSource": {
                "FileSystemId": file_system_id,
                "FileSystemType": "FSxLustre",
                "FileSystemAccessMode": mode,
                "DirectoryPath": "/" + mount_name + directory,
            }
        },
    }


def s3_channel(name: str, channel: Channel) -> dict[str, Any]:
    """Return a channel that reads from S3."""
    source: dict[str, Any] = {
        "S3DataType": channel.type,
        "S3Uri": channel.s3,
        "S3DataDistributionType": "ShardedByS3Key" if channel.sharded else "FullyReplicated",
    }
    if channel.attributes:
        source["AttributeNames"] = list(channel.attributes)
    optional = {
        "ContentType": channel.content_type,
        "CompressionType": channel.compression,
        "RecordWrapperType": channel.record_wrapper,
        "ShuffleConfig": None if channel.shuffle_seed is None else {"Seed": channel.shuffle_seed},
    }
    return {
        "ChannelName": name,
        "DataSource": {"S3DataSource": source},
        "InputMode": channel.mode,
        **{key: value for key, value in optional.items() if value is not None},
    }
