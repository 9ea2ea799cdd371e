# SPDX-License-Identifier: Apache-2.0
"""An option is declared once: its field, its line in conf/default.toml; commands, configuration and API follow."""

import pickle
import re
import subprocess
import sys
import tomllib
from dataclasses import FrozenInstanceError, replace
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
import pytest
from click.testing import CliRunner

import thresher
from thresher import extract
from thresher.commands.extract import extract as extract_command
from thresher.commands.help import command as thresher_command
from thresher.commands.options import extraction_options, knob_option, resolve, run_options
from thresher.commands.refusals import refusals
from thresher.commands.text import text as text_command
from thresher.config import SECTIONS, load_configuration
from thresher.jobs.extract import main as job
from thresher.native.choosing.registry import HIDDEN_POLICIES
from thresher.native.parsing.document import Document
from thresher.native.workspace import FORMATS, FORMULA_RULES
from thresher.options import (
    CAPTIONS,
    MODES,
    TABLES,
    CaptureOptions,
    LanguageOptions,
    Limits,
    Options,
    knobs,
    make_options,
)
from thresher.page.page_extractor import PageExtractor

DEFAULTS = tomllib.loads((files("thresher") / "conf" / "default.toml").read_text("utf-8"))


def test_every_knob_has_its_line_and_every_line_its_knob() -> None:
    assert {name: list(knobs(cls)) for name, cls in SECTIONS.items()} == {
        name: list(section) for name, section in DEFAULTS.items()
    }


def test_types_name_the_choices() -> None:
    of_core = {"format": tuple(FORMATS), "formulas": tuple(FORMULA_RULES), "hidden": HIDDEN_POLICIES}
    of_core |= {"mode": tuple(MODES), "captions": tuple(CAPTIONS), "tables": tuple(TABLES)}
    assert {name: knobs(Options)[name][1].choices for name in of_core} == of_core
    types = get_type_hints(extract)
    for name in ("mode", "format", "hidden", "formulas", "comments"):
        assert set(knobs(Options)[name][1].choices) <= set(get_args(str_of(types[name]))), name


def str_of(type_: object) -> object:
    """The Literal of a union."""
    return next(each for each in get_args(type_) if get_origin(each) is Literal)


@pytest.mark.parametrize("cls", SECTIONS.values(), ids=lambda cls: cls.section)
def test_defaults_are_those_of_the_file(cls: type) -> None:
    assert cls().to_dict() == DEFAULTS[cls.section]
    assert repr(cls()) == f"{cls.__name__}()"


def test_capture_options_share_the_section_read() -> None:
    assert CaptureOptions().statuses == tuple(DEFAULTS["read"]["statuses"])
    assert CaptureOptions(statuses=None).statuses is None
    assert CaptureOptions(statuses=frozenset({200})) == CaptureOptions()


def test_a_document_without_limits_has_the_default_ones() -> None:
    signature = (Document.__doc__ or "").splitlines()[0]
    found = {name: int(value, 0) for name, value in re.findall(r"(max_\w+): int = (\w+)", signature)}
    assert found == DEFAULTS["limits"]


def test_no_default_is_written_a_second_time() -> None:
    """The numbers that name themselves: in no Python file of the package, whatever their notation."""
    import ast

    package = files("thresher")
    wanted = {DEFAULTS["limits"]["max_bytes"], DEFAULTS["limits"]["max_nodes"], DEFAULTS["read"]["split_bytes"]}
    for path in package.iterdir():  # type: ignore[attr-defined]
        if path.name.endswith(".py"):
            numbers = set()
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                try:
                    numbers.add(eval(compile(ast.Expression(node), "", "eval"), {}))  # type: ignore[arg-type]
                except Exception:  # noqa: BLE001 (what is no number)
                    continue
            assert not wanted & {n for n in numbers if isinstance(n, int)}, path.name


