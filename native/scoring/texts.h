/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over the texts of a block for all that the features ask of them: marks of punctuation, the first characters,
 * terms and words. It looks at 64 bytes at a time, with a bit for each byte and property, so that runs of letters are
 * found without a branch for each byte and nothing is looked at twice.
 *
 * With AVX2 (checked once, at import) the bits of 64 bytes take some forty instructions; otherwise a table gives them
 * byte by byte. Words that hold bytes beyond ASCII are left to texts.pyx.
 */
#ifndef THRESHER_TEXTS_H
#define THRESHER_TEXTS_H

#include "base/characters.h"
#include "base/check.h"
#include "base/wide.h"
#include "scoring/letters.h"
#include "scoring/words.h"

#if defined(__GNUC__)
#define THRESHER_INSIDE inline __attribute__((always_inline))
#else
#define THRESHER_INSIDE inline
#endif

enum {
    MAX_OPENING = 160,                                   /* characters at the beginning of a block that are inspected */
    MAX_TERMS = 12,                                      /* its terms that are read */
    MAX_COVER = 65,                                      /* its words that are looked up, in pairs */
    START_BYTES = 48,                                    /* bytes of each text that tell copies of a block */
    TEXT_WINDOW = 64,                                    /* bytes that are looked at together */
    TEXT_READ = TEXT_WINDOW + HASHED_LETTERS,            /* bytes from a window's start that may be loaded */
    WORDS_ROOM = MAX_COVER + TEXT_WINDOW / 2,            /* all words of a window are taken */
    STARTS_ROOM = 256
};

/* What was seen of the first characters of a block. */
typedef struct {
    uint32_t characters; /* a run of white space counts as one */
    uint32_t digits;
    uint32_t capitals;   /* ASCII capitals, and Latin, Greek and Cyrillic ones before U+0430 */
    uint32_t number;     /* value of the digits just read */
    uint32_t length;     /* how many these are */
    uint8_t previous;    /* lead byte of the character before */
    uint8_t before_pair; /* one or two digits and ":", "." or "h" came just before */
    uint8_t date;        /* a year from 1900 to 2099, or a time of the day */
} Opening;

/* What is read of the texts of a block. */
typedef struct {
    /* what is asked for: at most as much as the limits above */
    uint32_t most_characters, most_terms, most_words;
    uint32_t marks;  /* . ! ? : , ; and, of these, */
    uint32_t commas; /* commas and semicolons */
    uint32_t n_terms;
    uint32_t n_words; /* may exceed most_words */
    uint32_t n_starts;
    Opening opening;
    uint32_t terms[MAX_TERMS];
    uint64_t words[WORDS_ROOM];
    uint8_t starts[STARTS_ROOM + START_BYTES]; /* the first bytes of each text that are not in `start` yet */
    uint64_t start;                            /* a hash of the first bytes of each text, */
    uint64_t rest;                             /* and of the lengths of what follows them */
} TextPass;

/* A bit for each of 64 bytes that has a property. */
typedef struct {
    uint64_t letters;  /* ASCII letters */
    uint64_t capitals; /* those of A to Z */
    uint64_t digits;
    uint64_t signs;    /* $ : > | */
    uint64_t marks;    /* . ! ? : , ; */
    uint64_t commas;   /* , ; */
    uint64_t low;      /* white space and control characters */
    uint64_t wide;     /* bytes beyond ASCII */
} TextMasks;

/* Bits of text_classes, in the order of TextMasks. */
enum { A_LETTER = 1, A_CAPITAL = 2, A_DIGIT = 4, A_SIGN = 8, A_MARK = 16, A_COMMA = 32, A_LOW = 64, IS_WIDE = 128 };

static uint8_t text_classes[256]; /* filled by prepare_texts() */
static int wide_texts;            /* whether to use AVX2 */

/* Fills the tables. Returns whether the processor has AVX2. */
static inline int prepare_texts(void) {
    int byte;
    fill_word_bytes();
    for (byte = 0; byte < 256; byte++) {
        const int low = byte | 0x20;
        text_classes[byte] = (uint8_t)(
            (low >= 'a' && low <= 'z' ? A_LETTER | (byte != low ? A_CAPITAL : 0) : 0) |
            (byte >= '0' && byte <= '9' ? A_DIGIT : 0) |
            (byte && strchr("$:>|", byte) ? A_SIGN : 0) | (byte && strchr(".!?:,;", byte) ? A_MARK : 0) |
            (byte && strchr(",;", byte) ? A_COMMA : 0) | (byte <= ' ' ? A_LOW : 0) | (byte >= 0x80 ? IS_WIDE : 0));
    }
    return wide_texts = has_wide();
}

