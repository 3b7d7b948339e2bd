/* The command line over a registry of its own: a workload that counts to n. Each command runs in a fork, in a
 * temporary folder, with its words caught in files. */
#include "sim/base/version.h"
#include "sim/cli/commands.h"
#include "sim/workload/run_params.h"
#include "sim/workload/workload.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <omp.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the registry of this test ---- */

enum { END_WELL, END_FAILED, END_INTERRUPTED };
static const char *const ends[] = {"well", "failed", "interrupted", NULL};

typedef struct count_params {
    int64_t n, end;
} count_params;

static const fs_param count_rows[] = {
    FS_PARAM_INT("n", count_params, n, NONE, "3", 1, 1000, "how far to count", GEOMETRY),
    FS_PARAM_ENUM("end", count_params, end, "well", ends, "how it ends", NOTHING),
};
static const fs_param_table count_table = {
    .name = "workload/count", .doc = "counts", .rows = count_rows, .count = 2, .size = sizeof(count_params)};

static fs_status elaborate(void *self, fs_error *err) {
    fs_run *run = self;
    const count_params *p = fs_config_section(run->config, "workload");
    const fs_host_options *host = run->host;
    fs_run_say(run, "counted to %d with seed %d on %d threads, cache %s", (int)p->n, (int)run->how->seed,
               host->threads, host->cache_dir ? host->cache_dir : "none");
    return omp_get_max_threads() == host->threads ? FS_OK : fs_fail(err, FS_BROKEN, "threads");
}

static fs_status simulate(void *self, fs_error *err) {
    (void)self, (void)err;
    return FS_OK;
}

static fs_status count(void *self, fs_results *results, fs_error *err) {
    const count_params *p = fs_config_section(((fs_run *)self)->config, "workload");
    static const char *const columns[] = {"step"}, *const units[] = {""};
    FILE *file = fs_results_create(results, "steps.csv", columns, units, 1, err);
    if (file == NULL)
        return FS_IO;
    for (int64_t i = 0; i < p->n; i++)
        fprintf(file, "%d\n", (int)i);
    if (p->end == END_FAILED)
        return fs_fail(err, FS_RUN, "cannot count\nthat far"); /* the file is still open */
    if (p->end == END_INTERRUPTED)
        raise(SIGTERM);
    return fs_results_close(results, file, err);
}

static const fs_workload workload_count = {
    .abi = FS_ABI,
    .kind = "count",
    .summary = "counts to n",
    .steps = {.size = sizeof(fs_run), .elaborate = elaborate, .simulate = simulate, .write = count}};
static const fs_section_kind workload_kinds[] = {
    {.kind = "count", .table = &count_table, .descriptor = &workload_count}};
static const fs_section_kind run_kinds[] = {{.kind = "", .table = &fs_run_table}};

static const char *number_row(size_t i, const char **summary) {
    static const char *const names[] = {"one", "seventeen", NULL}, *const summaries[] = {"the first",
                                                                                         "a prime", NULL};
    *summary = summaries[i];
    return names[i];
}

static const fs_command *const commands[] = {&fs_command_run, &fs_command_list, &fs_command_params, NULL};
static const fs_workload *const workloads[] = {&workload_count, NULL};
static const fs_section sections[] = {
    {.name = "workload", .folder = NULL, .kinds = workload_kinds, .count = 1, .default_kind = "count"},
    {.name = "run", .folder = NULL, .kinds = run_kinds, .count = 1, .default_kind = ""},
};
static const fs_stat_table *const figures[] = {NULL};
static const fs_listing listings[] = {{"numbers", NULL, number_row}, {"machines", "machines", NULL}};

static fs_status no_plugin(const char *file, fs_error *err) {
    return fs_fail(err, FS_INPUT, "%s: no plug-ins here", file);
}
static fs_status none_named(fs_error *err) {
    return err->status;
}
static const fs_registry registry = {
    .sections = sections, .section_count = 2, .workloads = workloads, .figures = figures};
static const fs_cli cli = {.registry = &registry,
                           .commands = commands,
                           .listings = listings,
                           .listing_count = 2,
                           .plugins = {.load = no_plugin, .load_named = none_named}};

/* ---- running commands ---- */

static char out[65536], words[65536];

