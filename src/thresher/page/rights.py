# SPDX-License-Identifier: Apache-2.0
"""What a page and its server say of the use of the page: opt-out signals and licences, as found, with their place.

Nothing here is a legal judgement. Values are what the page, the HTTP head and the host's robots.txt said when they were
captured. This module is imported where a run asks for its columns only.

Signals:

- robots meta elements and X-Robots-Tag (Robots Meta Tags Specification; noai and noimageai are DeviantArt's)
- tdm-reservation and tdm-policy, in headers, meta elements and /.well-known/tdmrep.json (TDM Reservation Protocol, W3C
  Community Group, 2024)
- Content-Signal, in robots.txt and headers (contentsignals.org, 2025)
- robots.txt (RFC 9309), for the crawlers that collect training data

No page and no robots.txt makes anything here raise, and each value is bounded.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urljoin

from thresher.page.structured_data import base_of, json_ld, listed, seen_nodes

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document

__all__ = ["COLUMNS", "Rights", "RobotsTxt", "TdmRep", "host_of", "of_robots_txt", "of_tdmrep", "read_rights"]

MAX_VALUE: Final = 1000  # characters of a value
MAX_VALUES: Final = 50  # values of a page of one kind
MAX_LIST: Final = 5000  # characters of a list of rules
MAX_TDMREP: Final = 8 << 20  # bytes of a tdmrep.json; a longer one is broken
MAX_ROBOTS: Final = 500 << 10  # bytes of a robots.txt; RFC 9309, section 2.5
MAX_RULES: Final = 10_000  # rules of a robots.txt
MAX_DATA: Final = 1 << 20  # bytes of JSON-LD
MAX_ITEMS: Final = 10_000  # objects of JSON-LD
MAX_ANCHORS: Final = 5000  # links that are looked at
NEAR: Final = 200  # characters before a link that say what it licenses

TRAINERS: Final = (
    "gptbot", "ccbot", "google-extended", "claudebot", "anthropic-ai", "applebot-extended", "bytespider",
    "meta-externalagent", "cohere-ai", "cohere-training-data-crawler", "ai2bot", "diffbot", "omgilibot",
)  # fmt: skip
"""Crawlers, or names that stand for a use, that collect text to train models, as their operators say."""

SEARCH, INPUT, TRAIN = "search", "ai-input", "ai-train"
PURPOSES: Final = (SEARCH, INPUT, TRAIN)
_USES: Final = ((SEARCH, "use_search"), (INPUT, "use_ai_input"), (TRAIN, "use_ai_train"))

_CC: Final = re.compile(
    r"creativecommons\.org/(?:(?P<kind>licenses|licences)/(?P<name>by(?:-(?:nc|nd|sa))*|nc(?:-sa)?|sa|nd)"
    r"|publicdomain/(?P<domain>zero|mark))(?:/(?P<version>\d\.\d))?",
    re.IGNORECASE,
)
_URLS: Final = (
    (re.compile(r"gnu\.org/(?:licenses/(?:old-licenses/)?|copyleft/)fdl(?:-(\d\.\d))?", re.IGNORECASE), "GFDL"),
    (re.compile(r"gnu\.org/licenses/(?:old-licenses/)?gpl(?:-(\d\.\d))?", re.IGNORECASE), "GPL"),
    (re.compile(r"opendatacommons\.org/licenses/(odbl|by|pddl)(?:/(\d\.\d|\d-\d))?", re.IGNORECASE), "ODC"),
    (re.compile(r"nationalarchives\.gov\.uk/doc/open-government-licence(?:/version/(\d))?", re.IGNORECASE), "OGL-UK"),
    (re.compile(r"etalab\.gouv\.fr/licence-ouverte|github\.com/etalab/licence-ouverte", re.IGNORECASE), "Etalab"),
    (re.compile(r"opensource\.org/licenses?/(mit|apache-2\.0|bsd-[23]-clause)", re.IGNORECASE), "OSI"),
    (re.compile(r"apache\.org/licenses/LICENSE-(\d\.\d)", re.IGNORECASE), "Apache"),
)
_WORDS: Final = re.compile(r"[\s()<>\"']+")
_TEXT: Final = re.compile(
    r"\bCC[ -](?P<zero>0)\b|\bCC[ -](?P<name>BY(?:[ -](?:NC|ND|SA)){0,2})\b(?:[ -]?(?P<version>[1-4]\.[05]))?"
)
_NAMES: Final = frozenset(("dc.rights", "dc.rights.license", "dcterms.rights", "dcterms.license", "license", "licence",
                           "dc.license", "copyright", "cc:license"))  # fmt: skip
_FOOTER: Final = re.compile(r"(?:^|[\s_-])(?:footer|foot|colophon|copyright|site-?info|bottom)", re.IGNORECASE)
_NOTICE: Final = re.compile(r"(?:^|[\s_-])licen[cs]e", re.IGNORECASE)
"""Names of an element that states the licence of what it stands under."""
_PICTURE: Final = re.compile(
    r"(?:photo|image|picture|foto|bild|illustration|abbildung|imagen|figure|graphic|video|icons?)\b.{0,60}$",
    re.IGNORECASE,
)
_OF_PAGE: Final = re.compile(
    r"(?:this (?:work|page|site|website|article|blog|wiki)|"
    r"this is an? (?:open[ -]access )?(?:article|paper|work)\b|(?:page|site|content|text|article|post|material|work)s?"
    r"(?: (?:on|of) this (?:page|site|website|wiki|blog))? (?:is|are)|otherwise noted|contenu|inhalt|contenido)"
    r"[^.]{0,120}$",
    re.IGNORECASE,
)
_MAY_LICENSE: Final = re.compile(r"licen|publicdomain|copyleft", re.IGNORECASE)
_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]{0,15}://[^/?#]{1,300}(?![^/?#])", re.IGNORECASE)
_HEADER: Final = re.compile(
    rb"^(x-robots-tag|tdm-reservation|tdm-policy|content-signal|link)[ \t]*:[ \t]*([^\r\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_LINK_LICENCE: Final = re.compile(
    r"<([^<>]{1,1000})>\s*;[^,<]{0,500}rel\s*=\s*\"?[^\",]{0,100}\blicense\b", re.IGNORECASE
)
_AGENT: Final = re.compile(r"([A-Za-z][A-Za-z0-9_ .-]{0,40}):\s*(.*)", re.DOTALL)
_DIRECTIVES: Final = frozenset(("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"))
_IMAGES: Final = frozenset(("imageobject", "photograph", "videoobject", "audioobject", "mediaobject"))


class Licence(NamedTuple):
    """A licence that a page names."""

    name: str
    """As in SPDX where it has one, such as CC-BY-SA-4.0."""
    url: str | None
    where: str
    """`head`, `data`, `content` or `footer`; `picture` for one that a picture or another cited work has."""


@dataclass(slots=True)
class Rights:
    """What was found; None for what was not."""

    robots_meta: str | None = None
    x_robots_tag: str | None = None
    tdm_reservation: str | None = None
    tdm_policy: str | None = None
    content_signal: str | None = None
    robots_txt: str | None = None
    robots_txt_time: datetime | None = None
    use_search: str | None = None
    use_search_signal: str | None = None
    use_ai_input: str | None = None
    use_ai_input_signal: str | None = None
    use_ai_train: str | None = None
    use_ai_train_signal: str | None = None
    licence: str | None = None
    licence_url: str | None = None
    licence_where: str | None = None
    licence_others: int | None = None
    licences_cited: str | None = None


COLUMNS: Final = tuple(Rights.__dataclass_fields__)


class _Uses:
    """What signals say of each purpose. A no stays, whatever comes after it."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, str]] = {}

    def say(self, purpose: str, *, allowed: bool, signal: str) -> None:
        """Notes what a signal says."""
        before = self._found.get(purpose)
        if before is None or (before[0] == "yes" and not allowed):
            self._found[purpose] = ("yes" if allowed else "no", signal[:MAX_VALUE])

    def answers(self) -> dict[str, str | None]:
        """The answer for each purpose, by column."""
        return {name: self._found.get(purpose, (None, None))[0] for purpose, name in _USES}

    def into(self, rights: Rights) -> None:
        """Fills the columns of the purposes."""
        for purpose, name in _USES:
            answer, signal = self._found.get(purpose, (None, None))
            setattr(rights, name, answer)
            setattr(rights, f"{name}_signal", signal)


