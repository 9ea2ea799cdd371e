# SPDX-License-Identifier: Apache-2.0
"""What can be measured: our extractors and other systems, under one interface."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path

from thresher.evaluate import peers, shapes
from thresher.evaluate.folds import FOLDS
from thresher.evaluate.pages import EvaluationError

Extract = Callable[[bytes, str | None], str]
"""HTML as valid UTF-8 and its labelled language (ISO 639-1 or None) -> main text."""


@dataclass(frozen=True, slots=True)
class System:
    """Something that takes HTML and gives the main text."""

    name: str
    kind: str  # "extractor" (ours), "peer" (a main content extractor), "baseline" (an HTML-to-text conversion), "ensemble", "shape", "leaves"
    version: str  # part of the cache key: the package's version and a hash of the code that calls it
    models: tuple[
        str, ...
    ] = ()  # of the learned extractor, one file for each fold of sites; none: the model of the package

    def load(self) -> Extract:
        """The function that extracts; imports and models are loaded here and not at the first page.

        A system of the kind "module" is one of your own: `name` is a module whose `load()` gives that function. ValueError for an unknown kind.
        """
        if self.kind == "extractor":
            return _load_extractor(self.name, *self.models)
        if self.kind == "shape":
            return shapes.load()
        if self.kind == "leaves":
            return _load_leaves()
        if self.kind in {"peer", "baseline"}:
            extract = peers.PEERS[self.name].load()
            return lambda html, language: extract(html.decode(), language)
        if self.kind == "module":
            load: Callable[[], Extract] = import_module(self.name).load
            return load()
        raise ValueError(f"{self.name} is of a kind that cannot be run: {self.kind}")


SHAPES = System("shape", "shape", shapes.SHAPE_VERSION)
"""Not an extractor: measures the pages themselves (`shapes.py`) with the workers and the cache of the extractors."""


def leaves_system() -> System:
    """Not an extractor either: the texts of a page's leaf blocks and which of them our extractors keep, from one parse, for the ensembles."""
    return System("leaves", "leaves", core_version())


def held_out_file(directory: Path, fold: int) -> Path:
    """Where the model that has not seen the sites of a fold lies (`python -m thresher.train --held-out`)."""
    return directory / f"without-fold-{fold}-of-{FOLDS}.json"


def held_out_systems(system: System) -> list[System]:
    """The learned extractor once for each fold of sites, each with the model that has not seen them."""
    return [
        replace(
            system,
            models=(file,),
            version=f"{system.version}+{hashlib.sha256(Path(file).read_bytes()).hexdigest()[:8]}",
        )
        for file in system.models
    ]


def find_systems(extractors: Iterable[str], peer_names: Iterable[str], *, held_out: Path | None = None) -> list[System]:
    """The systems of these names, ours first. EvaluationError for an unknown name, or for a peer that is not installed.

    `held_out` is a folder of models for the learned extractor, each judged on the sites that it has not seen.
    """
    found = []
    wanted = list(dict.fromkeys(extractors))
    known = import_module("thresher.extraction").EXTRACTORS if wanted else ()
    for name in wanted:
        if name not in known:
            raise EvaluationError(f"no extractor is called {name!r} (there are {', '.join(known)})")
        models = _held_out_models(held_out) if name == "thresher" and held_out is not None else ()
        found.append(System(name, "extractor", core_version(), models))
    missing = []
    for name in dict.fromkeys(peer_names):
        if name not in peers.PEERS:
            raise EvaluationError(f"no peer is called {name!r} (there are {', '.join(peers.PEERS)})")
        version = peers.PEERS[name].version()
        if version is None:
            missing.append(name)
        else:
            found.append(System(name, peers.PEERS[name].kind, version))
    if missing:
        packages = " ".join(f"'{peers.PEERS[name].package}'" for name in missing)
        raise EvaluationError(
            f"not installed: {', '.join(missing)}. Install with: pip install {packages} (all peers: pip install 'thresher[peers]')"
        )
    return found


def our_extractors() -> tuple[str, ...]:
    """The names of our extractors of main content; `menex` finds the menu, and is measured only where it is asked for by name."""
    return tuple(name for name in import_module("thresher.extraction").EXTRACTORS if name != "menex")


@cache
def core_version() -> str:
    """A hash of everything that our extractors' output depends on: the compiled core, the extraction module, rules and models."""
    package = Path(import_module("thresher.extraction").__file__ or "").parent
    files = [package / "extraction.py", *(package / "native").rglob("*.so"), *(package / "native").rglob("*.py")]
    files += [*package.glob("conf/rules/*"), *package.glob("models/*")]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _held_out_models(directory: Path) -> tuple[str, ...]:
    files = [held_out_file(directory, fold) for fold in range(FOLDS)]
    missing = [str(file) for file in files if not file.is_file()]
    if missing:
        raise EvaluationError(f"no model {missing[0]}: python -m thresher.train --held-out {directory} fits them")
    return tuple(map(str, files))


def _load_leaves() -> Extract:
    registry = import_module("thresher.native.extractors.registry")
    workspace = import_module("thresher.native.workspace").Workspace(
        import_module("thresher.native.parsing.document").Document()
    )

    def extract(html: bytes, _language: str | None) -> str:
        workspace.parse(html)
        workspace.measure()
        kept = {}
        for name in registry.MEMBERS:
            workspace.classify(registry.EXTRACTORS[name])
            kept[name] = "".join("01"[choice] for choice in workspace.kept())
        leaves = [workspace.render_block(i).decode() for i in range(workspace.n_blocks)]
        return json.dumps({"leaves": leaves, "kept": kept}, ensure_ascii=False)

    return extract


def _load_extractor(name: str, model: str | None = None) -> Extract:
    read = import_module("thresher.native.scoring.model").Model.read
    extractor = import_module("thresher.extraction").PageExtractor(
        name, model=read(model) if model is not None else None
    )

    def extract(html: bytes, _language: str | None) -> str:
        return bytes(extractor.extract(html)).decode()

    return extract
