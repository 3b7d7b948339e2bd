/* The house as ARCHITECTURE.md describes it, read from the `#include` lines and the symbols of the objects: what each
 * room may use, that no folders form a circle, that private headers stay in their folder, that a type's name is
 * given once and a function's prefix belongs to one room, and how large files and folders may be. */
#define _GNU_SOURCE /* nftw, popen, strcasestr */
#include "registry/registry.h"
#include "tests/golden/rooms.h"
#include "tests/support/test.h"
#include "workloads/foam/foam.h"

#include <ftw.h>

#include <ctype.h>

enum { MOST_FILES = 2048, MOST_FOLDERS = 256, MOST_INCLUDES = 16384, PATH = 160 };
enum { MOST_TYPES = 2048, MOST_SYMBOLS = 8192, MOST_PREFIXES = 512 };
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

static const char *const roots[] = {"sim",     "formats",    "models",  "workloads", "registry",
                                    "reports", "validation", "explore", "api",       "tests"};
enum { ROOTS = sizeof roots / sizeof *roots };

/* The file that a line includes, however it is written; false: none of this tree. A name in quotes is always one. */
static bool include_of(const char *line, char path[PATH]) {
    line += strspn(line, " \t");
    if (*line++ != '#')
        return false;
    line += strspn(line, " \t");
    if (!begins(line, "include"))
        return false;
    line += strlen("include");
    line += strspn(line, " \t");
    const bool quoted = *line == '"';
    if (!quoted && *line != '<')
        return false;
    const size_t n = strcspn(++line, quoted ? "\"\n" : ">\n");
    assert_true(n < PATH);
    snprintf(path, PATH, "%.*s", (int)n, line);
    for (int r = 0; r < ROOTS; r++)
        if (is_under(path, roots[r]))
            return true;
    return quoted;
}

static void read_includes(int from) {
    int line = 1;
    for (const char *at = sources[from].text; at != NULL && *at != '\0'; line++) {
        include inc = {.from = from, .line = line};
        if (include_of(at, inc.path)) {
            assert_true(include_count < MOST_INCLUDES);
            inc.to = source_at(inc.path);
            includes[include_count++] = inc;
        }
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
}

static int read_tree(void **state) {
    (void)state;
    for (int i = 0; i < ROOTS; i++)
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

enum { ROOMS = sizeof rooms / sizeof *rooms };

/* The room of a file; -1: it lies in none. */
static int room_of(const char *path) {
    int found = -1;
    for (int r = 0; r < ROOMS; r++)
        if (is_under(path, rooms[r].room) && (found < 0 || strlen(rooms[r].room) > strlen(rooms[found].room)))
            found = r;
    return found;
}

static bool may_use(const char *from, const char *to) {
    const int a = room_of(from), b = room_of(to);
    char one[PATH];
    if (a < 0 || b < 0 || a == b)
        return a >= 0 && a == b;
    if (is_under(rooms[b].room, rooms[a].room)) /* a room and those in it */
        return true;
    for (const char *at = rooms[a].may; *at != '\0'; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        snprintf(one, sizeof one, "%.*s", (int)n, at);
        if (is_under(to, one))
            return true;
        at += n;
    }
    return false;
}

TEST_IN(each_room_uses_what_it_may, begin_to_count, NULL) {
    assert_true(include_count > 1000);
    for (int s = 0; s < source_count; s++)
        if (sources[s].is_code && room_of(sources[s].path) < 0)
            breach(sources[s].path, ": lies in no room of the table\n");
    for (int i = 0; i < include_count; i++) {
        const include *inc = &includes[i];
        const char *from = sources[inc->from].path;
        if (inc->to < 0)
            breach(from, ":%d: %s is no file of the tree: paths begin at its top\n", inc->line, inc->path);
        else if (!may_use(from, inc->path))
            breach(from, ":%d: %s: the room of this file may not use it\n", inc->line, inc->path);
    }
    assert_int_equal(breaches, 0);
}

/* ---- arrows by symbol: what an object takes of another without an include ---- */

typedef struct {
    char name[96];
    int source;
} symbol;
static symbol defined[MOST_SYMBOLS];
static int defined_count;
static int by_name(const void *a, const void *b) {
    return strcmp(((const symbol *)a)->name, ((const symbol *)b)->name);
}

/* A line of `nm -A -g -P`: "BUILD/obj/sim/base/error.o: fs_fail T ...". False: of no source of this tree. */
static bool symbol_of(char *line, const char *folder, symbol *out, bool *is_defined) {
    char type = '\0';
    char *colon = strstr(line, ".o: ");
    if (!begins(line, folder) || colon == NULL || sscanf(colon + 4, "%95s %c", out->name, &type) != 2)
        return false;
    static const char *const endings[] = {".c", ".cpp"};
    *colon = '\0';
    out->source = -1;
    for (int e = 0; e < 2 && out->source < 0; e++) {
        char path[2 * PATH];
        snprintf(path, sizeof path, "%s%s", line + strlen(folder) + 1, endings[e]);
        out->source = source_at(path);
    }
    *is_defined = strchr("TDRBC", type) != NULL;
    return out->source >= 0 && begins(out->name, "fs_") && (*is_defined || type == 'U');
}

/* Reads the objects of the program twice: what each defines, then what it takes. */
static int read_symbols(const char *folder, bool defining, int *taken) {
    char command[512], line[1024];
    snprintf(command, sizeof command,
             "find %s/sim %s/formats %s/models %s/workloads %s/reports %s/validation %s/explore %s/registry "
             "%s/api -name '*.o' 2>/dev/null | xargs -r nm -A -g -P 2>/dev/null",
             folder, folder, folder, folder, folder, folder, folder, folder, folder);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in) != NULL) {
        symbol s;
        bool is_defined;
        if (!symbol_of(line, folder, &s, &is_defined) || is_defined != defining)
            continue;
        if (defining) {
            assert_true(defined_count < MOST_SYMBOLS);
            defined[defined_count++] = s;
            continue;
        }
        const symbol *from = bsearch(&s, defined, (size_t)defined_count, sizeof s, by_name);
        ++*taken;
        if (from != NULL && !may_use(sources[s.source].path, sources[from->source].path))
            breach(sources[s.source].path, ": takes %s of %s: its room may not use that\n", s.name,
                   sources[from->source].path);
    }
    return pclose(in);
}