def read_rights(
    document: Document,
    url: str | None = None,
    head: bytes | None = None,
    robots: RobotsTxt | None = None,
    reservations: TdmRep | None = None,
) -> Rights:
    """What a parsed page, the head of its HTTP response, and its host's robots.txt and tdmrep.json say."""
    rights, uses = Rights(), _Uses()
    licences: list[Licence] = []
    headers: dict[str, list[str]] = {}
    for name, value in _HEADER.findall(head or b""):
        headers.setdefault(name.decode().lower(), []).append(value.decode("latin-1").strip())
    rights.x_robots_tag = _joined(headers.get("x-robots-tag", ()))
    for value in headers.get("x-robots-tag", ())[:MAX_VALUES]:
        found = _AGENT.match(value)
        agent, directives = ("", value) if not found or found[1].lower() in _DIRECTIVES else (found[1], found[2])
        _read_directives(agent, directives, "x-robots-tag", uses)
    for value in headers.get("link", ()):
        licences += [each for target in _LINK_LICENCE.findall(value) if (each := _of_url(target, "head"))]
    rights.content_signal = _joined(headers.get("content-signal", ()))
    for value in headers.get("content-signal", ())[:MAX_VALUES]:
        _read_signals(value, "content-signal", uses)
    _read_reservation(_joined(headers.get("tdm-reservation", ())), "tdm-reservation header", rights, uses)
    rights.tdm_policy = _joined(headers.get("tdm-policy", ()))
    _read_elements(document, url, rights, uses, licences)
    if robots is not None and url:
        _read_robots(robots, url, rights, uses)
    if reservations is not None and url:
        reservation, policy = reservations.of(_path_of(url))
        _read_reservation(reservation, "tdmrep.json", rights, uses)
        rights.tdm_policy = rights.tdm_policy or policy
    uses.into(rights)
    _choose(licences, rights)
    return rights


