/* Input that is wrong is refused at once, however much of it there is, and nobody is waited for. */
#include "sim/base/host.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <sys/resource.h>
#include <sys/stat.h>

enum { MOST_KEYS = 75000 };

/* Processor seconds of the children so far: unlike the wall's they do not know how busy the host is. */
static double children_seconds(void) {
    struct rusage r;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &r), 0);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* Refused with status 2 and that sentence, within a second of the processor. */
static void assert_refused_soon(const char *const *words, const char *sentence) {
    const double before = children_seconds();
    const cli_result r = cli_words(words, 0);
    if (r.status != 2 || strstr(r.err, sentence) == NULL)
        fail_msg("expected a refusal with \"%s\", found status %d, signal %d and\n%s", sentence, r.status,
                 r.signal, r.err);
    const double taken = children_seconds() - before;
    if (taken > 1.0)
        fail_msg("%s: %.1f s until it is refused", sentence, taken);
}
#define REFUSED_SOON(sentence, ...) assert_refused_soon((const char *const[]){__VA_ARGS__, NULL}, sentence)

TEST(many_unknown_keys_are_refused_soon) {
    FILE *flat = fopen("flat.yaml", "w"), *deep = fopen("deep.yaml", "w");
    assert_non_null(flat);
    assert_non_null(deep);
    fputs("workload:\n  kind: foam\n", flat);
    for (int k = 0; k < MOST_KEYS; k++)
        fprintf(flat, "  k%05d: 1\n", k);
    fputs("workload:\n  kind: foam\n", deep);
    for (int k = 0; k < 900; k++) {
        fprintf(deep, "  camera%03d: {", k);
        for (int inner = 0; inner < 90; inner++)
            fprintf(deep, " kk%02d: 1,", inner);
        fputs(" z: 1 }\n", deep);
    }
    fclose(flat);
    fclose(deep);
    REFUSED_SOON("flat.yaml:1002:3: workload: expected at most 1000 keys in a mapping", "config", "check",
                 "flat.yaml");
    REFUSED_SOON("... and 852 errors more", "config", "check", "deep.yaml");
    cli_result r = cli("config", "check", "deep.yaml", NULL);
    int lines = 0;
    for (const char *c = r.err; *c != '\0'; c++)
        lines += *c == '\n';
    assert_true(lines < 60);
}

/* 10^12 points are counted, not made. */
TEST(too_many_points_are_refused_soon) {
    static const char *const keys[] = {"load", "store", "branch", "int_op", "f32_div", "f32_op"};
    FILE *file = fopen("sweep.yaml", "w");
    assert_non_null(file);
    fputs("base: { base: x.yaml }\naxes:\n", file);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        fprintf(file, "  - { key: machine.cost.%s, values: [1 slots", keys[k]);
        for (int v = 2; v <= 100; v++)
            fprintf(file, ", %d slots", v);
        fputs("] }\n", file);
    }
    fputs("exclude: [{ machine.cost.load: 7 slots }]\n", file);
    fclose(file);
    REFUSED_SOON("more than 100000 points", "sweep", "sweep.yaml", "--dry-run");
}

/* What a large network needs of its chip is looked at before the network is planned. */
TEST(a_large_tree_on_a_wrong_chip_is_refused_soon) {
    cli_write(
        "tree.yaml",
        "name: tree\n"
        "machine: { base: gc200, exchange: { mode: dynamic, column_same: [0] }, geometry: { columns: 64, "
        "rows: 256 } }\n"
        "overlay: { kind: tree }\n"
        "workload: { kind: traffic, tracers: 20000 }\n");
    REFUSED_SOON("column_same", "run", "tree.yaml", "-q", "-o", "out");
    assert_true(!scratch_there("out"));
}

