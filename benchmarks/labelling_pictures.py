# SPDX-License-Identifier: Apache-2.0
"""Pictures of pages whose blocks have classes, for docs/labelling-examples.md.

    python benchmarks/labelling_pictures.py [NAME...]

writes docs/images/labelling/NAME.png for the pages fixtures/labelling/NAME.html, or for all of them. NAME.tsv beside a
page has the number and the class of each of its blocks. It needs Chromium,
and Pillow, which comes with the extra `evaluate`.
"""

import argparse
import html
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from thresher.lab.evaluate.block_classes import CLASSES, read_page_blocks
from thresher.serving.shown_page import shown_page

HERE = Path(__file__).parent
PAGES = HERE / "fixtures" / "labelling"
PICTURES = HERE.parent / "docs" / "images" / "labelling"
WIDTH = 800  # pixels
PALETTE = 96  # colours of a picture: a third of the bytes, and no difference to the eye
ALIKE = 24  # sum of the differences of red, green and blue up to which colours share one
COLOURS: Final = {  # of Okabe and Ito, told apart by the colour-blind
    "main": "#009e73",
    "title": "#0072b2",
    "dateline": "#56b4e9",
    "caption": "#f0e442",
    "comment": "#cc79a7",
    "optional": "#e69f00",
    "other": "#8c8c8c",
}
STYLE = """
body { margin: 0; padding: 10px 16px 14px 104px; font: 15px/1.35 "DejaVu Sans", sans-serif; background: #fff; }
x-thresher { background: none !important; box-shadow: none !important; }
h1, h2, h3, p, ul, ol, dl, table, figure, blockquote, details, form > label { margin: 4px 0; }
h1 { font-size: 22px; } h2 { font-size: 17px; } h3 { font-size: 15px; }
ul, ol { padding: 0; list-style-position: inside; }
ul.row { display: flex; gap: 8px; list-style: none; }
li, td, th, dt, dd, summary, label, .box { margin: 2px 0; }
.card { display: block; margin-bottom: 10px; }
table { border-spacing: 2px; } th { text-align: left; font-weight: normal; } td { min-width: 130px; }
dl { display: grid; grid-template-columns: 100px auto; gap: 2px; } dd { margin: 2px 0; }
blockquote { margin-left: 28px; }
div.tint { margin: 4px 0; }
img { display: block; background: #c3ced2; }
.tint { background: color-mix(in srgb, var(--c) 24%, #fff) !important; box-shadow: inset 4px 0 0 var(--c) !important;
  border-radius: 0 !important; padding: 1px 6px 1px 10px; }
.tag { position: absolute; left: 8px; width: 70px; padding: 0 4px; font: 12px/18px "DejaVu Sans", sans-serif;
  color: #000; background: color-mix(in srgb, var(--c) 45%, #fff); border-left: 6px solid var(--c); }
.legend { display: flex; gap: 6px; margin: 0 0 8px -96px; }
.legend .tag { position: static; }
.address { margin: 0 0 8px -96px; padding: 3px 10px; border: 1px solid #aaa; border-radius: 10px; font-size: 13px; }
"""
# Tints the smallest element that holds a block and nothing of other blocks, and puts one tag beside each of its rows.
TINT = """(classes, colours) => {
  const marks = [...document.querySelectorAll("x-thresher")];
  const inline = (element) => getComputedStyle(element).display.startsWith("inline");
  for (const list of document.querySelectorAll("nav ul, footer ul, ul[class]"))
    if (list.querySelector("li > a") && !list.querySelector("p") && list.textContent.length < 60)
      list.className = "row";
  for (const details of document.querySelectorAll("details")) details.open = true;
  classes.forEach((name, n) => {
    const own = marks.filter((mark) => mark.getAttribute("n") === String(n));
    let boxes = own;
    for (let box = own[0].parentElement; box !== document.body; box = box.parentElement) {
      if ([...box.querySelectorAll("x-thresher")].some((mark) => !own.includes(mark))) break;
      if (own.every((mark) => box.contains(mark)) && !box.querySelector("img")) boxes = [box];
      if (!inline(box)) break;
    }
    for (const box of boxes) {
      box.classList.add("tint");
      box.style.setProperty("--c", colours[name]);
    }
  });
  const rows = new Map();
  classes.forEach((name, n) => {
    const mark = document.querySelector(`x-thresher[n="${n}"]`);
    const line = mark.getClientRects()[0];
    const top = Math.round(line.top + line.height / 2 - 9);
    const row = [...rows.keys()].find((each) => Math.abs(each - top) < 12);
    if (row !== undefined && rows.get(row) !== name) throw new Error(`block ${n}: a row with two classes`);
    if (row !== undefined) return;
    rows.set(top, name);
    const tag = document.createElement("span");
    tag.className = "tag";
    tag.textContent = name;
    tag.style.setProperty("--c", colours[name]);
    tag.style.top = `${top}px`;
    document.body.append(tag);
  });
  const wide = document.documentElement.scrollWidth > innerWidth;
  return wide ? -1 : Math.ceil(document.body.getBoundingClientRect().height);
}"""


