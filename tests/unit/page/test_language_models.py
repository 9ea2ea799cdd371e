# SPDX-License-Identifier: Apache-2.0
"""Language models beside the built-in one, the languages of the parts of a text, and the columns made of both."""

import json
import re
import shutil

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st
from small_archive import GREEK, SENTENCE, write_archive

import thresher
from thresher.commands.main import main
from thresher.errors import ConfigError
from thresher.options import LanguageOptions
from thresher.page.language import identify_language, known_languages, shares_of
from thresher.page.language_models import language_model, model_path
from thresher.rows.selection import Selection

TEXTS = {
    "eng": SENTENCE,
    "ell": GREEK,
    "pol": "Zbiory z północnych pól zwieziono, zanim nad wzgórzami spadł deszcz.",
    "zho": "在雨水越过山丘之前，北方田地的收成已经运了回来，村民们都很高兴。",
    "heb": "יבול השדות הצפוניים נאסף לפני שהגשם הגיע אל הגבעות, וכל הכפר שמח מאוד.",
    "nor": "Avlingen fra de nordlige åkrene ble brakt i hus før regnet kom over åsene, og ingen måtte fryse.",
    "srp": "Жетва са северних поља унета је пре него што је киша прешла преко брда, и сви су били срећни.",
}
MODELS = ("lid176", "cld2", "py3langid", str(model_path()))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("code", TEXTS)
def test_models_answer_with_the_same_codes(model, code):
    options = LanguageOptions(model=model)
    found, score = identify_language(TEXTS[code], options=options)
    assert found == code
    assert 0.2 < score <= 1.0
    assert code in known_languages(model)


@pytest.mark.parametrize("model", MODELS)
@given(text=st.text(alphabet=st.characters(), max_size=300))
@example(text="\x00 \ud800 letters\ud800letters")
@example(text="lorem ipsum\x00 dolor\x0b sit amet")
def test_no_text_makes_a_model_raise(model, text):
    language, score = identify_language(text, options=LanguageOptions(model=model))
    assert len(language) == 3 or "_" not in language
    assert 0.0 <= score <= 1.0
    found, score = language_model(model).identify(text.encode("utf-8", "replace").decode().replace("\n", " "))
    assert found
    assert 0.0 <= score <= 1.0


@pytest.mark.parametrize("model", MODELS)
def test_a_run_can_record_the_file_of_a_model(model):
    about = language_model(model).about()
    assert about["model"] == language_model(model).name
    assert re.fullmatch(r"[0-9a-f]{64}", about["sha256"])


@pytest.mark.parametrize("model", MODELS)
def test_no_model_knows_a_code_with_a_script(model):
    assert not [code for code in known_languages(model) if not code.isalpha() or not 2 < len(code) < 4]


def test_labels_with_scripts_are_codes():
    from thresher.page.language_models import _code

    labels = ("eng_Latn", "arb_Arab", "cmn_Hans", "zsm_Latn", "nob_Latn", "srp_Cyrl", "zxx_Zxxx", "xx-Cyrl", "un", "iw")
    codes = ["eng", "ara", "zho", "msa", "nor", "srp", "und", "und", "und", "heb"]
    assert [_code(label) for label in labels] == codes


@pytest.mark.parametrize("model", ["glotlid", "none.bin", "folder", ""])
def test_a_model_that_is_not_there_is_refused_before_the_run(tmp_path, model):
    with pytest.raises(ValueError, match=r"language model|fastText"):
        language_model(model)
    runner = CliRunner()
    archive = write_archive(tmp_path / "a.warc.gz", {"https://mill.example/": b"<p>Grain"})
    done = runner.invoke(main, ["extract", str(archive), "-o", str(tmp_path / "out"), "--language-model", model])
    assert done.exit_code == 2, done.output
    assert not (tmp_path / "out").exists()


def test_shares_are_counted_line_by_line():
    options = LanguageOptions()
    both = "\n".join([SENTENCE * 2, "Contents", SENTENCE, GREEK * 3, "1 2 3", "λόφους"])
    shares = dict(shares_of(both, "ell", options))
    assert set(shares) == {"eng", "ell"}
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["ell"] == pytest.approx(0.54, abs=0.05)
    assert shares_of("", "und", options) == []
    assert shares_of("12.50\n3", "und", options) == []
    assert shares_of(SENTENCE, "eng", options) == [("eng", 1.0)]


def test_a_long_text_is_looked_at_in_few_parts(monkeypatch):
    from thresher.page import language

    asked = []
    monkeypatch.setattr(language, "language_of", lambda letters, _: asked.append(letters) or ("eng", 1.0))
    assert language.shares_of(f"{SENTENCE}\n" * 50_000, "eng", LanguageOptions()) == [("eng", 1.0)]
    assert 100 <= len(asked) <= 201
    assert max(map(len, asked)) <= 200


def page_of(*paragraphs: str) -> bytes:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<!DOCTYPE html><meta charset=utf-8><title>Page</title><body><article>{text}</article>".encode()


PAGES = {
    "https://mill.example/english": page_of(*[SENTENCE * 3] * 4),
    "https://mill.example/greek": page_of(*[GREEK * 3] * 4),
    "https://mill.example/both": page_of(*[SENTENCE * 3] * 2, *[GREEK * 3] * 4),
    "https://mill.example/empty": b"<html>",
}
COLUMNS = ["url", "text", "language", "+languages", "+language_cld2", "+language_py3langid", "+language_agreement"]


