/* docs/words.md holds: findings, the line of a run, ladders and pages of small runs of all workloads, of a sweep and
 * of a comparison use its terms and its numbers. */
#define _GNU_SOURCE
#include "tests/support/cli.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <ctype.h>
#include <limits.h>
#include <unistd.h>

enum { LISTED = 96, LONG = 200 };
typedef struct list {
    char text[LISTED][LONG];
    size_t count;
} list;

static list never, units, rung_names, rung_words;
static char root[PATH_MAX];

static void add(list *l, const char *text, size_t length) {
    assert_true(l->count < LISTED && length < LONG);
    snprintf(l->text[l->count++], LONG, "%.*s", (int)length, text);
}

static bool holds(const list *l, const char *text) {
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->text[i], text) == 0)
            return true;
    return false;
}

/* ---- docs/words.md ---- */

/* Cell `n` of a row of a table, without blanks around it; false: the line is no such row. */
static bool cell_of(const char *line, int n, char out[LONG]) {
    const char *at = line;
    for (int i = 0; i <= n; i++, at++)
        if ((at = strchr(at, '|')) == NULL)
            return false;
    at += strspn(at, " ");
    size_t length = strcspn(at, "|\n");
    while (length > 0 && at[length - 1] == ' ')
        length--;
    snprintf(out, LONG, "%.*s", (int)length, at);
    return true;
}

static void add_between(list *l, const char *line, char mark) {
    for (const char *at = strchr(line, mark), *end; at != NULL; at = strchr(end + 1, mark)) {
        if ((end = strchr(at + 1, mark)) == NULL)
            return;
        add(l, at + 1, (size_t)(end - at - 1));
    }
}

static void read_line(const char *part, const char *line) {
    char first[LONG], cell[LONG];
    if (strcmp(part, "Never") == 0)
        add_between(&never, line, '"');
    else if (strcmp(part, "Units") == 0)
        add_between(&units, line, '`');
    else if (strcmp(part, "Terms") == 0 && cell_of(line, 2, cell) && strcmp(cell, "never") != 0 &&
             cell[0] != '-')
        for (const char *at = cell; *at != '\0';) {
            const size_t length = strcspn(at, ",");
            add(&never, at, length);
            at += length + strspn(at + length, ", ");
        }
    else if (strncmp(part, "Rungs", 5) == 0 && cell_of(line, 0, first) && first[0] == '`' &&
             cell_of(line, 1, cell)) {
        add(&rung_names, first + 1, strcspn(first + 1, "`"));
        add(&rung_words, cell, strlen(cell));
    }
}

static void read_words(void) {
    char path[PATH_MAX + 32], part[LONG] = "";
    snprintf(path, sizeof path, "%s/docs/words.md", root);
    char *text = file_text(path);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strncmp(line, "## ", 3) == 0)
            snprintf(part, sizeof part, "%s", line + 3);
        else
            read_line(part, line);
    }
    assert_true(never.count > 20 && units.count > 30 && rung_names.count > 15);
}

/* ---- what is wrong with a text ---- */

static bool is_letter(unsigned char c) {
    return isalpha(c) || c >= 0x80;
}

static bool word_is(const char *at, size_t length, const char *const *words) {
    for (; *words != NULL; words++)
        if (strlen(*words) == length && strncmp(at, *words, length) == 0)
            return true;
    return false;
}

/* The word before `at`, behind which one blank stands. */
static const char *word_before(const char *text, const char *at, size_t *length) {
    const char *end = at > text && at[-1] == ' ' ? at - 1 : at, *begin = end;
    while (begin > text && !strchr(" (;,[|", begin[-1]))
        begin--;
    *length = (size_t)(end - begin);
    return begin;
}

