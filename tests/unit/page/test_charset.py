# SPDX-License-Identifier: Apache-2.0
"""Which encoding a page is taken for, what is recorded of it, and that browsers' decoders are matched where Python's
differ.
"""

import re
import unicodedata

import pytest

from thresher import extract
from thresher.native.parsing.utf8 import double_utf8, encoded_once, repaired_sequences
from thresher.page.charset import declared_in_page, decode, late_meta
from thresher.page.legacy_encodings import LABELS, decode_as, encoding_of

RUSSIAN = "Мельник мелет муку на старой мельнице у реки, и ветер вертит крылья с утра до вечера. "
GREEK = "Ο μυλωνάς αλέθει το σιτάρι στον παλιό μύλο δίπλα στο ποτάμι από το πρωί ως το βράδυ. "
CHINESE = "磨坊主在河边的老磨坊里从早到晚磨面粉，风车的翅膀随风转动，面粉像雪一样落下来。"
JAPANESE = "粉屋は川のほとりの古い水車小屋で朝から晩まで粉をひき、風は一日じゅう羽根を回している。"
KOREAN = "방앗간 주인은 강가의 낡은 방앗간에서 아침부터 저녁까지 밀가루를 빻는다. 바람이 날개를 돌린다."
FRENCH = "Le meunier moud la farine près de la rivière, été comme hiver, du matin à la tombée de la nuit. "


def test_valid_utf8_is_given_back_as_the_same_object():
    for page in (b"", b"<p>plain", "<p>naïve".encode(), (CHINESE * 100).encode()):
        assert decode(page).utf8 is page
        assert decode(page, http_charset="utf-8").utf8 is page
        assert decode(page, http_charset="windows-1251").utf8 is page


@pytest.mark.parametrize(
    ("page", "http", "charset", "source"),
    [
        (b"<p>plain", None, "utf-8", "utf8"),
        (b"<p>plain", " ISO-8859-1\n", "windows-1252", "http"),
        (b"<p>plain", "no-such-charset", "utf-8", "utf8"),
        (b"<meta charset=latin1><p>plain", None, "windows-1252", "meta"),
        (b"<meta charset=latin1><p>plain", "koi8-r", "koi8-r", "http"),
        (b"<?xml version='1.0' encoding='iso-8859-2'?><html>", None, "iso-8859-2", "meta"),
        (b"\xef\xbb\xbf<meta charset=latin1>", "koi8-r", "utf-8", "bom"),
        (b"\xff\xfe<\0p\0>\0", "koi8-r", "utf-16le", "bom"),
        (b"\xfe\xff\0<\0p\0>", None, "utf-16be", "bom"),
        (b"<\0p\0>\0", "utf-16le", "utf-16le", "http"),
        (b"<p>plain", "utf-16le", "utf-8", "utf8-over-http"),
        (b"<meta charset=utf-16><p>plain", None, "utf-8", "meta"),
        (("<p>" + RUSSIAN).encode(), "windows-1251", "utf-8", "utf8-over-http"),
        (("<meta charset=gbk><p>" + CHINESE).encode(), None, "utf-8", "utf8-over-meta"),
        (("<p>" + RUSSIAN).encode("cp1251"), "windows-1251", "windows-1251", "http"),
        (("<p>" + RUSSIAN).encode("cp1251"), "utf-8", "windows-1251", "detected-over-http"),
        (("<meta charset=utf-8><p>" + CHINESE).encode("gbk"), None, "gb18030", "detected-over-meta"),
        (("<p>" + RUSSIAN * 3).encode("koi8-r"), None, "koi8-u", "detected"),
        (("<p>" + JAPANESE * 3).encode("euc_jp"), None, "euc-jp", "detected"),
        (("<p>" + JAPANESE * 3).encode("shift_jis"), None, "shift_jis", "detected"),
        (("<p>" + KOREAN * 3).encode("cp949"), None, "euc-kr", "detected"),
        (("<p>" + GREEK * 3).encode("cp1253"), "iso-8859-7", "iso-8859-7", "http"),
        (("<p>" + FRENCH).encode("cp1252"), None, "windows-1252", "detected"),
        (b"<!--" + b"x" * 2000 + b"--><meta charset=koi8-r>" + RUSSIAN.encode("koi8-r"), None, "koi8-r", "meta"),
        (b"<p>" + JAPANESE.encode("iso2022_jp"), "iso-2022-jp", "iso-2022-jp", "http"),
        (b"<p>~{<:Ky2;VF~}", "hz-gb-2312", "replacement", "http"),
    ],
)
def test_the_encoding_and_how_it_was_known(page, http, charset, source):
    decoded = decode(page, http_charset=http)
    assert (decoded.charset, decoded.source) == (charset, source)
    decoded.utf8.decode("utf-8")


