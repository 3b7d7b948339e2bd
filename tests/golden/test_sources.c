/* Every source leads to a line of docs/facts: what parameter rows, events, operations, machine checks, cases
 * and comments cite is a page, a section or a tag there; and every page that a text of the repository names
 * exists. */
#include "registry/registry.h"
#include "tests/support/facts.h"
#include "tests/support/test.h"
#include "validation/cases/cases.h"
#include "validation/machine/checks.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <sys/stat.h>

enum { WORD = 128, CELL = FACTS_CELL };

static size_t faults;

/* ---- tables ---- */

/* Whether a parameter is named so ("workload.router_cycles"). */
static bool is_parameter(const char *parameters, const char *source) {
    char cell[CELL];
    const char *dot = strchr(source, '.');
    if (dot == NULL || strstr(source, ".md") != NULL || strchr(source, ' ') != NULL)
        return false;
    snprintf(cell, sizeof cell, "| `%s` |", dot + 1);
    return strstr(parameters, cell) != NULL;
}

/* Cell `index` of a markdown row, without its spaces; false: there is none. */
static bool cell_of(const char *row, size_t index, char *out) {
    const char *at = row;
    for (size_t i = 0; i <= index; i++) {
        at = strchr(at, '|');
        if (at == NULL || at > row + strcspn(row, "\n"))
            return false;
        at++;
    }
    at += strspn(at, " ");
    size_t n = strcspn(at, "|\n");
    if (at[n] != '|')
        return false;
    while (n > 0 && at[n - 1] == ' ')
        n--;
    snprintf(out, CELL, "%.*s", (int)n, at);
    return true;
}

/* The column of that head in a row of heads; SIZE_MAX. */
static size_t column_of(const char *row, const char *head) {
    char cell[CELL];
    for (size_t i = 0; cell_of(row, i, cell); i++)
        if (strcmp(cell, head) == 0)
            return i;
    return SIZE_MAX;
}

/* docs/parameters.md is what the program prints of its rows (test_docs): a number of the hardware has a
 * source. */
TEST(parameters) {
    char *text = facts_text("docs/parameters.md"), key[CELL], source[CELL], sure[CELL];
    size_t source_column = SIZE_MAX, rows = 0;
    assert_non_null(text);
    faults = 0;
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line != '|')
            source_column = SIZE_MAX;
        else if (source_column == SIZE_MAX)
            source_column = column_of(line, "source");
        else if (cell_of(line, 0, key) && key[0] == '`' && cell_of(line, source_column, source) &&
                 cell_of(line, source_column + 1, sure)) {
            rows++;
            faults += facts_check(key, source);
            if (strchr("PMRI", sure[0]) != NULL && sure[0] != '\0' && source[0] == '\0') {
                print_error("%s: confidence %s without a source\n", key, sure);
                faults++;
            }
        }
    }
    assert_true(rows > 150);
    assert_int_equal(faults, 0);
}

/* What the files of machines state behind their numbers. */
TEST(files_of_machines) {
    glob_t files;
    size_t stated = 0;
    assert_int_equal(glob("configs/machines/*.yaml", 0, NULL, &files), 0);
    faults = 0;
    for (size_t f = 0; f < files.gl_pathc; f++) {
        char *text = facts_text(files.gl_pathv[f]), source[CELL];
        assert_non_null(text);
        for (const char *at = text; (at = strstr(at, "# [")) != NULL; at += 3, stated++) {
            assert_true(at[4] == ']' && strchr("PMRIA", at[3]) != NULL);
            snprintf(source, sizeof source, "%.*s", (int)strcspn(at + 6, "\n"), at + 6);
            faults += facts_check(files.gl_pathv[f], source);
        }
    }
    globfree(&files);
    assert_true(stated > 5);
    assert_int_equal(faults, 0);
}

static bool has_checks(const char *kind) {
    for (const fs_machine_checks *const *list = fs_machine_check_kinds; *list != NULL; list++)
        if (strcmp((*list)->kind, kind) == 0)
            return (*list)->count > 0;
    return false;
}