static void slurp(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Exit status of `foamsim LINE`; out and words receive what it printed. Words are split at blanks. */
static int foamsim_to(const char *line, const char *output) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        char copy[512], *argv[32];
        int argc = 0;
        snprintf(copy, sizeof copy, "foamsim %s", line);
        for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
            argv[argc++] = word;
        argv[argc] = NULL;
        if (freopen(output, "w", stdout) == NULL || freopen("words.txt", "w", stderr) == NULL)
            _exit(99);
        int status = fs_cli_main(&cli, argc, argv);
        fflush(NULL);
        _exit(status);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (strcmp(output, "out.txt") == 0)
        slurp("out.txt", out, sizeof out);
    slurp("words.txt", words, sizeof words);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int foamsim(const char *line) {
    return foamsim_to(line, "out.txt");
}

static int enter(void **state) {
    if (scratch_enter(state) != 0)
        return 1;
    mkdir("data", 0777);
    mkdir("data/configs", 0777);
    mkdir("data/reports", 0777);
    setenv("FOAMSIM_DATA", "data", 1);
    setenv("XDG_CACHE_HOME", "/var/cache", 1);
    scratch_write("exp.yaml", "name: first\nworkload: { kind: count, n: 5 }\nrun: { seed: 9 }\n");
    return 0;
}

/* ---- the program ---- */

TEST_IN(program, enter, scratch_leave) {
    assert_int_equal(foamsim("--version"), 0);
    assert_says(out, "foamsim " FS_VERSION);
    static const char *const helps[] = {"--help", "-h", "help"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(foamsim(helps[i]), 0);
        assert_says(out, "usage: foamsim COMMAND");
        assert_says(out, fs_command_run.summary);
        assert_string_equal(words, "");
    }
    assert_int_equal(foamsim("help run"), 0);
    assert_says(out, "usage: foamsim run EXPERIMENT.yaml");
    assert_int_equal(foamsim("run exp.yaml --help"), 0);
    assert_says(out, "--threads N");
    assert_false(scratch_there("runs"));
    assert_int_equal(foamsim(""), 2);
    assert_says(words, "foamsim: a command is missing\nfoamsim: ");
    assert_int_equal(foamsim("lits"), 2);
    assert_says(words, "foamsim: unknown command \"lits\"; did you mean \"list\"?\n");
    assert_string_equal(out, "");
    assert_int_equal(foamsim("--verzion"), 2);
    assert_int_equal(foamsim("help me"), 2);
    if (scratch_there("/dev/full")) {
        assert_int_equal(foamsim_to("list", "/dev/full"), 1);
        assert_says(words, "foamsim: cannot write to standard output: No space left");
    }
}

/* An experiment whose scene's file is missing is marked. */
#define WANTS "wants    far. [needs away.ply, which is not part of foamsim: docs/scenes.md]"

TEST_IN(list, enter, scratch_leave) {
    assert_int_equal(foamsim("list machines"), 0);
    assert_string_equal(out, "");
    assert_int_equal(mkdir("data/configs/machines", 0777), 0);
    scratch_write("data/configs/machines/zeta.yaml", "# the last\n#  of them. And\n# more\nname: zeta\n");
    scratch_write("data/configs/machines/alpha-2.yaml", "name: alpha\n#  late\n");
    scratch_write("data/configs/machines/mute.yaml", "name: mute\nscene: { file: notes.txt }\n");
    scratch_write("data/configs/machines/wants.yaml", "# far.\nscene: { file: ../far/away.ply }\n");
    scratch_write("data/configs/machines/notes.txt", "# no part\n");
    assert_int_equal(foamsim("list machines"), 0);
    assert_string_equal(out, "alpha-2  late\nmute\n" WANTS "\nzeta     the last of them.\n");
    assert_int_equal(foamsim("list"), 0);
    assert_string_equal(out,
                        "numbers:\n  one        the first\n  seventeen  a prime\n\n"
                        "machines:\n  alpha-2  late\n  mute\n  " WANTS "\n  zeta     the last of them.\n");
    assert_int_equal(foamsim("list machine"), 2);
    assert_says(words, "did you mean \"machines\"?");
    assert_says(words, "foamsim: there are: numbers, machines\n");
    assert_int_equal(foamsim("list a b"), 2);
}

TEST_IN(params, enter, scratch_leave) {
    assert_int_equal(foamsim("params workload.kind"), 0);
    assert_string_equal(out, "workload.kind: one of\n  count: counts\n  default count\n");
    assert_int_equal(foamsim("params run.kind"), 2); /* has no kinds */
    assert_int_equal(foamsim("params"), 0);
    assert_says(out, "how far to count");
}

TEST_IN(run_folder, enter, scratch_leave) {
    assert_int_equal(foamsim("run exp.yaml --threads 3 --cache here"), 0);
    assert_string_equal(out, "runs/first\n");
    assert_string_equal(words, "counted to 5 with seed 9 on 3 threads, cache here\n");
    slurp("runs/first/steps.csv", out, sizeof out);
    assert_string_equal(out, "step\n0\n1\n2\n3\n4\n");
    assert_false(scratch_there("runs/first.partial"));

    assert_int_equal(foamsim("run exp.yaml"), 2); /* it exists */
    assert_says(words, "foamsim: runs/first exists already");
    assert_int_equal(foamsim("run exp.yaml --force --quiet"), 0);
    assert_string_equal(words, "");
    assert_int_equal(foamsim("run exp.yaml -o there/it/is -s workload.n=2 --set run.seed=4"), 0);
    assert_string_equal(out, "there/it/is\n");
    assert_says(words, "counted to 2 with seed 4");
    assert_says(words, "cache /var/cache/foamsim");
    assert_int_equal(foamsim("run exp.yaml -o no-cache --no-cache"), 0);
    assert_says(words, "cache none");
}

/* resolved.yaml is an experiment of its own that gives the same results; the manifest tells configurations
 * apart, and does not see what touches no result. */
TEST_IN(run_again, enter, scratch_leave) {
    static char first[65536], second[65536];
    assert_int_equal(foamsim("run exp.yaml -o a --set workload.n=7"), 0);
    assert_int_equal(foamsim("run a/resolved.yaml -o b"), 0);
    slurp("a/manifest.json", first, sizeof first);
    slurp("b/manifest.json", second, sizeof second);
    assert_string_equal(first, second);
    assert_says(first, "\"config_sha256\": \"");
    slurp("b/steps.csv", out, sizeof out);
    assert_string_equal(out, "step\n0\n1\n2\n3\n4\n5\n6\n");
    assert_int_equal(foamsim("run exp.yaml -o c --set workload.n=7 --set run.detail=event"), 0);
    slurp("c/manifest.json", second, sizeof second);
    assert_string_equal(first, second);
    assert_int_equal(foamsim("run exp.yaml -o d --set workload.n=8"), 0);
    slurp("d/manifest.json", second, sizeof second);
    assert_string_not_equal(first, second);
}

TEST_IN(run_failures, enter, scratch_leave) {
    assert_int_equal(foamsim("run exp.yaml --set workload.end=failed"), 1);
    assert_string_equal(words, "foamsim: cannot count\nfoamsim: that far\n");
    assert_string_equal(out, "");
    assert_int_equal(foamsim("run exp.yaml --set workload.end=interrupted"), 1);
    assert_string_equal(words, "foamsim: interrupted\n");
    assert_false(scratch_there("runs/first"));
    assert_int_equal(rmdir("runs"), 0); /* empty */
    static const char *const wrong[] = {
        "run",
        "run exp.yaml more.yaml",
        "run exp.yaml --threads 0",
        "run exp.yaml --threads two",
        "run exp.yaml --recrd x",
        "run exp.yaml --set workload.m=3",
        "run exp.yaml --set workload.n=0",
        "run exp.yaml --out .",
        "run exp.yaml --set name=../up",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(foamsim(wrong[i]), 2);
        assert_int_equal(strncmp(words, "foamsim: ", 9), 0);
    }
    assert_int_not_equal(foamsim("run nowhere.yaml"), 0);
    assert_says(words, "nowhere.yaml");
    mkdir("data/configs/experiments", 0777);
    scratch_write("data/configs/experiments/demo.yaml", "name: demo\n");
    assert_int_equal(foamsim("run demoo"), 2);
    assert_says(words, "demoo: found \"demoo\", but no such file in experiments/");
    assert_says(words, "did you mean \"demo\"?");
    assert_false(scratch_there("runs"));
}

TEST_IN(run_check, enter, scratch_leave) {
    assert_int_equal(foamsim("run exp.yaml --check --threads 2"), 0);
    assert_string_equal(out, "");
    assert_says(words, "counted to 5");
    assert_false(scratch_there("runs"));
}

RUN_TESTS(NULL, NULL)
