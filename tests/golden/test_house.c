/* The house as ARCHITECTURE.md describes it, read from the `#include` lines: which way arrows point, that no
 * folders form a circle, that private headers stay in their folder, that a type's name is given once, and how
 * large files and folders may be. */
#define _XOPEN_SOURCE 700 /* nftw */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 2048, MOST_FOLDERS = 256, MOST_INCLUDES = 16384, MOST_TYPES = 2048, PATH = 160 };
enum { LINES_IN_A_FILE = 500, LINES_IN_A_TEST = 650, FILES_IN_A_FOLDER = 25, FILES_OF_TESTS = 32 };

typedef struct {
    char path[PATH], folder[PATH];
    char *text;
    int lines, of_folder;
    bool is_code, is_header, is_private;
} source;
static source sources[MOST_FILES];
static int source_count;

static char folders[MOST_FOLDERS][PATH];
static int folder_count, files_in[MOST_FOLDERS];

typedef struct {
    int from; /* of `sources` */
    int to;   /* of `sources`, -1: no file of the tree */
    int line;
    char path[PATH];
} include;
static include includes[MOST_INCLUDES];
static int include_count;

/* ---- reading ---- */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with) {
    size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

/* Is `path` in `folder` or in a folder below it? */
static bool is_under(const char *path, const char *folder) {
    return begins(path, folder) && (path[strlen(folder)] == '/' || path[strlen(folder)] == '\0');
}

static int folder_of(const char *name) {
    for (int f = 0; f < folder_count; f++)
        if (strcmp(folders[f], name) == 0)
            return f;
    assert_true(folder_count < MOST_FOLDERS);
    snprintf(folders[folder_count], PATH, "%s", name);
    return folder_count++;
}

/* A header is private by its name, or by its opening comment that says so. */
static bool says_private(const source *s) {
    if (ends(s->path, "private.h") || ends(s->path, "_internal.h"))
        return true;
    if (!begins(s->text, "/*"))
        return false;
    const char *end = strstr(s->text, "*/"), *at = strstr(s->text, "Private to");
    return at != NULL && end != NULL && at < end;
}

static int read_source(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)where;
    if (kind != FTW_F)
        return 0;
    assert_true(source_count < MOST_FILES && strlen(path) < PATH);
    source *s = &sources[source_count++];
    snprintf(s->path, PATH, "%s", path);
    snprintf(s->folder, PATH, "%s", path);
    *strrchr(s->folder, '/') = '\0';
    s->of_folder = folder_of(s->folder);
    files_in[s->of_folder]++;
    s->is_header = ends(path, ".h");
    s->is_code = s->is_header || ends(path, ".c") || ends(path, ".cpp");
    if (!s->is_code)
        return 0;
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t room = 1 << 20;
    s->text = calloc(1, room);
    assert_non_null(s->text);
    assert_true(fread(s->text, 1, room - 1, in) < room - 1);
    fclose(in);
    for (const char *at = s->text; *at != '\0'; at++)
        s->lines += *at == '\n';
    s->is_private = s->is_header && says_private(s);
    return 0;
}

static int source_at(const char *path) {
    for (int i = 0; i < source_count; i++)
        if (strcmp(sources[i].path, path) == 0)
            return i;
    return -1;
}