/* Each kind of machine that the program knows is held to what others published of it. */
TEST(kinds_of_machines_have_checks) {
    size_t kinds = 0;
    for (size_t i = 0; i < fs_registry_all.section_count; i++)
        for (size_t k = 0;
             strcmp(fs_registry_sections[i].name, "machine") == 0 && k < fs_registry_sections[i].count; k++) {
            kinds++;
            if (!has_checks(fs_registry_sections[i].kinds[k].kind))
                fail_msg("validation/machine/checks.c: no checks of machines of kind %s",
                         fs_registry_sections[i].kinds[k].kind);
        }
    assert_true(kinds > 0);
}

TEST(machine_checks) {
    fs_error err = {0};
    faults = 0;
    for (const fs_machine_checks *const *kind = fs_machine_check_kinds; *kind != NULL; kind++) {
        fs_machine_check *check = test_keep(fs_calloc((*kind)->count, sizeof *check));
        assert_int_equal((*kind)->simulate(check, &err), FS_OK);
        for (size_t i = 0; i < (*kind)->count; i++)
            faults += facts_check(check[i].name, check[i].source);
    }
    assert_int_equal(faults, 0);
}

/* Each figure is cited by its paper's tag, and each paper is one of the four, under that tag and link. */
TEST(papers_and_cases) {
    static fs_error err;
    fs_arena *arena = test_arena();
    const fs_validation_wants all = {.paper = NULL};
    fs_validation *v = NULL;
    size_t count = 0, claims = 0;
    assert_ok(fs_validations_read(arena, &fs_registry_all,
                                  fs_arena_printf(arena, "%s/validation", fs_configs_dir()), &all, &v, &count,
                                  &err),
              &err);
    faults = 0;
    for (size_t p = 0; p < count; p++) {
        const fs_paper *paper = v[p].paper;
        const char *row =
            fs_arena_printf(arena, "\n| %s | %s: *%s*.", paper->tag, paper->authors, paper->title);
        const char *found = strstr(facts_page("README.md", 9)->text, row);
        if (found == NULL)
            fail_msg("docs/facts/README.md has not the row \"%s ...\"", row + 1);
        assert_non_null(strstr(found, paper->link));
        for (size_t k = 0; k < v[p].case_count; k++)
            for (size_t i = 0; i < v[p].cases[k].claim_count; i++, claims++) {
                const char *source = v[p].cases[k].claims[i].source;
                faults += facts_check(v[p].cases[k].path, source);
                if (strncmp(source, paper->tag, strlen(paper->tag)) != 0) {
                    print_error("%s: \"%s\" is not of %s\n", v[p].cases[k].path, source, paper->tag);
                    faults++;
                }
            }
    }
    assert_true(claims > 100);
    assert_int_equal(faults, 0);
}

/* A line of facts says where it is from: what looks like a tag in a column "source" is one. */
TEST(lines_of_facts) {
    char source[CELL], piece[CELL];
    size_t rows = 0;
    faults = 0;
    for (size_t p = 0; facts_at(p) != NULL; p++) {
        size_t column = SIZE_MAX;
        for (const char *line = facts_at(p)->text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
            line += *line == '\n';
            if (*line != '|')
                column = SIZE_MAX;
            else if (column == SIZE_MAX)
                column = column_of(line, "source") == SIZE_MAX ? SIZE_MAX - 1 : column_of(line, "source");
            else if (column < SIZE_MAX - 1 && cell_of(line, column, source) &&
                     strstr(source, "---") == NULL) {
                char plain[CELL];
                rows++;
                facts_plain(source, plain);
                for (const char *at = plain; *(at += strspn(at, " ,;")) != '\0';) {
                    at = facts_piece(at, piece);
                    const size_t n = facts_capitals(piece);
                    if (n > 0 && !facts_tag(piece, n)) {
                        print_error("%s: source \"%s\": no such tag\n", facts_at(p)->name, piece);
                        faults++;
                    }
                }
            }
        }
    }
    assert_true(rows > 150);
    assert_int_equal(faults, 0);
}

