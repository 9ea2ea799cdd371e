# SPDX-License-Identifier: Apache-2.0
"""Who may have written the page, and what speaks for each; see candidates.pyx.

Candidates are names that elements and JSON-LD declare, those in lines and elements near the headline, those in blocks
where the kept text begins and ends, who has the rights, the site and the headline.
"""

import re

from libc.stdint cimport uint32_t
from libc.string cimport memset

from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, has_digit, key_of, name_key
from thresher.native.facts.author_names cimport is_company, is_organisation, names_role
from thresher.native.facts.authors cimport may_be_names, names_in
from thresher.native.facts.candidates cimport (
    Candidates, Evidence, Grade, bits_of, grades_of, has, named_grades, number_of, put, put_bits, put_grade, put_if, run_of
)
from thresher.native.facts.shown_dates cimport ShownLine, ShownLines
from thresher.native.facts.labels import ANSWERING, AUTHOR_ELEMENTS, BEFORE_THINGS, MEDIA_ENDS, PARTICLES, PICTURES
from thresher.native.facts.linked_data cimport ARTICLES
from thresher.native.facts.marks cimport CLUE_AUTHOR, CLUE_NAME
from thresher.native.facts.marks import MARKS
from thresher.native.facts.names cimport NameWeights
from thresher.native.facts.page_url cimport PageUrl, holds_year
from thresher.native.facts.page_data cimport by_identifier, named
from thresher.native.facts.signatures cimport SAYS_BY, SAYS_PLAIN, names_of_line, signature_in
from thresher.native.facts.words cimport Words, count_words

cdef enum:
    MAX_LINE = 160          # characters of a line with an author's name
    MAX_TEXT = 80           # of the part of it that is read
    LONG_REST = 25          # of the rest of a long one
    BEFORE = 250            # bytes before the headline, and
    BEHIND = 1500           # behind it, within which a line without a mark may name the author
    NEAR = 200              # bytes from it to a line that has nothing but a date and names
    MIN_BESIDE = 4          # characters beside a name, of words that say something of it
    MIN_ALIKE = 4           # letters of a name that is compared with the site's and the title
    MAX_SHORT = 4           # characters of a short name in a script without capitals
    MAX_PLACED = 24         # candidates that are looked for in the text
    MANY = 4                # names in a line that is no byline
    MAX_EDGE = 120          # characters of a part of a block that may be names
    MAX_HOLDER = 50         # of a site's name or a headline that may be a person's name

cdef object HOLDS_NUMBERS = re.compile(r"\d(?:\d{3}|[:/.]\d)").search     # as dates and times do
cdef Words PICTURE_WORDS = Words(PICTURES), ANSWER_WORDS = Words(ANSWERING)


# --- evidence ---

cdef tuple SOURCES = (
    "ld article", "ld", "author", "article:author", "meta", "written by", "rel author", "rel author elsewhere", "line",
    "edge", "rights", "site itself", "headline",
)
cdef enum:                  # numbers of SOURCES
    LD_ARTICLE, LD_OTHER, META_AUTHOR, ARTICLE_AUTHOR, META_OTHER, WRITTEN_BY, REL_AUTHOR, REL_AUTHOR_ELSEWHERE, LINE,
    EDGE                    # a block at the beginning or end of the kept text
    HOLDER                  # who has the rights
    SITE_ITSELF, HEADLINE, N_SOURCES
cdef tuple SHAPES = ("no case", "small", "all capitals", "mixed", "capitalised")        # how names are written
cdef enum:                  # numbers of SHAPES
    NO_CASE, SMALL, ALL_CAPITALS, MIXED, CAPITALISED, N_SHAPES
cdef tuple SAYINGS = ("by", "by inside", "role", "signed", "brackets", "stroke", "source", "plain")     # bits of Saying
cdef enum:
    N_EDGES = EDGE_LEFT - EDGE_BEFORE + 1
    N_LIKELY = 8
    N_ASKED = 35
