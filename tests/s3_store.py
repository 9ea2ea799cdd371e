# SPDX-License-Identifier: Apache-2.0
"""A client of the S3 that tests run against: moto's server on loopback (the fixture `s3_server`)."""

import atexit
from functools import cache
from typing import Any

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


@cache
def s3_endpoint() -> str:
    """The URL of the store; there is one for each process of tests, which starts when it is asked for."""
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    running.start()
    atexit.register(running.stop)
    host, port = running.get_host_and_port()
    return f"http://{host}:{port}"


def s3_environment() -> dict[str, str]:
    """What a process has in its environment that uses the store."""
    return {**KEYS, "AWS_ENDPOINT_URL": s3_endpoint(), "AWS_REGION": "us-east-1"}


def s3_client(endpoint: str) -> Any:
    import boto3
    from botocore.config import Config

    return boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
        config=Config(request_checksum_calculation="when_required"),
    )