TEST_IN(symbols_go_the_same_way, begin_to_count, NULL) {
    const char *program = getenv("FOAMSIM");
    char folder[512];
    int taken = 0;
    snprintf(folder, sizeof folder, "%s", program == NULL ? "build/foamsim" : program);
    char *slash = strrchr(folder, '/');
    assert_non_null(slash);
    snprintf(slash, sizeof folder - (size_t)(slash - folder), "/obj");
    read_symbols(folder, true, &taken);
    if (defined_count == 0) {
        print_message("    no objects in %s, or no nm\n", folder);
        skip();
    }
    qsort(defined, (size_t)defined_count, sizeof *defined, by_name);
    read_symbols(folder, false, &taken);
    assert_true(defined_count > 1000 && taken > 2000);
    assert_int_equal(breaches, 0);
}

/* What was planted once and has to be seen: so that the rules above cannot rot. */
TEST_IN(planted_faults_are_seen, begin_to_count, NULL) {
    static const struct {
        const char *from, *line;
        bool is_include, may;
    } cases[] = {
        {"sim/base/error.c", "#include \"sim/base/error.h\"\n", true, true},
        {"models/link/link.c", "#include \"models/part/part.h\"\n", true, true},
        {"workloads/foam/foam.c", "#include <stdio.h>\n", false, false},
        {"sim/base/error.c", "# include \"models/chip/chip.h\"\n", true, false},
        {"sim/base/error.c", "  #\tinclude \"models/chip/chip.h\"\n", true, false},
        {"sim/base/error.c", "#include <models/chip/chip.h>\n", true, false},
        {"sim/base/error.c", "#include\"models/chip/chip.h\"\n", true, false},
        {"models/link/link.c", "#include \"models/ipu/machine.h\"\n", true, false},
        {"models/fpga/machine.c", "#include \"models/ipu/machine.h\"\n", true, false},
        {"models/overlay/overlay.c", "#include \"models/energy/energy.h\"\n", true, false},
        {"validation/judge/judge.c", "#include \"models/overlay/overlay.h\"\n", true, false},
        {"sim/search/propose.c", "#include \"sim/store/store.h\"\n", true, false},
        {"sim/search/propose.c", "#include \"sim/stats/stats.h\"\n", true, false},
        {"sim/trace/trace.c", "#include \"sim/sweep/sweep.h\"\n", true, false},
        {"sim/sweep/plan.c", "#include \"sim/cli/cli.h\"\n", true, false},
        {"api/read.c", "#include \"sim/sweep/sweep.h\"\n", true, false},
        {"workloads/image/image.c", "#include \"workloads/scene/sites.h\"\n", true, false},
        {"workloads/traffic/traffic.c", "#include \"workloads/foam/foam.h\"\n", true, false},
        {"reports/study/study.c", "#include \"registry/registry.h\"\n", true, false},
        {"sim/elsewhere/file.c", "#include \"sim/base/error.h\"\n", true, false},
    };
    char path[PATH];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool found = include_of(cases[i].line, path);
        if (found != cases[i].is_include || (found && may_use(cases[i].from, path) != cases[i].may))
            breach(cases[i].from, ": %s is judged wrongly\n", cases[i].line);
    }
    /* An `extern` of an upper floor: no include tells it, the objects do. */
    char line[] = "b/obj/sim/sweep/plan.o: fs_registry_workloads U         \n",
         other[] = "b/obj/registry/registry.o: fs_registry_workloads D 0 8\n";
    symbol taken, given;
    bool is_defined;
    assert_true(symbol_of(line, "b/obj", &taken, &is_defined) && !is_defined);
    assert_true(symbol_of(other, "b/obj", &given, &is_defined) && is_defined);
    assert_string_equal(taken.name, given.name);
    assert_false(may_use(sources[taken.source].path, sources[given.source].path));
    assert_int_equal(breaches, 0);
}

