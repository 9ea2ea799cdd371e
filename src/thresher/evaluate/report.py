# SPDX-License-Identifier: Apache-2.0
"""One HTML file with everything that the bench found; it opens in a browser without a network."""

import string
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
import pyarrow as pa
from rapidfuzz.distance import LCSseq

from thresher.evaluate import drawing
from thresher.evaluate.bench import Bench, Difficulty, Measured
from thresher.evaluate.difficulty import AUDIT_LIMIT, choose_by_complexity, quartiles
from thresher.evaluate.ensembles import LearnedQuality
from thresher.evaluate.peers import PEERS
from thresher.evaluate.summary import HEAD, Floats, Summary, column, set_means, summarise
from thresher.evaluate.tokens import tokens

WORST_PAGES = 3
"""Pages shown of each system."""
_SHOWN_TOKENS = 500  # of either side of a comparison
_CONTEXT = 12  # tokens kept on either side of a difference; longer stretches that are alike are folded

_METRIC_COLUMNS = ("rouge_lsum_f1", "lcs_f1", "word_f1", "word_cjk_f1", "bag_f1", "4gram_f1", "jaccard", "levenshtein")

_PAGE = string.Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Thresher: evaluation</title><style>
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 1160px; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; font-size: 13px; } td, th { padding: 2px 9px; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; } svg { max-width: 100%; height: auto; }
.extractor { color: #1f5fa8; } .ensemble { color: #117a4b; } .peer { color: #c2571a; } .baseline { color: #6a6a6a; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1.2em; font-size: 13px; overflow-wrap: anywhere; margin-bottom: 1.5em; }
.sides b { display: block; } small { font-weight: normal; }
.sides > div { background: #f7f7f7; padding: .6em .8em; max-height: 26em; overflow: auto; }
del { background: #ffd3cf; text-decoration: none; } ins { background: #ffe9a8; text-decoration: none; } .alike { color: #888; }
summary { cursor: pointer; padding: .25em 0; } .note { color: #555; }
</style></head><body>
<h1>Evaluation</h1>
<p>$introduction</p>
$sections
</body></html>
""")


def write_report(
    bench: Bench,
    measured: Sequence[Measured],
    difficulty: Difficulty,
    qualities: Sequence[tuple[str, LearnedQuality]],
    results: pa.Table,
) -> str:
    """The report as HTML."""
    summaries = summarise(results)
    by_name = {one.system.name: one for one in measured}
    order = [summary.system for summary in summaries]
    ordered = [by_name[name] for name in order]
    sections = [
        _section("Systems over all sets", _table_of_systems(summaries)),
        _section("F1 by complexity", _boxes(ordered, difficulty)),
        _section("Mean F1 with the interquartile range", _means(summaries)),
        _section("Accuracy against speed", _speed(summaries)),
        _section("Sets", _sets(results, order)),
        _section("Rank correlation of the metrics", _correlation(results)),
        _section("Pages by difficulty", _difficulty(bench, ordered, difficulty, qualities)),
        _section("Audit of the gold texts", _audit(bench, difficulty)),
        _section("Worst pages", _worst(bench, ordered)),
        _section("Settings", _settings(ordered)),
    ]
    introduction = (
        f"{bench.n_pages} pages with gold text of {len(set(bench.sites))} sites in {len({page.dataset for page in bench.pages})} sets; corpus"
        f" {bench.corpus_hash[:16]}. F1 is ROUGE-LSum unless said otherwise. Blue: our extractors; green: ensembles (ours-: of our extractors,"
        " mixed-: of all systems); orange: other systems; grey: HTML-to-text conversions."
    )
    return _PAGE.substitute(introduction=introduction, sections="\n".join(sections))


def _section(title: str, body: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{body}"


def _table(head: Iterable[str], rows: Iterable[Sequence[str]], classes: Sequence[str] = ()) -> str:
    lines = ["<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"]
    for i, row in enumerate(rows):
        name = f' class="{classes[i]}"' if classes else ""
        lines.append(f"<tr{name}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>")
    return "\n".join([*lines, "</table>"])


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'


def _table_of_systems(summaries: Sequence[Summary]) -> str:
    note = "Every figure is the mean over sets of the set's mean or median (Bevendorff et al. 2023, table 3); milliseconds are the mean CPU time over all pages."
    return _table(HEAD, [row.cells() for row in summaries], [row.kind for row in summaries]) + _note(note)


def _f1(one: Measured) -> Floats:
    return column(one.table, "rouge_lsum_f1")


def _boxes(ordered: Sequence[Measured], difficulty: Difficulty) -> str:
    first, _, third = quartiles(difficulty.complexity)
    groups = (
        ("all pages", np.ones(len(difficulty.complexity), dtype=np.bool_)),
        (f"low complexity (up to {first:.2f})", difficulty.complexity <= first),
        (f"high complexity (from {third:.2f})", difficulty.complexity >= third),
    )
    panels = [
        (title, [drawing.Series(one.system.name, one.system.kind, _f1(one)[group]) for one in ordered])
        for title, group in groups
    ]
    note = "Boxes: interquartile range and median; dots: mean; whiskers: last value within 1.5 ranges. Low and high complexity are the first and the last quarter of the pages."
    return drawing.box_plots(panels, "F1 by system on all, simple and complex pages") + _note(note)


def _means(summaries: Sequence[Summary]) -> str:
    rows = [(row.system, row.kind, row.mean_f1, row.first_quartile, row.third_quartile) for row in summaries]
    return drawing.bars(rows, "Mean F1 by system") + _note(
        "Macro averages over the sets, of the means and of the quartiles."
    )


def _speed(summaries: Sequence[Summary]) -> str:
    points = [(row.system, row.kind, row.milliseconds, row.mean_f1) for row in summaries]
    note = (
        "HTML in, text out. An ensemble that votes here costs one parse with all of our members, its other members, and the vote in Python;"
        " majority and threshold without a prefix vote in the core."
    )
    return drawing.scatter(points, "Mean F1 against CPU time") + _note(note)


def _sets(results: pa.Table, order: Sequence[str]) -> str:
    names, means = set_means(results, "word_cjk_f1")
    values = np.array([means[name] for name in order])
    note = "Mean word F1 on each set, Chinese and Japanese by character."
    return drawing.heat_map(order, names, values, "Mean word F1 by system and set", low=0.3) + _note(note)


def _correlation(results: pa.Table) -> str:
    """Spearman's rank correlation of the systems under each pair of metrics, on each set, averaged over the sets (Gupta 2022, section 6.2)."""
    means = []
    for name in _METRIC_COLUMNS:
        _, by_system = set_means(results, name)
        sign = -1 if name == "levenshtein" else 1
        means.append(sign * np.array(list(by_system.values())))
    if len(means[0]) < 3:
        return _note("Three systems or more are needed.")
    by_set = []
    for number in range(means[0].shape[1]):
        ranks = np.array([_ranks(values[:, number]) for values in means])
        with np.errstate(invalid="ignore"):
            by_set.append(np.corrcoef(ranks))
    correlation = np.nanmean(by_set, axis=0)
    note = "Spearman's rank correlation of the order of the systems under each pair of metrics, the mean over the sets; levenshtein turned around."
    return drawing.heat_map(
        _METRIC_COLUMNS,
        _METRIC_COLUMNS,
        correlation,
        "Rank correlation of the metrics",
        low=max(0.0, float(np.floor(10 * correlation.min()) / 10)),
    ) + _note(note)


def _ranks(values: Floats) -> Floats:
    """Ranks from 0, ties sharing their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts + 1) / 2)[inverse], dtype=np.float64)


def _difficulty(
    bench: Bench, ordered: Sequence[Measured], difficulty: Difficulty, qualities: Sequence[tuple[str, LearnedQuality]]
) -> str:
    estimate, complexity = difficulty.estimate, difficulty.complexity
    datasets = np.array([page.dataset for page in bench.pages])
    first, median, third = quartiles(complexity)
    rows = []
    for name in sorted(set(datasets)):
        values = complexity[datasets == name]
        shares = ((values <= first).mean(), ((values > first) & (values < third)).mean(), (values >= third).mean())
        rows.append(
            [
                name,
                str(len(values)),
                *(f"{value:.3f}" for value in quartiles(values)),
                *(f"{100 * share:.0f} %" for share in shares),
            ]
        )
    parts = [
        _note(
            f"Complexity is the share of a page's words that are not in its gold text; quartiles over all pages: {first:.3f}, {median:.3f}, {third:.3f}."
        ),
        _table(("set", "pages", "25 %", "median", "75 %", "easy", "middle", "complex"), rows),
        _note(
            f"Estimated without gold (logistic regression over shares of tags and text runs, sites held out): {100 * estimate.accuracy:.1f} % of the"
            f" pages fall on the right side of the median; with the paper's features alone {100 * estimate.paper_accuracy:.1f} %; taught on a"
            f" quarter of the sites {100 * estimate.quarter_accuracy:.1f} %. {estimate.n_sites} sites."
        ),
    ]
    singles = [one for one in ordered if one.system.kind != "ensemble"]
    names = [one.system.name for one in singles]
    choice = choose_by_complexity(names, np.stack([_f1(one) for one in singles], axis=1), estimate, bench.sites)
    parts.append(
        _note(
            f"One system for all pages, the best on other sites: mean F1 {choice.single:.4f}; chosen by the quarter of the estimated complexity:"
            f" {choice.by_complexity:.4f} ({', '.join(choice.chosen)}); the best for each page, if it were known: {choice.oracle:.4f}. Micro averages."
        )
    )
    rows = []
    for group in range(int(difficulty.groups.max()) + 1):
        inside = difficulty.groups == group
        best = max(singles, key=lambda one: float(_f1(one)[inside].mean()))
        counts = (int(((complexity <= first) & inside).sum()), int(((complexity >= third) & inside).sum()))
        rows.append(
            [
                str(group),
                str(int(inside.sum())),
                *(f"{100 * count / inside.sum():.0f} %" for count in counts),
                best.system.name,
                f"{float(_f1(best)[inside].mean()):.3f}",
            ]
        )
    parts += [
        "<h3>Groups of alike pages</h3>",
        _table(("group", "pages", "easy", "complex", "best system", "its mean F1"), rows),
        _note("k-means on the standardised shares of 14 tags (Gupta 2022, section 3.6)."),
    ]
    if qualities:
        parts += [
            "<h3>Learned ensembles on leaves of held-out sites</h3>",
            _table(
                ("classifier", "F1", "AUC", "leaves"),
                [[name, f"{q.f1:.3f}", f"{q.auc:.3f}", str(q.n_leaves)] for name, q in qualities],
            ),
        ]
    return "\n".join(parts)


def _audit(bench: Bench, difficulty: Difficulty) -> str:
    suspects = np.flatnonzero(difficulty.gold_errors > AUDIT_LIMIT)
    suspects = suspects[np.argsort(-difficulty.gold_errors[suspects], kind="stable")]
    rows = [[bench.pages[i].dataset, bench.pages[i].id, f"{100 * difficulty.gold_errors[i]:.1f} %"] for i in suspects]
    note = f"{len(rows)} of {bench.n_pages} pages have a gold error over {100 * AUDIT_LIMIT:.0f} %: words that the gold has more often than the page (Gupta 2022, equations 3.1 and 3.2). They are listed and not left out."
    return _note(note) + f"<details><summary>The pages</summary>{_table(('set', 'page', 'error'), rows)}</details>"


def _worst(bench: Bench, ordered: Sequence[Measured]) -> str:
    parts = [
        _note(
            "Red: words of the gold that are missing; yellow: words that are too much. Long stretches that are alike are folded."
        )
    ]
    for one in ordered:
        f1 = _f1(one)
        # Among pages that score 0 the longer gold first: an empty answer to a long text is the worse failure.
        order = sorted(range(len(f1)), key=lambda i: (f1[i], -len(bench.pages[i].gold), bench.pages[i].id))
        pages = []
        for i in order[:WORST_PAGES]:
            page, output = bench.pages[i], one.outputs[i]
            gold, extracted = marked_differences(page.gold, output.text)
            status = "" if output.status == "ok" else f", {output.status}"
            url = f"<br><small>{escape(page.url)}</small>" if page.url else ""
            pages.append(
                f"<h4>{escape(page.dataset)} {escape(page.id)}: F1 {f1[i]:.3f}{escape(status)}{url}</h4>"
                f'<div class="sides"><div><b>gold</b> {gold}</div>'
                f"<div><b>{escape(one.system.name)}</b> {extracted or '<i>no text</i>'}</div></div>"
            )
        parts.append(
            f'<details><summary class="{one.system.kind}">{escape(one.system.name)}</summary>{"".join(pages)}</details>'
        )
    return "\n".join(parts)


def marked_differences(gold: str, extracted: str) -> tuple[str, str]:
    """Both texts as HTML, tokens that the other lacks marked: `del` in the gold, `ins` in the extracted text."""
    wanted, found = tokens(gold)[: 20 * _SHOWN_TOKENS], tokens(extracted)[: 20 * _SHOWN_TOKENS]
    left: list[str] = []
    right: list[str] = []
    for code in LCSseq.opcodes(wanted, found):
        if code.tag == "equal":
            alike = _folded(wanted[code.src_start : code.src_end])
            left.append(alike)
            right.append(alike)
            continue
        if code.src_end > code.src_start:
            left.append(f"<del>{escape(_cut(wanted[code.src_start : code.src_end]))}</del>")
        if code.dest_end > code.dest_start:
            right.append(f"<ins>{escape(_cut(found[code.dest_start : code.dest_end]))}</ins>")
    return _limited(left), _limited(right)


def _folded(alike: Sequence[str]) -> str:
    if len(alike) <= 3 * _CONTEXT:
        return escape(" ".join(alike))
    begin, end = " ".join(alike[:_CONTEXT]), " ".join(alike[-_CONTEXT:])
    return f'{escape(begin)} <span class="alike">[… {len(alike) - 2 * _CONTEXT} alike …]</span> {escape(end)}'


def _cut(differing: Sequence[str]) -> str:
    rest = len(differing) - _SHOWN_TOKENS
    return " ".join(differing[:_SHOWN_TOKENS]) + (f" [… {rest} more …]" if rest > 0 else "")


def _limited(parts: Sequence[str]) -> str:
    shown: list[str] = []
    size = 0
    for part in parts:
        size += len(part)
        if size > 12 * _SHOWN_TOKENS and shown:
            return " ".join([*shown, f'<span class="alike">[… {len(parts) - len(shown)} more pieces …]</span>'])
        shown.append(part)
    return " ".join(shown)


def _settings(ordered: Sequence[Measured]) -> str:
    rows = []
    for one in ordered:
        name = one.system.name
        settings = PEERS[name].settings if name in PEERS else ""
        rows.append([name, one.system.kind, one.system.version, settings])
    return _table(("system", "kind", "version", "settings"), rows, [one.system.kind for one in ordered])