/* The masks of the n bytes at p. */
static inline TextMasks masks_of(const uint8_t *p, uint32_t n) {
    TextMasks masks = {0, 0, 0, 0, 0, 0, 0, 0};
    uint32_t i;
    for (i = 0; i < n; i++) {
        const uint64_t bits = text_classes[p[i]];
        masks.letters |= (bits & 1) << i;
        masks.capitals |= (bits >> 1 & 1) << i;
        masks.digits |= (bits >> 2 & 1) << i;
        masks.signs |= (bits >> 3 & 1) << i;
        masks.marks |= (bits >> 4 & 1) << i;
        masks.commas |= (bits >> 5 & 1) << i;
        masks.low |= (bits >> 6 & 1) << i;
        masks.wide |= (bits >> 7 & 1) << i;
    }
    return masks;
}

#ifdef THRESHER_WIDE
/* The masks of the 64 bytes at p. */
THRESHER_WIDE static inline TextMasks masks_of_64(const uint8_t *p) {
    const __m256i signs = _mm256_setr_epi8(1, 0, 0, 0, '$', 0, 0, 0, 0, 0, ':', 0, '|', 0, '>', 0,
                                           1, 0, 0, 0, '$', 0, 0, 0, 0, 0, ':', 0, '|', 0, '>', 0);
    const __m256i marks = _mm256_setr_epi8(1, '!', 0, 0, 0, 0, 0, 0, 0, 0, ':', ';', ',', 0, '.', '?',
                                           1, '!', 0, 0, 0, 0, 0, 0, 0, 0, ':', ';', ',', 0, '.', '?');
    const __m256i commas = _mm256_setr_epi8(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ';', ',', 0, 0, 0,
                                            1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ';', ',', 0, 0, 0);
    TextMasks masks = {0, 0, 0, 0, 0, 0, 0, 0};
    int i;
    for (i = 0; i < 64; i += 32) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(p + i));
        masks.letters |= BITS_OF(ascii_letters(x)) << i;
        masks.capitals |= BITS_OF(is_from(x, 'A', 25)) << i;
        masks.digits |= BITS_OF(is_from(x, '0', 9)) << i;
        masks.signs |= BITS_OF(IS_IN(x, signs)) << i;
        masks.marks |= BITS_OF(IS_IN(x, marks)) << i;
        masks.commas |= BITS_OF(IS_IN(x, commas)) << i;
        masks.low |= BITS_OF(_mm256_cmpeq_epi8(_mm256_min_epu8(x, _mm256_set1_epi8(' ')), x)) << i;
        masks.wide |= BITS_OF(x) << i;
    }
    return masks;
}
#endif

/* Checks a number that has ended. */
static inline void end_number(Opening *opening) {
    if (opening->length == 4 && opening->number >= 1900 && opening->number < 2100)
        opening->date = 1;
}

/* Continues with a digit. */
static inline void add_digit(Opening *opening, uint8_t byte) {
    opening->digits++;
    opening->number = opening->length < 5 ? opening->number * 10 + byte - '0' : 0;
    opening->length++;
    if (opening->before_pair && opening->length == 2)
        opening->date = 1;
    opening->characters++;
    opening->previous = byte;
}

/* Ends the number that precedes a byte which is no digit, if there is one. */
static inline void end_digits(Opening *opening, uint8_t byte) {
    opening->before_pair = 0;
    if (opening->length) {
        end_number(opening);
        opening->before_pair = opening->length <= 2 && (byte == ':' || byte == '.' || byte == 'h');
        opening->length = opening->number = 0;
    }
}

/* Continues with n bytes of ASCII. */
static THRESHER_INSIDE void open_ascii(
    Opening *opening, const uint8_t *p, uint32_t n, const TextMasks *masks, uint32_t most) {
    uint32_t at = 0;
    while (at < n && opening->characters < most) {
        const uint64_t digits = masks->digits >> at;
        uint32_t run = digits ? (uint32_t)__builtin_ctzll(digits) : n - at;
        if (run == 0) {
            add_digit(opening, p[at++]);
            continue;
        }
        if (run > most - opening->characters)
            run = most - opening->characters;
        {
            const uint64_t all = ~(uint64_t)0 >> (64 - run), blanks = masks->low >> at & all;
            end_digits(opening, p[at]);
            opening->before_pair &= run == 1;
            opening->characters += (uint32_t)__builtin_popcountll(
                all & ~(blanks & (blanks << 1 | (uint64_t)(opening->previous == ' '))));
            opening->capitals += (uint32_t)__builtin_popcountll(masks->capitals >> at & all);
            opening->previous = blanks >> (run - 1) & 1 ? ' ' : p[at + run - 1];
            at += run;
        }
    }
}