cdef int SOURCE = run_of("", SOURCES), SHAPE = run_of("", SHAPES), SAYING = run_of("", SAYINGS)
cdef int[N_SOURCES] SOURCE_SHAPES = [run_of(f"{source} ", SHAPES) for source in SOURCES]
cdef int SHOWN = run_of("shown ", ("kept", "left", "top", "within", "behind", "short", "alone", "linked", "often"))
cdef int SHOWN_IN_SHORT = number_of("shown short")
cdef int[N_LIKELY] LIKELY_SUMS = [-64, -40, -24, -8, 8, 24, 40, 64]     # of NameWeights: -4 to 4 in log-odds,
cdef int LIKELY = run_of("like a name:", LIKELY_SUMS)                   # and that it is above
cdef int MARK = run_of("m:", sorted(MARKS, key=MARKS.get))              # by the bit of Clue
cdef uint32_t MARKED = (1 << len(MARKS)) - 1                            # the bits that have a number
cdef int EDGE_PLACE = run_of("e:", range(EDGE_BEFORE, EDGE_LEFT + 1))
cdef int[N_EDGES] EDGE_SAYINGS       # how a block there says it
for _name, _places in (
    ("before", range(EDGE_BEFORE, EDGE_FIRST)), ("first", range(EDGE_FIRST, EDGE_BETWEEN)), ("between", (EDGE_BETWEEN,)),
    ("last", range(EDGE_LAST, EDGE_LAST + 4)), ("behind", range(EDGE_BEHIND, EDGE_BEHIND + 3)), ("other", (EDGE_OTHER,)),
    ("left", (EDGE_LEFT,)),
):
    _run = run_of(f"{_name} ", SAYINGS)
    for _n in _places:
        EDGE_SAYINGS[_n - EDGE_BEFORE] = _run
cdef const Grade* GRADES_WORDS = grades_of("words", [1, 2, 3, 4])
cdef const Grade* GRADES_NAMES = grades_of("names", [1, 2, 3])
cdef const Grade* GRADES_NAMED = grades_of("named", [1, 3, 8, 9])
cdef const Grade* GRADES_OTHERS = grades_of("candidates", [1, 2, 3, 4, 5, 6])
cdef const Grade* GRADES_DISTANCE = named_grades([      # bytes behind the headline, by the least of each grade
    ("d:before", -251), ("d:-250", -61), ("d:-60", -1), ("d:0", 59), ("d:60", 199), ("d:200", 599), ("d:600", 1499),
    ("d:1500", 3999), ("d:4000", 4000),
])
cdef int DIGIT = number_of("digit"), IS_HEADING = number_of("heading")
cdef int SHORT_NAME = number_of("short"), LONGER_NAME = number_of("longer"), ORGANISATION = number_of("organisation")
cdef int OF_SITE = number_of("site"), OF_PERSON = number_of("declared person"), OF_COMPANY = number_of("of company")
cdef int OF_INSTITUTION = number_of("declared institution")
cdef int LIKE_SITE = number_of("like site"), IN_TITLE = number_of("in title"), OF_PICTURE = number_of("picture")
cdef int NOT_SHOWN = number_of("not shown"), FRONT_PAGE = number_of("front page"), NO_HEADLINE = number_of("no headline")
cdef int AUTHOR_NEAR = number_of("author near"), AUTHOR_FAR = number_of("author far")
cdef int BY_NEAR = number_of("by near"), BY_FAR = number_of("by far")
cdef int DECLARED_TOO = number_of("declared too"), LINKED_TOO = number_of("linked too")
cdef int DATE_IN_LINE = number_of("date in line"), LONG_LINE = number_of("long line")
cdef int DATE_BEHIND = number_of("date behind"), DATE_BEFORE = number_of("date before")
cdef int FIRST_NAMED = number_of("first named"), ROLE_BESIDE = number_of("role beside"), ANSWERS = number_of("answers")
cdef int LINKED_BLOCK = number_of("linked block"), HEADING_BLOCK = number_of("heading block")
cdef int DATED_BLOCK = number_of("dated block"), ALONE = number_of("alone"), LONG_BLOCK = number_of("long block")
cdef int AGREED_2 = number_of("agreed:2"), AGREED_3 = number_of("agreed:3")
cdef int MARK_ELSEWHERE = number_of("m:elsewhere"), MARK_AUTHOR = number_of("m:author")
cdef list ASKED_OF_OTHERS = [
    *SOURCES, "by near", "by far", "author near", "author far", "first by", "last by", "between by", "signed", "plain",
    "shown kept", "shown top", "d:0", "like a name:8", "declared too", "site", "m:name", "last signed", "first signed",
    "first plain", "last plain", "declared person", "role beside",
]
cdef int[N_ASKED] ASKED_NUMBERS = [number_of(name) for name in ASKED_OF_OTHERS]
cdef int[N_ASKED] OTHERS_NUMBERS = [number_of(f"other {name}") for name in ASKED_OF_OTHERS]     # another candidate has it


