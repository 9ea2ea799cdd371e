# SPDX-License-Identifier: Apache-2.0
"""Values that may be a page's fact, each with what speaks for and against it, and the choice among them.

A candidate is a value and the names of its evidence: where the page says it, how it is written, who else says the same.
The evidence of each fact has weights (models/facts-1.json), fitted to pages that were labelled by hand
(`python -m thresher.lab.train.facts`). The candidate with the greatest sum is taken, and none below a fitted least sum:
that a page has no such fact is a candidate too.
"""

import re

from thresher.native.base.characters cimport key_of
from thresher.native.facts.authors cimport is_organisation, names_in, names_of_line
from thresher.native.facts.dates cimport ShownLines
from thresher.native.facts.labels import COMPANIES, RESERVED, SECOND_LEVELS
from thresher.native.facts.linked_data cimport TYPE_ARTICLE, TYPE_FORUM, TYPE_ORGANIZATION, TYPE_RECIPE, TYPE_REVIEW, TYPE_SITE
from thresher.native.facts.marks import MARKS
from thresher.native.facts.page_address cimport Address, name_key, plain_letters, without_the
from thresher.native.facts.page_data cimport clean_text
from thresher.native.facts.titles cimport Pieces, has_separators, is_home_name

cdef enum:
    MAX_SITE = 120          # characters of a site's name
    MAX_COMPANY = 14        # of its last word that says what kind of company it is
    MAX_VALUES = 3          # of one source
    MAX_NAMES = 20          # authors in a list
    MAX_LINE = 160          # characters of a line with an author's name
    MAX_TEXT = 80           # of the part of it that is read
    BEFORE = 250            # bytes before the headline, and
    BEHIND = 1500           # behind it, within which a line without a mark may name the author
    MANY = 4                # names in a line that is no byline

cdef object COMPANY_PLACE = re.compile(
    r"^(?:株式会社|有限会社)\s*|\s*(?:株式会社|有限会社|(?:股份|责任|科技)*有限(?:责任)?公司)$"
).sub
cdef tuple NO_NAME_ENDS = RESERVED
cdef object DOMAIN = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE).search
cdef object YEAR = re.compile(r"(?:19|20)\d\d").search
cdef object DATE = re.compile(r"\d{4}|\d{1,2}[:/.]\d").search
cdef frozenset COMPANY_WORDS = COMPANIES, SECONDS = SECOND_LEVELS
cdef tuple DECLARED_SITES = (
    "og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "dcterms.publisher", "publisher",
)
cdef tuple DECLARED_AUTHORS = (
    "author", "article:author", "article:author_name", "dc.creator", "dcterms.creator", "citation_author",
    "citation_authors", "parsely-author", "sailthru.author", "byl", "creator", "authors", "og:author",
)
cdef int ARTICLES = TYPE_ARTICLE | TYPE_FORUM | TYPE_REVIEW | TYPE_RECIPE
cdef tuple MARK_NAMES = tuple([(bit, f"m:{name}") for name, bit in MARKS.items()])
cdef int NAME_MARK = MARKS["name"], AUTHOR_MARK = MARKS["author"]
cdef int HEADINGS = MARKS["heading_1"] | MARKS["heading_2"] | MARKS["title"]
cdef tuple DISTANCES = (
    (4000, "d:4000"), (1500, "d:1500"), (600, "d:600"), (200, "d:200"), (60, "d:60"), (0, "d:0"), (-60, "d:-60"),
    (-250, "d:-250"),
)


cdef class Ranker:
    """What each piece of evidence weighs for one fact."""

    def __init__(self, dict weights not None, int least) -> None:
        """Weights by the names of evidence, and the least sum of a candidate that is taken; whole numbers."""
        self.weights = weights
        self.least = least

    cdef str best(self, list candidates):
        """The first of the values with the greatest sum; None if all are below the least."""
        cdef str found = None
        cdef int score, most = self.least - 1
        cdef object weight
        for value, evidence in candidates:
            score = 0
            for name in <set> evidence:
                weight = self.weights.get(name)
                if weight is not None:
                    score += <int> weight
            if score > most:
                found, most = value, score
        return found


cdef class FactWeights:
    """All that was fitted for the facts of a page."""

    def __init__(
        self, KindWeights kinds not None, Ranker site not None, Ranker author not None, tuple names not None,
        tuple undated not None, double most_undated,
    ) -> None:
        """`names` has the type and group of each kind, `undated` the numbers of the kinds whose pages have no day of
        their own, `most_undated` the probability of these kinds from which on a page has none.
        """
        self.kinds, self.site, self.author, self.names = kinds, site, author, names
        self.undated, self.most_undated = undated, most_undated


