# SPDX-License-Identifier: Apache-2.0
"""What the commands and the Spark job share: options generated from the configuration, and the start of a run."""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeVar, get_origin

import click

from thresher.commands.help import Option
from thresher.commands.refusals import Refusal, refusals
from thresher.config import (
    SECTIONS,
    Configuration,
    Read,
    Templates,
    Write,
    file_settings,
    load_configuration,
    parse_setting,
)
from thresher.errors import install_command
from thresher.options import EXTRACTORS, Filters, LanguageOptions, Options, defaults, knobs
from thresher.python_extractors import is_python_extractor, use_python_extractor
from thresher.terminal import make_logs_safe

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from thresher.reading.index import Index
    from thresher.running.reporter import Reporter
    from thresher.running.run import Run

_Command = TypeVar("_Command", bound=Callable[..., Any])


PATH: Final = click.Path()
"""A path or URL. The type makes shells complete the names of files; nothing else is checked."""


class _Names(click.ParamType):  # type: ignore[type-arg]
    name = "names"

    def __init__(self, known: Callable[[], Iterable[str]]) -> None:
        """`known` gives the names that a shell completes."""
        self._known = known

    def convert(
        self,
        value: Any,  # noqa: ANN401 (click's)
        _param: click.Parameter | None,
        _ctx: click.Context | None,
    ) -> tuple[str, ...]:
        return value if isinstance(value, tuple) else tuple(split_names(value))

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that the last one of the list may become."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(before + comma + name) for name in self._known() if name.startswith(last)]