cdef uint32_t sources_of(const Evidence* evidence) noexcept:
    return bits_of(evidence, SOURCE, N_SOURCES)


# --- how names and lines are written ---

cdef int shape_of(str name) except -1:
    """How names are written: capitals, mixed, small, or in a script that has none; a number of SHAPES."""
    cdef str small = name.lower(), large = name.upper()
    if large == small:
        return NO_CASE
    if name == small:
        return SMALL
    if name == large:
        return ALL_CAPITALS
    for word in name.replace(";", " ").split():
        if (<str> word)[0].islower() and (<str> word).lower() not in PARTICLES:
            return MIXED
    return CAPITALISED


cdef list without_single_words(list names):
    """The names of a line without single words beside longer ones: Leave, of "Ann Lee | Leave a comment"; and without
    what begins with an article: the harbour.
    """
    cdef list kept = [
        name for name in names if not ((<str> name)[0].islower() and (<str> name).startswith(BEFORE_THINGS))
    ]
    cdef list longer = [name for name in kept if " " in <str> name or not PyUnicode_IS_ASCII(name)]
    return longer or kept


# --- candidates ---

cdef class Byline:
    """What the candidates of a page share."""
    cdef set sites
    cdef set declared       # keys of names that elements or JSON-LD declare
    cdef set linked         # of names in links with rel=author
    cdef set headings
    cdef str title          # its letters
    cdef Candidates rated
    cdef dict rows          # the numbers of candidates by their names in lower case
    cdef NameWeights likeness

    cdef bint is_imprint(self, list names) except -1:
        """True for the site's name with places behind it, words alone: Der Spiegel, Hamburg, Germany."""
        if name_key(names[0]) not in self.sites:
            return False
        for each in names[1:]:
            if " " in <str> each or (<str> each).lower() == (<str> each).upper():
                return False
        return True

    cdef bint is_sites(self, str key) except -1:
        """True for the site's name, and for that of a medium that has the site: 网易 of 网易新闻."""
        if key in self.sites:
            return True
        if len(key) > 1 and key[0] >= 0x3000:
            for each in self.sites:
                if (<str> each).startswith(key) and (<str> each)[len(key):] in MEDIA_ENDS:
                    return True
        return False

    cdef bint is_like_sites(self, str key) except -1:
        """True for a part of the site's name, or more than it."""
        cdef str site
        for each in self.sites:
            site = each
            if len(site) >= MIN_ALIKE and len(site) != len(key) and (key in site or site in key):
                return True
        return False

    cdef Evidence* add(self, list names, int source) except NULL:
        """Add names as one candidate, or more evidence of one that has the same. Of several names the site's are left
        out.
        """
        cdef str joined, key
        cdef Evidence* evidence
        cdef Py_ssize_t row
        cdef int shape
        if len(names) > 1:
            names = names[:1] if self.is_imprint(names) else [
                each for each in names if name_key(each) not in self.sites and not is_company(each)
            ] or names
        joined = "; ".join(names)
        shape = shape_of(joined)
        row = self.rows.setdefault(joined.casefold(), len(self.rows))
        if row < len(self.rated.texts):
            evidence = self.rated.rows + row
        else:
            key = name_key(names[0])
            evidence = self.rated.add(joined, key)
            self.rate(evidence, names, joined, key, shape)
        put(evidence, SOURCE + source)
        put(evidence, SOURCE_SHAPES[source] + shape)
        return evidence

    cdef int rate(self, Evidence* evidence, list names, str joined, str key, int shape) except -1:
        """Add how names are written, and how they stand to the site, the title and the headings; `key` is that of the
        first.
        """
        cdef int k, likeness = self.likeness.score(names[0])
        cdef Py_ssize_t words = 0
        put_grade(evidence, GRADES_NAMES, len(names))
        put(evidence, SHAPE + shape)
        if shape == NO_CASE:
            put(evidence, SHORT_NAME if len(joined) <= MAX_SHORT else LONGER_NAME)
        put_if(evidence, DIGIT, has_digit(joined))
        for each in names:
            words = max(words, count_words(each))
            put_if(evidence, ORGANISATION, is_organisation(each))
            put_if(evidence, OF_COMPANY, is_company(each))
            put_if(evidence, OF_SITE, len(names) > 1 and name_key(each) in self.sites)
        put_grade(evidence, GRADES_WORDS, words)
        for k in range(N_LIKELY):
            put_if(evidence, LIKELY + k, likeness > LIKELY_SUMS[k])
        if len(key) >= MIN_ALIKE:
            put_if(evidence, LIKE_SITE, self.is_like_sites(key))
            put_if(evidence, IN_TITLE, key in self.title)
        put_if(evidence, OF_SITE, self.is_sites(key))
        put_if(evidence, IS_HEADING, key in self.headings)
        return 0

    cdef list names_in(self, str text, str part, int how):
        """The names in a part of a text that says so with these flags of Saying; none if it has too many for a byline, or
        if nothing says that they are names and they could be none.
        """
        cdef list names = without_single_words(names_in([part], self.sites, name_key(part) in self.declared))
        return [] if len(names) > MANY or (names and how == SAYS_PLAIN and not may_be_names(names, text)) else names

    cdef Evidence* add_said(self, str text, list names, int how, int source) except NULL:
        """Add names that are in a text, with how it says so and what else it says of them."""
        cdef Evidence* evidence = self.add(names, source)
        cdef str name = names[0], key = name_key(name)
        cdef bint has_more = len(text) >= len(name) + MIN_BESIDE
        put_bits(evidence, SAYING, how)
        put_if(evidence, ROLE_BESIDE, has_more and names_role(text))
        put_if(evidence, ANSWERS, has_more and ANSWER_WORDS.are_in(text))
        put_if(evidence, OF_PICTURE, PICTURE_WORDS.are_in(text))
        put_if(evidence, DECLARED_TOO, key in self.declared)
        put_if(evidence, LINKED_TOO, key in self.linked)
        return evidence