# --- the site ---

cdef bint ends_as_company(str text) except -1:
    """True if a name ends with "Ltd" and the like."""
    cdef Py_ssize_t at = text.rfind(" ")
    if at < 0 or len(text) - at > MAX_COMPANY:
        return False
    return text[at:].strip(" .,").replace(".", "").lower() in COMPANY_WORDS


cdef str without_company(str text):
    """A name without "Ltd" and the like behind it."""
    cdef Py_ssize_t at
    if not text.isascii():
        text = COMPANY_PLACE("", text)
    while ends_as_company(text):
        at = text.rfind(" ")
        text = text[:at].rstrip(" ,&")
    return text


cdef str without_ends(str text):
    """A name without what lines of rights and links to the front page say around it."""
    cdef str small = text.lower()
    if len(small) != len(text):
        return text
    if small.startswith(NO_NAME_ENDS):
        for each in NO_NAME_ENDS:
            if small.startswith(each):
                text, small = text[len(each):], small[len(each):]
                break
    if small.endswith(NO_NAME_ENDS):
        for each in NO_NAME_ENDS:
            if small.endswith(each):
                text = text[:len(text) - len(each)]
                break
    return text.strip(" :.,،·-–")


cdef tuple labels_of(str host):
    """The labels of a host without its suffix, as letters and digits, the registered one last."""
    cdef list labels = [key_of(label) for label in host.lower().removeprefix("www.").split(".") if label]
    if len(labels) < 2:
        return ()
    labels.pop()
    if len(labels) > 1 and labels[len(labels) - 1] in SECONDS:
        labels.pop()
    return tuple(labels)


cdef bint is_within(str part, str whole) except -1:
    """True if the letters of one text occur in another in their order: bbc in British Broadcasting Corporation."""
    cdef Py_ssize_t at = 0
    for letter in part:
        at = whole.find(letter, at) + 1
        if at == 0:
            return False
    return True


cdef str initials_of(str text):
    return "".join([word[0] for word in text.casefold().split() if word[0].isalnum()])


cdef class Found:
    """Candidates by their text, with their sources."""
    cdef dict sources       # lists of names by text, in the order found

    def __cinit__(self) -> None:
        """None yet."""
        self.sources = {}

    cdef int add(self, str text, str source) except -1:
        """Add a text as it stands."""
        text = text.strip(" -–|·:»«.,•\"'")
        if text and len(text) <= MAX_SITE:
            if text not in self.sources:
                self.sources[text] = {source}
            else:
                (<set> self.sources[text]).add(source)
        return 0

    cdef int add_parts(self, str text, str source, bint has_ends=False) except -1:
        """Add a text, its first and last piece, and each of them as the name of a company alone."""
        cdef Pieces pieces
        cdef str cut, part
        cdef list parts
        if not text or len(text) > 2 * MAX_SITE:
            return 0
        parts = [text]
        self.add(text, source)
        if has_separators(text, 1):
            pieces = Pieces(text)
            parts += [pieces.texts[0].strip(), pieces.texts[len(pieces.texts) - 1].strip()]
            self.add(parts[1], source + " first")
            self.add(parts[2], source + " last")
        for each in parts:
            part = each
            cut = without_company(without_ends(part) if has_ends else part)
            if cut and cut != part:
                self.add(cut, source + " cut")
        return 0


cdef int add_title(Found found, str text, str source, set headings) except -1:
    """Add the pieces of a title that may be the site's name; `headings` are keys of headings, which one may be beside."""
    cdef Pieces pieces = Pieces(text)
    cdef Py_ssize_t n = len(pieces.texts), i
    found.add(pieces.title, source + " whole")
    if n < 2:
        return 0
    found.add(pieces.between(n - 1, n), source + " end")
    found.add(pieces.between(0, n - 1), source + " but end")
    found.add(pieces.between(0, 1), source + " begin")
    found.add(pieces.between(1, n), source + " but begin")
    if n > 2:
        found.add(pieces.between(n - 2, n), source + " two")
        found.add(pieces.between(n - 2, n - 1), source + " before end")
    found.add(without_company(pieces.between(n - 1, n)), source + " end cut")
    for i in range(1, n):
        if name_key(pieces.between(0, i)) in headings:
            found.add(pieces.between(i, n), source + " beside heading")
        if name_key(pieces.between(i, n)) in headings:
            found.add(pieces.between(0, i), source + " beside heading")
    return 0