class _Choice(click.Choice):  # type: ignore[type-arg]
    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002 (click's)
        return f"[{'|'.join(self.choices)}]"

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ANN401, ARG002 (click's)
        return f"{value!r} is not one of {', '.join(map(repr, self.choices))}."


class Number(click.FloatRange):
    """A number within bounds; neither `nan`, which compares with none, nor `inf`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


class _KnobOption(Option):
    """An option whose help shows its default. The default is read only when help is shown."""

    def __init__(self, *args: Any, key: str, **attributes: Any) -> None:  # noqa: ANN401 (click's)
        super().__init__(*args, **attributes)
        self.key = key

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        section, _, name = self.key.partition(".")
        default = defaults()[section][name]
        if record is None or default in ("", [], 0):
            return record
        if isinstance(default, bool):
            default = "yes" if default else "no"
        return record[0], f"{record[1]}  [default: {', '.join(default) if isinstance(default, list) else default}]"


def _columns() -> Iterable[str]:
    from thresher.schemas import TABLES

    return [column.name for column in TABLES["pages"].columns]


_GROUPS: Final = {
    "read": "What to read",
    "filter": "Which pages to keep",
    "extract": "What the text holds",
    "language": "What the text holds",
    "templates": "What a host repeats",
    "write": "What is written",
    "run": "How it runs",
}
"""The group of the options of each section."""

_NAMES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "extract.extractors": lambda: EXTRACTORS,
    "write.columns": _columns,
}


_option = partial(click.option, cls=Option)  # one of a group


def split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def knob_option(key: str) -> Callable[[_Command], _Command]:
    """The command-line option for a key of the configuration."""
    section, _, name = key.partition(".")
    field, knob = knobs(SECTIONS[section])[name]
    type_: Any = None
    if field.type is not bool:
        if knob.choices and (field.type is str or get_origin(field.type) is Literal):
            type_ = _Choice(knob.choices, case_sensitive=False)
        elif field.type is int:
            type_ = click.IntRange(min=int(knob.least))
        else:
            type_ = field.type if field.type in (float, str) else _Names(_NAMES.get(key, lambda: knob.choices))
    return click.option(
        *knob.flags,
        key.replace(".", "__"),
        cls=_KnobOption,
        key=key,
        type=type_,
        default=None,
        metavar=knob.metavar,
        help=knob.help,
        group=_GROUPS[section],
        example=knob.example,
        **({"multiple": True, "callback": _joined} if knob.repeatable else {}),
    )


def _joined(_ctx: click.Context, _param: click.Parameter, values: Iterable[Iterable[str]]) -> tuple[str, ...] | None:
    """The names of an option that was given several times, each once; None where it was not given."""
    return tuple(dict.fromkeys(name for names in values for name in names)) or None


def _flagged(cls: type[Any]) -> list[str]:
    return [f"{cls.section}.{name}" for name, (_, knob) in knobs(cls).items() if knob.flags]


def _with(command: _Command, options: Iterable[Callable[[_Command], _Command]]) -> _Command:
    for option in reversed(list(options)):
        command = option(command)
    return command


def extraction_options(command: _Command) -> _Command:
    """Adds the options that control extraction: which extractors, how, and what the text holds."""
    return _with(command, map(knob_option, _flagged(Options)))


def run_options(command: _Command) -> _Command:
    """Adds the options that `thresher extract` and jobs/extract.py share."""
    keys = [*_flagged(Read), *_flagged(Options), *_flagged(LanguageOptions), *_flagged(Filters), *_flagged(Templates)]
    names = ("limit_hours", "max_requests_per_second", "max_connections", "max_error_ratio", "keep_first_pass")
    others = [*(f"run.{name}" for name in names), *_flagged(Write), "run.log_level"]
    append = _option(
        "--append",
        is_flag=True,
        group="What to read",
        example="thresher extract tomorrow.warc.gz -o out --append",
        help="Add the inputs to the run in the output folder, which may be finished.",
    )
    index = _option(
        "--index",
        metavar="INDEX",
        multiple=True,
        group="What to read",
        example="--index 'cc-index/*.parquet' --warc-prefix archives/",
        help="Read the records that an index names, instead of whole archives: Parquet with the columns of Common "
        "Crawl's columnar index (such as pages/ of an earlier run), CDXJ, or a ZipNum cluster.idx; files, folders, "
        "globs or s3:// URLs. --host, --domain and --url-pattern are looked up in it. Repeatable.",
    )
    index_where = _option(
        "--index-where",
        metavar="SQL",
        default="",
        group="What to read",
        help="With --index: a condition on the columns of the index, for DuckDB: \"url_host_tld = 'gr' AND "
        "content_languages LIKE 'ell%'\".",
    )
    shard = _option(
        "--shard",
        default="",
        metavar="I/N",
        group="How it runs",
        help="Work on the i-th of every n inputs, for array jobs; thresher merge OUT joins the shards.",
    )
    strict = _option(
        "--strict",
        is_flag=True,
        group="What to read",
        help="Refuse inputs with files that would be left out, such as a PDF in a folder, instead of saying so at the "
        "end.",
    )
    return _with(command, [index, index_where, append, strict, shard, *_of_configurations(keys, others)])


def every_setting_option(command: _Command) -> _Command:
    """Adds the options that are settings of a run, and none that name inputs."""
    keys = [key for cls in SECTIONS.values() for key in _flagged(cls)]
    return _with(command, [*map(knob_option, keys), _conf(), _setting()])


def rendering_options(command: _Command) -> _Command:
    """Adds the options of a run over pages that an earlier run kept."""
    written = (key for key in _flagged(Write) if key != "write.pass_on")  # which copies records of archives
    keys = [*_flagged(Options), *_flagged(LanguageOptions), *_flagged(Filters), *written]
    run = ["run.limit_hours", "run.max_error_ratio", "run.log_level"]
    return _with(command, [*map(knob_option, keys), _setting(), *map(knob_option, run)])


def measured_options(command: _Command) -> _Command:
    """Adds the options on which the cost of a run depends."""
    keys = [*_flagged(Read), *_flagged(Options), *_flagged(LanguageOptions), *_flagged(Filters)]
    return _with(command, _of_configurations(keys, _flagged(Write)))


def _of_configurations(keys: Iterable[str], others: Iterable[str]) -> list[Callable[[Any], Any]]:
    """Options for inputs and a configuration: those for `keys`, then files and single settings, then `others`."""
    base_url = _option(
        "--input-base-url",
        "--warc-prefix",
        "input_base_url",
        metavar="URL",
        group="What to read",
        example="--input-base-url https://data.commoncrawl.org/",
        help="Prefix for relative paths in a list of paths or an index: a URL such as s3://commoncrawl/, or a folder.",
    )
    return [base_url, *map(knob_option, keys), _conf(), _setting(), *map(knob_option, others)]


def _conf() -> Callable[[Any], Any]:
    return _option(
        "--conf",
        metavar="FILE",
        type=click.Path(dir_okay=False),
        group="Settings",
        example="--conf mine.toml",
        help="TOML file with settings; conf/default.toml lists all of them.",
    )


def _setting() -> Callable[[Any], Any]:
    return _option(
        "--set",
        "settings",
        metavar="SECTION.KEY=VALUE",
        multiple=True,
        group="Settings",
        example="--set limits.max_nodes=200000",
        help="Set one value; repeatable, overrides --conf.",
    )


def output_option(help: str) -> Callable[[_Command], _Command]:  # noqa: A002 (click's)
    """The option -o, which a command that writes a run requires."""
    return _option(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        type=PATH,
        help=help,
        group="What is written",
        example="-o out",
        callback=_folder,
    )


def _folder(_: click.Context, __: click.Parameter, value: str) -> str:
    if value == "-":
        raise click.BadParameter("a run is a folder, and not written to standard output. For the text: thresher text")
    return value


def names_option(flag: str, parameter: str, *, help: str) -> Callable[[_Command], _Command]:  # noqa: A002 (click's)
    return click.option(flag, parameter, type=_Names(tuple), default=(), metavar="NAME,…", help=help)


def resolve(options: dict[str, Any]) -> Configuration:
    """The configuration that a command's options describe. Raises ConfigError."""
    overrides, path = overrides_of(options), options.get("conf")
    if path is not None and "extract.extractors" not in overrides:
        _use_python(file_settings(Path(path)))
    return load_configuration(path, overrides)


def overrides_of(options: Mapping[str, Any]) -> dict[str, object]:
    """The settings that a command's options name; a Python extractor among them is loaded. Raises ConfigError."""
    overrides = dict(parse_setting(setting) for setting in options.get("settings", ()))
    for name, value in options.items():
        section, separator, key = name.partition("__")
        if separator and value is not None:
            overrides[f"{section}.{key}"] = value
    _use_python(overrides)
    return overrides


def _use_python(settings: Mapping[str, object]) -> None:
    """Loads the Python extractor that settings of the user name. Raises ConfigError."""
    names = settings.get("extract.extractors")
    for name in names if isinstance(names, Sequence) and not isinstance(names, str) else ():
        if isinstance(name, str) and is_python_extractor(name):
            use_python_extractor(name)


def begin_logs(configuration: Configuration) -> None:
    """Sends the logs of the package to standard error, safe for a terminal."""
    level = configuration.run.log_level.upper()
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    make_logs_safe()


def begin(inputs: tuple[str, ...], output: str, options: dict[str, Any], *, one_machine: bool) -> Run:
    """The run that the command line asks for, with its output folder ready. `one_machine`: DuckDB counts, not Spark.

    An error that the user has to fix ends the process with a message and exit status 2.
    """
    from thresher.reading.names import STDIN, scheme_of
    from thresher.running.run import start_run
    from thresher.running.stdin import spooled

    with refusals():
        configuration = resolve(options)
        begin_logs(configuration)
        logging.getLogger("py4j").setLevel(logging.WARNING)  # Spark's bridge logs every connection
        if one_machine and configuration.templates.mode != "off" and scheme_of(output):
            raise Refusal(
                f"--templates on one machine needs a local output folder, not {output}; use jobs/extract.py on Spark"
            )
        if one_machine and configuration.templates.mode != "off" and find_spec("duckdb") is None:
            raise Refusal(f"--templates on one machine counts with DuckDB: {install_command('templates')}")
        if STDIN in inputs and not one_machine:
            raise Refusal("standard input (-) cannot be read on a cluster; name a file that all executors can reach")
        stdin = spooled() if STDIN in inputs else None
        index = _index(inputs, options, configuration)
        shard = _shard(options["shard"], configuration)
        if shard is not None:
            from thresher.running.shards import new_shard

            output = new_shard(output, shard)
        return start_run(
            inputs,
            output,
            configuration,
            base_url=options["input_base_url"],
            append=options["append"],
            strict=options["strict"],
            stdin=stdin,
            index=index,
        ).in_shard(shard)


def carry_out(run: Run, reporter: Reporter | None = None, *, fork: bool = False) -> NoReturn:
    """Does what is left of a run on this machine; the process ends with its exit status. `fork`: see LocalEngine."""
    from thresher.running.engine import LocalEngine
    from thresher.running.execute import execute
    from thresher.running.reporter import TerminalReporter
    from thresher.templates import second_pass

    engine_for = partial(LocalEngine, fork=fork)
    sys.exit(execute(run, engine_for, reporter or TerminalReporter(), second_pass=second_pass))


def _shard(text: str, configuration: Configuration) -> tuple[int, int] | None:
    """The shard that a command works on, (i, n); None if on everything."""
    if not text:
        return None
    from thresher.running.shards import parse_shard

    if configuration.templates.mode != "off":
        raise Refusal(
            f"--shard cannot be used with --templates {configuration.templates.mode}: what a host repeats is counted "
            "over all pages"
        )
    try:
        return parse_shard(text)
    except ValueError as error:
        raise Refusal(f"--shard: {error}") from None


def _index(inputs: tuple[str, ...], options: dict[str, Any], configuration: Configuration) -> Index | None:
    """The index that a run is over, if one is named."""
    paths, where = options["index"], options["index_where"]
    if not paths:
        if not inputs:
            raise Refusal("name an input: a WARC, a folder, a glob, a list of paths, or an index (--index)")
        if where:
            raise Refusal("--index-where is a condition on an index; name one with --index")
        return None
    if inputs:
        raise Refusal(f"--index names the records to read, so no other input can be named, such as {inputs[0]}")
    if options["append"]:
        raise Refusal("--append cannot be used with --index; choose another output folder")
    from thresher.reading.index import Index, Wanted

    chosen = configuration.filter
    return Index(tuple(paths), where, Wanted(chosen.hosts, chosen.domains, chosen.urls))