cdef list declared_authors(dict values, list linked):
    """The authors that elements and JSON-LD name, as (source, texts, evidence): OF_PERSON for those of persons' objects,
    OF_INSTITUTION for others of JSON-LD, -1 for elements.
    """
    cdef list found = []
    cdef dict thing, known = by_identifier(linked) if linked else {}
    for each in linked:
        thing = each
        for source in ("author", "creator"):
            if source in thing:
                said = list(named(known, thing[source]))
                found.append((
                    LD_ARTICLE if <int> thing["@type"] & ARTICLES else LD_OTHER, [text for text, _ in said],
                    OF_PERSON if all([is_person for _, is_person in said]) else OF_INSTITUTION,
                ))
    for i, name in enumerate(<tuple> AUTHOR_ELEMENTS):
        if name in values:
            found.append((META_AUTHOR if i == 0 else ARTICLE_AUTHOR if i == 1 else META_OTHER, values[name], -1))
    for name, source in (("written by", WRITTEN_BY), ("rel author", REL_AUTHOR)):
        if name in values:
            found.append((source, values[name], -1))
    if "rel author elsewhere" in values:
        found.append((REL_AUTHOR_ELSEWHERE, (<list> values["rel author elsewhere"])[:1], -1))
    return found


cdef Candidates author_candidates(
    dict values, list linked, ShownLines lines, Py_ssize_t headline, object main_text, set sites, str site_name,
    str title, PageUrl where, NameWeights likeness, Evidence of_page
):
    """Who may have written the page. `main_text`, a MainText (which this room cannot import), is None where none is known;
    `of_page` is evidence of every candidate.
    """
    cdef Byline byline = Byline.__new__(Byline)
    cdef list found = declared_authors(values, linked), names
    cdef Evidence* evidence
    cdef Py_ssize_t placed
    byline.sites, byline.rated, byline.rows, byline.likeness = sites, Candidates(), {}, likeness
    byline.title = key_of(title) if title is not None else ""
    byline.headings = {name_key(each) for each in values.get("h1", [])}
    byline.linked = {name_key(each) for source, texts, _ in found for each in texts if source == REL_AUTHOR}
    byline.declared = {name_key(each) for source, texts, _ in found for each in texts if source != REL_AUTHOR}
    for source, texts, what in found:
        names = names_in(texts, sites, source <= META_OTHER)
        if names:
            evidence = byline.add(names, source)
            if what >= 0:
                put(evidence, what)
    if lines is not None:
        add_lines(byline, lines, headline)
    if main_text is not None:
        add_places(byline.rated, 0, main_text)
        if not any_is_shown(byline.rated):
            placed = len(byline.rated.texts)
            add_edges(byline, main_text.edges())
            add_places(byline.rated, placed, main_text)
    else:
        show_lines(byline.rated)
    for what, source in (
        ((<list> values["rights"])[0] if "rights" in values else None, HOLDER), (site_name, SITE_ITSELF), (title, HEADLINE),
    ):
        if what is not None and len(<str> what) <= MAX_HOLDER:
            names = names_in([what], None)
            if names and len(names) <= MANY and may_be_names(names, what):
                byline.add(names, source)
    put_if(&of_page, FRONT_PAGE, where.is_front_page)
    byline.rated.put_all(&of_page)
    add_agreement(byline.rated)
    return without_others(byline.rated)