def _joined(values: Iterable[str]) -> str | None:
    return "\n".join(list(values)[:MAX_VALUES])[:MAX_VALUE] or None


def _read_directives(agent: str, directives: str, source: str, uses: _Uses) -> None:
    """What robots directives say of the purposes. Those for one crawler count where it collects training data."""
    agent = agent.strip().lower()
    names = {each.strip().lower() for each in directives[:MAX_VALUE].split(",")}
    signal = f"{source} {agent}:".replace(" :", ":") if agent else source
    if agent in TRAINERS and names & {"noindex", "none", "noai"}:
        uses.say(TRAIN, allowed=False, signal=f"{signal} {min(names & {'noindex', 'none', 'noai'})}")
    if agent not in ("", "robots", "googlebot", "bingbot"):
        return
    if refused := names & {"noindex", "none"}:
        uses.say(SEARCH, allowed=False, signal=f"{signal} {min(refused)}")
    if "nosnippet" in names:
        uses.say(INPUT, allowed=False, signal=f"{signal} nosnippet")
    if "noai" in names:
        uses.say(TRAIN, allowed=False, signal=f"{signal} noai")
        uses.say(INPUT, allowed=False, signal=f"{signal} noai")


def _read_signals(value: str, source: str, uses: _Uses) -> None:
    """What a Content-Signal says: search=yes, ai-train=no."""
    for pair in value[:MAX_VALUE].split(","):
        name, _, answer = pair.partition("=")
        purpose, answer = name.strip().lower(), answer.strip().lower()
        if purpose in PURPOSES and answer in ("yes", "no"):
            uses.say(purpose, allowed=answer == "yes", signal=f"{source} {purpose}={answer}")