def test_options_can_be_compared_hashed_pickled_and_not_changed() -> None:
    options = Options(extractors=["ccb", "all"], parameters={"threshold": 1}, limits=Limits(max_nodes=7))
    assert options == pickle.loads(pickle.dumps(options))
    assert hash(options) == hash(replace(options))
    assert options != replace(options, format="html")
    assert eval(repr(options)) == options
    assert "max_nodes=7" in repr(options)
    with pytest.raises(FrozenInstanceError):
        options.mode = "recall"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"mode": "best"}, ValueError, "mode must be one of precision, balanced, recall, not 'best'"),
        ({"format": 3}, TypeError, "format must be one of text, markdown, html, source, not 3"),
        ({"links": 1}, TypeError, "links must be bool, not 1"),
        ({"links": True}, ValueError, "links: plain text cannot hold links"),
        ({"extractors": "all"}, TypeError, "extractors must be a sequence of str, not 'all'"),
        ({"extractors": ["ctd"]}, ValueError, "unknown extractor 'ctd'; did you mean 'cetd'"),
        ({"extractors": ["cetd"], "mode": "recall"}, ValueError, "'cetd' has no mode 'recall'"),
        ({"limits": 3}, TypeError, "limits must be Limits, not 3"),
        ({"parameters": {"x": 1}}, TypeError, "no option 'x'. Options: .*, links, .*. Parameters of thresher: lean"),
        ({"parameters": {"lean": "1"}}, TypeError, "'lean' must be a number"),
        ({"no_such": 1}, TypeError, "no_such"),
    ],
)
def test_options_that_make_no_sense(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Options(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [0, -1, 1 << 40, "5", 1.5, True, None])
def test_limits_are_checked(value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=r"max_nodes must be .*, not "):
        Limits(max_nodes=value)  # type: ignore[arg-type]


def test_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="min_score must be at least 0"):
        LanguageOptions(min_score=float("nan"))


def test_keywords_build_options_and_override_given_ones() -> None:
    base = Options(extractors=("cetd", "thresher"), mode="recall", comments="keep", format="html")
    changed = make_options(base, comments="drop", format="markdown", links=True, tables="drop")
    assert changed == replace(base, comments="drop", format="markdown", links=True, tables="drop")
    assert make_options(base) is base
    assert make_options() == Options()
    assert make_options(extractor="ccb", threshold=2) == Options(extractors=("ccb",), parameters={"threshold": 2})  # type: ignore[arg-type]
    # Parameters are one extractor's own.
    assert (
        make_options(Options(extractors=("ccb",), parameters=(("threshold", 2.0),)), extractor="all").parameters == ()
    )


def test_extract_and_page_extractor_take_options_in_the_same_form() -> None:
    html = "<h1>Wind</h1><p>The miller waits for <a href=/wind>wind</a> and the baker waits for the miller.</p>"
    options = Options(extractors=("all",), format="markdown", links=True)
    expected = thresher.extract(html, extractor="all", format="markdown", links=True, url="https://e.org/").text
    assert "](https://e.org/wind)" in expected
    assert thresher.extract(html, options=options, url="https://e.org/").text == expected
    assert PageExtractor(options=options).extract(html.encode(), "https://e.org/").decode() == expected
    assert PageExtractor("all", format="markdown", links=True).options == options
    assert thresher.extract(html, options=options).options is options


def test_limits_of_a_workspace_change_with_its_options() -> None:
    many = b"<p>x</p>" * 100
    page_extractor = PageExtractor("all")
    assert (page_extractor.extract(many), page_extractor.status)[1] == "ok"
    page_extractor.choose("all", limits=Limits(max_nodes=50))
    page_extractor.extract(many)
    assert page_extractor.status == "too_many_nodes"


def options_of(command: click.Command) -> dict[str, click.Option]:
    return {p.name or "": p for p in command.params if isinstance(p, click.Option)}


@pytest.mark.parametrize("command", [extract_command, text_command, job], ids=["extract", "text", "job"])
def test_commands_have_the_options_of_the_fields(command: click.Command) -> None:
    shown = options_of(command)
    for name, (_, knob) in knobs(Options).items():
        option = shown[f"extract__{name}"]
        assert [*option.opts, *option.secondary_opts] == [flag for each in knob.flags for flag in each.split("/")]
        assert option.help == knob.help
    help_text = CliRunner().invoke(command, ["--help-all"]).output
    assert "[precision|balanced|recall]" in help_text
    assert "[text|markdown|html|source]" in help_text
    assert " ".join(help_text.split()).count("[default: balanced]") == 1
    assert "menex" in help_text