TEST_IN(no_folders_form_a_circle, begin_to_count, NULL) {
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
TEST_IN(private_headers_stay_in_their_folder, begin_to_count, NULL) {
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

/* `struct NAME {`, `enum NAME {`, `} NAME;` and `typedef int NAME;` define; `typedef struct NAME NAME;` announces. */
static bool defined_by(const char *text, char name[64]) {
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    if (sscanf(line, "struct %63[a-z0-9_]", name) == 1 || sscanf(line, "union %63[a-z0-9_]", name) == 1 ||
        sscanf(line, "enum %63[a-z0-9_]", name) == 1 ||
        sscanf(line, "typedef struct %63[a-z0-9_]", name) == 1)
        return ends(line, "{");
    if (sscanf(line, "} %63[a-z0-9_]", name) == 1) /* not of a variable: headers define none */
        return ends(line, ";") && !begins(name, "__attribute__");
    if (!begins(line, "typedef ") || begins(line, "typedef struct ") || strchr(line, ';') == NULL)
        return false;
    const char *pointer = strstr(line, "(*"), *end = strchr(line, ';');
    if (pointer != NULL)
        return sscanf(pointer, "(*%63[a-z0-9_])", name) == 1;
    while (end > line && strchr(" *", end[-1]) == NULL)
        end--;
    return sscanf(end, "%63[a-z0-9_]", name) == 1 && !begins(name, "__attribute__");
}

TEST_IN(a_type_name_is_given_once, begin_to_count, NULL) {
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

/* ---- one prefix, one room: fs_PREFIX_ of the functions that headers declare ---- */

typedef struct {
    char word[32];
    int room, source;
} prefix;
static prefix prefixes[MOST_PREFIXES];
static int prefix_count;

/* The prefix of the function that a line declares: words before it, no blank at its beginning, a bracket behind. */
static bool prefix_of(const char *line, char word[32]) {
    char name[96];
    const size_t length = strcspn(line, "(\n");
    if (line[length] != '(' || strchr("#/ }*\t\n", line[0]) != NULL || begins(line, "typedef"))
        return false;
    size_t start = length;
    while (start > 0 && strchr(" *", line[start - 1]) == NULL)
        start--;
    snprintf(name, sizeof name, "%.*s", (int)(length - start), line + start);
    return start > 0 && sscanf(name, "fs_%31[a-z0-9]_", word) == 1 && strchr(name + 3, '_') != NULL;
}

/* The rooms of validation share their words; a scene of cells and the workload that renders it are both foam. */
static bool shares(const char *word, int a, int b) {
    static const char *const known[] = {"foam", "csv", "host", "page", "report"}; /* meant to become fewer */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], word) == 0)
            return true;
    return a == b || (is_under(rooms[a].room, "validation") && is_under(rooms[b].room, "validation"));
}