def _read_reservation(value: str | None, source: str, rights: Rights, uses: _Uses) -> None:
    if value is None:
        return
    rights.tdm_reservation = rights.tdm_reservation or value
    if value.strip() in ("0", "1"):
        uses.say(TRAIN, allowed=value.strip() == "0", signal=f"{source} {value.strip()}")


def _read_elements(document: Document, url: str | None, rights: Rights, uses: _Uses, licences: list[Licence]) -> None:
    """Reads meta, link and a elements, and JSON-LD."""
    base = base_of(document, url)
    metas: list[str] = []
    anchors = data_bytes = 0
    attributes = document.attributes
    for n, name in seen_nodes(document):
        if name == "meta":
            found = attributes(n)
            key = (found.get("name") or found.get("http-equiv") or found.get("property") or "").strip().lower()
            content = found.get("content") or ""
            if key in ("robots", "googlebot", "bingbot", *TRAINERS) and len(metas) < MAX_VALUES:
                metas.append(f"{key}: {content}")
                _read_directives("" if key == "robots" else key, content, "robots meta", uses)
            elif key == "tdm-reservation":
                _read_reservation(content[:MAX_VALUE], "tdm-reservation meta", rights, uses)
            elif key == "tdm-policy":
                rights.tdm_policy = rights.tdm_policy or content[:MAX_VALUE] or None
            elif key in _NAMES and len(licences) < MAX_VALUES:
                licences += _of_text(content[:MAX_VALUE], "head")
        elif name in ("a", "link", "area"):
            anchors += 1
            if anchors <= MAX_ANCHORS and len(licences) < MAX_VALUES:
                found = attributes(n)
                is_licence = "license" in (found.get("rel") or "").lower().split()
                href = found.get("href") or ""
                if is_licence or _MAY_LICENSE.search(href):
                    _read_link(document, n, name, href, base, licences, is_licence=is_licence)
        elif name == "script" and data_bytes < MAX_DATA and "ld+json" in (attributes(n).get("type") or "").lower():
            text = document.text(n)
            data_bytes += len(text)
            if len(text) <= MAX_DATA:
                licences += _of_data(text)[: MAX_VALUES - len(licences)]
    rights.robots_meta = _joined(metas)


def _read_link(
    document: Document, n: int, name: str, href: str, base: str, licences: list[Licence], *, is_licence: bool
) -> None:
    """Adds the licence that a link names, with its place."""
    try:
        target = urljoin(base, href.strip())[:MAX_VALUE]
    except ValueError:
        target = href[:MAX_VALUE]
    if name == "link":
        found = _of_url(target, "head") if is_licence else None
        if found:
            licences.append(found)
        return
    where = _place_of(document, n, is_licence=is_licence)
    found = _of_url(target, where)
    if found is None and is_licence:
        named = _of_text(document.text(n)[:MAX_VALUE], where)
        found = named[0]._replace(url=target) if named else Licence("other", target, where)
    if found:
        licences.append(found)


def _place_of(document: Document, n: int, *, is_licence: bool) -> str:
    """Where a link to a licence stands: in the footer, in the content, or with a picture or another cited work."""
    node, block, in_footer, in_notice = document.parent(n), 0, False, False
    for _ in range(64):
        if node <= 0:
            break
        name = document.tag(node)
        if name in ("figure", "figcaption"):
            return "picture"
        attributes = document.attributes(node)
        names = f"{attributes.get('id', '')} {attributes.get('class', '')}"[:MAX_VALUE]
        if name == "footer" or attributes.get("role") == "contentinfo" or _FOOTER.search(names):
            in_footer = True
        elif _NOTICE.search(names):
            in_notice = True
        if name in ("p", "li", "td", "div", "section", "footer", "dd") and not block:
            block = node
        node = document.parent(node)
    before = _text_before(document, block, n) if block else ""
    of_page = bool(_OF_PAGE.search(before))
    if not of_page and _PICTURE.search(before):
        return "picture"
    if in_footer:
        return "footer"
    return "content" if is_licence or of_page or in_notice else "picture"


