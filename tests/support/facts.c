/* The pages of docs/facts, and whether a source text resolves there. */
#include "tests/support/facts.h"

#include "sim/base/alloc.h"
#include "tests/support/test.h"

#include <ctype.h>
#include <dirent.h>

enum { MOST_BYTES = 1 << 20, MOST_PAGES = 32, MOST_TAGS = 128, WORD = 128, CELL = FACTS_CELL };

/* ---- the pages ---- */

static facts_page_of pages[MOST_PAGES];
static size_t page_count;
static char tags[MOST_TAGS][16];
static size_t tag_count;

char *facts_text(const char *path) {
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return NULL;
    char *text = fs_malloc(MOST_BYTES + 1);
    text[fread(text, 1, MOST_BYTES, in)] = '\0';
    fclose(in);
    return text;
}

/* "## 8. Kernels", "### 8.1 Tracer": the numbers. */
static void find_sections(facts_page_of *p) {
    for (const char *line = p->text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        const size_t marks = strspn(line, "#");
        if (marks < 2 || line[marks] != ' ' || !isdigit((unsigned char)line[marks + 1]))
            continue;
        size_t length = strspn(line + marks + 1, "0123456789.");
        length -= line[marks + length] == '.' ? 1 : 0;
        assert_true(p->sections < FACTS_SECTIONS && length < sizeof p->section[0]);
        snprintf(p->section[p->sections++], sizeof p->section[0], "%.*s", (int)length, line + marks + 1);
    }
}

bool facts_section(const facts_page_of *p, const char *number, size_t length) {
    for (size_t i = 0; i < p->sections; i++)
        if (strlen(p->section[i]) == length && strncmp(p->section[i], number, length) == 0)
            return true;
    return false;
}

const facts_page_of *facts_page(const char *name, size_t length) {
    for (size_t i = 0; i < page_count; i++)
        if (strlen(pages[i].name) == length && strncmp(pages[i].name, name, length) == 0)
            return &pages[i];
    return NULL;
}

bool facts_tag(const char *word, size_t length) {
    for (size_t i = 0; i < tag_count; i++)
        if (strlen(tags[i]) == length && strncmp(tags[i], word, length) == 0)
            return true;
    return false;
}

/* Capitals and digits at the beginning of a text: "PL" of "PL f32divCycles"; 0: it begins otherwise. */
size_t facts_capitals(const char *text) {
    size_t n = 0;
    while (isupper((unsigned char)text[n]) || (n > 0 && isdigit((unsigned char)text[n])))
        n++;
    return n >= 2 && !isalnum((unsigned char)text[n]) && text[n] != '_' ? n : 0;
}

/* The first cells of the table rows of docs/facts/README.md. */
static void find_tags(const char *text) {
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        const size_t n = strncmp(line, "| ", 2) == 0 ? facts_capitals(line + 2) : 0;
        if (n == 0)
            continue;
        assert_true(tag_count < MOST_TAGS);
        if (facts_tag(line + 2, n))
            fail_msg("docs/facts/README.md: the tag %.*s stands there twice", (int)n, line + 2);
        snprintf(tags[tag_count++], sizeof tags[0], "%.*s", (int)n, line + 2);
    }
}

void facts_read(void) {
    DIR *dir = opendir("docs/facts");
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char path[2 * WORD];
        const char *end = strrchr(e->d_name, '.');
        if (end == NULL || strcmp(end, ".md") != 0)
            continue;
        facts_page_of *p = &pages[page_count++];
        assert_true(page_count < MOST_PAGES);
        snprintf(p->name, sizeof p->name, "%.100s", e->d_name);
        snprintf(path, sizeof path, "docs/facts/%s", p->name);
        p->text = facts_text(path);
        assert_non_null(p->text);
        find_sections(p);
        if (strcmp(p->name, "README.md") == 0)
            find_tags(p->text);
    }
    closedir(dir);
    assert_true(page_count >= 9 && tag_count >= 20);
}

void facts_free(void) {
    for (size_t i = 0; i < page_count; i++)
        free(pages[i].text);
    page_count = tag_count = 0;
}

/* ---- a source text ---- */

/* What stands in parentheses, and what a colon begins, is an explanation. */
void facts_plain(const char *source, char *out) {
    int depth = 0;
    for (; *source != '\0' && !(depth == 0 && *source == ':'); source++) {
        depth += *source == '(' ? 1 : 0;
        if (depth == 0)
            *out++ = *source;
        depth -= *source == ')' ? 1 : 0;
    }
    *out = '\0';
}

/* The next piece of a list: "ipu.md 4", "10", "IS" of "ipu.md 4 and 10, IS". */
const char *facts_piece(const char *at, char *piece) {
    at += strspn(at, " ,;");
    size_t n = 0;
    while (at[n] != '\0' && strchr(",;", at[n]) == NULL && strncmp(at + n, " and ", 5) != 0)
        n++;
    snprintf(piece, CELL, "%.*s", (int)n, at);
    while (n > 0 && piece[n - 1] == ' ')
        piece[--n] = '\0';
    at += strcspn(at, ",;") < n ? n : strlen(piece);
    at += strspn(at, " ");
    return strncmp(at, "and ", 4) == 0 ? at + 4 : at;
}

/* NULL: it resolves; else what does not. `on`: the page that numbers and words speak of. */
static const char *wrong_piece(const char *piece, const facts_page_of **on, bool *tagged) {
    static const char *const parts[] = {"section ", "Tab. ", "Fig. ", "App. ", "Appendix ", "appendix "};
    bool part = isdigit((unsigned char)piece[0]) != 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        part = part || strncmp(piece, parts[i], strlen(parts[i])) == 0;
    if (*tagged && part)
        return NULL; /* of what the tag before names */
    *tagged = false;
    const char *end = strstr(piece, ".md");
    if (end != NULL) {
        *on = facts_page(piece, (size_t)(end + 3 - piece));
        const char *number = end + 3 + strspn(end + 3, " ");
        return *on == NULL                                   ? "no such page in docs/facts"
               : *number == '\0'                             ? "a section is missing"
               : !facts_section(*on, number, strlen(number)) ? "no such section"
                                                             : NULL;
    }
    if (isdigit((unsigned char)piece[0]))
        return *on != NULL && facts_section(*on, piece, strlen(piece)) ? NULL : "no such section";
    const size_t n = facts_capitals(piece);
    if (n > 0) {
        *tagged = facts_tag(piece, n);
        return *tagged ? NULL : "no such tag in docs/facts/README.md";
    }
    return *on != NULL && strstr((*on)->text, piece) != NULL ? NULL : "no such words in the page";
}

size_t facts_check(const char *where, const char *source) {
    size_t faults = 0;
    char plain[CELL], piece[CELL];
    const facts_page_of *on = NULL;
    bool tagged = false;
    if (strcmp(source, "no source") == 0)
        return 0; /* and its confidence says so: A */
    assert_true(strlen(source) < CELL);
    facts_plain(source, plain);
    for (const char *at = plain; *(at += strspn(at, " ,;")) != '\0';) {
        at = facts_piece(at, piece);
        const char *wrong = wrong_piece(piece, &on, &tagged);
        if (wrong == NULL)
            continue;
        if (where != NULL)
            print_error("%s: source \"%s\": %s: \"%s\"\n", where, source, wrong, piece);
        faults++;
    }
    return faults;
}

const facts_page_of *facts_at(size_t index) {
    return index < page_count ? &pages[index] : NULL;
}
