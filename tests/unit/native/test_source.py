# SPDX-License-Identifier: Apache-2.0
"""Main HTML (the format `source`): which elements and attributes of the page come out, and that none of them can do
harm.
"""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import thresher
from thresher.commands.main import main
from thresher.options import Options
from thresher.page.page_extractor import PageExtractor

WORDS = "This sentence belongs to the main text, and goes on for a while, so that an extractor keeps it. "


def source(page: str, extractor: str = "all", **options: object) -> str:
    return PageExtractor(extractor, format="source", **options).extract(page.encode(), "https://e.org/a/").decode()


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<article class='a b' lang=en><p>One</article>", '<article class="a b" lang="en"><p>One</p></article>'),
        ("<p title='\"a\" & <b>'>x &amp; &lt;</p>", '<p title="&quot;a&quot; &amp; &lt;b&gt;">x &amp; &lt;</p>'),
        ("<p>A<br>B <b>bold <i>both</b> it</i>", "<p>A<br>B <b>bold <i>both</i></b><i> it</i></p>"),
        ("<p>One<br><br>two<hr>three", "<p>One<br><br>\ntwo</p><hr>\nthree"),
        ("<ol start=3 type=a reversed><li value=4>x</ol>", '<ol start="3" type="a"><li value="4">x</li></ol>'),
        ("<details open><summary>S</summary>D</details>", "<details open><summary>S</summary>\nD</details>"),
        # rows keep their columns, and cells that span others reach into the rows that are left
        (
            "<table><tr><th>a<th><th>c<tr><td rowspan=3>1<td>2<td><tr><td>3</table>",
            "<table><tbody><tr><th>a</th><th></th>\n<th>c</th></tr>"  # noqa: ISC004
            '\n<tr><td rowspan="3">1</td>\n<td>2</td><td></td></tr>\n<tr><td>3</td></tr></tbody></table>',
        ),
        ("<pre class=c>\n  a\n\n    b </pre>", '<pre class="c">  a\n\n    b </pre>'),
        ("<pre><code class='language-js'><span>let</span> x\n</code></pre>", None),
        ("H<sub>2</sub>O<wbr>x", "H<sub>2</sub>O<wbr>x"),
        # text of elements that are not written stands without their tags
        ("<p>Buy <my-box class=b>this <button onclick=x>now</button></my-box>", "<p>Buy this \nnow</p>"),
        ("<form action=/x><p>Name</p><input name=a></form>", "<p>Name</p>"),
        ("<p>f <math><mi>x</mi></math></p>", '<p>f <span class="math">$x$</span></p>'),
        ("<p>seen<span hidden>not</span> <script>x</script>text", "<p>seen text</p>"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_pages_own_elements_are_written(page: str, expected: str | None) -> None:
    if expected is None:
        expected = '<pre><code class="language-js">let x</code></pre>'
    assert source(page) == expected


def test_what_is_not_kept_leaves_no_trace() -> None:
    page = (
        "<body class=b><header><h1 class=logo>Site</h1></header><nav><ul><li><a href=/a>Home</a><li><a href=/b>News</a>"
        f"</ul></nav><main><div class=text><p class=one>{WORDS * 4}</p><p>{WORDS * 4}</p></div>"
        "<div class=more><a href=/c>More</a></div></main><footer><a href=/d>Imprint</a></footer>"
    )
    text = (WORDS * 4).strip()
    assert source(page, "density") == f'<main><div class="text"><p class="one">{text} </p>\n<p>{text} </p></div></main>'


@pytest.mark.parametrize(
    "harm",
    [
        "<p onclick=x ONLOAD=x onx=x>t",
        "<p style='position:fixed' id=cookie name=n data-x=1 srcdoc=x formaction=x xlink:href=x>t",
        "<a href=javascript:x>t</a>",
        "<a href=' java\nscript:x'>t</a>",
        "<a href=data:text/html,x>t</a>",
        "<a href=vbscript:x target=_blank ping=/x>t</a>",
        "<img src=data:image/svg+xml,x srcset='javascript:x' onerror=x>t",
        "<script>alert(1)</script>t<style>p{}</style>",
        "<iframe srcdoc='<p>x'></iframe>t<object data=x></object><embed src=x>",
        "<svg onload=x><script>x</script><a xlink:href=javascript:x><text>s</text></a></svg>t",
        "<math href=javascript:x><mtext><img src=x onerror=y></mtext></math>t",
        "<form action=javascript:x><input onfocus=x autofocus><button formaction=javascript:x>t</button></form>",
        "<base href=javascript:x><link rel=stylesheet href=x><meta http-equiv=refresh content='0;url=x'>t",
        "<template><p onclick=x>u</template>t",
        "<noscript><p title='</noscript><img src=x onerror=x>'>u</noscript>t",
        "<textarea></textarea><xmp><img src=x onerror=x></xmp>t",
        "<p title='\"><script>x</script>'>t",
        "<p>&lt;script>x&lt;/script>&lt;img src=x onerror=x>t",
        "<video src=x onerror=x>v</video><audio src=x></audio><marquee onstart=x>t</marquee>",
        "<x-y onclick=x is=z>t</x-y><p is=x-y slot=s part=p>u",
    ],
)
def test_nothing_harmful_comes_out(harm: str) -> None:
    written = source(harm, links=True, images=True, hidden="keep")
    document = thresher.parse(written)
    assert "t" in written
    for n in range(document.n_nodes):
        assert document.tag(n) not in {
            *("script", "style", "iframe", "object", "embed", "svg", "math", "form", "input", "button", "base", "link"),
            *("meta", "template", "noscript", "textarea", "xmp", "video", "audio", "marquee", "x-y"),
        }  # fmt: skip
        for name, value in document.attributes(n).items():
            assert name in {"href", "src", "alt", "title", "class"}
            if name in {"href", "src"}:
                assert value.startswith("https://e.org/")


def test_addresses_come_out_on_request() -> None:
    page = "<p><a href=../x title=t>link</a> <img src=i.png alt='a b' width=20 height=10> text</p><img src=p width=1>"
    assert source(page) == '<p><a title="t">link</a>  text</p>'
    assert source(page, links=True) == '<p><a href="https://e.org/x" title="t">link</a>  text</p>'
    image = '<img src="https://e.org/a/i.png" alt="a b" width="20" height="10">'
    assert source(page, images=True) == f'<p><a title="t">link</a> {image} text</p>'


def test_an_image_in_an_empty_cell_keeps_the_columns() -> None:
    page = "<table><tr><td>1<td><img src=i.png><td><td>2</table>"
    image = '<img src="https://e.org/a/i.png">'
    assert f"<td>1</td><td>{image}</td><td></td>\n<td>2</td>" in source(page, images=True)


def test_html_that_is_read_again_says_the_same() -> None:
    page = f"<main class=m><h2>Title</h2><ul><li>{WORDS}<li>b</ul><table><tr><td>1<td>2</table><pre>x\n y</pre></main>"
    once = source(page)
    assert source(once) == once


@pytest.mark.parametrize(
    "page",
    [
        "<b class='" + "c" * 5000 + "'>" + "<p>x" * 3000,  # copies of a formatting element have its attributes
        "<p " + " ".join(f"class{i}=x" for i in range(5000)) + " class=" + "&" * 100_000 + ">x",
        "<a href=y>" + "<p>x" * 5000,
        "<div class=c>" * 20_000 + "x",
        "<p>x<br>" + "<br>" * 20_000 + "y" + "<div>z</div>" * 5000,
        "<base href='https://e.org/" + "b" * 1900 + "/'>" + "<a href=x>l</a> " * 5000,
    ],
    ids=["copies", "attributes", "links", "depth", "breaks", "base"],
)
def test_the_size_is_bounded(page: str) -> None:
    written = source(page, links=True, images=True)
    assert written
    assert len(written) <= (1 << 20) + 8 * len(page) + 10_000


def test_it_is_a_format_as_any_other(tmp_path: Path) -> None:
    assert thresher.extract("<p class=c>x", extractor="all", format="source").text == '<p class="c">x</p>'
    assert Options(format="source", links=True).format == "source"
    file = tmp_path / "page.html"
    file.write_text("<html><body><article class=c><p>" + WORDS * 4 + "</article>", encoding="utf-8")
    expected = f'<article class="c"><p>{WORDS * 4}</p></article>'
    done = CliRunner().invoke(main, ["text", str(file), "--format", "source", "--extractor", "density"])
    assert done.output.strip() == expected
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["extract", str(file), "-o", str(out), "--format=source", "--extractor=density"])
    assert done.exit_code == 0, done.output
    assert pq.read_table(out / "pages")["text"].to_pylist() == [expected]
    # the language is that of the text, not of the markup
    text = "Dieser Satz ist auf Deutsch geschrieben, damit man die Sprache erkennt."
    assert thresher.extract(f"<p class='english words here'>{text}", extractor="all", format="source").language == "deu"