def _text_before(document: Document, block: int, n: int) -> str:
    """The last characters of a block before a link in it."""
    pieces: list[str] = []
    length = 0
    for node in range(n - 1, max(block, n - 50), -1):
        if document.tag(node) == "#text":
            piece = document.text(node)[-NEAR:]
            pieces.append(piece)
            length += len(piece)
            if length >= NEAR:
                break
    return " ".join("".join(reversed(pieces)).split())[-NEAR:]


def _of_url(target: str, where: str) -> Licence | None:
    """The licence that an address names."""
    target = target[:MAX_VALUE]
    if found := _CC.search(target):
        version = found["version"] or ""
        if found["domain"]:
            name = "CC0" if found["domain"].lower() == "zero" else "CC-PDM"
        else:
            name = _cc_name(found["name"])
        return Licence(f"{name}-{version}" if version else name, target, where)
    for pattern, name in _URLS:
        if found := pattern.search(target):
            parts = [part for part in found.groups() if part]
            if name == "OSI":
                return Licence({"mit": "MIT"}.get(parts[0].lower(), parts[0]), target, where)
            if name == "ODC":
                kind = {"odbl": "ODbL", "by": "ODC-By", "pddl": "PDDL"}[parts[0].lower()]
                return Licence("-".join([kind, *(part.replace("-", ".") for part in parts[1:])]), target, where)
            version = [f"{part}.0" if name == "OGL-UK" else part for part in parts]
            return Licence("-".join([name, *version]), target, where)
    return None


def _cc_name(clauses: str) -> str:
    """A Creative Commons licence as in SPDX, whose order of clauses is that of later versions: by-nd-nc."""
    parts = re.split(r"[ -]", clauses.upper())
    return "-".join(["CC", *sorted(parts, key=("BY", "NC", "SA", "ND").index)])


def _of_text(text: str, where: str) -> list[Licence]:
    """The licences that a text names: an address, or a short name such as CC BY-SA 4.0."""
    for word in _WORDS.split(text):
        if found := _of_url(word.rstrip(".,;:"), where):
            return [found]
    licences = []
    for named in _TEXT.finditer(text):
        name = "CC0" if named["zero"] else _cc_name(named["name"])
        version = None if named["zero"] else named["version"]
        licences.append(Licence(f"{name}-{version}" if version else name, None, where))
    return licences


def _of_data(text: str) -> list[Licence]:
    """The licences in JSON-LD: of pictures and media by themselves."""
    try:
        todo: list[tuple[Any, bool]] = [(json_ld(text), False)]
    except (ValueError, RecursionError):
        return []
    licences: list[Licence] = []
    for _ in range(MAX_ITEMS):
        if not todo or len(licences) >= MAX_VALUES:
            break
        value, of_picture = todo.pop()
        if isinstance(value, list):
            todo += [(each, of_picture) for each in value[:MAX_ITEMS]]
        elif isinstance(value, dict):
            names = {str(each).lower() for each in listed(value.get("@type"))[:MAX_VALUES]}
            is_picture = of_picture or bool(names & _IMAGES)
            for key, each in value.items():
                if key.lower() in ("license", "licence"):
                    for one in listed(each)[:MAX_VALUES]:
                        said = one.get("@id") or one.get("url") or one.get("name") if isinstance(one, dict) else one
                        if isinstance(said, str):
                            licences += _of_text(said[:MAX_VALUE], "picture" if is_picture else "data")
                elif isinstance(each, (dict, list)):
                    todo.append((each, is_picture or key.lower() in ("image", "logo", "thumbnail", "video")))
    return licences


