# SPDX-License-Identifier: Apache-2.0
"""Opens an input by its scheme: local or remote.

Inputs may be local paths, http:// and https:// URLs (one streamed range request, resumed where it broke), s3:// and
hdfs:// (through pyarrow.fs), and anything else that fsspec has a file system for (gs://, abfs://, memory:// ...).

Failures raise InputError or TransferError, see transfers.py.
"""

from __future__ import annotations

import os
import re
import urllib.parse
from functools import partial
from typing import Any, Final

from thresher.errors import InputError, ThresherError, TransferError
from thresher.reading.files import BlockFile, CachingFile, InputFile, LocalFile
from thresher.reading.limits import ask
from thresher.reading.names import S3_SCHEMES, UNQUOTED, WACZ_MEMBER, is_stdin, local_path, parts_of, scheme_of
from thresher.reading.transfers import TIMEOUT

HADOOP_SCHEMES: Final = frozenset({"hdfs", "viewfs"})
ARROW_SCHEMES: Final = HADOOP_SCHEMES | S3_SCHEMES
"""The schemes of stores that are read and written through pyarrow.fs."""
S3_ATTEMPTS: Final = 3  # by the AWS client; ask() retries each of its calls


def open_input(name: str) -> InputFile:
    """An open `InputFile` for a local path or URL.

    Raises InputError if it does not exist or access is denied, TransferError if its server does not answer.
    """
    if is_stdin(name):
        raise InputError(f"{name}: standard input, which is not there any more")
    if member := WACZ_MEMBER.fullmatch(name):
        from thresher.reading.wacz import open_member

        return open_member(name, open_input(member[1]))
    scheme = scheme_of(name)
    if not scheme:
        return LocalFile(local_path(name))
    if scheme in ("http", "https"):
        from thresher.reading.http_input import HttpFile

        return CachingFile(HttpFile(name))
    if scheme in ARROW_SCHEMES:
        return arrow_file(name)
    return fsspec_file(name, scheme)


def arrow_file(name: str) -> InputFile:
    """An object of S3 or HDFS, through pyarrow.fs."""
    from pyarrow import ArrowException, fs

    try:
        filesystem, path = arrow_file_system(name)
        try:
            handle = ask(name, lambda: filesystem.open_input_file(path), lambda: _look_at(name))
        except TransferError:
            raise
        except OSError:  # only now: each question is a request
            info = ask(name, lambda: filesystem.get_file_info(path))
            if info.type == fs.FileType.NotFound:
                raise InputError(f"{name}: does not exist") from None
            if info.type != fs.FileType.File:
                raise InputError(f"{name}: is a folder; end its name with a slash to read the files in it") from None
            raise
        size = handle.size()
    except ThresherError:
        raise
    except (OSError, ArrowException, ValueError) as error:
        raise InputError(f"{name}: {error}") from None
    return BlockFile(name, size, lambda start, n: bytes(handle.read_at(n, start)), partial(_close, handle, filesystem))


def _look_at(name: str) -> None:
    """Asks for an object by a file system of its own, as the store's limiter keeps the question. Raises what pyarrow
    raises.
    """
    filesystem, path = arrow_file_system(name)
    filesystem.get_file_info(path)


def _close(handle: Any, _filesystem: object) -> None:  # noqa: ANN401 (pyarrow's)
    """Close a file of a file system.

    The file system is an argument so that it lives as long as the file. When pyarrow frees one of HDFS, it disconnects,
    and every later read of an open file fails.
    """
    handle.close()


def arrow_file_system(name: str) -> tuple[Any, str]:
    """The pyarrow file system of a URL of S3 or HDFS, and the path in it. Raises what pyarrow raises.

    Credentials, region and endpoint of S3 come from where every AWS tool looks (environment, profile, instance role;
    AWS_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL), or from the URL's query in pyarrow's spelling
    (`s3://bucket/key?region=eu-west-1&endpoint_override=host:port&scheme=http&anonymous=true`).

    For HDFS pyarrow loads libhdfs, which starts a JVM. A URL without a host (hdfs:///folder) is of the file system that
    Hadoop's configuration names as its default.
    """
    if scheme_of(name) not in HADOOP_SCHEMES:
        return _s3_file_system(name)
    from pyarrow import fs

    url = urllib.parse.quote(re.sub("^hdfs:///+", "hdfs://default/", name), safe=UNQUOTED)
    found: tuple[Any, str] = fs.FileSystem.from_uri(url)
    return found


def _s3_file_system(name: str) -> tuple[Any, str]:
    from pyarrow import fs

    url = parts_of(name)
    options = dict(urllib.parse.parse_qsl(url.query))
    endpoint = options.pop("endpoint_override", None) or next(
        (os.environ[key] for key in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") if os.environ.get(key)), None
    )
    scheme = options.pop("scheme", None)
    if endpoint and "://" in endpoint:
        scheme, _, endpoint = endpoint.partition("://")
    arguments: dict[str, Any] = {
        "region": options.pop("region", None)
        or os.environ.get("AWS_REGION")
        or os.environ.get("AWS_DEFAULT_REGION")
        or "us-east-1",
        "anonymous": options.pop("anonymous", "").lower() in ("1", "true", "yes"),
        "request_timeout": TIMEOUT,
        "connect_timeout": TIMEOUT,
        "retry_strategy": fs.AwsStandardS3RetryStrategy(max_attempts=S3_ATTEMPTS),
    }
    if endpoint:
        arguments["endpoint_override"] = endpoint.rstrip("/")
    if scheme:
        arguments["scheme"] = scheme
    if options:
        raise InputError(f"{name}: unknown option {min(options)!r} in the query of the URL")
    return fs.S3FileSystem(**arguments), s3_path(name)


def s3_path(name: str) -> str:
    """Bucket and key of a URL, as pyarrow names an object."""
    url = parts_of(name)
    return url.netloc + urllib.parse.unquote(url.path)


def fsspec_file(name: str, scheme: str) -> InputFile:
    """An object of any other store that fsspec knows, read in blocks."""
    import fsspec

    try:
        filesystem, path = fsspec.core.url_to_fs(name)
        size = ask(name, lambda: filesystem.size(path), lambda: filesystem.cat_file(path, start=0, end=1))
    except ThresherError:
        raise
    except (ValueError, ImportError) as error:  # unknown protocol, or its package is not installed
        raise InputError(f"{name}: cannot read {scheme}:// ({error})") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error or type(error).__name__}") from None
    if size is None:
        raise InputError(f"{name}: its size is not known")
    return BlockFile(
        name, size, lambda start, n: bytes(filesystem.cat_file(path, start=start, end=start + n)), lambda: None
    )