@pytest.mark.parametrize(
    ("text", "codec", "http"),
    [
        (RUSSIAN, "cp1251", "windows-1251"),
        (GREEK, "cp1253", "windows-1253"),
        (CHINESE, "gb18030", "gb2312"),
        (JAPANESE, "cp932", "x-sjis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (JAPANESE, "iso2022_jp", "csiso2022jp"),
        (KOREAN, "cp949", "ks_c_5601-1987"),
        (FRENCH, "cp1252", "latin1"),
        (RUSSIAN + GREEK + "😀", "utf-16-le", "utf-16"),
    ],
)
def test_text_comes_back_whole(text, codec, http):
    decoded = decode(text.encode(codec), http_charset=http)
    assert decoded.utf8.decode() == text
    assert decoded.n_replaced == 0


def test_a_page_cut_inside_a_character_stays_utf8():
    page = ("<p>" + CHINESE).encode()[:-1]
    decoded = decode(page, http_charset="utf-8")
    assert (decoded.charset, decoded.source, decoded.n_replaced) == ("utf-8", "http", 1)
    decoded = decode(page)
    assert (decoded.charset, decoded.source, decoded.n_replaced) == ("utf-8", "utf8", 1)
    assert decoded.utf8.endswith("\ufffd".encode())


def test_genuine_replacement_characters_are_not_counted():
    assert decode("\ufffd\ufffd é".encode() + b"\xe9" + ("é" * 40).encode(), http_charset="utf-8").n_replaced == 1


def test_the_limit_cuts_the_payload():
    assert decode(b"<p>" + b"x" * 100, max_bytes=10).utf8 == b"<p>xxxxxxx"


def test_labels():
    assert len(LABELS) > 220
    assert set(LABELS.values()) <= set(LABELS)
    assert [encoding_of(label) for label in ("UTF8", "\tLatin1 ", "gb2312", "x-sjis", "unicode", "bogus", "", None)] == [
        "utf-8", "windows-1252", "gbk", "shift_jis", "utf-16le", None, None, None,
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", sorted(set(LABELS.values())))
def test_every_decoder_takes_any_bytes(encoding):
    data = bytes(range(256)) * 4 + b"\x81" + bytes(reversed(range(256)))
    text = decode_as(encoding, data)
    text.encode("utf-8")
    if encoding not in ("replacement", "utf-16le", "utf-16be", "iso-2022-jp"):
        assert "".join(map(chr, range(0x20, 0x7F))) in text  # ASCII stays ASCII


@pytest.mark.parametrize(
    ("encoding", "data", "text"),
    [
        ("windows-1252", b"\x80\x81\x8d\x8f\x90\x9d", "€\x81\x8d\x8f\x90\x9d"),
        ("windows-1253", b"\x81\xaa\xd2\xff", "\x81\ufffd\ufffd\ufffd"),
        ("windows-874", b"\x81\xa1\xdb", "\x81ก\ufffd"),
        ("koi8-u", b"\xae\xbe", "ўЎ"),
        ("macintosh", b"\xdb\xf0", "€\uf8ff"),
        ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
        ("gbk", b"\x80\xff", "€\ufffd"),
        ("gbk", b"\x81\x30\x81\x30", "\x80"),
        ("gbk", b"\xa3\xa0\xa8\xbc\xa6\xd9", "\u3000ḿ\ufe10"),
        ("gbk", b"\x81<\xa1\xff<", "\ufffd<\ufffd<"),
        ("big5", b"\x87\x40\xa1\x45\xa3\xe1\x80\xff<", "䏰‧€\ufffd\ufffd<"),
        ("big5", b"\x88\x62", "\u00ca\u0304"),
        ("big5", b"\x87\x7a\x87\x7e\x87\xa1\x87\xdf\x87\xe0", "㡵㻬𥣞鿋\ufffd"),
        ("big5", b"\xa1\xfe\xa2A\xa4\xa2A<\xa2B\xa2\x40\xa4", "／∕丐A<﹨＼\ufffd"),
        ("big5", b"\xa1<p", "\ufffd<p"),
        ("shift_jis", b"\\~\x80\xa0\xa1\xfd\xff", "\\~\x80\ufffd｡\ufffd\ufffd"),
        ("shift_jis", b"\x87\x40\x81\x60\x85<", "①～\ufffd<"),
        ("euc-jp", b"\xad\xa1\xa1\xc1\x8e\xb1\x8f\xb0\xa1", "①～ｱ丂"),
        ("euc-jp", b"\x8f\xa2\xb7~", "～~"),
        ("euc-jp", b"\x8e<\x8f\xa1<\xa1<\x80<", "\ufffd<\ufffd<\ufffd<\ufffd<"),
        ("iso-2022-jp", b'\x1b$B$"\x1b(J\\~\x1b(I1\x1b(B\\~', "あ¥‾ｱ\\~"),
        ("euc-kr", b"\x81\x41\xc9\xa1\x80\xb0<", "갂\ufffd\ufffd\ufffd<"),
        ("replacement", b"anything", "\ufffd"),
        ("utf-8", b"\xe0\x80\x80\xed\xa0\x80\xf0\x9f\x98<", "\ufffd" * 6 + "\ufffd<"),
        ("utf-16le", b"\x00\xd8a\x00\x3d\xd8\x00\xde\x00", "\ufffda😀\ufffd"),
    ],
)
def test_decoders_do_as_browsers_do(encoding, data, text):
    assert decode_as(encoding, data) == text


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        (b"<meta charset='koi8-r'", None),
        (b"<META CHARSET = KOI8-R >", "koi8-r"),
        (b"<meta http-equiv=content-type content='text/html;charset=koi8-r'>", "koi8-r"),
        (b"<meta content='text/html; charset=koi8-r'>", None),
        (b"<!-- <meta charset=koi8-r> --><meta charset=big5>", "big5"),
        (b"<a title='<meta charset=koi8-r>'><meta charset=big5>", "big5"),
        (b"<meta charset=bogus><meta charset=big5>", "big5"),
        (b"<!--><meta charset=big5>", "big5"),
        (b"<!-- <meta charset=koi8-r>", None),
        (b"<a b=c =d><meta charset=big5>", "big5"),
        (b"<a b='c><meta charset=big5>", None),
        (b"<a/b><b //c=><? '><! \"></ ><meta/charset=big5/>", None),
        (b"<a/b><b //c=><? '><! \"></ ><meta/charset=big5 >", "big5"),
        (b"<metal charset=koi8-r><meta name=charset><meta charset=big5>", "big5"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"x" * 1010 + b"<meta charset=koi8-r>", None),
        (b"<\0?\0x\0m\0l\0", "utf-16le"),
    ],
)
def test_prescan(page, encoding):
    assert declared_in_page(page) == encoding


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        (b"<title><meta charset=koi8-r></titles ></TITLE ><meta charset=big5>", "big5"),
        (b"<title><meta charset=koi8-r></titles >", None),
        (b"<script src='>'>'<meta charset=koi8-r>'</script><meta charset=big5>", "big5"),
        (b"<titles><meta charset=koi8-r></titles>", "koi8-r"),
        (b"</title><meta charset=koi8-r>", "koi8-r"),
    ],
)
def test_a_late_meta_is_none_in_raw_text(page, encoding):
    assert late_meta(page) == encoding