/* A value that another unit of its kind would make 1 to 999; or micro with a u. */
static const char *size_fault(double value, const char *unit) {
    static const char *const small[] = {"s",         "ms", "\xc2\xb5s", "J",  "kJ", "mJ",
                                        "\xc2\xb5J", "nJ", "W",         "kW", "mW", NULL},
                             *const large[] = {"ms",        "\xc2\xb5s", "ns", "J",  "mJ",
                                               "\xc2\xb5J", "nJ",        "W",  "mW", NULL},
                             *const u[] = {"us", "uJ", "uW", NULL};
    const size_t length = strcspn(unit, " ,;:.()|\n");
    return word_is(unit, length, u)                                      ? "micro is \xc2\xb5"
           : value > 0 && value < 0.9995 && word_is(unit, length, small) ? "its unit is too large"
           : value >= 1000 && word_is(unit, length, large)               ? "its unit is too small"
                                                                         : NULL;
}

/* The number at `at`; *end: behind it. */
static const char *number_fault(const char *text, const char *at, const char **end) {
    static const char *const names[] = {"tile",   "shard", "router", "tracer", "generator",
                                        "render", "pixel", "seed",   "=",      NULL},
                             *const bare[] = {"coefficient", "SSIM", "foamsim", "=",
                                              "section",     "PSNR", "version", NULL};
    char plain[64];
    size_t n = 0, whole = 0, before;
    bool grouped = false, decimal = false;
    const char *c = at;
    for (; isdigit((unsigned char)*c) || (strchr(",.", *c) && *c != '\0' && isdigit((unsigned char)c[1]));
         c++) {
        grouped |= *c == ',';
        decimal |= *c == '.';
        whole += !decimal && *c != ',';
        if (*c != ',' && n + 1 < sizeof plain)
            plain[n++] = *c;
    }
    plain[n] = '\0';
    *end = c;
    if ((c[0] == 'e' || c[0] == 'E') && (c[1] == '+' || c[1] == '-'))
        return "an exponent";
    if (is_letter((unsigned char)*c) || *c == '_' || *c == ':' || *c == '/' || *c == '=')
        return NULL; /* a name */
    const char *word = word_before(text, at, &before);
    const bool name = word_is(word, before, names);
    const double value = strtod(plain, NULL);
    if (!grouped && whole >= 4 && !name)
        return "no thousands separators";
    const char *unit = c + strspn(c, " ");
    unit += strncmp(unit, "\xc2\xa0", 2) == 0 ? 2 : 0;
    if ((value >= 1000 || decimal) && !name && !word_is(word, before, bare) &&
        !(unit > c && (is_letter((unsigned char)*unit) || strchr("%|(+\xc2", *unit))))
        return "no unit behind it";
    return unit > c ? size_fault(value, unit) : NULL;
}

static const char *numbers_fault(const char *text) {
    int brackets = 0;
    for (const char *at = text, *end; *at != '\0'; at = end) {
        end = at + 1;
        brackets += *at == '[' ? 1 : *at == ']' ? -1 : 0;
        const unsigned char before = at > text ? (unsigned char)at[-1] : ' ';
        if (!isdigit((unsigned char)*at) || brackets > 0)
            continue;
        const char *fault = number_fault(text, at, &end);
        const bool name = isalnum(before) || strchr("=_-#.,:/\"'", before) != NULL;
        if (fault != NULL && !name)
            return fault;
        while (name && isalnum((unsigned char)*end))
            end++;
    }
    return NULL;
}

static const char *words_fault(const char *text) {
    for (size_t i = 0; i < never.count; i++) {
        const size_t length = strlen(never.text[i]);
        for (const char *at = text; (at = strcasestr(at, never.text[i])) != NULL; at++)
            if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length]))
                return never.text[i];
    }
    return NULL;
}

/* NULL: nothing. sentence: it ends with a full stop. */
static const char *fault_of(const char *text, bool sentence) {
    const size_t length = strlen(text);
    if (sentence && (length < 2 || text[length - 1] != '.'))
        return "no full stop";
    const char *fault = words_fault(text);
    return fault != NULL ? fault : numbers_fault(text);
}

static size_t told, faults;

static void hold(const char *where, const char *text, bool sentence) {
    const char *fault = fault_of(text, sentence);
    told++;
    faults += fault != NULL;
    if (fault != NULL)
        print_error("%s: %s: %s\n", where, fault, text);
}

/* ---- small runs ---- */