def test_flags_become_settings() -> None:
    @click.command()
    @run_options
    @knob_option("run.workers")
    def command(**options: object) -> None:
        configuration = resolve(options)
        changed = {
            f"{section}.{key}": value
            for section, values in configuration.to_dict().items()
            for key, value in values.items()
            if value != DEFAULTS[section][key]
        }
        click.echo(repr(changed))

    arguments = (
        "--extractors cetd,thresher --mode PRECISION --format html --comments drop --tables drop --links --images --workers 3 "
        "--templates apply --templates-from x --output-compression Snappy --max-error-ratio .5 --log-level warning "
        "--set limits.max_nodes=9 --set read.statuses=[200,203]"
    )
    done = CliRunner().invoke(command, arguments.split(), catch_exceptions=False)
    assert eval(done.output) == {
        "extract.extractors": ["cetd", "thresher"],
        "extract.mode": "precision",
        "extract.format": "html",
        "extract.comments": "drop",
        "extract.tables": "drop",
        "extract.links": True,
        "extract.images": True,
        "run.workers": 3,
        "templates.mode": "apply",
        "templates.source": "x",
        "write.compression": "snappy",
        "run.max_error_ratio": 0.5,
        "run.log_level": "warning",
        "limits.max_nodes": 9,
        "read.statuses": [200, 203],
    }


def test_options_of_the_command_line_and_of_the_api_give_the_same() -> None:
    @click.command()
    @extraction_options
    def command(**options: object) -> None:
        assert resolve(options).extract == make_options(extractors=["cetd"], comments="keep", tables="drop")
        click.echo("equal")

    done = CliRunner().invoke(
        command, ["--extractor", "cetd", "--comments", "keep", "--tables", "drop"], catch_exceptions=False
    )
    assert done.output == "equal\n"


def test_a_configuration_names_key_value_and_what_is_allowed() -> None:
    for overrides, message in (
        ({"limits.max_nodes": 0}, "limits.max_nodes must be at least 1, not 0"),
        ({"write.compression": "rar"}, "write.compression must be one of auto, zstd, gzip, snappy, none, not 'rar'"),
        ({"extract.extractors": ["ctd"]}, "[extract] unknown extractor 'ctd'; did you mean 'cetd'"),
        ({"extract.links": True}, "extract.links: plain text cannot hold links"),
        ({"templates.min_pages": 1}, "templates.min_pages must be at least 2, not 1"),
        ({"read.statuses": "200"}, "read.statuses must be a sequence of int, not '200'"),
        ({"limits.max_bytes": 1 << 40}, "limits.max_bytes must be at most 134,217,728, not 1,099,511,627,776"),
    ):
        with pytest.raises(thresher.ConfigError) as raised:
            load_configuration(None, overrides)
        assert str(raised.value).startswith(message)


def test_importing_thresher_reads_no_configuration() -> None:
    code = (
        "import sys, thresher; from thresher.options import defaults;"
        "assert 'tomllib' not in sys.modules; assert not defaults.cache_info().currsize;"
        "assert not {'pyarrow', 'click', 'fastwarc'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_page_as_plain_data_leaves_the_pyarrow_of_a_program_alone() -> None:
    """Imported as for our own processes, without pandas, it would end the program in to_pandas()."""
    code = (
        "import sys, thresher; found = thresher.extract('<p>One.', extractors=['thresher', 'cetd']).to_dict();"
        "assert 'text_cetd' in found; assert 'pyarrow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_tables_have_three_values_and_two_of_them_are_true_and_false() -> None:
    @click.command()
    @extraction_options
    def command(**options: object) -> None:
        click.echo(resolve(options).extract.tables)

    for arguments, expected in (([], "keep"), (["--tables", "html"], "html"), (["--tables=drop"], "drop")):
        assert CliRunner().invoke(command, arguments, catch_exceptions=False).output == f"{expected}\n"
    for given in (True, False):
        with pytest.raises(TypeError, match=f"tables must be one of keep, drop, html, not {given}"):
            make_options(tables=given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "line",
    ["--no-comments", "--html-tables", "--captions as_scored", "--to jsonl --shape dolma", "--set write.shape=dolma"],
)
def test_names_of_earlier_versions_are_unknown(line: str) -> None:
    @thresher_command()
    @run_options
    def command(**options: object) -> None:
        with refusals():
            resolve(options)

    done = CliRunner().invoke(command, line.split())
    assert done.exit_code == 2
    assert "o such option" in done.output or "is not one of" in done.output or "unknown setting" in done.output


def test_a_choice_without_its_value_is_refused() -> None:
    @thresher_command()
    @extraction_options
    def command(**options: object) -> None:
        resolve(options)

    wrong = CliRunner().invoke(command, ["--comments", "crawl.warc.gz"])
    assert wrong.exit_code == 2
    assert "'crawl.warc.gz' is not one of 'auto', 'keep', 'drop'" in wrong.output


@pytest.mark.parametrize("keywords", [{"fromat": "markdown"}, {"limits": {}}])
def test_a_wrong_keyword_of_extract_is_one_traceback(keywords: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as raised:
        thresher.extract("<p>text", **keywords)
    assert raised.value.__context__ is None
