/* The generated references in docs/ are those of this program. `make docs` writes them (FOAMSIM_UPDATE=1). */
#include "registry/registry.h"
#include "sim/base/alloc.h"
#include "tests/support/test.h"

enum { MOST = 1 << 20 };

static char *read_all(FILE *file) {
    char *text = fs_malloc(MOST + 1);
    size_t n = fread(text, 1, MOST, file);
    text[n] = '\0';
    assert_true(n < MOST && ferror(file) == 0);
    return text;
}

static void fail_at_first_difference(const char *path, const char *want, const char *have) {
    int line = 1;
    size_t i = 0, begin = 0;
    for (; want[i] != '\0' && want[i] == have[i]; i++)
        if (want[i] == '\n') {
            line++;
            begin = i + 1;
        }
    size_t wanted = strcspn(want + begin, "\n"), had = strcspn(have + begin, "\n");
    fail_msg("%s:%d is stale, `make docs` writes it anew\n  program: %.*s\n  file:    %.*s", path, line,
             (int)wanted, want + begin, (int)had, have + begin);
}

/* Takes `text`. */
static void compare(const char *path, char *text) {
    assert_true(strlen(text) > 200);
    const char *update = getenv("FOAMSIM_UPDATE");
    if (update != NULL && strcmp(update, "1") == 0) {
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        assert_true(fputs(text, out) >= 0);
        assert_int_equal(fclose(out), 0);
    } else {
        FILE *in = fopen(path, "r");
        if (in == NULL)
            fail_msg("%s is missing, `make docs` writes it", path);
        char *have = read_all(in);
        assert_int_equal(fclose(in), 0);
        if (strcmp(text, have) != 0)
            fail_at_first_difference(path, text, have);
        free(have);
    }
    free(text);
}

TEST(parameters) {
    const char *program = getenv("FOAMSIM");
    char command[4096];
    int n = snprintf(command, sizeof command, "'%s' params --markdown", program ? program : "build/foamsim");
    assert_in_range(n, 1, sizeof command - 1);
    FILE *pipe = popen(command, "r"); // NOLINT(cert-env33-c): the command line is what is tested
    assert_non_null(pipe);
    char *text = read_all(pipe);
    assert_int_equal(pclose(pipe), 0);
    compare("docs/parameters.md", text);
}

TEST(statistics) {
    FILE *out = tmpfile();
    assert_non_null(out);
    fputs(
        "# Statistics\n\nWhat `stats.csv` and `summary.json` of a run folder hold; a dotted name is a nested "
        "object in JSON. Host figures\nare in `host.json`. Not applicable is `null`. `better` says which way "
        "is better, `label` what tables call "
        "the figure;\nboth are in `stats.csv` too, with the figure's place in the main table of a "
        "comparison.\n",
        out);
    for (const fs_stat_table *const *table = fs_registry_stats; *table != NULL; table++) {
        fputc('\n', out);
        fs_stats_print_markdown(*table, out);
    }
    rewind(out);
    char *text = read_all(out);
    assert_int_equal(fclose(out), 0);
    compare("docs/statistics.md", text);
}

RUN_TESTS(NULL, NULL)
