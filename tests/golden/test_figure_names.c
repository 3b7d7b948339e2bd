/* A figure knows itself: the engine and the reports read rows of tables, and hold no list of a workload's
 * figures. No text in sim/, reports/ and validation/ is the name of a figure, but for those that the machine
 * counts for every workload, which are a machine's and no workload's, and a few words that mean something
 * else there. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "models/energy/figures.h"
#include "models/ipu/device.h"
#include "models/ipu/tables/network_figures.h"
#include "models/memory/ledger.h"
#include "registry/registry.h"
#include "sim/workload/run.h"
#include "tests/support/test.h"

#include <ftw.h>

/* What every machine of the kind counts; and what a run costs the host, which is the engine's own. */
static const fs_stat_table *const of_the_house[] = {&fs_device_stats,
                                                    &fs_memory_stats,
                                                    &fs_links_run_stats,
                                                    &fs_energy_stats,
                                                    &fs_die_stats,
                                                    &fs_run_host_stats,
                                                    NULL};

static const struct {
    const char *name, *why;
} allowed[] = {
    {FS_STAT_COMPLETE, "the flag that every workload has (sim/stats/stats.h)"},
    {"coverage", "a key of the section run"},
    {"device.cycles_per_iteration", "a mean over the iterations that the workload counts as its own"},
};

static bool is_allowed(const char *name) {
    fs_stat row;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strcmp(allowed[i].name, name) == 0)
            return true;
    return fs_stats_find_in(of_the_house, name, &row);
}

static size_t files, texts, wrong;

/* The text that begins behind a quote at `at`, in `name`; returns where it ends. Comments hold no texts. */
static const char *take_text(const char *at, char *name, size_t size) {
    size_t n = 0;
    for (; *at != '"' && *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        if (n + 1 < size)
            name[n++] = *at;
    }
    name[n] = '\0';
    return *at == '"' ? at + 1 : at;
}

static void check_text(const char *path, int line, const char *name) {
    fs_stat row;
    texts++;
    if (!fs_stats_find_in(fs_registry_stats, name, &row) || is_allowed(name))
        return;
    wrong++;
    print_error("%s:%d: \"%s\" is a workload's figure: read its row instead\n", path, line, name);
}

static void check_code(const char *path, const char *code) {
    int line = 1;
    for (const char *at = code; *at != '\0';) {
        if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at, "*/");
            for (end = end == NULL ? at + strlen(at) : end + 2; at < end; at++)
                line += *at == '\n';
        } else if (*at == '\'') {
            at += at[1] == '\\' ? 4 : 3;
        } else if (*at == '"') {
            char name[128];
            at = take_text(at + 1, name, sizeof name);
            check_text(path, line, name);
        } else {
            line += *at++ == '\n';
        }
    }
}

static int check_file(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)where;
    const char *ending = strrchr(path, '.');
    if (kind != FTW_F || ending == NULL || (strcmp(ending, ".c") != 0 && strcmp(ending, ".h") != 0))
        return 0;
    static char code[1 << 20];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    const size_t bytes = fread(code, 1, sizeof code - 1, in);
    assert_true(bytes < sizeof code - 1);
    code[bytes] = '\0';
    fclose(in);
    files++;
    check_code(path, code);
    return 0;
}

TEST(no_list_of_figures) {
    static const char *const folders[] = {"sim", "reports", "validation"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(nftw(folders[i], check_file, 16, FTW_PHYS), 0);
    assert_true(files > 100 && texts > 1000); /* it has looked */
    assert_int_equal(wrong, 0);
}

/* What is looked for is found, and what is allowed is a figure or was one. */
TEST(the_search_finds) {
    wrong = 0;
    check_code(
        "an example, which is meant to be found",
        "/* \"hops.tracer_mean\" */ f('\"', \"rays.\\n\"); f(\"device.cycles\"); f(\"hops.tracer_mean\");");
    assert_int_equal(wrong, 1);
    wrong = 0;
}

RUN_TESTS(NULL, NULL)