/* Each as it is in tests/golden/absolute, and with what makes numbers large or leaves samples out. */
static const struct {
    const char *name, *file, *set;
} runs[] = {
    {"foam", "tests/golden/absolute/foam.yaml", "machine.tile.workers=12"},
    {"hierarchy", "tests/golden/absolute/hierarchy.yaml", "machine.clock=500MHz"},
    {"pathtrace", "tests/golden/absolute/pathtrace.yaml", "workload.samples=2000"},
    {"program", "tests/golden/absolute/program.yaml", "workload.repeat=1000"},
    {"smallpaint", "tests/golden/absolute/smallpaint.yaml", "workload.samples=2"},
    {"drawn", "tests/golden/absolute/smallpaint.yaml", "workload={samples: 4000, sampling: {drawn: 4}}"},
    {"traffic", "configs/experiments/traffic-uniform.yaml", "workload.measure=200"},
    {"treelets", "tests/golden/absolute/treelets.yaml", "workload.copies=1"},
};

static void hold_text(void *where, const char *text, bool sentence) {
    hold(where, text, sentence);
}

static void hold_page(const char *where, const char *file) {
    char *html = file_text(file);
    const size_t before = told;
    page_texts(html, hold_text, (void *)(uintptr_t)where);
    assert_true(told - before > 20);
}

static void hold_lines(const char *where, const char *text) {
    char line[2048];
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        if (line[0] != '\0' && strchr(line, '/') == NULL)
            hold(where, line, false);
    }
}

static void hold_findings(const char *folder) {
    json_t *findings = run_json(folder, "findings.json"), *item;
    size_t i;
    json_array_foreach(json_object_get(findings, "findings"), i, item)
        hold(folder, json_string_value(json_object_get(item, "text")), true);
    assert_true(i > 2);
}

/* A rung is called as the table calls it, and its page does so too. */
static void hold_ladder(const char *folder, const char *html) {
    char path[64];
    snprintf(path, sizeof path, "%s/ladder.csv", folder);
    if (access(path, R_OK) != 0)
        return;
    struct table t = table_read(folder, "ladder.csv");
    for (size_t r = 0; r < t.rows; r++) {
        bool known = false;
        for (size_t i = 0; i < rung_names.count; i++) {
            char cell[LONG + 32];
            snprintf(cell, sizeof cell, "<th scope=\"row\">%s</th>", rung_words.text[i]);
            for (char *q; (q = strchr(cell, '\'')) != NULL;) {
                memmove(q + 5, q + 1, strlen(q));
                memcpy(q, "&#39;", 5);
            }
            known |= strcmp(rung_names.text[i], table_text(&t, r, "name")) == 0 && strstr(html, cell) != NULL;
        }
        if (!known)
            fail_msg("%s: the rung %s is not called on its page as in docs/words.md", folder,
                     table_text(&t, r, "name"));
        if (strcmp(table_text(&t, r, "name"), "replicated") != 0)
            hold(folder, table_text(&t, r, "detail"), true);
    }
}

static void hold_units(const char *folder) {
    struct table t = table_read(folder, "stats.csv");
    for (size_t r = 0; r < t.rows; r++) {
        const char *unit = table_text(&t, r, "unit");
        if (unit[0] != '\0' && strlen(unit) > 1 && !holds(&units, unit))
            fail_msg("%s: the unit \"%s\" of %s is not in docs/words.md", folder, unit,
                     table_text(&t, r, "name"));
    }
}

static void no_fault(void) {
    const size_t found = faults;
    faults = 0;
    if (found > 0)
        fail_msg("%zu texts are not as docs/words.md has them", found);
}

TEST(runs_keep_to_the_words) {
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const char *name = runs[i].name;
        char file[PATH_MAX + 64], html[64];
        snprintf(file, sizeof file, "%s/%s", root, runs[i].file);
        snprintf(html, sizeof html, "%s.html", name);
        const cli_result r = cli("run", file, "--out", name, "--set", runs[i].set, NULL);
        if (r.status != 0)
            fail_msg("%s", r.err);
        hold_lines(name, r.err);
        hold_findings(name);
        hold_units(name);
        cli_must("report", name, "--quiet", "--output", html, NULL);
        hold_page(name, html);
        char *text = file_text(html);
        hold_ladder(name, text);
        if (strcmp(name, "drawn") == 0 && strstr(text, "rectangle x") == NULL)
            fail_msg("drawn: the dots of Time a tile are rectangles of the picture, not pixels");
    }
    no_fault();
}

