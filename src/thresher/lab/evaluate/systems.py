# SPDX-License-Identifier: Apache-2.0
"""What can be measured: our extractors and other systems, under one interface."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import thresher
from thresher.errors import ConfigError, install_command
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.peers import CONVERTED_PEERS, MODES, PEERS, Mode, html_to_markdown
from thresher.options import EXTRACTORS
from thresher.python_extractors import is_python_extractor, load_python_extractor, use_python_extractor

Extract = Callable[[bytes, str | None], str]
"""From HTML (valid UTF-8) and its labelled language (ISO 639-1 or None) to main text."""

OUR_MODES: Final[dict[Mode, dict[str, Any]]] = {
    "Html+MD": {"format": "source", "formulas": "text"},  # the gold has the formulas as the page wrote them
    "MD": {"format": "markdown"},
}
"""The options of our extractors in each mode that they have."""


@dataclass(frozen=True, slots=True)
class System:
    """Something that takes HTML and gives the main text."""

    name: str
    # "extractor" (ours), "peer" (another system), "module" (a user's own),
    # "converted" (either as WebMainBench measures it)
    kind: str
    version: str  # part of the cache key; changes with whatever can change the output
    models: tuple[str, ...] = ()  # for the learned extractor: one file per fold of sites; empty for the shipped model

    def load(self) -> Extract:
        """The function that extracts. Imports and models are loaded here, so that the first page does not pay for them.

        For a system of your own, `kind` is "module" and `name` a module whose `load()` returns that function, or the
        name of a Python extractor, `module:function`.
        ValueError for an unknown kind.
        """
        if self.kind == "extractor":
            return _load_extractor(self.name, *self.models)
        if self.kind == "peer":
            extract = PEERS[self.name].load()
            return lambda html, language: extract(html.decode(), language)
        if self.kind == "converted":
            return _load_converted(self.name, *self.models)
        if self.kind == "module" and is_python_extractor(self.name):
            function = load_python_extractor(self.name)
            return lambda html, _language: function(html, None).decode()
        if self.kind == "module":
            load: Callable[[], Extract] = import_module(self.name).load
            return load()
        raise ValueError(f"{self.name} is of a kind that cannot be run: {self.kind}")


def held_out_file(directory: Path, fold: int) -> Path:
    """The file of the model that has not seen the sites of a fold (`python -m thresher.lab.train --held-out`)."""
    return directory / f"without-fold-{fold}-of-{FOLDS}.json"


def shares(system: System, sites: Sequence[str]) -> list[tuple[System, list[int]]]:
    """The system with the numbers of all pages, which are of these sites; or the learned extractor once for each of its
    held-out models, with the pages of sites that the model has not seen.
    """
    if not system.models:
        return [(system, list(range(len(sites))))]
    folds = [site_fold(site) for site in sites]
    found = []
    for fold, file in enumerate(system.models):
        version = f"{system.version}+{hashlib.sha256(Path(file).read_bytes()).hexdigest()[:8]}"
        one = replace(system, models=(file,), version=version)
        found.append((one, [number for number, own in enumerate(folds) if own == fold]))
    return found


def find_systems(extractors: Iterable[str], peer_names: Iterable[str], *, held_out: Path | None = None) -> list[System]:
    """The systems of these names, ours first. EvaluationError for an unknown name or a peer that is not installed.

    `held_out` is a directory of models for the learned extractor; each model is judged on sites that it has not seen.
    """
    found = []
    wanted = list(dict.fromkeys(extractors))
    for name in wanted:
        if is_python_extractor(name):
            found.append(_python_system(name))
            continue
        if name in PEERS:
            raise EvaluationError(f"{name} is not an extractor of ours: --peers {name}")
        if name not in EXTRACTORS:
            raise EvaluationError(f"no extractor is called {name!r} (there are {', '.join(EXTRACTORS)})")
        models = _held_out_models(held_out) if name == "thresher" and held_out is not None else ()
        found.append(System(name, "extractor", core_version(), models))
    missing = []
    for name in dict.fromkeys(peer_names):
        peer = PEERS.get(name)
        if peer is None:
            raise EvaluationError(f"no peer is called {name!r} (there are {', '.join(PEERS)})")
        version = peer.version()
        if version is None:
            missing.append(peer)
        else:
            found.append(System(name, "peer", version))
    if missing:
        names = ", ".join(peer.name for peer in missing)
        packages = " ".join(dict.fromkeys(f"'{package}'" for peer in missing for package in peer.packages))
        raise EvaluationError(
            f"not installed: {names}. Install with: pip install {packages} (all peers: {install_command('peers')})"
        )
    return found


def _python_system(name: str) -> System:
    """A Python extractor. Its version is a hash of the file that it stands in: what that imports is not covered."""
    try:
        file = use_python_extractor(name).file
    except ConfigError as error:
        raise EvaluationError(str(error)) from error
    digest = hashlib.sha256(Path(file).read_bytes() if file is not None else b"").hexdigest()
    return System(name, "module", digest[:16])


def our_extractors() -> tuple[str, ...]:
    """The names of our extractors of main content.

    `menex` finds the menu, so it is only measured when asked for by name.
    """
    return tuple(name for name in EXTRACTORS if name != "menex")


@cache
def core_version() -> str:
    """A hash of all that our extractors' output depends on: the package with its compiled core, rules and models.

    Left out is the laboratory. Other modules count even if they cannot change a text: running our extractors
    again takes less time than finding out.
    """
    package = Path(thresher.__file__).parent
    files = [file for file in package.rglob("*.py") if "lab" not in file.relative_to(package).parts]
    files += [*(package / "native").rglob("*.so"), *(package / "native").rglob("*.py")]
    files += [*package.glob("conf/rules/*"), *package.glob("models/*")]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _held_out_models(directory: Path) -> tuple[str, ...]:
    files = [held_out_file(directory, fold) for fold in range(FOLDS)]
    missing = [str(file) for file in files if not file.is_file()]
    if missing:
        raise EvaluationError(f"no model {missing[0]}: python -m thresher.lab.train --held-out {directory} fits them")
    return tuple(map(str, files))


def _load_extractor(name: str, model: str | None = None, **options: Any) -> Extract:  # noqa: ANN401 (of PageExtractor)
    read = import_module("thresher.native.scoring.model").Model.read
    extractor = import_module("thresher.page.page_extractor").PageExtractor(
        name, model=read(model) if model is not None else None, **options
    )

    def extract(html: bytes, _language: str | None) -> str:
        return bytes(extractor.extract(html)).decode()

    return extract


def _load_converted(name: str, *models: str) -> Extract:
    """The function of the system NAME/MODE."""
    system, _, mode = name.partition("/")
    chosen = next(each for each in MODES if each == mode)
    if system in CONVERTED_PEERS:
        peer = CONVERTED_PEERS[system][1][chosen]()
        return lambda html, _language: peer(html.decode())
    extract = _load_extractor(system, *models, **OUR_MODES[chosen])
    if chosen != "Html+MD":
        return extract
    return lambda html, language: html_to_markdown(extract(html, language))