@pytest.mark.parametrize("format_", ["text", "markdown", "html"])
def test_opinions_and_shares_are_columns(tmp_path, format_):
    archive = write_archive(tmp_path / "a.warc.gz", PAGES)
    batches = thresher.page_batches(archive, columns=COLUMNS, format=format_)
    rows = {row["url"].rsplit("/", 1)[1]: row for batch in batches for row in batch.to_pylist()}
    assert not batches.dead_letters
    for name, code in (("english", "eng"), ("greek", "ell")):
        row = rows[name]
        assert (row["language"], row["language_cld2"], row["language_py3langid"]) == (code, code, code)
        assert row["language_agreement"] == 1.0
        assert [each[0] for each in row["languages"]] == [code]
    shares = dict(rows["both"]["languages"])
    assert shares["ell"] == pytest.approx(0.67, abs=0.05)
    assert shares["eng"] == pytest.approx(0.33, abs=0.05)
    assert rows["empty"]["languages"] == []
    assert rows["empty"]["language_cld2"] == "und"


def test_the_columns_are_off_by_default(tmp_path):
    archive = write_archive(tmp_path / "a.warc.gz", PAGES)
    names = thresher.page_batches(archive).schema.names
    assert not {"languages", "language_agreement", "language_lid176", "language_cld2"}.intersection(names)


def test_pages_are_kept_by_share(tmp_path):
    archive = write_archive(tmp_path / "a.warc.gz", PAGES)

    def kept(**filters):
        batches = thresher.page_batches(
            archive, filters=thresher.Filters(**filters), columns=["url", "text", "language"]
        )
        found = {row["url"].rsplit("/", 1)[1] for batch in batches for row in batch.to_pylist()}
        assert len(found) + batches.skipped["language"] == 4
        return found

    assert kept(languages=("ell",)) == {"greek"}  # the first letters of the other page are English
    assert kept(languages=("ell",), min_language_share=0.8) == {"greek"}
    assert kept(languages=("el",), min_language_share=0.5) == {"greek", "both"}
    assert kept(languages=("eng",), min_language_share=0.2) == {"english", "both"}
    assert kept(languages=("eng", "ell"), min_language_share=0.99) == {"english", "greek", "both"}
    with pytest.raises(ConfigError, match="--language"):
        thresher.page_batches(archive, filters=thresher.Filters(min_language_share=0.5))


def extract(*arguments: str):
    return CliRunner().invoke(main, ["extract", *arguments, "--workers", "1"])


def test_a_run_says_which_models_it_used_and_goes_on_with_no_other(tmp_path):
    archive = write_archive(tmp_path / "a.warc.gz", PAGES)
    model, out = tmp_path / "own.ftz", tmp_path / "out"
    shutil.copy(model_path(), model)
    options = [str(archive), "-o", str(out), "--language-model", str(model), "--columns", "+languages,+language_cld2"]
    done = extract(*options, "--blocks", "--set", "language.blocks=true")
    assert done.exit_code == 0, done.output
    run = json.loads((out / "_run.json").read_text())
    models = run["language_models"]
    assert models["language"]["file"] == "own.ftz"
    assert len(models["language"]["sha256"]) == 64
    assert models["language_cld2"]["model"] == "cld2"
    languages = dict(
        zip(*(pq.read_table(out / "pages")[name].to_pylist() for name in ("url", "languages")), strict=True)
    )
    assert [code for code, _ in languages["https://mill.example/both"]] == ["ell", "eng"]
    blocks = pq.read_table(out / "blocks").to_pylist()
    assert {(block["language"], "harvest" in block["text"]) for block in blocks} == {("eng", True), ("ell", False)}
    run["rows"]["language.sha256"] = "0" * 64
    (out / "_run.json").write_text(json.dumps(run))
    done = extract(*options, "--blocks", "--set", "language.blocks=true")
    assert done.exit_code == 2
    assert "language.sha256" in done.output


def test_a_run_from_before_these_settings_goes_on(tmp_path):
    archive = write_archive(tmp_path / "a.warc.gz", PAGES)
    out = tmp_path / "out"
    assert extract(str(archive), "-o", str(out)).exit_code == 0
    run = json.loads((out / "_run.json").read_text())
    for name in ("language.model", "language.fasttext", "language.blocks", "filter.min_language_share"):
        del run["rows"][name]
    (out / "_run.json").write_text(json.dumps(run))
    done = extract(str(archive), "-o", str(out))
    assert done.exit_code == 0, done.output


def test_json_lines_have_the_shares_as_an_object(tmp_path):
    archive = write_archive(tmp_path / "a.warc.gz", PAGES)
    out = tmp_path / "out"
    done = extract(
        str(archive), "-o", str(out), "--to", "jsonl", "--columns", "url,languages", "--output-compression", "none"
    )
    assert done.exit_code == 0, done.output
    (file,) = out.glob("pages/*.jsonl")
    rows = {row["url"]: row["languages"] for row in map(json.loads, file.read_text().splitlines())}
    assert rows["https://mill.example/greek"] == {"ell": 1.0}


def test_selection_loads_no_model_that_is_not_asked_for(monkeypatch):
    from thresher.config import load_configuration
    from thresher.page import language_models

    monkeypatch.setattr(language_models, "_imported", lambda *_: pytest.fail("a model was loaded"))
    Selection(load_configuration())