/* Takes the terms of a window. No run of letters or digits reaches beyond it. */
static THRESHER_INSIDE void take_terms(TextPass *pass, const uint8_t *window, const TextMasks *masks) {
    const uint64_t letters = masks->letters, digits = masks->digits;
    uint64_t starts = (letters & ~(letters << 1) & letters >> 1) | (digits & ~(digits << 1)) | masks->signs;
    uint32_t count = pass->n_terms;
    while (starts && count < pass->most_terms) {
        const uint32_t at = (uint32_t)__builtin_ctzll(starts);
        starts &= starts - 1;
        if (letters >> at & 1) {
            const uint64_t behind = ~(letters >> at);
            const uint32_t length = (uint32_t)__builtin_ctzll(behind | (uint64_t)1 << HASHED_LETTERS);
            pass->terms[count++] = fold_hash(hash_letters(LETTERS_START, window + at, length));
        } else if (digits >> at & 1) {
            const uint64_t behind = ~(digits >> at);
            const uint32_t length = (uint32_t)__builtin_ctzll(behind | 1 << 5);
            pass->terms[count++] = fold_hash((LETTERS_START ^ ('0' + length)) * LETTERS_STEP);
        } else {
            pass->terms[count++] = fold_hash((LETTERS_START ^ window[at]) * LETTERS_STEP);
        }
    }
    pass->n_terms = count;
}

/* Takes the words of the n bytes of a window, all of them. No word reaches beyond it. */
static THRESHER_INSIDE void take_words(TextPass *pass, const uint8_t *window, uint32_t n, uint64_t inside) {
    uint64_t starts = inside & ~(inside << 1);
    uint64_t *word = pass->words + pass->n_words;
    THRESHER_CHECK(pass->n_words < MAX_COVER);
    while (starts) {
        const uint32_t at = (uint32_t)__builtin_ctzll(starts);
        const uint32_t length = (uint32_t)__builtin_ctzll(~(inside >> at) | (uint64_t)1 << 63);
        starts &= starts - 1;
#ifdef THRESHER_SSE2
        if (length < WORD_BYTES) {
            const __m128i x = _mm_loadu_si128((const __m128i *)(window + at));
            const __m128i name = first_bytes(_mm_or_si128(x, _mm_set1_epi8(0x20)), length);
            *word++ = hash_word((uint64_t)_mm_cvtsi128_si64(name),
                                (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(name, name)), length);
            continue;
        }
#endif
        read_long_word(window + at, window + n, word++);
    }
    pass->n_words = (uint32_t)(word - pass->words);
}

/* Whether nothing but marks is asked for any more. */
static inline int is_enough(const TextPass *pass) {
    return pass->opening.characters >= pass->most_characters && pass->n_terms >= pass->most_terms &&
           pass->n_words >= pass->most_words;
}

static THRESHER_INSIDE const uint8_t *read_windows(
    TextPass *pass, const uint8_t *p, const uint8_t *end, const uint8_t *readable, int wide) {
    while (p < end && !is_enough(pass)) {
        uint8_t copy[TEXT_READ];
        const uint32_t n = end - p < TEXT_WINDOW ? (uint32_t)(end - p) : TEXT_WINDOW;
        const uint8_t *window = letter_window(p, n, readable, copy);
        uint64_t all = ~(uint64_t)0 >> (64 - n), inside, ends;
        uint32_t cut = n;
#ifdef THRESHER_WIDE
        TextMasks masks = wide ? masks_of_64(window) : masks_of(window, n);
#else
        TextMasks masks = masks_of(window, n);
        (void)wide;
#endif
        inside = masks.letters | masks.digits;
        if (masks.wide & all) {
            /* up to the word that has the first byte beyond ASCII */
            ends = ~inside & ((masks.wide & (0 - masks.wide)) - 1);
            cut = ends ? 64 - (uint32_t)__builtin_clzll(ends) : 0;
        } else if (n < (size_t)(end - p)) { /* the last word may go on */
            ends = ~inside;
            cut = ends ? 64 - (uint32_t)__builtin_clzll(ends) : 0;
        }
        if (cut == 0)
            break;
        all = ~(uint64_t)0 >> (64 - cut);
        masks.letters &= all;
        masks.digits &= all;
        masks.signs &= all;
        pass->marks += (uint32_t)__builtin_popcountll(masks.marks & all);
        pass->commas += (uint32_t)__builtin_popcountll(masks.commas & all);
        if (pass->opening.characters < pass->most_characters)
            open_ascii(&pass->opening, window, cut, &masks, pass->most_characters);
        if (pass->n_terms < pass->most_terms)
            take_terms(pass, window, &masks);
        if (pass->n_words < pass->most_words)
            take_words(pass, window, cut, inside & all);
        p += cut;
    }
    return p;
}

