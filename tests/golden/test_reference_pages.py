# SPDX-License-Identifier: Apache-2.0
"""docs/command-line.md and docs/configuration.md are made from the commands and conf/default.toml (`make golden` writes
them).
"""

import inspect
import json
import re
import textwrap
import tomllib

import click
from shared_data import CHECKOUT

from thresher.commands.main import main
from thresher.config import SECTIONS
from thresher.options import Knob, knobs

COMMANDS_HEAD = """# Command line

`make golden` generates this page from the commands; `thresher COMMAND --help` shows the same.

Results go to standard output, everything else to standard error. Where standard error is a terminal, a bar shows the
progress, otherwise a line every ten seconds. `NO_COLOR=1` turns colours off. Text from pages and archives reaches a
terminal with control characters as visible escapes.

## Shell completion

Commands, options, their choices and the names of files are completed. For bash, zsh or fish, add one of these lines to
`~/.bashrc`, `~/.zshrc` or `~/.config/fish/config.fish`:

```sh
eval "$(_THRESHER_COMPLETE=bash_source thresher)"
eval "$(_THRESHER_COMPLETE=zsh_source thresher)"
_THRESHER_COMPLETE=fish_source thresher | source
```
"""

CONFIGURATION_HEAD = """# Configuration

`make golden` generates this page from
[conf/default.toml](../conf/default.toml), which says of every setting what it does and why its default is what it is.

A file given with `--conf` needs only the settings that it changes. `--set section.key=value` sets any of them on the
command line and overrides the file; so do the flags in the tables. An unknown setting is an error that names the
nearest known one. Rows depend on all settings except those of `[run]`, and a run can only be resumed with the settings
that it was begun with, `[run]` aside.

```sh
thresher extract crawl.warc.gz -o out --conf mine.toml --set limits.max_nodes=200000 --mode recall
```
"""


def commands(command: click.Command, context: click.Context) -> list[tuple[str, click.Command, click.Context]]:
    found = [(context.command_path, command, context)]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            found += commands(inner, click.Context(inner, info_name=name, parent=context))
    return found


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def prose(help_: str) -> str:
    """The help of a command: paragraphs, and indented examples as code."""
    parts = []
    for paragraph in inspect.cleandoc(help_).replace("\b\n", "").split("\n\n"):
        lines = paragraph.splitlines()
        code = [line.strip() for line in lines if line.startswith("  ")]
        text = " ".join(line for line in lines if not line.startswith("  "))
        parts.append(textwrap.fill(text, 120, break_on_hyphens=False))
        if code:
            parts.append("```sh\n" + "\n".join(code) + "\n```")
    return "\n\n".join(filter(None, parts))


def options_of(command: click.Command, context: click.Context) -> dict[str, str]:
    """The rows of a command's options, each by its first name."""
    rows = {}
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record and "--help" not in parameter.opts:
            rows[parameter.opts[0]] = f"| `{cell(record[0])}` | {cell(record[1])} |"
    return rows


def section(path: str, command: click.Command, context: click.Context, known: dict[str, str]) -> str:
    """A command, its options as a table. Those that are like the known ones are only named."""
    usage = " ".join(command.collect_usage_pieces(context))
    text = f"\n## {path}\n\n```\n{path} {usage}\n```\n\n{prose(command.help or '')}\n"
    rows = options_of(command, context)
    shared = [name for name, row in rows.items() if known.get(name) == row]
    own = [row for name, row in rows.items() if name not in shared]
    if own:
        text += "\n| option | |\n|---|---|\n" + "\n".join(own) + "\n"
    if shared:
        named = ", ".join(f"`{name}`" for name in shared)
        line = f"{'Also' if own else 'Options'}, as for [thresher extract](#thresher-extract): {named}."
        text += f"\n{textwrap.fill(line, 120, break_on_hyphens=False)}\n"
    return text


def test_the_page_of_the_command_line_is_true(golden):
    found = commands(main, click.Context(main, info_name="thresher", terminal_width=10_000, max_content_width=10_000))
    page, known = COMMANDS_HEAD, {}
    for path, command, context in found:
        page += section(path, command, context, known)
        if path == "thresher extract":
            known = options_of(command, context)
    golden(CHECKOUT / "docs" / "command-line.md", page.encode())


def comments(text: str) -> dict[str, str]:
    """What default.toml says of each setting, by section and key."""
    found, above, name = {}, [], ""
    for line in text.splitlines():
        if line.startswith("["):
            name, above = line.partition("]")[0][1:], []
        elif line.startswith("#"):
            above.append(line[1:].strip())
        elif "=" in line:
            key = line.partition("=")[0].strip()
            behind = re.search(r"\s#\s(.*)$", line)
            found[f"{name}.{key}"] = behind[1] if behind else " ".join(above)
            above = []
        else:
            above = []
    return found


def setting(key: str, knob: Knob, default: object, comment: str) -> str:
    """A row: name and flags, default, and what the file says of it."""
    names = "<br>".join(f"`{name}`" for name in (key, *knob.flags))
    of = "Any" if isinstance(default, list) else "One"
    values = f" {of} of {', '.join(f'`{choice}`' for choice in knob.choices)}." if knob.choices else ""
    text = comment[:1].upper() + comment[1:].removesuffix(".") + "."
    linked = re.sub(r"docs/([\w-]+)\.md", r"[\1](\1.md)", cell(text + values))
    return f"| {names} | `{json.dumps(default)}` | {linked} |"


def test_the_page_of_the_configuration_is_true(golden):
    text = (CHECKOUT / "conf" / "default.toml").read_text("utf-8")
    defaults, said = tomllib.loads(text), comments(text)
    page = CONFIGURATION_HEAD
    for name, cls in SECTIONS.items():
        lines = [
            setting(key, knob, defaults[name][key], said[f"{name}.{key}"]) for key, (_, knob) in knobs(cls).items()
        ]
        about = inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]
        page += f"\n## [{name}]\n\n{about}\n\n| setting, flag | default | what it does |\n|---|---|---|\n"
        page += "\n".join(lines) + "\n"
    golden(CHECKOUT / "docs" / "configuration.md", page.encode())