/* A picture that the tiles or the host cannot hold is refused before a ray of it is marched. */
TEST(a_large_picture_is_refused_soon) {
    REFUSED_SOON("do not fit in SRAM", "run", "x.yaml", "-q", "-o", "large", "--set",
                 "workload.camera.width=16384", "--set", "workload.camera.height=16384");
    if (fs_host_memory_bytes() < 30000000000) /* at least 92 B a pixel */
        REFUSED_SOON("GB of the host", "run", "x.yaml", "-q", "-o", "large", "--set",
                     "workload.camera.width=16384", "--set", "workload.camera.height=16384", "--set",
                     "machine.memory.check=warn");
    assert_true(!scratch_there("large"));
}

TEST(pipes_are_refused_at_once) {
    assert_int_equal(mkfifo("pipe.yaml", 0600), 0);
    assert_int_equal(mkfifo("pipe.ply", 0600), 0);
    REFUSED_SOON("not a regular file", "run", "pipe.yaml");
    REFUSED_SOON("not a regular file", "run", "x.yaml", "-o", "out", "--set", "scene.file=pipe.ply");
    REFUSED_SOON("not a regular file", "config", "check", "x.yaml", "--set", "overlay=pipe.yaml");
    REFUSED_SOON("expected a recording", "run", "x.yaml", "-o", "out", "--replay", "pipe.ply");
    REFUSED_SOON("is a folder", "run", ".", "-o", "out");
    assert_int_equal(mkfifo("pipe.json", 0600), 0);
    REFUSED_SOON("not a regular file", "scene", "cameras", "pipe.json");
    assert_int_equal(mkdir("run-of-pipes", 0700), 0);
    assert_int_equal(mkfifo("run-of-pipes/table.csv", 0600), 0);
    cli_write("run-of-pipes/manifest.json",
              "{\"foamsim\": \"0.1.0\", \"files\": [{\"file\": \"table.csv\"}]}\n");
    cli_write("run-of-pipes/summary.json", "{}\n");
    REFUSED_SOON("no regular file", "report", "run-of-pipes");
    assert_true(!scratch_there("out"));
}

/* Lanes that no host can hold are named by what makes them. */
TEST(huge_lanes_are_refused) {
    const cli_result r = cli("run", "x.yaml", "-q", "-f", "-o", "huge", "--set", "machine.memory.sram=1000GB",
                             "--set", "overlay.router_buffer=0B", "--set", "overlay.tracer_buffer=0B", NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "machine.memory.sram"));
    assert_true(!scratch_there("huge"));
}

TEST(threads_of_the_environment_are_bounded) {
    setenv("OMP_NUM_THREADS", "100000", 1);
    const cli_result r = cli("run", "x.yaml", "--check", NULL);
    unsetenv("OMP_NUM_THREADS");
    assert_int_equal(r.status, 0);
}

/* A relative home would make a cache wherever one stands. */
TEST(a_relative_home_is_none) {
    char *cache = strdup(getenv("XDG_CACHE_HOME")), *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    setenv("XDG_CACHE_HOME", "cache-here", 1);
    setenv("HOME", "home-here", 1);
    cli_must("run", "x.yaml", "-q", "-o", "at-home", NULL);
    assert_true(!scratch_there("cache-here") && !scratch_there("home-here"));
    setenv("XDG_CACHE_HOME", cache, 1);
    if (home != NULL)
        setenv("HOME", home, 1);
    free(cache);
    free(home);
}

/* What cannot be written whole is not there. */
TEST(a_comparison_is_written_whole_or_not) {
    cli_must("run", "x.yaml", "-q", "-f", "-o", "one", NULL);
    cli_must("run", "x.yaml", "-q", "-f", "-o", "two", "--set", "machine.clock=1 GHz", NULL);
    static const char *const options[] = {"--csv", "--json"};
    for (int i = 0; i < 2; i++) {
        const char *words[] = {"compare", "one", "two", options[i], "table", NULL};
        const cli_result r = cli_words(words, 64);
        assert_int_not_equal(r.status, 0);
        assert_true(!scratch_there("table"));
        cli_must("compare", "one", "two", options[i], "table", NULL);
        size_t size;
        file_read("table", &size);
        assert_true(size > 64);
        assert_int_equal(remove("table"), 0);
    }
}

int main(void) {
    return test_run(cli_enter_experiment, cli_leave);
}