cdef int add_lines(Byline byline, ShownLines lines, Py_ssize_t headline) except -1:
    """Add the lines that name somebody."""
    cdef list names
    cdef Evidence* evidence
    cdef ShownLine line
    cdef Py_ssize_t i, distance, n_named = 0
    cdef bint is_first = True, is_marked
    cdef int marks, how
    cdef str text, part
    for line in lines.lines:
        n_named += (line.marks & CLUE_NAME) != 0
    for i in range(len(lines.lines)):
        line = lines.lines[i]
        text, marks = line.text, line.marks
        distance, is_marked = line.place - headline, (marks & CLUE_AUTHOR) != 0
        if len(text) > MAX_LINE or line.is_heading or (
            headline >= 0 and not is_marked and not -BEFORE <= distance < BEHIND
        ):
            continue
        part, how = names_of_line(lines, line)
        if not (how or is_marked) or len(part) > MAX_TEXT:
            continue
        if is_marked:
            how &= ~SAYS_PLAIN
        elif how == SAYS_PLAIN and headline >= 0 and not -NEAR <= distance < NEAR:
            continue
        names = byline.names_in(text, part, how)
        if not names:
            continue
        evidence = byline.add_said(text, names, how, LINE)
        put_bits(evidence, MARK, marks & MARKED)
        if headline < 0:
            put(evidence, NO_HEADLINE)
        else:
            put_grade(evidence, GRADES_DISTANCE, distance)
            if is_marked:
                put(evidence, AUTHOR_NEAR if 0 <= distance < 600 else AUTHOR_FAR)
            if how & SAYS_BY:
                put(evidence, BY_NEAR if -60 <= distance < 200 else BY_FAR)
        put_if(evidence, DATE_IN_LINE, HOLDS_NUMBERS(text) is not None)
        put_if(evidence, LONG_LINE, len(text) > len(part) + LONG_REST)
        put_if(evidence, DATE_BEHIND, i + 1 < len(lines.lines) and holds_year((<ShownLine> lines.lines[i + 1]).text))
        put_if(evidence, DATE_BEFORE, i > 0 and holds_year((<ShownLine> lines.lines[i - 1]).text))
        if marks & CLUE_NAME:
            put_grade(evidence, GRADES_NAMED, n_named)
            put_if(evidence, FIRST_NAMED, is_first)
            is_first = False
    return 0


cdef int add_edges(Byline byline, list edges) except -1:
    """Add the blocks of MainText.edges() that name somebody, or could."""
    cdef str text, part
    cdef int place, how
    cdef bint is_heading, is_linked
    cdef list names
    cdef tuple signature
    cdef Evidence* evidence
    for place, is_heading, is_linked, each in edges:
        text = each
        signature = signature_in(text, place < EDGE_LAST)
        if signature is None:
            continue
        part, how = signature
        names = byline.names_in(text, part, how) if len(part) <= MAX_EDGE else []
        if not names:
            continue
        evidence = byline.add_said(text, names, how, EDGE)
        put(evidence, EDGE_PLACE + place - EDGE_BEFORE)
        put_bits(evidence, EDGE_SAYINGS[place - EDGE_BEFORE], how)
        put_if(evidence, LINKED_BLOCK, is_linked)
        put_if(evidence, HEADING_BLOCK, is_heading)
        put_if(evidence, DATED_BLOCK, HOLDS_NUMBERS(text) is not None)
        put_if(evidence, ALONE, len(text) <= len(<str> names[0]) + 2)
        put_if(evidence, LONG_BLOCK, len(text) > MAX_TEXT)
    return 0