cdef list names_of(dict thing):
    """The names of an object of JSON-LD that are texts."""
    return [clean_text(name) for name in (<list> thing.get("name", []))[:MAX_VALUES] if isinstance(name, str)]


cdef list site_candidates(dict values, list linked, Address where):
    """What the site may be called, as (name, evidence): declared names, the publisher of JSON-LD, pieces of titles, links
    to the front page, the line of rights, headings; and parts of these.
    """
    cdef Found found = Found()
    cdef Py_ssize_t i
    cdef dict thing
    cdef int types
    cdef set headings = {name_key(each) for each in values.get("h1", [])}
    for source in DECLARED_SITES:
        for text in (<list> values.get(source, []))[:MAX_VALUES]:
            found.add_parts(text, source)
    for each in linked:
        thing = each
        types = thing["@type"]
        if types & (TYPE_SITE | TYPE_ORGANIZATION):
            for text in names_of(thing):
                found.add_parts(text, "ld site" if types & TYPE_SITE else "ld organization")
        for publisher in (<list> thing.get("publisher", []))[:MAX_VALUES]:
            for text in [clean_text(publisher)] if isinstance(publisher, str) else names_of(publisher):
                found.add_parts(text, "ld publisher")
    for source in ("title", "og:title"):
        if source in values:
            add_title(found, (<list> values[source])[0], source, headings)
    for i, text in enumerate((<list> values.get("home link", []))[:MAX_VALUES]):
        found.add_parts(text, "home link" if i == 0 else "home link later", True)
    if "rights" in values:
        found.add_parts((<list> values["rights"])[0], "rights", True)
    for text in (<list> values.get("h1", []))[:MAX_VALUES]:
        found.add(text, "h1")
    return rated_sites(found.sources, values, where)


cdef dict NAMES_OF_SOURCES = {}     # of evidence; as many as there are sources
cdef dict JOINED_NAMES = {}


cdef tuple names_of_source(str source):
    """The names of evidence of a source: for the text itself, on a front page, for another with the same letters."""
    cdef tuple names = NAMES_OF_SOURCES.get(source)
    if names is None:
        names = NAMES_OF_SOURCES[source] = (f"s:{source}", f"front {source}", f"k:{source}")
    return names


cdef str joined_name(str source, str shape):
    """The name of evidence for names written so, from this source."""
    cdef dict of_source = JOINED_NAMES.get(source)
    if of_source is None:
        of_source = JOINED_NAMES[source] = {}
    if shape not in of_source:
        of_source[shape] = f"{source}{shape}" if source.endswith(":") else f"{source} {shape}"
    return of_source[shape]


cdef bint has_digit(str text) noexcept:
    cdef Py_UCS4 character
    for character in text:
        if u"0" <= character <= u"9" or (character > 0x7F and character.isdecimal()):
            return True
    return False


cdef str family_of(str source):
    """Which of a page's statements a source is a part of."""
    if source.startswith("ld"):
        return "ld"
    if source.startswith(("title", "og:title")):
        return "title"
    if source.startswith("home link"):
        return "home link"
    for end in (" first", " last", " cut"):
        source = source.removesuffix(end)
    return source