TEST(a_comparison_keeps_to_the_words) {
    cli_write_experiment("x.yaml");
    cli_must("run", "x.yaml", "--quiet", "--out", "a", NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "b", "--set", "machine.clock=2GHz", "--set",
             "overlay.kind=mesh", NULL);
    cli_must("compare", "a", "b", "--quiet", "--output", "compared.html", NULL);
    hold_page("compare", "compared.html");
    no_fault();
}

TEST(a_sweep_keeps_to_the_words) {
    cli_write("s.yaml",
              "name: s\nbase: { base: x.yaml }\naxes:\n  - { key: overlay.kind, values: [quadtree, mesh] }\n"
              "  - { key: machine.clock, values: [1.33GHz, 1.6GHz] }\n"
              "constraints:\n  - { figure: memory.fits, equals: true }\n");
    cli_must("sweep", "s.yaml", "--quiet", "--store", "s.db", "--report", "s.html", NULL);
    hold_page("sweep", "s.html");
    no_fault();
}

/* ---- it can fail ---- */

TEST(planted_sentences_are_noticed) {
    static const char *const wrong[] = {
        "The run takes 1.42e+04 ms.",
        "Most is gained by host visits of no cycles.",
        "An exchange of no slots at all is said to help.",
        "The mean worker waits.",
        "The slowest takes 1.85 of the mean.",
        "In all 27840 rays were lost.",
        "An iteration takes 906.5.",
        "A frame takes 0.274 s.",
        "A frame takes 1,274 ms.",
        "A tile takes 12,894 \xc2\xb5J.",
        "A pass takes 19.3 us.",
        "Each offers 0.15 rays a kilocycle.",
        "Compute takes 22 % of the time",
        "The time is known to 5 % of it.",
    };
    static const char *const right[] = {
        "In 69 % of the iterations tile 1364, the tracer of shard 17 (the camera's) set the pace.",
        "Each of 1,024 tracers offers 0.15 rays per 1,000 cycles: 58 % of the 0.26 at saturation.",
        "The run takes 884 mJ (526 mJ to 1.36 J over the ranges of all prices), 11.5 \xc2\xb5J for each ray.",
        "The busiest computes 10.3 times as long as the average one (Gini coefficient 0.64).",
        "Three tracers would gain 39 % (workload.replicas.shards=[17,33,1047] machine.clock=1.85GHz).",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (fault_of(wrong[i], true) == NULL)
            fail_msg("not noticed: %s", wrong[i]);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (fault_of(right[i], true) != NULL)
            fail_msg("%s: %s", fault_of(right[i], true), right[i]);
}

static void first_fault(void *self, const char *text, bool sentence) {
    const char **fault = self;
    *fault = *fault == NULL ? fault_of(text, sentence) : *fault;
}

/* Wherever a page says it: in the headline, a finding, a caption, a card. */
TEST(planted_words_are_noticed_on_a_page) {
    static const char *const places[] = {"<h1>", "<li id=\"finding-time\">", "<figcaption>",
                                         "<div class=\"card\"><span>"};
    static const char planted[] = "1.42e+04 ms";
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *fault = NULL;
        char *html = file_text("program.html"), *at = strstr(html, places[i]);
        page_texts(html, first_fault, &fault);
        assert_true(fault == NULL && at != NULL);
        for (size_t c = 0; c + 1 < sizeof planted; c++)
            at[strlen(places[i]) + c] = planted[c];
        page_texts(html, first_fault, &fault);
        assert_string_equal(fault == NULL ? "" : fault, "an exponent");
    }
}

static int begin(void **state) {
    if (getcwd(root, sizeof root) == NULL || cli_enter(state) != 0)
        return 1;
    read_words();
    return 0;
}

RUN_TESTS(begin, cli_leave)
