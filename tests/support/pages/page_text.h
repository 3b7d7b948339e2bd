/* Pages as texts, in tests. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A program of the host, for tests that draw. */
bool have_program(const char *name);

/* A file as text, until the test ends. Fails the test if it can't be read. */
char *file_text(const char *path);
/* Fails the test unless the page holds these words. */
void need(const char *page, const char *words);
/* Fails the test unless the page has these sections, in this order, each with a link to it; NULL at the end. */
void need_sections(const char *page, const char *const *ids);
/* Fails the test if the page would load anything; names of markup languages are no addresses. */
void need_no_network(const char *page);
/* How often a text is in another. */
size_t count(const char *page, const char *words);

/* Every text of a page that people read, without data tables, code and plots; words of a card are divided by
 * " | ". sentence: a caption, a finding or a paragraph that does not end with a colon. */
void page_texts(const char *html, void (*each)(void *self, const char *text, bool sentence), void *self);
