/* Options of subcommands: one table gives parsing and errors. */
#include "sim/cli/options.h"
#include "tests/support/test.h"

#include <unistd.h>

enum { MAX_SETS = 3 };

typedef struct got {
    const char *out, *cache;
    const char *sets[MAX_SETS];
    size_t set_count;
    bool force, cached, help;
    int64_t jobs;
    double scale;
    int args;
    const char *arg[8];
    fs_status status;
    char error[1024];
} got;

/* Parses a command line given as words separated by blanks. */
static got parse(const char *line, int min_args, int max_args) {
    got g = {0};
    const fs_option options[] = {
        {.name = "out", .letter = 'o', .value = "DIR", .doc = "folder", .text = &g.out},
        {.name = "force", .letter = 'f', .doc = "replace", .flag = &g.force},
        {.name = "cache", .value = "DIR", .doc = "cache", .text = &g.cache},
        FS_OPTION_INT("jobs", 'j', "N", "at a time", &g.jobs, 1, INT64_MAX),
        FS_OPTION_REAL("scale", 0, "X", "of all", &g.scale, 0, 1),
        {.name = "cached-only", .doc = "no making", .flag = &g.cached},
        {.name = "set",
         .value = "A=V",
         .doc = "change",
         .list = g.sets,
         .list_count = &g.set_count,
         .list_max = MAX_SETS},
    };
    static char words[256];
    char *argv[32] = {NULL};
    int argc = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    static fs_error err;
    err = (fs_error){0};
    fs_command_line call = {.cli = &(fs_cli){.listing_count = 0}, .argc = argc, .argv = argv};
    const bool asked = fs_options_parse(&call, "run EXPERIMENT [options]\nRuns it.", options,
                                        sizeof options / sizeof options[0], min_args, max_args, &err);
    g.status = err.status;
    g.help = !asked && err.status == FS_OK;
    g.args = asked ? call.argc : 0;
    for (int i = 0; i < g.args && i < 8; i++)
        g.arg[i] = argv[i];
    snprintf(g.error, sizeof g.error, "%.1000s", err.text);
    return g;
}

TEST(forms) {
    static const char *const same[] = {
        "run a.yaml --out dir --force",
        "run --out=dir --force a.yaml",
        "run -o dir a.yaml -f",
        "run -odir -f a.yaml",
        "run -fodir a.yaml",
        "run --ou dir --fo a.yaml",
        "run -f -o dir -- a.yaml",
        "run --out x a.yaml -f --out=dir",
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        got g = parse(same[i], 1, 1);
        assert_int_equal(g.status, FS_OK);
        assert_string_equal(g.out, "dir");
        assert_true(g.force);
        assert_false(g.cached);
        assert_int_equal(g.args, 1);
        assert_string_equal(g.arg[0], "a.yaml");
    }
    got g = parse("run b --set x=1 - --set=y=2 -- --set -o", 0, -1);
    assert_int_equal(g.status, FS_OK);
    assert_int_equal(g.set_count, 2);
    assert_string_equal(g.sets[0], "x=1");
    assert_string_equal(g.sets[1], "y=2");
    assert_int_equal(g.args, 4);
    assert_string_equal(g.arg[0], "b");
    assert_string_equal(g.arg[1], "-");
    assert_string_equal(g.arg[2], "--set");
    assert_string_equal(g.arg[3], "-o");
    g = parse("run -j 9223372036854775807 --scale 0.25", 0, 0);
    assert_true(g.status == FS_OK && g.jobs == INT64_MAX && g.scale == 0.25);
    g = parse("run --cache d", 0, 0); /* exact, though the beginning of another */
    assert_string_equal(g.cache, "d");
    assert_false(g.cached);
}