def twice(text: str, codec: str = "cp1252") -> bytes:
    """Text in UTF-8, taken for windows-1252 (or latin-1) and encoded in UTF-8 once more."""
    return text.encode().decode(codec).encode()


@pytest.mark.parametrize(
    "text",
    ["<p>Müller’s – “Mühle”", "<p>naïve café déjà vu", "<p>It’s", "<p>😞", RUSSIAN.replace("н", "").replace("Н", "")],
)
def test_utf8_encoded_twice_is_repaired(text):
    for codec in ("latin-1", "cp1252"):
        try:
            page = twice(text, codec)
        except UnicodeDecodeError:  # windows-1252 leaves five bytes undefined
            continue
        decoded = decode(page)
        assert decoded.utf8.decode() == text
        assert decoded.repaired
        assert decode(twice(page.decode(), "latin-1")).utf8.decode() == text


def test_text_that_somebody_else_decoded_wrongly_is_repaired_as_bytes_are():
    page = f"<p>{'Über schöne Brücken – “weiß” ist, wer’s weiß. ' * 4}"
    wrong = page.encode().decode("latin-1")  # what a client makes of it that was told no charset
    assert decode(page).utf8 == page.encode()
    assert decode(wrong).utf8 == decode(wrong.encode()).utf8 != wrong.encode()
    assert extract(wrong).text == extract(wrong.encode()).text