def _choose(licences: Sequence[Licence], rights: Rights) -> None:
    """Takes the licence of the page: of its head, its data, its content, its footer, in this order."""
    own = [each for each in licences if each.where != "picture"]
    cited = Counter(each.name for each in licences if each.where == "picture")
    if cited:
        rights.licences_cited = _joined(f"{name}: {n}" for name, n in sorted(cited.items()))
    if not own:
        return
    order = ("head", "data", "content", "footer")
    best = min(own, key=lambda each: (each.name == "other", order.index(each.where), each.url is None))
    rights.licence, rights.licence_url, rights.licence_where = best.name, best.url, best.where
    rights.licence_others = len({each.name for each in own} - {best.name})


def _read_robots(robots: RobotsTxt, url: str, rights: Rights, uses: _Uses) -> None:
    """What the host's robots.txt says of a page."""
    path = _path_of(url)
    refused = [agent for agent in TRAINERS if robots.names(agent) and not robots.allows(agent, path)]
    signals = robots.signals(path)
    lines = [f"{agent}: disallow" for agent in refused]
    if not robots.allows("*", path):
        lines.insert(0, "*: disallow")
        uses.say(SEARCH, allowed=False, signal="robots.txt *")
        uses.say(TRAIN, allowed=False, signal="robots.txt *")
    if refused:
        uses.say(TRAIN, allowed=False, signal=f"robots.txt {refused[0]}")
    for signal in signals:
        lines.append(f"content-signal: {signal}")
        _read_signals(signal, "robots.txt content-signal", uses)
        rights.content_signal = rights.content_signal or signal[:MAX_VALUE]
    rights.robots_txt = _joined(lines) or ""
    rights.robots_txt_time = robots.fetch_time


def of_robots_txt(robots: RobotsTxt) -> dict[str, Any]:
    """What a robots.txt says of its host, as columns of `hosts`."""
    rights, uses = Rights(), _Uses()
    _read_robots(robots, "/", rights, uses)
    named = ["*", *(agent for agent in TRAINERS if robots.names(agent))]
    refused = [agent for agent in named if not robots.allows(agent, "/")]
    return {
        "n_rules": robots.n_rules,
        "refused": _joined(refused),
        "restricted": _joined(agent for agent in named if agent not in refused and robots.refuses_any(agent)),
        "content_signal": _joined(robots.all_signals()),
        **uses.answers(),
    }


def of_tdmrep(reservations: TdmRep) -> dict[str, Any]:
    """What a tdmrep.json says of its host, as columns of `hosts`."""
    rights, uses = Rights(), _Uses()
    _read_reservation(reservations.of("/")[0], "tdmrep.json", rights, uses)
    shown: list[str] = []
    n_characters = 2
    for location, reservation, policy in reservations.rules:
        rule = {"location": location, "tdm-reservation": reservation, "tdm-policy": policy}
        shown.append(json.dumps(rule, ensure_ascii=False))
        n_characters += len(shown[-1]) + 2
        if n_characters > MAX_LIST:
            shown.pop()
            break
    return {"n_rules": len(reservations.rules), "tdm_rules": f"[{', '.join(shown)}]", **uses.answers()}


class _Group(NamedTuple):
    agents: frozenset[str]
    rules: list[tuple[str, bool]]
    signals: list[str]