cdef int add_places(Candidates rated, Py_ssize_t start, object main_text) except -1:
    """Add where the page shows the first names of candidates, from a number on."""
    cdef list names = [
        (<str> text).partition(";")[0].encode("utf-8", "ignore") for text in rated.texts[start:start + MAX_PLACED]
    ]
    cdef uint32_t places
    if not names:
        return 0
    for places in main_text.places_of(names):
        put_if(rated.rows + start, NOT_SHOWN, places == 0)
        put_bits(rated.rows + start, SHOWN, places)
        start += 1
    return 0


cdef int show_lines(Candidates rated) noexcept:
    """Add that lines are shown, where no main text was chosen that tells more."""
    cdef Py_ssize_t i
    for i in range(len(rated.texts)):
        if has(rated.rows + i, SOURCE + LINE):
            put_bits(rated.rows + i, SHOWN, SHOWN_LEFT | SHOWN_TOP | SHOWN_SHORT)
    return 0


cdef bint any_is_shown(Candidates rated) noexcept:
    """True if one of the candidates is declared, neither the site nor an organisation, and shown by itself: no other is
    looked for then.
    """
    cdef Py_ssize_t i
    cdef const Evidence* evidence
    for i in range(len(rated.texts)):
        evidence = rated.rows + i
        if has(evidence, SHOWN_IN_SHORT) and sources_of(evidence) & (1 << LINE) - 1 and not (
            has(evidence, OF_SITE) or has(evidence, LIKE_SITE) or has(evidence, ORGANISATION)
        ):
            return True
    return False


cdef int add_agreement(Candidates rated) except -1:
    """Add from how many of the sources a candidate's first name comes."""
    cdef dict sources = {}
    cdef list keys = rated.keys
    cdef Py_ssize_t i
    cdef int found
    for i in range(len(keys)):
        sources[keys[i]] = <int> sources.get(keys[i], 0) | sources_of(rated.rows + i)
    for i in range(len(keys)):
        found = sources[keys[i]]
        found &= found - 1      # without one of them
        put_if(rated.rows + i, AGREED_2, found != 0)
        put_if(rated.rows + i, AGREED_3, found & (found - 1) != 0)
    return 0


cdef Candidates without_others(Candidates rated):
    """The candidates but companies that nothing marks as authors, and links to an author in another part of the page
    that nothing else confirms than lines which stand there too; each with what the others have.
    """
    cdef Candidates found = Candidates()
    cdef Py_ssize_t i
    cdef int sources
    cdef bint is_confirmed
    cdef const Evidence* evidence
    for i in range(len(rated.texts)):
        evidence, sources = rated.rows + i, sources_of(rated.rows + i)
        is_confirmed = not sources & 1 << REL_AUTHOR_ELSEWHERE or (
            sources & 1 << LINE and not has(evidence, MARK_ELSEWHERE)
        ) or sources & ~(1 << REL_AUTHOR_ELSEWHERE | 1 << LINE | 1 << EDGE)
        if is_confirmed and (not has(evidence, OF_COMPANY) or has(evidence, MARK_AUTHOR)):
            found.take(rated, i)
    add_others(found)
    return found


cdef int add_others(Candidates found) noexcept:
    """Add what other candidates of the page have, and how many there are."""
    cdef int[N_ASKED] counts
    cdef Py_ssize_t i, n_found = len(found.texts)
    cdef int n
    memset(counts, 0, sizeof(counts))
    for i in range(n_found):
        for n in range(N_ASKED):
            counts[n] += has(found.rows + i, ASKED_NUMBERS[n])
    for i in range(n_found):
        put_grade(found.rows + i, GRADES_OTHERS, n_found)
        for n in range(N_ASKED):
            put_if(found.rows + i, OTHERS_NUMBERS[n], counts[n] > <int> has(found.rows + i, ASKED_NUMBERS[n]))
    return 0


# --- without the trees ---

cdef str declared_person(Candidates candidates):
    """The first candidate that elements or JSON-LD declare and that looks like neither the site, an account nor an
    organisation, else an account; None if there is none. What to take of a page without a main text, where the trees,
    which learned from articles and the like, take nothing.
    """
    cdef Py_ssize_t i
    cdef str account = None
    cdef const Evidence* evidence
    for i in range(len(candidates.texts)):
        evidence = candidates.rows + i
        if has(evidence, OF_SITE) or has(evidence, ORGANISATION) or not sources_of(evidence) & (1 << REL_AUTHOR_ELSEWHERE) - 1:
            continue
        if not has(evidence, DIGIT):
            return candidates.texts[i]
        account = account or candidates.texts[i]
    return account