def test_a_field_encoded_twice_in_a_page_that_is_not_is_repaired():
    decoded = decode("<p>Ünique ".encode() + twice("It’s “so”", "latin-1"))
    assert decoded.utf8.decode() == "<p>Ünique It’s “so”"
    assert decoded.repaired


@pytest.mark.parametrize(
    "text",
    [
        "<p>plain", "<p>naïve café", RUSSIAN, GREEK, CHINESE, FRENCH, "<p>Ã é", "<p>«Â» ", "<p>10 Â° or so",
        "<p>mojibake looks like this: Ã© — see?", "<p>SÃO PAULO’S", "<p>raw \x92 control", "<p>é\x92", "â", "ÿþ", "<p>one cliché…»", "<p>10 Â°",
    ],
)  # fmt: skip
def test_right_text_is_never_repaired(text):
    page = text.encode()
    decoded = decode(page)
    assert decoded.utf8 is page
    assert not decoded.repaired


@pytest.mark.parametrize(
    "text", ["Don’t grind", "• grain • chaff • bran", "a café in “Mill Lane”", "10 °C and £5", "Tóibín"]
)
def test_english_with_a_few_marks_is_windows_1252(text):
    page = b"<p>The miller grinds corn by the river all day long, and the wind turns the sails. " * 5 + text.encode(
        "cp1252"
    )
    decoded = decode(page)
    assert decoded.charset == "windows-1252"
    assert decoded.utf8.decode().endswith(text)


@pytest.mark.parametrize(
    ("text", "codec"), [(RUSSIAN, "cp1251"), (GREEK, "cp1253"), ("Żółta łódka płynie w górę rzeki. " * 9, "cp1250")]
)
def test_other_languages_are_not_taken_for_english(text, codec):
    assert decode(("<p>" + text * 2).encode(codec)).utf8.decode() == "<p>" + text * 2


@pytest.mark.parametrize("tail", [b"\xc3", b"\xe2", b"\xe2\x82", b"\xf0", b"\xf0\x9f", b"\xf0\x9f\x98"])
def test_a_page_that_ends_within_a_character_is_read_to_its_end_only(tail):
    """They are called for valid UTF-8; other bytes must not make them read beyond the page, which they did until it
    crashed.
    """
    for n in range(20):
        page = b"a" * n + tail
        assert double_utf8(page) == 0
        assert repaired_sequences(page) == page
        encoded_once(page)