class RobotsTxt:
    """A robots.txt (RFC 9309): which paths each crawler may fetch, and its content signals."""

    def __init__(self, body: bytes, fetch_time: datetime | None = None) -> None:
        self.fetch_time = fetch_time
        self._groups: list[_Group] = []
        agents: set[str] = set()
        group: _Group | None = None
        self.n_rules = 0
        for line in body[:MAX_ROBOTS].decode("utf-8", "replace").removeprefix("\ufeff").splitlines():
            key, colon, value = line.partition("#")[0].partition(":")
            key, value = key.strip().lower(), value.strip()[:MAX_VALUE]
            if not colon:
                continue
            if key == "user-agent":
                if group is not None:
                    agents, group = set(), None
                agents.add(value.partition("/")[0].rstrip().lower())  # a version is no part of the name
                continue
            if key not in ("allow", "disallow", "content-signal") or not agents or self.n_rules >= MAX_RULES:
                continue
            if group is None:
                group = _Group(frozenset(agents), [], [])
                self._groups.append(group)
            self.n_rules += 1
            if key == "content-signal":
                group.signals.append(value)
            elif value:
                group.rules.append((value, key == "allow"))

    def names(self, agent: str) -> bool:
        """Whether a crawler has rules of its own."""
        return any(agent in group.agents for group in self._groups)

    def _of(self, agent: str) -> Iterator[_Group]:
        name = agent if self.names(agent) else "*"
        return (group for group in self._groups if name in group.agents)

    def allows(self, agent: str, path: str) -> bool:
        """Whether a crawler may fetch a path: the longest rule that matches decides, allow before disallow."""
        best, allowed = -1, True
        for group in self._of(agent):
            for pattern, allow in group.rules:
                longer = len(pattern) > best or (len(pattern) == best and allow)
                if longer and _matches(pattern, path):
                    best, allowed = len(pattern), allow
        return allowed

    def refuses_any(self, agent: str) -> bool:
        """Whether a crawler may not fetch some path."""
        return any(not allow for group in self._of(agent) for _, allow in group.rules)

    def all_signals(self) -> list[str]:
        """The content signals for all crawlers as found, with the paths that they are for."""
        return [signal for group in self._of("*") for signal in group.signals[:MAX_VALUES]]

    def signals(self, path: str) -> list[str]:
        """The content signals for all crawlers. One may begin with the path that it is for."""
        found = []
        for group in self._of("*"):
            for signal in group.signals[:MAX_VALUES]:
                place, blank, rest = signal.partition(" ") if signal.startswith("/") else ("", " ", signal)
                if not place or (blank and _matches(place, path)):
                    found.append(rest.strip())
        return found


def _matches(pattern: str, path: str) -> bool:
    """Whether a rule matches the beginning of a path; * is any text, $ at the end the end. Takes linear time."""
    ends = pattern.endswith("$")
    first, *others = (pattern[:-1] if ends else pattern).split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    if not others:
        return not ends or at == len(path)
    *middle, last = others
    for part in middle:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    if ends:
        return len(path) - len(last) >= at and path.endswith(last)
    return path.find(last, at) >= 0


class TdmRep:
    """A tdmrep.json: an array of objects with the patterns `location` and what holds for the paths that match."""

    def __init__(self, body: bytes, fetch_time: datetime | None = None) -> None:
        """Whatever is not as the protocol says is left out."""
        self.fetch_time = fetch_time
        self.rules: list[tuple[str, str | None, str | None]] = []
        try:
            rules = json.loads(body[:MAX_TDMREP])
        except (ValueError, RecursionError):
            return
        for rule in rules[:MAX_RULES] if isinstance(rules, list) else ():
            if isinstance(rule, dict) and isinstance(location := rule.get("location"), str):
                reservation, policy = rule.get("tdm-reservation"), rule.get("tdm-policy")
                said = str(reservation) if type(reservation) in (int, str) else None
                named = policy if isinstance(policy, str) else None
                self.rules.append((location[:MAX_VALUE], said and said[:MAX_VALUE], named and named[:MAX_VALUE]))

    def of(self, path: str) -> tuple[str | None, str | None]:
        """Reservation and policy for a path, by the first rule that matches it; None where nothing is said."""
        return next(((said, named) for pattern, said, named in self.rules if _matches(pattern, path)), (None, None))


def _path_of(url: str) -> str:
    """Path and query of an address."""
    origin = _ORIGIN.match(url)
    return url[origin.end() if origin else 0 :].partition("#")[0] or "/"


def host_of(url: str) -> str | None:
    """Scheme and host of an address, by which a robots.txt holds."""
    found = _ORIGIN.match(url)
    return found[0].lower() if found else None