/* ---- texts of the repository ---- */

static bool exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

/* The page that a text in `file` names: beside it, in docs/, docs/facts, or at the top. */
static bool page_exists(const char *file, const char *named) {
    static const char *const folders[] = {"", "docs/", "docs/facts/"};
    char path[4 * WORD];
    const char *slash = strrchr(file, '/');
    snprintf(path, sizeof path, "%.*s/%s", slash == NULL ? 1 : (int)(slash - file),
             slash == NULL ? "." : file, named);
    bool found = exists(path);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", folders[i], named);
        found = found || exists(path);
    }
    return found;
}

static void fault(const char *file, const char *text, const char *at, const char *wrong) {
    int line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    print_error("%s:%d: %s: \"%.40s\"\n", file, line, wrong, at);
    faults++;
}

/* The number after a page's name, perhaps in the next line of a comment, perhaps after "section". */
static const char *number_after(const char *at) {
    at += strspn(at, " \n*#");
    if (strncmp(at, "section ", 8) == 0 || strncmp(at, "sections ", 9) == 0)
        at = strchr(at, ' ') + 1;
    return at;
}

static void check_page(const char *file, const char *text, const char *end) {
    static const char in_name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    const char *from = end;
    char named[WORD];
    /* A document that is made has "\\_" for each "_". */
    while (from > text && (strchr(in_name, from[-1]) != NULL || (from[-1] == '\\' && from[0] == '_')))
        from--;
    const char *last = end;
    while (last > from && last[-1] != '/')
        last--;
    /* A name that is made (NAME.md, DOCS/x.md, $work/x.md) is no page's. */
    if (from == end || (from > text && strchr("$%{>\"", from[-1]) != NULL && last != from) || end[3] == '%' ||
        (isupper((unsigned char)from[0]) && last != from) || strncmp(last, "NAME", 4) == 0 ||
        strncmp(last, "DOCUMENT", 8) == 0 || (end > from && end[-1] == '/'))
        return;
    assert_true(end + 3 - from < WORD);
    size_t n = 0;
    for (const char *at = from; at < end + 3; at++)
        if (*at != '\\')
            named[n++] = *at;
    named[n] = '\0';
    if (!page_exists(file, named)) {
        fault(file, text, from, "no such page");
        return;
    }
    const facts_page_of *on = last == from ? facts_page(last, (size_t)(end + 3 - last)) : NULL;
    const char *number = number_after(end + 3);
    size_t length = strspn(number, "0123456789.");
    while (length > 0 && number[length - 1] == '.')
        length--;
    if (on != NULL && length > 0 && !isalpha((unsigned char)number[length]) &&
        !facts_section(on, number, length))
        fault(file, text, from, "no such section");
}

/* "RF section 5.5", "NPT Tab. 2": the tag. */
static void check_tag(const char *file, const char *text, const char *at) {
    static const char *const kinds[] = {" section ", " Sec. ",     " Tab. ",    " Fig. ",
                                        " App. ",    " Appendix ", " appendix "};
    const size_t n = facts_capitals(at);
    for (size_t i = 0; n > 0 && i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(at + n, kinds[i], strlen(kinds[i])) == 0 && !facts_tag(at, n))
            fault(file, text, at, "no such tag in docs/facts/README.md");
}

static size_t citations;

static void check_text(const char *file) {
    char *text = facts_text(file);
    assert_non_null(text);
    for (const char *at = text; (at = strstr(at, ".md")) != NULL; at += 3)
        if (!isalnum((unsigned char)at[3]) && at[3] != '_') {
            citations++;
            check_page(file, text, at);
        }
    for (const char *at = text; *at != '\0'; at++)
        if (at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            check_tag(file, text, at);
}

static bool is_text(const char *name) {
    static const char *const endings[] = {".c", ".h", ".cpp", ".md", ".yaml", ".sh", ".gp", ".mk", ".awk"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t n = strlen(endings[i]);
        if (length > n && strcmp(name + length - n, endings[i]) == 0)
            return true;
    }
    return false;
}

static void walk(const char *folder) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char path[4 * WORD];
        struct stat info;
        const int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof path || lstat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            walk(path);
        else if (is_text(e->d_name) && strcmp(e->d_name, "test_sources.c") != 0)
            check_text(path);
    }
    closedir(dir);
}