# Two short paragraphs that declare nothing, in words of our own.
SHORT = {
    "pol": "Mały prom przez wiele lat woził ludzi na drugi brzeg. Dziś stoi pusty i czeka, aż ktoś go kupi.",
    "ces": "Malý přívoz vozil lidi přes řeku po mnoho let. Dnes stojí prázdný a čeká, až ho někdo koupí.",
    "slv": "Majhen trajekt je dolga leta vozil ljudi čez reko. Danes stoji prazen in čaka, da ga kdo kupi, če še žele.",
    "hrv": "Mala skela godinama je vozila ljude preko rijeke. Danas stoji prazna i čeka da je tko kupi, još prije nego što istrune, žele svi.",
    "ron": "Micul bac a dus oamenii peste râu vreme de mulţi ani. Astăzi stă gol şi aşteaptă să îl cumpere cineva din oraş.",
    "est": "Väike praam viis inimesi üle jõe palju aastaid. Täna seisab see tühjana ja ootab, et keegi selle ära ostaks.",
    "lit": "Mažas keltas daug metų plukdė žmones per upę. Šiandien jis stovi tuščias ir laukia, kol kas nors jį nupirks.",
    "tur": "Küçük feribot uzun yıllar boyunca insanları nehrin karşı kıyısına taşıdı. Şimdi boş duruyor ve alıcı bekliyor.",
    "ukr": "Маленький пором багато років возив людей через річку. Сьогодні він стоїть порожній і чекає на покупця, її син.",
    "vie": "Chiếc phà nhỏ đã chở người qua sông trong nhiều năm.",
    "jpn": "小さな渡し船は長いあいだ人々を向こう岸へ運びました。今は空のまま買い手を待っています。",
}


@pytest.mark.parametrize(
    ("language", "codec"),
    [
        ("pol", "cp1250"), ("pol", "iso8859-2"), ("ces", "cp1250"), ("ces", "iso8859-2"), ("slv", "cp1250"),
        ("slv", "iso8859-2"), ("hrv", "cp1250"), ("hrv", "iso8859-2"), ("ron", "cp1250"), ("ron", "iso8859-2"),
        ("est", "cp1257"), ("lit", "cp1257"), ("tur", "cp1254"), ("ukr", "koi8-u"), ("ukr", "cp1251"),
        ("jpn", "shift_jis"), ("jpn", "euc_jp"), ("jpn", "iso2022_jp"),
    ],
)  # fmt: skip
def test_a_short_page_that_declares_nothing(language, codec):
    page = f"<title>1</title><p>{SHORT[language]}</p>"
    decoded = decode(page.encode(codec))
    assert decoded.utf8.decode() == page
    assert decoded.source == "detected"


def test_vietnamese_that_declares_nothing():
    apart = unicodedata.normalize("NFD", SHORT["vie"])
    for pair in ("a\u0302", "a\u0306", "e\u0302", "o\u0302", "o\u031b", "u\u031b"):  # windows-1258 has these as letters
        apart = apart.replace(pair, unicodedata.normalize("NFC", pair))
    apart = re.sub(
        "([aeouiy])([\u0323])([\u0302\u0306])", lambda m: unicodedata.normalize("NFC", m[1] + m[3]) + m[2], apart
    )
    decoded = decode(f"<p>{apart}</p>".encode("cp1258"))
    assert unicodedata.normalize("NFC", decoded.utf8.decode()) == f"<p>{SHORT['vie']}</p>"


@pytest.mark.parametrize("text", ["plain \x1b[31mred\x1b[0m of a terminal", "\x1b", "<p>\x1b$ 5</p>"])
def test_an_escape_in_plain_text_is_no_japanese(text):
    assert decode(text.encode()).charset == "utf-8"


def test_one_damaged_byte_hides_no_chinese():
    page = f"<p>{CHINESE * 40}</p>\n" * 8
    damaged = page.encode("gb18030").replace(b"</p>", b"\xff</p>", 1)
    assert decode(damaged).charset == "gb18030"


@pytest.mark.parametrize(
    ("page", "charset", "text"),
    [
        (b"<p>Fran\xe7ais, Espa\xf1ol", "windows-1252", "<p>Français, Español"),
        (b"<p>Copyright\xa9 2008", "windows-1252", "<p>Copyright© 2008"),
        (b"<p>sch\xc3\xb6n, gr\xc3\xbcn und \xef", "utf-8", "<p>schön, grün und \ufffd"),
        (b"<p>[ -\xa9H ]", "windows-1252", "<p>[ -©H ]"),  # one character is no Chinese
    ],
)
def test_a_page_that_says_utf8_and_has_more_bytes_of_another_set(page, charset, text):
    decoded = decode(page, http_charset="utf-8")
    assert (decoded.charset, decoded.utf8.decode()) == (charset, text)