cdef list rated_sites(dict sources, dict values, Address where):
    """The candidates with all their evidence."""
    cdef dict of_key = {}, families = {}, key_by_text = {}
    cdef tuple names
    cdef tuple labels = labels_of(where.host)
    cdef str registered = labels[len(labels) - 1] if labels else "", key, letters, text
    cdef set evidence, headings = {name_key(each) for each in values.get("h1", [])}
    cdef list rated = [], keys
    cdef bint is_front = where.is_front_page
    cdef Py_ssize_t within, holding, n
    for text, found in sources.items():
        key = name_key(text)
        if key:
            key_by_text[text] = key
            if key in of_key:
                of_key[key] = of_key[key] | found
            else:
                of_key[key] = found
    keys = list(of_key)
    for key, found in of_key.items():
        families[key] = len({family_of(source) for source in found if source != "h1"})
    for text, key in key_by_text.items():
        evidence = {""}
        for source in <set> sources[text]:
            names = names_of_source(source)
            evidence.add(names[0])
            if is_front:
                evidence.add(names[1])
        for source in <set> of_key[key]:
            evidence.add(names_of_source(source)[2])
        n = families[key]
        if n > 1:
            evidence.add("families:2")
        if n > 2:
            evidence.add("families:3")
        if n > 3:
            evidence.add("families:4")
        letters = key if key.isascii() else without_the(plain_letters(text))
        if not registered:
            evidence.add("no host")
        elif letters == registered or key == registered:
            evidence.add("host")
        else:
            evidence.add(
                "host within" if registered in letters else "within host" if letters in registered and len(letters) > 2
                else "initials" if len(registered) > 2 and initials_of(text) == registered
                else "host scattered" if len(registered) > 3 and is_within(registered, letters) else "no host alike"
            )
            if len(registered) > 3 and letters.startswith(registered):
                evidence.add("begins as host")
            if letters in labels:
                evidence.add("subdomain")
        within = holding = 0
        for other in keys:
            if other != key:
                within += len(key) > 2 and key in <str> other
                holding += len(<str> other) > 2 and <str> other in key
        evidence.add("within:0" if within == 0 else "within:1" if within == 1 else "within:3" if within < 4 else "within:4")
        evidence.add("holds:0" if holding == 0 else "holds:1" if holding == 1 else "holds:3" if holding < 4 else "holds:4")
        n = len(text.split())
        evidence.add("words:1" if n == 1 else "words:2" if n == 2 else "words:3" if n == 3 else "words:4" if n == 4
                     else "words:6" if n <= 6 else "words:9" if n <= 9 else "words:10")
        n = len(text)
        evidence.add("long:3" if n <= 3 else "long:8" if n <= 8 else "long:15" if n <= 15 else "long:25" if n <= 25
                     else "long:40" if n <= 40 else "long:60" if n <= 60 else "long:61")
        if DOMAIN(text) is not None:
            evidence.add("domain")
        if "://" in text or text.lower().startswith("www."):
            evidence.add("address")
        if has_separators(text, 1):
            evidence.add("divided")
        if is_home_name(text):
            evidence.add("home name")
        if key in headings:
            evidence.add("heading")
        if text[:1].islower():
            evidence.add("small letter")
        if has_digit(text):
            evidence.add("digit")
        if not text.isascii():
            evidence.add("not ASCII")
        if text.isupper():
            evidence.add("capitals")
        if ends_as_company(text):
            evidence.add("company")
        rated.append((text, evidence))
    return rated


# --- the author ---

cdef str shape_of(str name):
    """How names are written: capitals, mixed, small, or in a script that has none."""
    if name.upper() == name.lower():
        return "no case"
    if name == name.lower():
        return "small"
    if name == name.upper():
        return "all capitals"
    for word in name.replace(";", " ").split():
        if (<str> word)[:1].islower() and (<str> word).lower() not in PARTICLES:
            return "mixed"
    return "capitalised"


cdef dict DECLARED_AS = {what: f"declared {what}" for what in ("person", "institution")}
cdef frozenset PARTICLES = frozenset("de van von der la da di al el bin dos del y e le du den ter af zu".split())


cdef class Byline:
    """What the candidates of a page share."""
    cdef set sites
    cdef set declared       # keys of names that elements or JSON-LD declare
    cdef set linked         # of names in links with rel=author
    cdef set headings
    cdef list texts         # of the lines that are shown
    cdef list rated
    cdef list of_page       # evidence of every candidate: the type of the page
    cdef str ruled          # key of the name that the rules find

    cdef int add(self, list names, set evidence, str source) except -1:
        """Add names as one candidate."""
        cdef str joined = "; ".join(names), first = name_key(names[0]), shape
        cdef Py_ssize_t words = max([len((<str> name).split()) for name in names]), n = len(names)
        evidence.add("")
        evidence.update(self.of_page)
        evidence.add("words:1" if words == 1 else "words:2" if words == 2 else "words:3" if words == 3 else "words:4")
        evidence.add("names:1" if n == 1 else "names:2" if n == 2 else "names:3")
        shape = shape_of(joined)
        evidence.add(shape)
        if shape == "no case":
            evidence.add("short" if len(joined) <= 4 else "longer")
        if has_digit(joined):
            evidence.add("digit")
        for name in names:
            if is_organisation(name):
                evidence.add("organisation")
            if name_key(name) in self.sites:
                evidence.add("site")
        if first in self.headings:
            evidence.add("heading")
        if self.ruled:
            evidence.add("ruled" if first == self.ruled else "other ruled")
        evidence.add(source)
        evidence.add(joined_name(source, shape))
        self.rated.append((joined, evidence))
        return 0