def names() -> list[str]:
    """The names of the pages."""
    return sorted(path.stem for path in PAGES.glob("*.html"))


def read_labels(name: str) -> list[str]:
    """The class of each block of a page; ends the program where a block has none or a class is unknown."""
    lines = [line.split("\t") for line in (PAGES / f"{name}.tsv").read_text("utf-8").splitlines()]
    numbers, classes = [int(line[0]) for line in lines], [line[1] for line in lines]
    _, blocks = read_page_blocks((PAGES / f"{name}.html").read_bytes())
    if numbers != list(range(len(blocks))):
        sys.exit(f"{name}: {len(blocks)} blocks, which are not those that have classes")
    unknown = set(classes).difference(CLASSES)
    if unknown:
        sys.exit(f"{name}: unknown classes {sorted(unknown)}")
    return classes


def picture_page(name: str) -> str:
    """The page as HTML with its blocks marked, its address and the legend on top."""
    document, blocks = read_page_blocks((PAGES / f"{name}.html").read_bytes())
    shown = shown_page(document, [(block.start, block.end) for block in blocks])
    attributes_of_all = map(document.attributes, range(document.n_nodes))
    address = next(each["href"] for each in attributes_of_all if each.get("rel") == "canonical")
    legend = "".join(f'<span class="tag" style="--c: {colour}">{each}</span>' for each, colour in COLOURS.items())
    head, body, rest = shown.partition("<body")
    attributes, end, content = rest.partition(">")
    top = f'<div class="legend">{legend}</div><div class="address">{html.escape(address)}</div>'
    return f"{head}<style>{STYLE}</style>{body}{attributes}{end}{top}{content}"


def reduce(picture: Path) -> None:
    """Writes a picture again with its most frequent colours, which are the tints, exactly as they were; of colours that
    are alike with the most frequent one, so that those of a small legend are among them.
    """
    from PIL import Image

    with Image.open(picture) as image:
        full = image.convert("RGB")
    red, green, blue = (full.tobytes()[start::3] for start in range(3))
    counts = Counter(zip(red, green, blue, strict=True))
    chosen: list[tuple[int, int, int]] = []
    for colour, _ in counts.most_common():
        if all(sum(abs(a - b) for a, b in zip(colour, other, strict=True)) > ALIKE for other in chosen):
            chosen.append(colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen[:PALETTE] for part in colour])
    full.quantize(palette=palette, dither=Image.Dither.NONE).save(picture, optimize=True)


def main() -> None:
    """Writes the pictures."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    from headless_chromium import Chromium

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    chosen = parser.parse_args().names or names()
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder) / "profile") as browser:
        for name in chosen:
            page = Path(folder) / f"{name}.html"
            page.write_text(picture_page(name), "utf-8")
            browser.size(WIDTH, 600)
            browser.open(page.as_uri())
            height = browser.run(f"({TINT})({json.dumps(read_labels(name))}, {json.dumps(COLOURS)})")
            if height < 0:
                sys.exit(f"{name}: wider than the picture")
            browser.size(WIDTH, height)
            picture = PICTURES / f"{name}.png"
            browser.screenshot(picture)
            reduce(picture)
            print(f"{name}: {WIDTH} × {height}, {picture.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
