/* Pages as texts, in tests. */
#ifndef FOAMSIM_TESTS_SUPPORT_PAGES_PAGE_TEXT_H
#define FOAMSIM_TESTS_SUPPORT_PAGES_PAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A program of the host, for tests that draw. */
bool have_program(const char *name);

/* A file as text; free(). Fails the test if it can't be read. */
char *file_text(const char *path);
/* Fails the test unless the page holds these words. */
void need(const char *page, const char *words);
/* Fails the test unless the page has these sections, in this order, each with a link to it; NULL at the end. */
void need_sections(const char *page, const char *const *ids);
/* How often a text is in another. */
size_t count(const char *page, const char *words);

#endif
