# SPDX-License-Identifier: Apache-2.0
"""Slow, plain models of what the core computes, over any tree of tuples: to be read beside the papers, and compared
with.

A tree is an `Element` with children that are elements or texts. `to_html` writes it so that an HTML parser builds the
same tree again (the tags are chosen so that no end tag is implied), which is how a model's tree gets into the core.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

LINKS = {"a", "button", "select"}
VOID = {"br", "img", "hr", "input"}
HIDDEN = {"script", "style", "template", "noscript", "iframe", "textarea"}


@dataclass(eq=False)
class Element:
    tag: str
    children: list[Element | str] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)

    def hidden(self) -> bool:
        return self.tag in HIDDEN or "hidden" in self.attributes

    def visible(self) -> list[Element | str]:
        """Children that count: no hidden elements, no blank texts."""
        return [c for c in self.children if (c.strip() if isinstance(c, str) else not c.hidden())]

    def elements(self) -> list[Element]:
        return [c for c in self.visible() if isinstance(c, Element)]

    def walk(self) -> Iterator[Element | str]:
        """Visible descendants in document order."""
        for child in self.visible():
            yield child
            if isinstance(child, Element):
                yield from child.walk()

    def texts(self) -> list[str]:
        return [n for n in self.walk() if isinstance(n, str)]


def characters(text: str) -> int:
    return len(" ".join(text.split()))


def words(text: str) -> int:
    """Only for texts of ASCII: runs of letters, digits and underscores."""
    return len(re.findall(r"\w+", text))


def metrics(element: Element, *, in_link: bool = False) -> dict[str, int]:
    """What metrics.pxd says, from its sentences."""
    in_link = in_link or element.tag in LINKS
    total = dict.fromkeys(
        (
            "characters", "words", "link_characters", "link_words", "tags", "link_tags", "hyperlinks", "leaves",
            "nodes", "children",
        ),
        0,
    )  # fmt: skip
    for child in element.visible():
        total["nodes"] += 1
        total["children"] += 1
        if isinstance(child, str):
            total["leaves"] += 1
            total["characters"] += characters(child)
            total["words"] += words(child)
            if in_link:
                total["link_characters"] += characters(child)
                total["link_words"] += words(child)
            continue
        below = metrics(child, in_link=in_link)
        del below["children"]
        total["leaves"] += below.pop("leaves") if child.visible() else 1
        for name, count in below.items():
            total[name] += count
        total["tags"] += 1
        total["link_tags"] += in_link or child.tag in LINKS
        total["hyperlinks"] += child.tag == "a"
    return total


def composite_text_density(m: dict[str, int], ratio: float) -> float:
    """Sun, Song and Liao 2011, equation 3, counts of at least 1 where they divide."""
    if m["characters"] == 0:
        return 0.0
    c, t = m["characters"], max(m["tags"], 1)
    lc, lt, plain = max(m["link_characters"], 1), max(m["link_tags"], 1), max(m["characters"] - m["link_characters"], 1)
    return c / t * math.log(c / lc * t / lt) / math.log(math.log(c / plain * lc + ratio * c + math.e))


def cetd(body: Element, *, composite: bool = True) -> set[int]:
    """The ids of the text positions (index among the body's visible texts) that CETD chooses."""
    whole = metrics(body)
    ratio = whole["link_characters"] / whole["characters"] if whole["characters"] else 0.0
    if not whole["characters"]:
        return set()
    density: dict[Element, float] = {}
    total: dict[Element, float] = {}
    parent: dict[Element, Element | None] = {body: None}

    def density_of(m: dict[str, int]) -> float:
        return composite_text_density(m, ratio) if composite else m["characters"] / max(m["tags"], 1)

    def visit(element: Element, *, in_link: bool) -> None:
        in_link = in_link or element.tag in LINKS
        density[element] = density_of(metrics(element, in_link=in_link))
        total[element] = 0.0
        for child in reversed(element.visible()):  # the core adds from the last to the first
            if isinstance(child, str):
                n = characters(child)
                text = {"characters": n, "tags": 1, "link_characters": n if in_link else 0, "link_tags": 1}
                total[element] += density_of(text)
            else:
                parent[child] = element
                visit(child, in_link=in_link)
                total[element] += density[child]

    visit(body, in_link=False)

    def best(element: Element) -> Element:
        return max([element, *(e for e in element.walk() if isinstance(e, Element))], key=lambda e: total[e])

    target: Element | None = best(body)
    threshold = math.inf
    while target is not None:
        threshold = min(threshold, density[target])
        target = parent[target]
    content: set[Element] = set()

    def mark(element: Element) -> None:
        if density[element] < threshold or element in content:
            return
        chosen = best(element)
        content.update([chosen, *(e for e in chosen.walk() if isinstance(e, Element))])
        for child in element.elements():
            mark(child)

    mark(body)
    chosen_texts: set[int] = set()
    position = 0

    def number(element: Element, *, inside: bool) -> None:
        nonlocal position
        inside = inside or element in content
        for child in element.visible():
            if isinstance(child, str):
                if inside:
                    chosen_texts.add(position)
                position += 1
            else:
                number(child, inside=inside)

    number(body, inside=False)
    return chosen_texts


def tokens(body: Element) -> list[tuple[str, int]]:
    """The page as ("tag", 0) and ("word", index of its text) tokens, from inside the body."""
    found: list[tuple[str, int]] = []
    position = 0

    def visit(element: Element) -> None:
        nonlocal position
        for child in element.visible():
            if isinstance(child, str):
                found.extend([("word", position)] * words(child))
                position += 1
                continue
            found.append(("tag", 0))
            visit(child)
            if child.tag not in VOID:
                found.append(("tag", 0))

    visit(body)
    return found


def bte(body: Element) -> set[int]:
    """Finn, Kushmerick and Smyth 2001 by brute force: the texts between the best pair of places."""
    page = tokens(body)
    starts = [i for i, (kind, _) in enumerate(page) if kind == "word"]
    best: tuple[int, int, int] | None = None
    outside = [0]
    for kind, _ in page:
        outside.append(outside[-1] + (kind == "tag"))
    for i in starts:
        for j in starts:
            if j < i:
                continue
            tags_inside = outside[j + 1] - outside[i]
            score = outside[-1] - tags_inside + (j + 1 - i - tags_inside)
            if best is None or score > best[0]:
                best = (score, i, j)
    return {page[k][1] for k in range(best[1], best[2] + 1) if page[k][0] == "word"} if best else set()


def ccb(body: Element, *, span: float, threshold: float, anchors: bool) -> set[int]:
    """Content code blurring with three moving means: the texts whose words have a blurred value above the threshold on
    average.
    """
    page: list[tuple[str, int]] = []
    position = 0

    def visit(element: Element) -> None:
        nonlocal position
        for child in element.visible():
            if isinstance(child, str):
                page.extend([("word", position)] * words(child))
                position += 1
                continue
            tag = [("tag", 0)] if anchors or child.tag != "a" else []
            page.extend(tag)
            visit(child)
            page.extend(tag if child.tag not in VOID else [])

    visit(body)
    values = [float(kind == "word") for kind, _ in page]
    radius = max(int(span / 3 + 0.5), 1)
    for _ in range(3):
        padded = [0.0] * radius + values + [0.0] * radius
        values = [sum(padded[i : i + 2 * radius + 1]) / (2 * radius + 1) for i in range(len(values))]
    chosen = set()
    for text in range(position):
        blurred = [value for value, token in zip(values, page, strict=True) if token == ("word", text)]
        if blurred and sum(blurred) / len(blurred) > threshold:
            chosen.add(text)
    return chosen


def random_page(rng: random.Random, size: int = 40, *, buttons: bool = True) -> Element:
    """A body of some `size` nodes with texts, links, lists and hidden elements, no end tag of which is ever implied."""
    body = Element("body")
    elements = [body]
    while size > 0:
        size -= 1
        into = rng.choice(elements[-6:] + elements[:1])
        kind = rng.random()
        if kind < 0.45:
            length = rng.choice((1, 2, 3, 8, 30))
            text = " ".join(rng.choice(("lorem", "ipsum", "dolor", "a", "x1", "sit,", "amet.")) for _ in range(length))
            if into.children and isinstance(into.children[-1], str):
                continue
            into.children.append(rng.choice((text, f" {text} ", f"{text}\n  {text}", " ")))
        else:
            tags = ("div", "div", "section", "article", "span", "em", "ul", "li", "nav", "br", "button", "noscript")
            tag = rng.choice(tags if inside_link(elements, into) else (*tags, "a", "a", "a"))
            if tag in ("button", "noscript", "li") and into.tag in ("button", "li", "a", "noscript"):
                continue
            if tag == "button" and any(e.tag == "button" for e in ancestors(body, into)):
                continue
            if tag == "li" and any(e.tag == "li" for e in ancestors(body, into)):
                continue
            if tag == "button" and not buttons:
                continue
            attributes = {"hidden": ""} if rng.random() < 0.03 else {}
            if rng.random() < 0.15:
                attributes[rng.choice(("class", "id"))] = rng.choice(("menu", "nav", "top nav", "content"))
            new = Element(tag, attributes=attributes)
            into.children.append(new)
            if tag not in VOID and tag != "noscript":
                elements.append(new)
    show_the_hidden_main_part(body)
    return body


def show_the_hidden_main_part(body: Element) -> None:
    """Drops `hidden` where the core would show the element anyway (metrics.pxd): where it holds most of the page's
    text.
    """

    def text_of(element: Element) -> int:
        return sum(characters(c) if isinstance(c, str) else text_of(c) for c in element.children)

    def outermost(element: Element) -> Iterator[Element]:
        for child in element.children:
            if isinstance(child, Element):
                yield from [child] if "hidden" in child.attributes else outermost(child)

    while largest := max(outermost(body), key=text_of, default=None):
        if text_of(largest) <= 2 * sum(characters(text) for text in body.texts()):
            break
        del largest.attributes["hidden"]


def ancestors(body: Element, element: Element) -> list[Element]:
    """The element and everything above it."""
    path: list[Element] = []

    def find(at: Element) -> bool:
        if at is element or any(isinstance(c, Element) and find(c) for c in at.children):
            path.append(at)
            return True
        return False

    find(body)
    return path


def inside_link(elements: list[Element], into: Element) -> bool:
    return any(e.tag == "a" for e in ancestors(elements[0], into))


def to_html(element: Element) -> str:
    """The page as HTML."""
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attributes.items())
    inner = "".join(escape(c, quote=False) if isinstance(c, str) else to_html(c) for c in element.children)
    if element.tag in VOID:
        return f"<{element.tag}{attributes}>"
    html = f"<{element.tag}{attributes}>{inner}</{element.tag}>"
    return f"<!doctype html><html><head></head>{html}</html>" if element.tag == "body" else html


def batched(seeds: range) -> list[range]:
    """Seeds of pages for one test each: a test for each page takes longer to begin than the page."""
    return [seeds[first : first + 20] for first in range(0, len(seeds), 20)]