static void read_includes(int from) {
    int line = 1;
    for (const char *at = sources[from].text; at != NULL && *at != '\0'; line++) {
        if (begins(at, "#include \"")) {
            assert_true(include_count < MOST_INCLUDES);
            include *inc = &includes[include_count++];
            *inc = (include){.from = from, .line = line};
            size_t n = strcspn(at + 10, "\"");
            assert_true(n < PATH);
            memcpy(inc->path, at + 10, n);
            inc->to = source_at(inc->path);
        }
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
}

static int read_tree(void **state) {
    (void)state;
    const char *roots[] = {"sim", "models", "workloads", "registry", "reports", "validation", "api", "tests"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (nftw(roots[i], read_source, 16, FTW_PHYS) != 0)
            return -1;
    for (int i = 0; i < source_count; i++)
        if (sources[i].is_code)
            read_includes(i);
    return 0;
}

static int forget_tree(void **state) {
    (void)state;
    for (int i = 0; i < source_count; i++)
        free(sources[i].text);
    return 0;
}

/* ---- judging: every breach is printed with its place, and a test fails when there was one ---- */

static int breaches;

static void breach(const char *place, const char *format, ...) {
    va_list list;
    va_start(list, format);
    breaches++;
    print_error("    %s", place);
    vprint_error(format, list);
    va_end(list);
}

static int begin_to_count(void **state) {
    (void)state;
    breaches = 0;
    return 0;
}

/* What a floor may include beside itself. A floor that stands in no row may include everything. */
static const struct {
    const char *floor, *may[3];
} arrows[] = {
    {"sim", {NULL}},
    {"models", {"sim"}},
    {"workloads", {"models", "sim"}},
    {"reports", {"sim"}},
    {"api", {"reports", "sim"}},
    {"validation",
     {"reports", "models", "sim"}}, /* of models the machine alone, which is checked without a workload */
};

static bool may_include(const char *from, const char *to) {
    if (is_under(to, "tests"))
        return is_under(from, "tests");
    for (size_t a = 0; a < sizeof arrows / sizeof *arrows; a++)
        if (is_under(from, arrows[a].floor)) {
            bool may = is_under(to, arrows[a].floor);
            for (int m = 0; m < 3 && arrows[a].may[m] != NULL; m++)
                may = may || is_under(to, arrows[a].may[m]);
            return may;
        }
    return true;
}

static void arrows_point_one_way(void **state) {
    (void)state;
    assert_true(include_count > 1000);
    for (int i = 0; i < include_count; i++) {
        const include *inc = &includes[i];
        const char *from = sources[inc->from].path;
        if (inc->to < 0)
            breach(from, ":%d: %s is no file of the tree: paths begin at its top\n", inc->line, inc->path);
        else if (!may_include(from, inc->path))
            breach(from, ":%d: %s lies the other way\n", inc->line, inc->path);
        else if (!is_under(from, "registry") && !is_under(from, "tests") && is_under(inc->path, "registry"))
            breach(from, ":%d: the registry is included by nobody: what it lists stands in sim\n", inc->line);
    }
    assert_int_equal(breaches, 0);
}

/* Of a workload, its neighbour is nobody's business; what two share lies in workloads/scene,
 * workloads/image or workloads/paths. */
static void workloads_do_not_know_each_other(void **state) {
    (void)state;
    for (int i = 0; i < include_count; i++) {
        const char *from = sources[includes[i].from].path, *to = includes[i].path;
        if (!is_under(from, "workloads") || !is_under(to, "workloads"))
            continue;
        size_t own = strlen("workloads/") + strcspn(from + strlen("workloads/"), "/");
        bool shared = is_under(to, "workloads/scene") || is_under(to, "workloads/image") ||
                      is_under(to, "workloads/paths");
        if (strncmp(from, to, own + 1) != 0 && !shared)
            breach(from, ":%d: %s is another workload's\n", includes[i].line, to);
    }
    assert_int_equal(breaches, 0);
}

static void no_folders_form_a_circle(void **state) {
    (void)state;
    static bool arrow[MOST_FOLDERS][MOST_FOLDERS], reach[MOST_FOLDERS][MOST_FOLDERS];
    for (int i = 0; i < include_count; i++)
        if (includes[i].to >= 0) {
            int a = sources[includes[i].from].of_folder, b = sources[includes[i].to].of_folder;
            arrow[a][b] = reach[a][b] = a != b;
        }
    for (int via = 0; via < folder_count; via++)
        for (int a = 0; a < folder_count; a++)
            for (int b = 0; b < folder_count; b++)
                reach[a][b] = reach[a][b] || (reach[a][via] && reach[via][b]);
    for (int i = 0; i < include_count; i++) {
        if (includes[i].to < 0)
            continue;
        int a = sources[includes[i].from].of_folder, b = sources[includes[i].to].of_folder;
        if (a != b && arrow[a][b] && reach[b][a])
            breach(sources[includes[i].from].path, ":%d: %s closes a circle of folders\n", includes[i].line,
                   includes[i].path);
    }
    assert_int_equal(breaches, 0);
}

/* Folders below may use what their parent keeps private; unit tests may open what they test. */
static void private_headers_stay_in_their_folder(void **state) {
    (void)state;
    int seen = 0;
    for (int i = 0; i < include_count; i++) {
        if (includes[i].to < 0 || !sources[includes[i].to].is_private)
            continue;
        seen++;
        const char *from = sources[includes[i].from].path;
        if (!is_under(from, "tests") && !is_under(from, sources[includes[i].to].folder))
            breach(from, ":%d: %s is private to its folder\n", includes[i].line, includes[i].path);
    }
    assert_true(seen > 50);
    assert_int_equal(breaches, 0);
}

typedef struct {
    char name[64];
    int source, line;
} type;
static type types[MOST_TYPES];
static int type_count;

/* `struct NAME {`, `enum NAME {`, `} NAME;` and `typedef int NAME;` define; `typedef struct NAME NAME;` only
 * announces. */
static bool defined_by(const char *text, char name[64]) {
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    if (sscanf(line, "struct %63[a-z0-9_]", name) == 1 || sscanf(line, "union %63[a-z0-9_]", name) == 1 ||
        sscanf(line, "enum %63[a-z0-9_]", name) == 1 ||
        sscanf(line, "typedef struct %63[a-z0-9_]", name) == 1)
        return ends(line, "{");
    if (sscanf(line, "} %63[a-z0-9_]", name) == 1) /* not of a variable: headers define none */
        return ends(line, ";");
    if (!begins(line, "typedef ") || begins(line, "typedef struct ") || strchr(line, ';') == NULL)
        return false;
    const char *pointer = strstr(line, "(*"), *end = strchr(line, ';');
    if (pointer != NULL)
        return sscanf(pointer, "(*%63[a-z0-9_])", name) == 1;
    while (end > line && strchr(" *", end[-1]) == NULL)
        end--;
    return sscanf(end, "%63[a-z0-9_]", name) == 1;
}

static void a_type_name_is_given_once(void **state) {
    (void)state;
    for (int s = 0; s < source_count; s++) {
        if (!sources[s].is_header)
            continue;
        int line = 1;
        for (const char *at = sources[s].text; at != NULL && *at != '\0'; line++) {
            char name[64];
            if (defined_by(at, name)) {
                for (int t = 0; t < type_count; t++)
                    if (strcmp(types[t].name, name) == 0 && types[t].source != s)
                        breach(sources[s].path, ":%d: %s is a type of %s:%d too\n", line, name,
                               sources[types[t].source].path, types[t].line);
                assert_true(type_count < MOST_TYPES);
                type *t = &types[type_count++];
                *t = (type){.source = s, .line = line};
                memcpy(t->name, name, sizeof t->name);
            }
            at = strchr(at, '\n');
            at = at == NULL ? NULL : at + 1;
        }
    }
    assert_true(type_count > 200);
    assert_int_equal(breaches, 0);
}

static void files_and_folders_are_of_a_size(void **state) {
    (void)state;
    for (int s = 0; s < source_count; s++) {
        const int most = is_under(sources[s].path, "tests") ? LINES_IN_A_TEST : LINES_IN_A_FILE;
        if (sources[s].lines > most)
            breach(sources[s].path, ": %d lines, %d are allowed\n", sources[s].lines, most);
    }
    for (int f = 0; f < folder_count; f++) {
        const int most = is_under(folders[f], "tests") ? FILES_OF_TESTS : FILES_IN_A_FOLDER;
        if (files_in[f] > most)
            breach(folders[f], ": %d files, %d are allowed\n", files_in[f], most);
    }
    assert_int_equal(breaches, 0);
}

#define RULE(test) cmocka_unit_test_setup(test, begin_to_count)

int main(void) {
    const struct CMUnitTest tests[] = {
        RULE(arrows_point_one_way),      RULE(workloads_do_not_know_each_other),
        RULE(no_folders_form_a_circle),  RULE(private_headers_stay_in_their_folder),
        RULE(a_type_name_is_given_once), RULE(files_and_folders_are_of_a_size),
    };
    return cmocka_run_group_tests(tests, read_tree, forget_tree);
}
