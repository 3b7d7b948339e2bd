#include "tests/support/pages/page_text.h"

#include "reports/page/page_file.h"
#include "tests/support/test.h"

bool have_program(const char *name) {
    char command[64];
    snprintf(command, sizeof command, "command -v %s >/dev/null", name);
    return system(command) == 0;
}

char *file_text(const char *path) {
    fs_error err = {0};
    char *text = fs_page_read(path, NULL, &err);
    assert_got(text, &err);
    return test_keep(text);
}

void need(const char *page, const char *words) {
    assert_says(page, words);
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

void need_no_network(const char *page) {
    assert_int_equal(count(page, "http:"), count(page, "http://www.w3.org/"));
    assert_int_equal(count(page, "url("), count(page, "url(#"));
    assert_int_equal(count(page, "https:") + count(page, "@import"), 0);
}

/* ---- texts ---- */

typedef struct page {
    void (*each)(void *self, const char *text, bool sentence);
    void *self;
    char text[4096], kind[32];
    size_t length;
    bool findings; /* in the list of them */
} page;

static void put(page *p, const char *text, size_t length) {
    for (size_t i = 0; i < length && p->length + 2 < sizeof p->text; i++) {
        const char c = text[i] == '\n' ? ' ' : text[i];
        if (c != ' ' || (p->length > 0 && p->text[p->length - 1] != ' '))
            p->text[p->length++] = c;
    }
}

/* The text so far, of an element of its kind. */
static void flush(page *p) {
    while (p->length > 0 && strchr(" |", p->text[p->length - 1]) != NULL)
        p->length--;
    p->text[p->length] = '\0';
    const char *kind = p->kind;
    if (p->length > 0)
        p->each(p->self, p->text,
                strcmp(kind, "figcaption") == 0 || (p->findings && strncmp(kind, "li", 2) == 0) ||
                    (strcmp(kind, "p") == 0 && p->text[p->length - 1] != ':'));
    p->length = 0;
}

static bool tag_is(const char *tag, const char *name) {
    const size_t n = strlen(name);
    return strncmp(tag, name, n) == 0 && strchr(" >", tag[n]) != NULL;
}

/* What is data or markup of its own: its end, or NULL. */
static const char *skipped(const char *tag) {
    static const char *const whole[] = {"script", "style", "svg",    "nav",    "code",
                                        "pre",    "table", "select", "button", "head"};
    char ends[32];
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (tag_is(tag + 1, whole[i])) {
            snprintf(ends, sizeof ends, "</%s>", whole[i]);
            return strstr(tag, ends);
        }
    return strncmp(tag, "<details class=\"figures\"", 24) == 0 ? strstr(tag, "</details>")
           : strncmp(tag, "<a class=\"see\"", 14) == 0         ? strstr(tag, "</a>")
                                                               : NULL;
}

static void open_tag(page *p, const char *tag) {
    static const char *const in_line[] = {"a", "i", "em", "strong", "sub", "sup", "abbr"};
    const bool ends = tag[1] == '/';
    const char *name = tag + 1 + ends;
    for (size_t i = 0; i < sizeof in_line / sizeof *in_line; i++)
        if (tag_is(name, in_line[i]))
            return;
    if (tag_is(name, "b") || tag_is(name, "span")) {
        put(p, " | ", 3);
        return;
    }
    flush(p);
    if (tag_is(name, "ol"))
        p->findings = strncmp(tag, "<ol class=\"findings\"", 20) == 0;
    snprintf(p->kind, sizeof p->kind, "%.*s", ends ? 0 : (int)strcspn(name, ">"),
             name); /* classes make another kind */
}

void page_texts(const char *html, void (*each)(void *self, const char *text, bool sentence), void *self) {
    page own = {.each = each, .self = self}, *p = &own;
    static const char *const entity[][2] = {
        {"&#39;", "'"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}};
    const char *at = strstr(html, "<body");
    assert_non_null(at);
    while (*at != '\0') {
        size_t length = strcspn(at, "<&");
        put(p, at, length);
        at += length;
        if (*at == '<') {
            const char *behind = skipped(at);
            if (behind == NULL)
                open_tag(p, at);
            at = strchr(behind == NULL ? at : behind, '>');
            assert_non_null(at);
            at++;
        } else if (*at == '&') {
            size_t i = 0;
            while (i < 5 && strncmp(at, entity[i][0], strlen(entity[i][0])) != 0)
                i++;
            put(p, i < 5 ? entity[i][1] : "&", 1);
            at += i < 5 ? strlen(entity[i][0]) : 1;
        }
    }
    flush(p);
}
