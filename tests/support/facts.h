/* docs/facts as tests see it: pages with numbered sections, and the tags of its README. Run at the top of the
 * repository. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FACTS_SECTIONS = 32, FACTS_CELL = 1024 };

typedef struct facts_page_of {
    char name[128]; /* "ipu.md" */
    char *text;
    char section[FACTS_SECTIONS][16]; /* [sections] "8.2" */
    size_t sections;
} facts_page_of;

/* Reads all pages; a test fails where there are none. facts_free frees them. */
void facts_read(void);
void facts_free(void);
const facts_page_of *facts_at(size_t index);                      /* NULL behind the last */
const facts_page_of *facts_page(const char *name, size_t length); /* NULL: there is none */
bool facts_section(const facts_page_of *p, const char *number, size_t length);
bool facts_tag(const char *word, size_t length);

/* A source text says pages with sections, further numbers or words of a page, and tags: "ipu.md 4 and 10,
 * IS". Prints what does not resolve, unless `where` is NULL; returns how many. */
size_t facts_check(const char *where, const char *source);

/* ---- parts of it ---- */

/* A file's text, free(); NULL: there is none. */
char *facts_text(const char *path);
/* Capitals and digits at the beginning of a text: 2 for "PL f32divCycles"; 0: it begins otherwise. */
size_t facts_capitals(const char *text);
/* A source without what stands in parentheses and behind a colon. `out` has room for it. */
void facts_plain(const char *source, char *out);
/* The next piece of a list into piece [FACTS_CELL]; returns what is behind it. */
const char *facts_piece(const char *at, char *piece);