TEST(pages_and_sections_that_texts_name) {
    static const char *const folders[] = {"sim",      "formats", "models",     "workloads",
                                          "registry", "reports", "validation", "tests",
                                          "tools",    "configs", "make",       "docs"};
    static const char *const files[] = {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"};
    faults = citations = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        walk(folders[i]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_text(files[i]);
    assert_true(citations > 400);
    assert_int_equal(faults, 0);
}

/* Events and operations: what `.source = "..."` and rows that cite a page say, in the code itself. */
static void literals_of(const char *file, const char *parameters_text) {
    char *text = facts_text(file), source[CELL];
    assert_non_null(text);
    for (const char *at = text; (at = strchr(at, '"')) != NULL;) {
        const size_t n = strcspn(at + 1, "\"\n");
        const bool event = at - text > 11 && strncmp(at - 10, ".source = ", 10) == 0;
        snprintf(source, sizeof source, "%.*s", n < CELL ? (int)n : 0, at + 1);
        const char *end = strstr(source, ".md ");
        bool row = end != NULL && strchr(source, '%') == NULL;
        for (const char *c = source; row && c < end; c++)
            row = islower((unsigned char)*c) || *c == '_';
        if ((event && source[0] != '\0' && strcmp(source, "-") != 0 && strcmp(source, "what if") != 0 &&
             !is_parameter(parameters_text, source)) ||
            row) {
            citations++;
            faults += facts_check(file, source);
        }
        at += n + 2 <= strlen(at) ? n + 2 : strlen(at);
    }
}

static void walk_literals(const char *folder, const char *parameters_text) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char path[4 * WORD];
        struct stat info;
        const int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        const size_t length = strlen(e->d_name);
        if (e->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof path || lstat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            walk_literals(path, parameters_text);
        else if (length > 2 &&
                 (strcmp(e->d_name + length - 2, ".c") == 0 || strcmp(e->d_name + length - 2, ".h") == 0))
            literals_of(path, parameters_text);
    }
    closedir(dir);
}

TEST(events_and_operations) {
    char *text = facts_text("docs/parameters.md");
    assert_non_null(text);
    faults = citations = 0;
    walk_literals("models", text);
    walk_literals("workloads", text);
    walk_literals("sim", text);
    assert_true(citations > 100);
    assert_int_equal(faults, 0);
}

static int enter(void **state) {
    (void)state;
    facts_read();
    return 0;
}

static int leave(void **state) {
    (void)state;
    facts_free();
    return 0;
}

/* The test itself: what does not resolve is found. */
TEST(what_does_not_resolve_is_found) {
    static const struct {
        const char *source;
        size_t wrong;
    } cases[] = {
        {"ipu.md 4, IS", 0},
        {"ipu.md 7, 9 and 10", 0},
        {"ipu.md 4 and 10: 126 - 50", 0},
        {"ipu.md 7 (tile 1460); RF section 5.5", 0},
        {"ipu.md 4, transfer list", 0},
        {"ipu.md 11", 1},
        {"ipu.md 8.4", 1},
        {"ipu.md", 1},
        {"design.md 6", 1},
        {"ipu.md 4 and 40", 1},
        {"ipu.md 4, XY and QZ", 2},
        {"ipu.md 4, list of transfers that nobody wrote", 1},
        {"RF Tab. 3 and 5, App. D", 0},
        {"XY Tab. 2", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t found = facts_check(NULL, cases[i].source);
        if (found != cases[i].wrong)
            fail_msg("\"%s\": expected %zu faults, found %zu", cases[i].source, cases[i].wrong, found);
    }
}

RUN_TESTS(enter, leave)
