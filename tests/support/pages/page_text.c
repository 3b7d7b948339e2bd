#include "tests/support/pages/page_text.h"

#include "reports/page/page_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

bool have_program(const char *name) {
    char command[64];
    snprintf(command, sizeof command, "command -v %s >/dev/null", name);
    return system(command) == 0;
}

char *file_text(const char *path) {
    fs_error err = {0};
    char *text = fs_page_read(path, NULL, &err);
    if (text == NULL)
        fail_msg("%s", err.text);
    return text;
}

void need(const char *page, const char *words) {
    if (strstr(page, words) == NULL)
        fail_msg("the page does not hold \"%s\"", words);
}

void need_sections(const char *page, const char *const *ids) {
    const char *last = page;
    for (; *ids != NULL; ids++) {
        char words[64];
        snprintf(words, sizeof words, "<section id=\"%s\"", *ids);
        need(page, words);
        assert_true(strstr(page, words) > last);
        last = strstr(page, words);
        snprintf(words, sizeof words, "<a href=\"#%s\">", *ids);
        need(page, words);
    }
}

size_t count(const char *page, const char *words) {
    size_t n = 0;
    for (const char *at = page; (at = strstr(at, words)) != NULL; at++)
        n++;
    return n;
}