TEST(refusals) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"run a --foce", "unknown option --foce; did you mean --force?"},
        {"run a --zzz", "unknown option --zzz\nusage: foamsim run EXPERIMENT [options]"},
        {"run a --cac x", "--cac may be the beginning of more than one option"},
        {"run a -z", "unknown option -z"},
        {"run a -fz", "unknown option -z"},
        {"run a --out", "--out needs a value: --out DIR"},
        {"run a -o", "--out needs a value"},
        {"run a --force=yes", "--force takes no value, found \"yes\""},
        {"run", "an argument is missing\nusage: foamsim run EXPERIMENT"},
        {"run a b", "unexpected argument \"b\""},
        {"run a --set 1 --set 2 --set 3 --set 4", "--set is given more than 3 times"},
        {"run a --=x", "unknown option --"},
        {"run a --jobs 0", "--jobs: expected 1 to 9223372036854775807, found 0"},
        {"run a -jx", "--jobs: expected an integer, found \"x\""},
        {"run a --scale=1.5", "--scale: expected 0.0 to 1.0, found 1.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        got g = parse(cases[i].line, 1, 1);
        assert_int_equal(g.status, FS_INPUT);
        if (strstr(g.error, cases[i].says) == NULL)
            fail_msg("%s: %s", cases[i].line, g.error);
    }
}

TEST(numbers) {
    static fs_error err;
    int64_t n = 0;
    double x = 0;
    assert_int_equal(fs_option_int("threads", "-12", -20, 20, &n, &err), FS_OK);
    assert_int_equal(n, -12);
    assert_int_equal(fs_option_real("scale", "2.5e-1", 0, 1, &x, &err), FS_OK);
    assert_int_equal(fs_option_int("threads", NULL, 1, 20, &n, &err), FS_OK);
    assert_int_equal(fs_option_real("scale", NULL, 0, 1, &x, &err), FS_OK);
    assert_true(x == 0.25 && n == -12); /* not given: as it was */
    static const char *const no_integers[] = {"",  "x",    "1x",  " 1", "1.0", "0x10", "99999999999999999999",
                                              "0", "1025", "1e3", "- 1"};
    for (size_t i = 0; i < sizeof no_integers / sizeof no_integers[0]; i++) {
        err = (fs_error){0};
        assert_fails(fs_option_int("threads", no_integers[i], 1, 1024, &n, &err), FS_INPUT, &err,
                     "--threads: expected ");
    }
    static const char *const no_reals[] = {"",      "x",  "1x",  "inf",  "nan",
                                           "0x1p3", " 1", "1.5", "-0.1", "1e999"};
    for (size_t i = 0; i < sizeof no_reals / sizeof no_reals[0]; i++) {
        err = (fs_error){0};
        assert_fails(fs_option_real("scale", no_reals[i], 0, 1, &x, &err), FS_INPUT, &err,
                     "--scale: expected ");
    }
    assert_int_equal(n, -12);
    assert_true(x == 0.25 && n == -12); /* not given: as it was */
}

TEST(help) {
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    FILE *catch = tmpfile();
    assert_non_null(catch);
    dup2(fileno(catch), STDOUT_FILENO);
    got g = parse("run --help --nonsense", 1, 1); /* what stands behind is not looked at */
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    char text[2048];
    rewind(catch);
    text[fread(text, 1, sizeof text - 1, catch)] = '\0';
    fclose(catch);
    assert_int_equal(g.status, FS_OK);
    assert_true(g.help);
    assert_string_equal(text,
                        "usage: foamsim run EXPERIMENT [options]\n"
                        "\nRuns it.\n"
                        "\nOptions:\n"
                        "  -o, --out DIR             folder\n"
                        "  -f, --force               replace\n"
                        "      --cache DIR           cache\n"
                        "  -j, --jobs N              at a time\n"
                        "      --scale X             of all\n"
                        "      --cached-only         no making\n"
                        "      --set A=V             change\n"
                        "      --plugin FILE.so      load overlays and workloads from a library that you "
                        "trust; may be repeated\n"
                        "  -q, --quiet               no words and no progress: results and errors alone\n"
                        "  -h, --help                print this text\n");
}

RUN_TESTS(NULL, NULL)