#ifdef THRESHER_WIDE
THRESHER_WIDE static const uint8_t *read_windows_wide(
    TextPass *pass, const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
    return read_windows(pass, p, end, readable, 1);
}
#endif

/* Reads on as long as anything but marks is asked for, to the end of the text, or to a word that holds a byte beyond
 * ASCII or fills a window, and returns where that is. The memory may be read up to `readable`. */
static inline const uint8_t *read_ascii(
    TextPass *pass, const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
#ifdef THRESHER_WIDE
    if (wide_texts)
        return read_windows_wide(pass, p, end, readable);
#endif
    return read_windows(pass, p, end, readable, 0);
}

/* The end of the words at p that ASCII cannot tell: of the one at p, and of those that follow it and begin with a byte
 * beyond ASCII. */
static inline const uint8_t *end_of_words(const uint8_t *p, const uint8_t *end) {
    const uint8_t *q = p;
    do {
        for (p = q; p < end && text_classes[*p] & (A_LETTER | A_DIGIT | IS_WIDE); p++)
            ;
        for (q = p; q < end && !(text_classes[*q] & (A_LETTER | A_DIGIT | IS_WIDE)); q++)
            ;
    } while (q < end && text_classes[*q] & IS_WIDE);
    return p;
}

/* Adds whole words of eight bytes in `starts` to the hash, and moves what is left to the front. */
static inline void hash_starts(TextPass *pass) {
    uint32_t at;
    for (at = 0; at + 8 <= pass->n_starts; at += 8) {
        pass->start = (pass->start ^ (load_word(pass->starts + at) | 0x2020202020202020)) * 0x9E3779B97F4A7C15ULL;
        pass->start ^= pass->start >> 32;
    }
    if (at)
        memcpy(pass->starts, pass->starts + at, 8); /* there is room */
    pass->n_starts -= at;
}

/* Adds the first bytes of a text to what tells copies of the block: texts that are divided otherwise are the same. */
static inline void add_start(TextPass *pass, const uint8_t *p, const uint8_t *end, const uint8_t *readable) {
    const size_t length = (size_t)(end - p), n = length < START_BYTES ? length : START_BYTES;
    uint8_t *to = pass->starts + pass->n_starts;
    THRESHER_CHECK(pass->n_starts < STARTS_ROOM);
    if (readable - p >= START_BYTES)
        memcpy(to, p, START_BYTES);
    else
        memcpy(to, p, n);
    pass->n_starts += (uint32_t)n;
    if (length > START_BYTES)
        pass->rest = (pass->rest + length - START_BYTES) * 0xD6E8FEB86659FD93ULL;
    if (pass->n_starts >= STARTS_ROOM)
        hash_starts(pass);
}

/* The hash of the beginnings of all texts. */
static inline uint64_t hash_of_starts(TextPass *pass) {
    const uint32_t n = pass->n_starts;
    memset(pass->starts + n, 0, 8);
    pass->n_starts = (n + 7) & ~7u;
    hash_starts(pass);
    return pass->start ^ pass->rest;
}

static inline void start_pass(TextPass *pass, uint32_t most_characters, uint32_t most_terms, uint32_t most_words) {
    pass->most_characters = most_characters;
    pass->most_terms = most_terms;
    pass->most_words = most_words;
    pass->marks = pass->commas = pass->n_terms = pass->n_words = pass->n_starts = 0;
    pass->start = pass->rest = 0;
    memset(&pass->opening, 0, sizeof pass->opening);
    pass->opening.previous = ' ';
}

#endif