TEST_IN(a_prefix_belongs_to_one_room, begin_to_count, NULL) {
    char word[32];
    assert_true(prefix_of("fs_node *fs_tree_get(const fs_node *n);", word) && strcmp(word, "tree") == 0);
    assert_false(prefix_of("    return fs_tree_get(n);", word) ||
                 prefix_of("typedef int (*fs_a_b)(int);", word));
    for (int s = 0; s < source_count; s++) {
        const int room = room_of(sources[s].path);
        if (!sources[s].is_header || room < 0 || is_under(sources[s].path, "tests"))
            continue;
        for (const char *at = sources[s].text; at != NULL && *at != '\0';) {
            int p = 0;
            const bool is = prefix_of(at, word);
            while (is && p < prefix_count && strcmp(prefixes[p].word, word) != 0)
                p++;
            if (is && p == prefix_count) {
                assert_true(prefix_count < MOST_PREFIXES);
                prefixes[prefix_count] = (prefix){.room = room, .source = s};
                memcpy(prefixes[prefix_count++].word, word, sizeof word);
            } else if (is && !shares(word, room, prefixes[p].room))
                breach(sources[s].path, ": fs_%s_ is the prefix of %s\n", word,
                       sources[prefixes[p].source].path);
            at = strchr(at, '\n');
            at = at == NULL ? NULL : at + 1;
        }
    }
    assert_true(prefix_count > 100);
    assert_int_equal(breaches, 0);
}

TEST_IN(files_and_folders_are_of_a_size, begin_to_count, NULL) {
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

/* Whether a text has the word, or several of it; the name of a source, poplar_path_tracer, has none. */
static bool names(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = text; (at = strcasestr(at, word)) != NULL; at += n)
        if (at == text || (!isalpha((unsigned char)at[-1]) && !begins(at - 1, "_tracer.m")))
            return true;
    return false;
}

/* Without a name that would have to follow each move; what is installed for others keeps its own. */
TEST_IN(headers_are_read_once, begin_to_count, NULL) {
    int once = 0;
    for (int s = 0; s < source_count; s++)
        if (sources[s].is_header && strcmp(sources[s].path, "api/foamsim.h") != 0) {
            once += strstr(sources[s].text, "\n#pragma once\n") != NULL;
            if (strstr(sources[s].text, "\n#pragma once\n") == NULL)
                breach(sources[s].path, ": no #pragma once%s\n", "");
        }
    assert_true(once > 300);
    assert_int_equal(breaches, 0);
}

/* Parts of the machine know no role of a workload; those of an overlay are its own, and the routers of a network
 * on chip are hardware, with prices. */
TEST_IN(models_name_no_role, begin_to_count, NULL) {
    assert_true(names("of the Routers", "router") && !names("a rerouter", "router"));
    for (const fs_workload *const *w = fs_registry_workloads; *w != NULL; w++)
        for (const fs_param_role *r = (*w)->rules.roles; r != NULL && r->name != NULL; r++)
            for (int s = 0; s < source_count; s++)
                if (sources[s].is_code && is_under(sources[s].path, "models") &&
                    !is_under(sources[s].path, "models/overlay") &&
                    !is_under(sources[s].path, "models/noc") && !is_under(sources[s].path, "models/fabric") &&
                    !begins(sources[s].path, "models/ipu/tables/network_") &&
                    (!is_under(sources[s].path, "models/energy") || strcmp(r->name, "router") != 0) &&
                    names(sources[s].text, r->name))
                    breach(sources[s].path, ": names the role %s of %s\n", r->name, (*w)->kind);
    assert_non_null(fs_workload_foam.rules.roles);
    assert_int_equal(breaches, 0);
}

RUN_TESTS(read_tree, forget_tree)