cdef list author_candidates(
    dict values, list linked, ShownLines lines, Py_ssize_t headline, set sites, Address where, str ruled, tuple kinds
):
    """Who may have written the page, as (names, evidence): declared names, and lines and elements near the headline that
    may be names. `ruled` is whom the rules of native.facts.describe name, `kinds` the page's group and type.
    """
    cdef Byline byline = Byline.__new__(Byline)
    cdef list found = []
    cdef dict thing
    cdef bint is_person, first_name = True
    cdef set evidence
    cdef Py_ssize_t i, distance, n_named = 0, k
    cdef int marks
    cdef str text, part
    byline.sites, byline.rated = sites, []
    byline.headings = {name_key(each) for each in values.get("h1", [])}
    byline.of_page = [joined_name("type:", kinds[0]), joined_name("group:", kinds[1])] if kinds is not None else []
    if where.is_front_page:
        byline.of_page.append("front page")
    byline.ruled = name_key(ruled.partition(";")[0]) if ruled else ""
    byline.texts = lines.texts if lines is not None else []
    for each in linked:
        thing = each
        for source in ("author", "creator"):
            if source in thing:
                texts, is_person = [], True
                for one in (<list> thing[source])[:MAX_NAMES]:
                    if isinstance(one, str):
                        texts.append(clean_text(one))
                    else:
                        texts += names_of(one)
                        is_person = not <int> (<dict> one)["@type"] & TYPE_ORGANIZATION
                found.append((
                    "ld article" if <int> thing["@type"] & ARTICLES else "ld", texts, "person" if is_person else "institution"
                ))
    for source in DECLARED_AUTHORS:
        if source in values:
            found.append((source if source in ("author", "article:author") else "meta", values[source], ""))
    if "written by" in values:
        found.append(("written by", values["written by"], ""))
    if "rel author" in values:
        found.append(("rel author", values["rel author"], ""))
    if "rel author elsewhere" in values:
        found.append(("rel author elsewhere", (<list> values["rel author elsewhere"])[:1], ""))
    byline.declared, byline.linked = set(), set()
    for source, texts, _ in found:
        for each in texts:
            (byline.linked if source == "rel author" else byline.declared).add(name_key(each))
    shown = {name_key(each) for each in byline.texts if len(<str> each) <= MAX_TEXT} if found else None
    for source, texts, what in found:
        names = names_in(texts)
        if names:
            evidence = {DECLARED_AS[what]} if what else set()
            if name_key(names[0]) in shown:
                evidence.add("shown")
            byline.add(names, evidence, source)
    if lines is None:
        return with_ruled(byline, ruled)
    n_named = len({lines.texts[i] for i in range(lines.n) if lines.lines[i].marks & NAME_MARK})
    for i in range(lines.n):
        text, marks = lines.texts[i], lines.lines[i].marks
        distance = lines.lines[i].place - headline
        if len(text) > MAX_LINE or 0 < marks <= HEADINGS or (
            headline >= 0 and not marks & AUTHOR_MARK and not -BEFORE <= distance < BEHIND
        ):
            continue
        part, evidence = names_of_line(lines, i)
        if not evidence and not marks & AUTHOR_MARK:
            continue
        if len(part) > MAX_TEXT:
            continue
        names = names_in([part])
        if not names or len(names) > MANY:
            continue
        for bit, name in MARK_NAMES:
            if marks & <int> bit:
                evidence.add(name)
        if headline < 0:
            evidence.add("no headline")
        else:
            place = "d:before"
            for least, name in DISTANCES:
                if distance >= <int> least:
                    place = name
                    break
            evidence.add(place)
            if marks & AUTHOR_MARK:
                evidence.add("author near" if 0 <= distance < 600 else "author far")
            if "by" in evidence:
                evidence.add("by near" if -60 <= distance < 200 else "by far")
        k = name_key(names[0]) in byline.declared
        if k:
            evidence.add("declared too")
        if name_key(names[0]) in byline.linked:
            evidence.add("linked too")
        if DATE(text) is not None:
            evidence.add("date in line")
        if len(text) > len(part) + 25:
            evidence.add("long line")
        if i + 1 < lines.n and YEAR(lines.texts[i + 1]) is not None:
            evidence.add("date behind")
        if i and YEAR(lines.texts[i - 1]) is not None:
            evidence.add("date before")
        if marks & NAME_MARK:
            evidence.add("named:1" if n_named == 1 else "named:3" if n_named < 4 else "named:8" if n_named < 9 else "named:9")
            if first_name:
                evidence.add("first named")
                first_name = False
        byline.add(names, evidence, "line")
    return with_ruled(byline, ruled)


cdef list with_ruled(Byline byline, str ruled):
    """The candidates, with the name that the rules find if it is none of them."""
    if ruled and not any(["ruled" in evidence for _, evidence in byline.rated]):
        byline.add(ruled.split("; "), set(), "rules alone")
    return byline.rated
