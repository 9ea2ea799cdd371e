# SPDX-License-Identifier: Apache-2.0
"""URL keys, and the nodes of the URL tree that a page belongs to (Sluban and Grčar 2013, sections 3 and 4)."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from thresher.errors import ConfigError, check_known
from thresher.page.hosts import registered_domain

TITLE_PARAMETER: Final = "_cid_"
_MAX_SEGMENTS: Final = 8  # folders of a path that are nodes; what lies deeper counts for the eighth
_MAX_PARAMETERS: Final = 64  # of a query; hostile ones have thousands
_MAX_RULE_INPUT: Final = 2048  # characters of a URL that a rule's expression is searched in
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Rule:
    """Which parameters stay in the query of the URLs that it is for."""

    url: re.Pattern[str]
    retain: frozenset[str]


@lru_cache(maxsize=1)
def default_rules() -> tuple[Rule, ...]:
    """The rules of conf/rules/url_keys.toml."""
    return read_rules((files("thresher") / "conf" / "rules" / "url_keys.toml").read_text("utf-8"))


def read_rules(text: str) -> tuple[Rule, ...]:
    """Rules from TOML. Raises ConfigError for an unknown key, and for a rule that lacks `url` or `retain` or whose
    expression is none.
    """
    content = tomllib.loads(text)
    check_known(content, ["rule"], "key of the URL rules:")
    rules = []
    for number, entry in enumerate(content.get("rule", []), 1):
        check_known(entry, ["url", "retain"], f"key in URL rule {number}:")
        try:
            rules.append(Rule(re.compile(entry["url"]), frozenset(entry["retain"])))
        except (KeyError, TypeError, re.error) as error:
            raise ConfigError(f"URL rule {number}: {error!r}") from error
    return tuple(rules)


@dataclass(frozen=True, slots=True)
class UrlKey:
    """A nearly unique identifier of a document, in its parts."""

    domain: str
    """Registered domain; the host where there is none (an IP address)."""
    host: str
    path: str
    query: str
    """What the rules retain, sorted by name; "" where nothing."""

    def __str__(self) -> str:
        """The key: host, path and query."""
        return f"{self.host}{self.path}" + (f"?{self.query}" if self.query else "")

    def address(self, url: str) -> str:
        """The address of the page at `url`, whose key this is: host, path and the whole query."""
        query = urlsplit(url).query
        return f"{self.host}{self.path}" + (f"?{query}" if query else "")

    def nodes(self) -> list[str]:
        """The branch of the URL tree, from the root: registered domain, host, each folder of the path, the key itself
        as the leaf.
        """
        branch = [f"*.{self.domain}", self.host]
        for segment in self.path.split("/")[1:-1][:_MAX_SEGMENTS]:
            branch.append(f"{branch[-1]}/{segment}")
        return [*branch, f"={self}"]


def url_key(url: str, title: str | None, rules: Sequence[Rule] | None = None) -> UrlKey | None:
    """The key of a page from the URL that answered (redirects followed, as in an archive) and its title; None if the
    URL has no host.

    Section 3: the title's 128-bit hash is appended as `_cid_`, encodings are normalised, parameters sorted by name, and
    the first rule that is found in the URL decides which of them stay. Scheme, port of the scheme, user and fragment
    name no document and are left out.
    """
    try:
        parts = urlsplit(url)
        taken_apart = _host_and_domain if len(parts.netloc) <= _MAX_CACHED else _host_and_domain.__wrapped__
        host, domain = taken_apart(parts.scheme, parts.netloc)
    except ValueError:
        return None
    if not host:
        return None
    path = _normalised(parts.path) or "/"
    subject = (f"{host}{path}" + (f"?{parts.query}" if parts.query else ""))[:_MAX_RULE_INPUT]
    retain: frozenset[str] = frozenset()
    for rule in default_rules() if rules is None else rules:
        if rule.url.search(subject):
            retain = rule.retain
            break
    query = _retained(parts.query, title, retain) if retain else ""
    return UrlKey(domain, host, path, query)


_MAX_CACHED: Final = 300  # characters: that long a name can be, with a port


@lru_cache(maxsize=1 << 12)  # hosts come in runs, and urllib takes a name apart again for each of its parts
def _host_and_domain(scheme: str, netloc: str) -> tuple[str, str]:
    """The host of a URL, with its port if it is not the scheme's, and its registered domain; "" where it has no host.

    Raises ValueError if the port is no number.
    """
    parts = SplitResult(scheme, netloc, "", "", "")
    name, port = parts.hostname, parts.port
    if not name:
        return "", ""
    host = f"[{name}]" if ":" in name else name
    if port and port != _DEFAULT_PORTS.get(scheme):
        host = f"{host}:{port}"
    return host, registered_domain(name) or name


def _retained(query: str, title: str | None, retain: frozenset[str]) -> str:
    """The parameters that stay, the title's among them."""
    found = parse_qsl(query, keep_blank_values=True, errors="replace")[:_MAX_PARAMETERS] if query else []
    if title and TITLE_PARAMETER in retain:
        digest = hashlib.md5(" ".join(title.split()).encode("utf-8", "replace"), usedforsecurity=False)
        found.append((TITLE_PARAMETER, digest.hexdigest()))
    return "&".join(
        f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in sorted(found) if name in retain
    )


def _normalised(path: str) -> str:
    """The path with each character percent-encoded or not as the standard has it, the same for %7E, %7e and ~."""
    return quote(unquote(path, errors="replace"), safe="/!$&'()*+,;=:@~") if "%" in path or not path.isascii() else path
