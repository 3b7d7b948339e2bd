/* --quiet: every command is silent but for its results, and one that is interrupted says no more than that. */
#include "tests/support/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASE                                                                                                 \
    "machine: gc200-small\nscene: { generate: { kind: garden, cells: 1000, seed: 3 } }\n"                    \
    "workload:\n  kind: foam\n"                                                                              \
    "  camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: 50 deg, "       \
    "width: 40, height: 30 }\n"                                                                              \
    "  partition: { kind: kd, shards: 64 }\n  batching: { order: rows, per_batch: 2, idle: 10 }\n"

/* Of every command what it is for, in an order in which each finds what it needs. */
static const char *const lines[][12] = {
    {"scene", "generate", "garden", "--cells", "1000", "-o", "s.ply"},
    {"scene", "info", "s.ply"},
    {"scene", "partition", "s.ply", "--shards", "16", "--csv", "s.csv"},
    {"config", "check", "x.yaml"},
    {"config", "show", "x.yaml"},
    {"params"},
    {"list", "machines"},
    {"new", "study", "mine"},
    {"run", "x.yaml", "--out", "one", "--record-activity", "one.act"},
    {"run", "x.yaml", "--out", "two", "--replay", "one.act"},
    {"run", "x.yaml", "--out", "three", "--ladder", "--no-cache"},
    {"price", "one.act", "x.yaml"},
    {"ray", "one", "--pixel", "20,15"},
    {"pack", "one", "-o", "one.tar.zst"},
    {"index", "."},
    {"export", "one", "--as", "gem5", "-o", "told"},
    {"import", "m.cfg", "-o", "m.yaml"},
    {"run", "m.cfg", "--out", "four"},
    {"report", "one"},
    {"compare", "one", "two"},
    {"sweep", "w.yaml", "--store", "w.db"},
    {"search", "w.yaml", "--store", "found.db", "--budget", "2"},
    {"query", "w.db", "points"},
    {"report", "w.db", "-o", "w.html"},
    {"merge", "w.db"},
    {"validate", "--from", "v", "-o", "out", "--quick"},
};
enum { LINES = sizeof lines / sizeof lines[0] };

static void write_validation(void) {
    assert_int_equal(mkdir("v", 0777) | mkdir("v/cases", 0777) | mkdir("v/standins", 0777), 0);
    cli_write("v/standins/small-1.yaml", "# A garden of 1,000 cells.\n" BASE);
    cli_write("v/cases/rows.yaml",
              "title: Rows\nsource: Tab. 1\nabout: Times.\nensemble: small\nscored: true\n"
              "order: device.seconds\nsets: { run.coverage: 0.99 }\n"
              "axes:\n  - { key: workload.batching.per_batch, values: [1, 2, 3, 4], "
              "names: [1 row, 2 rows, 3 rows, 4 rows] }\n"
              "figures:\n  - { name: time, figure: device.seconds, published: [0.01, 0.01, 0.01, 0.01], use: "
              "predict }\n");
}

static int set_up(void **state) {
    int failed = cli_enter(state);
    cli_write("x.yaml", "name: x\n" BASE);
    cli_write("w.yaml", "name: w\nbase:\n  machine: gc200-small\n"
                        "  scene: { generate: { kind: garden, cells: 1000, seed: 3 } }\n"
                        "  workload:\n    kind: foam\n"
                        "    camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], "
                        "fov_y: 50 deg, width: 40, height: 30 }\n"
                        "    partition: { kind: kd, shards: 64 }\n"
                        "axes: [{ key: workload.batching.per_batch, values: [1, 2, 3, 4, 5, 6] }]\n"
                        "objectives: [{ figure: device.seconds, better: smaller }]\n");
    cli_write("m.cfg", "topology = mesh; k = 4; routing_function = dor; sample_period = 100;\n");
    write_validation();
    return failed;
}

/* The words of a line, with --quiet. */
static void words_of(const char *const *line, const char **words) {
    size_t n = 0;
    for (; line[n] != NULL; n++)
        words[n] = line[n];
    words[n++] = "--quiet";
    words[n] = NULL;
}

TEST(success_is_silent) {
    for (size_t i = 0; i < LINES; i++) {
        const char *words[16];
        words_of(lines[i], words);
        if (strcmp(words[0], "merge") == 0)
            assert_int_equal(mkdir("w.db.cluster", 0777), 0);
        cli_result r = cli_words(words, 0);
        if (r.status != 0 || r.err[0] != '\0')
            fail_msg("%s %s: status %d, and on stderr:\n%s", words[0], words[1], r.status, r.err);
        const bool shows = strcmp(words[0], "compare") == 0 || strcmp(words[0], "validate") == 0;
        if (shows && r.out[0] != '\0')
            fail_msg("%s %s prints, though asked not to:\n%s", words[0], words[1], r.out);
    }
}

/* A command that nobody holds to silence would be noticed here. */
TEST(every_command_is_among_them) {
    cli_result r = cli("--help", NULL);
    const char *at = strstr(r.out, "Commands:\n");
    assert_non_null(at);
    for (at = strchr(at, '\n') + 1; strncmp(at, "  ", 2) == 0; at = strchr(at, '\n') + 1) {
        char name[32];
        bool held = false;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 2, " "), at + 2);
        held = strcmp(name, "explore") == 0; /* ends when it is told to: tests/system/explore */
        for (size_t i = 0; i < LINES; i++)
            held |= strcmp(lines[i][0], name) == 0;
        if (!held)
            fail_msg("foamsim %s is not held to --quiet", name);
    }
}

/* Starts a command and interrupts it when `sign` is there and it listens to signals. */
static cli_result interrupt(const char *const *words, const char *sign) {
    cli_result r = {.signal = SIGINT};
    for (double wait = 0.05; r.signal == SIGINT && wait < 0.9; wait *= 2) {
        pid_t process = cli_start(words, 0);
        while (!scratch_there(sign) && !cli_ended(process))
            test_nap(0.005);
        test_nap(wait);
        kill(process, SIGINT);
        r = cli_finish(process);
    }
    return r;
}

TEST(interrupted_says_that_alone) {
    static const struct {
        const char *line[12], *sign;
    } cases[] = {
        {{"run", "x.yaml", "--out", "cut", "--set", "workload.camera.width=2000", "--set",
          "workload.camera.height=1500"},
         "cut.partial"},
        {{"sweep", "w.yaml", "--store", "cut.db", "--jobs", "1", "--no-cache"}, "cut.db.cache"},
        {{"validate", "--from", "v", "-o", "cut-out", "--jobs", "1"}, "cut-out/validation.db.cache"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *words[16];
        words_of(cases[i].line, words);
        cli_result r = interrupt(words, cases[i].sign);
        if (r.status != 1)
            fail_msg("%s was not interrupted: status %d, signal %d\n%s", words[0], r.status, r.signal, r.err);
        static const char error[] = "foamsim: interrupted";
        if (strncmp(r.err, error, sizeof error - 1) != 0 || strchr(r.err, '\n') != strrchr(r.err, '\n'))
            fail_msg("%s --quiet, interrupted, says\n%s", words[0], r.err);
    }
}

RUN_TESTS(set_up, cli_leave)
