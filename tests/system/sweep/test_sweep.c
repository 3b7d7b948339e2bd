/* Sweeps from the command line: the same store whatever the jobs, the layers and the accidents; nothing is
 * run twice; two sweeps share a store; what is wrong is told. FOAMSIM_KILLS: how often a sweep is killed (2;
 * `make kills` has 100, and looks at the largest sweep of configs).
 */
#include "sim/base/host.h"
#include "sim/base/rng.h"
#include "sim/store/store.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t seed;
enum { FEW_KILLS = 2 };
static int kills = FEW_KILLS;

/* Processor seconds of all children that have ended: what a busy host does not change much. */
static double spent(void) {
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

#define BASE                                                                                                 \
    "base:\n  machine: gc200-small\n  scene: { generate: { kind: garden, cells: 2000, seed: 7 } }\n"         \
    "  workload:\n    kind: foam\n    camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], "      \
    "width: "                                                                                                \
    "24, height: 18 }\n    partition: { kind: kd, shards: 64 }\n    batching: { per_batch: 3, idle: 10 }\n"

/* Sixteen points: two geometries, three overlays, of which one buffer is larger than the SRAM, and two
 * clocks. */
static const char sweep[] =
    "name: mixed\n" BASE "axes:\n"
    "  - { key: workload.payload, values: [half, full] }\n"
    "  - { key: overlay.kind, values: [quadtree, mesh, fat_tree] }\n"
    "  - { key: overlay.router_buffer, values: [700 kB, auto], when: { overlay.kind: quadtree } }\n"
    "  - { key: machine.clock, values: [1 GHz, 2 GHz] }\n"
    "objectives: [{ figure: device.seconds, better: smaller }]\n"
    "constraints: [{ figure: image.psnr_db, at_least: 30 }]\n";
enum { POINTS = 16, TOO_LARGE = 4 };

static char *export_of(const char *store) {
    char command[512];
    size_t size;
    snprintf(command, sizeof command, "%s query %s export > export.txt", cli_program(), store);
    assert_int_equal(system(command), 0);
    return file_read("export.txt", &size);
}

static void assert_same_store(const char *a, const char *b) {
    char *x = export_of(a), *y = export_of(b);
    assert_string_equal(x, y);
}

/* Points of a status, had from a layer; layer NULL: any. */
static size_t count_from(const char *store, const char *status, const char *layer) {
    fs_error err = {.status = FS_OK};
    fs_arena *arena = test_arena();
    fs_store *open = NULL;
    fs_store_sweep s;
    assert_ok(fs_store_open(store, FS_STORE_READ, &open, &err) || fs_store_read(open, arena, NULL, &s, &err),
              &err);
    size_t count = 0;
    for (size_t i = 0; i < s.point_count; i++)
        count += strcmp(s.points[i].status, status) == 0 &&
                 (layer == NULL || strcmp(s.points[i].layer, layer) == 0);
    fs_store_close(open);
    return count;
}

static size_t count_of(const char *store, const char *status) {
    return count_from(store, status, NULL);
}

/* What the sweep says it did. */
static void assert_said(const cli_result *r, const char *words) {
    if (r->status != 0 || strstr(r->err, words) == NULL)
        fail_msg("expected \"%s\", exit status %d\n%s", words, r->status, r->err);
}

TEST(jobs_and_layers_do_not_matter) {
    cli_result r =
        cli("sweep", "mixed.yaml", "--allow-failures", "--store", "plain.db", "--jobs", "1", "--plain", NULL);
    assert_said(&r, "16 points: 0 known, 12 run, 0 replayed, 0 priced, 4 failed now");
    assert_int_equal(count_of("plain.db", "done"), POINTS - TOO_LARGE);
    assert_int_equal(count_of("plain.db", "failed"), TOO_LARGE);
    r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "one.db", "--jobs", "1", NULL);
    assert_said(&r, "2 run, 4 replayed, 6 priced, 4 failed now");
    r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "two.db", "--jobs", "2", NULL);
    assert_said(&r, "2 run, 4 replayed, 6 priced, 4 failed now");
    assert_same_store("plain.db", "one.db");
    assert_same_store("plain.db", "two.db");
    assert_false(scratch_there("plain.db.cache"));
    assert_false(scratch_there("two.db.cache/runs"));
}

TEST(nothing_is_run_twice) {
    char *before = export_of("one.db");
    cli_result r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "one.db", NULL);
    assert_said(&r, "16 points: 16 known, 0 run, 0 replayed, 0 priced, 0 failed now");
    r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "one.db", "--retry", NULL);
    assert_said(&r, "12 known, 0 run, 0 replayed, 0 priced, 4 failed now");
    char *after = export_of("one.db");
    assert_string_equal(before, after);
    /* Widened: only what is new; the recordings of before still serve. */
    cli_write("wider.yaml",
              "name: wider\n" BASE "axes: [{ key: machine.clock, values: [1 GHz, 2 GHz, 3 GHz] }]\n");
    r = cli("sweep", "wider.yaml", "--allow-failures", "--store", "one.db", NULL);
    assert_said(&r, "3 points: 2 known, 0 run, 0 replayed, 1 priced, 0 failed now");
}

/* A frame that never ends does so at every price: one point finds out, the others are told. */
TEST(a_frame_that_never_ends_fails_once) {
    cli_write("endless.yaml",
              "name: endless\n" BASE "axes:\n  - { key: run.max_iterations, values: [20, 20000] }\n"
              "  - { key: machine.clock, values: [1 GHz, 2 GHz, 3 GHz] }\n");
    cli_result r =
        cli("sweep", "endless.yaml", "--allow-failures", "--store", "endless.db", "--jobs", "1", NULL);
    assert_said(&r, "6 points: 0 known, 0 run, 1 replayed, 2 priced, 3 failed now");
    assert_int_equal(count_from("endless.db", "failed", "run"), 1);
    assert_int_equal(count_from("endless.db", "failed", "price"), 2);
    cli_must("sweep", "endless.yaml", "--allow-failures", "--store", "endless-plain.db", "--plain", "--quiet",
             NULL);
    assert_int_equal(count_from("endless-plain.db", "failed", "run"), 3);
    assert_same_store("endless.db", "endless-plain.db");
}

/* What failed says why, in the user's own places. */
TEST(queries_answer) {
    cli_result r = cli("query", "two.db", "best", "--top", "1", "--csv", NULL);
    assert_said(&r, "");
    assert_non_null(strstr(r.out, "device.seconds,1,"));
    r = cli("query", "two.db", "points", "--failed", "--csv", NULL);
    assert_non_null(strstr(r.out, "do not fit in SRAM"));
    r = cli("query", "two.db", "table", "--json", "--sweep", "mixed", NULL);
    assert_said(&r, "");
    assert_non_null(
        strstr(r.out, "{\"units\": {\"overlay.router_buffer\": \"B\", \"machine.clock\": \"Hz\", "));
    assert_non_null(strstr(r.out, "\"machine.clock\": 1000000000, "));
    assert_non_null(strstr(r.out, "\"feasible\": true"));
    r = cli("query", "two.db", "table", "--csv", "--where", "machine.clock<=1GHz", "--where",
            "overlay.kind=quadtree", "--where", "status=done", NULL);
    assert_said(&r, "");
    assert_non_null(strstr(r.out, ",quadtree,"));
    assert_null(strstr(r.out, ",tree,"));
    r = cli("query", "two.db", "best", "--by", "device.iterations", "--top", "1", NULL);
    assert_said(&r, "");
    r = cli("query", "two.db", "best", "--by", "device.seconds", "--top", "1", "--csv", NULL);
    char best[80] = "", *end = strchr(r.out, '\n');
    assert_non_null(end);
    sscanf(end, "\n%*[^,],%*[^,],%*[^,],%*[^,],%12[0-9a-f]", best);
    r = cli("query", "two.db", "front", "--by", "device.seconds,memory.peak_bytes", "--csv", NULL);
    assert_said(&r, "");
    assert_non_null(strstr(strchr(r.out, '\n'), best)); /* the best in one is in the front */
    cli_refuses("expected two figures after --by", "query", "two.db", "front", "--by", "device.seconds",
                NULL);
    cli_refuses("did you mean \"overlay.kind\"?", "query", "two.db", "best", "--where", "overlay.kid=tree",
                NULL);
    static const char *const wrong[][2] = {{"feasible=maybe", "expected yes or no, found \"maybe\""},
                                           {"overlay.kind=quadtre", "did you mean \"quadtree\"?"},
                                           {"status=ready", "expected pending, running, done or failed"},
                                           {"device.seconds=fast", "expected a number, found \"fast\""}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        r = cli("query", "two.db", "table", "-w", wrong[i][0], NULL);
        assert_int_equal(r.status, 2);
        if (strstr(r.err, wrong[i][1]) == NULL)
            fail_msg("%s: %s", wrong[i][0], r.err);
    }
    r = cli("query", "two.db", "table", "--csv", "-w", "feasible=yes", NULL); /* as the table writes it */
    assert_non_null(strstr(r.out, ",yes,"));
    assert_null(strstr(r.out, ",no,"));
    r = cli("query", "two.db", "table", "--csv", "-w", "feasible=no", NULL);
    assert_null(strstr(r.out, ",yes,"));
    r = cli("query", "two.db", "diff", "2", "3", NULL);
    assert_non_null(strstr(r.out, "machine.clock"));
    assert_non_null(strstr(r.out, "device.seconds"));
    cli_must("query", "two.db", "show", "2", NULL);
    cli_refuses("did you mean \"best\"?", "query", "two.db", "bets", NULL);
    r = cli("query", "nowhere.db", "best", NULL);
    assert_int_equal(r.status, 2);
}

static void index_says(const char *constraint, const char *words) {
    char file[2048];
    size_t size;
    snprintf(file, sizeof file,
             "name: clocks\n" BASE "axes: [{ key: machine.clock, values: [1 GHz, 2 GHz] }]\n"
             "objectives: [{ figure: device.seconds, better: smaller }]\nconstraints: [{ figure: %s }]\n",
             constraint);
    cli_write("clocks.yaml", file);
    cli_must("sweep", "clocks.yaml", "--store", "clocks/clocks.db", "--quiet", NULL);
    cli_must("index", "clocks", "--quiet", NULL);
    char *page = file_read("clocks/index.html", &size);
    if (strstr(page, words) == NULL)
        fail_msg("%s: the index does not say %s", constraint, words);
    assert_int_equal(remove("clocks/clocks.db"), 0);
}

/* Twice the clock takes more watts; where that breaks a limit the slower point is the best. */
TEST(the_index_names_the_best_that_is_feasible) {
    assert_int_equal(mkdir("clocks", 0700), 0);
    index_says("energy.watts, at_most: 1000", "2 of 2 points done, 2 feasible; best: clock=2 GHz");
    index_says("energy.watts, at_most: 4", "2 of 2 points done, 1 feasible; best: clock=1 GHz");
}

TEST(a_dry_run_runs_nothing) {
    cli_result r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "dry.db", "--dry-run", NULL);
    assert_int_equal(r.status, 0);
    /* That a buffer is too large shows when a point of that traffic is made. */
    assert_non_null(strstr(r.out, "checked 8 of 8 distinct configurations up to their first iteration"));
    assert_non_null(strstr(r.out, "wrong: memory: "));
    assert_non_null(strstr(r.out, "(at 2 points, the first payload=half kind=quadtree router_buffer=700 kB"));
    r = cli("sweep", "mixed.yaml", "--store", "dry.db", "--dry-run", NULL);
    assert_int_equal(r.status, 1);
    r = cli("sweep", "mixed.yaml", "--store", "dry.db", "--dry-run", "--checks", "0", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "2 to run, 6 to replay, 8 to price, 0 wrong"));
    assert_false(scratch_there("dry.db"));
    r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "one.db", "--dry-run", NULL);
    assert_non_null(strstr(r.out, "0 to run, 0 to replay, 0 to price"));
    assert_non_null(strstr(r.out, "  done "));
}

/* ---- accidents ---- */

static pid_t start(const char *store) {
    const char *const words[] = {"sweep",  "mixed.yaml", "--allow-failures", "--store", store,
                                 "--jobs", "2",          "--quiet",          NULL};
    return cli_start(words, 0);
}

/* Kills the sweep or one of its workers; the first without mercy for the rest. */
static void strike(fs_rng *rng, pid_t process) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)process, (long)process);
    FILE *file = fs_rng_below(rng, 3) == 0 ? fopen(path, "r") : NULL;
    long worker = 0;
    if (file != NULL) {
        if (fscanf(file, "%ld", &worker) != 1)
            worker = 0;
        fclose(file);
    }
    kill(worker > 0 ? (pid_t)worker : process, SIGKILL);
}

TEST(kills_lose_nothing) {
    fs_rng rng = fs_rng_stream(seed, "test/sweep");
    double begin = fs_host_wall_seconds();
    cli_must("sweep", "mixed.yaml", "--allow-failures", "--store", "timed.db", "--jobs", "2", "--quiet",
             NULL);
    const double length = fs_host_wall_seconds() - begin;
    int killed = 0;
    size_t done = 0;
    for (int i = 0, fresh = 0; i < kills; i++) {
        char store[32];
        snprintf(store, sizeof store, "killed-%d.db", fresh);
        pid_t process = start(store);
        test_nap(fs_rng_range(&rng, 0, 0.5 * length));
        strike(&rng, process);
        cli_result r = cli_finish(process);
        if (r.status == 2)
            fail_msg("%s", r.err);
        killed += r.signal == SIGKILL;
        fs_error err = {.status = FS_OK};
        fs_store *open = NULL;
        fs_arena *arena = test_arena();
        const char *const *names = NULL;
        size_t sweeps = 0, now_done = 0;
        if (fs_store_is(store)) { /* it was killed before it was made */
            assert_ok(fs_store_open(store, FS_STORE_READ, &open, &err) ||
                          fs_store_sweeps(open, arena, &names, &sweeps, &err),
                      &err);
            fs_store_close(open);
            now_done = sweeps > 0 ? count_of(store, "done") : 0;
        }
        if (now_done < done)
            fail_msg("seed %llu, kill %d: %zu points were done, now %zu are", (unsigned long long)seed, i,
                     done, now_done);
        done = now_done;
        if (done == POINTS - TOO_LARGE || i + 1 == kills) {
            cli_must("sweep", "mixed.yaml", "--allow-failures", "--store", store, "--jobs", "2", "--quiet",
                     "--retry", NULL);
            assert_same_store("plain.db", store);
            done = 0;
            fresh++;
        }
    }
    print_message("seed %llu: %d of %d sweeps were killed before their end\n", (unsigned long long)seed,
                  killed, kills);
}

TEST(an_interrupted_sweep_goes_on) {
    pid_t process = start("stopped.db");
    test_nap(0.4);
    kill(process, SIGINT);
    cli_result r = cli_finish(process);
    if (r.status == 1)
        assert_non_null(strstr(r.err, "interrupted"));
    else
        assert_true(r.status == 0 || r.signal == SIGINT); /* ended before, or not listening yet */
    cli_must("sweep", "mixed.yaml", "--allow-failures", "--store", "stopped.db", "--quiet", NULL);
    assert_same_store("plain.db", "stopped.db");
}

/* SQLite waits for another program's transaction in its own way, which is ours. */
TEST(a_locked_store_is_waited_for_until_a_signal) {
    sqlite3 *db = NULL;
    assert_int_equal(system("cp one.db locked.db"), 0);
    assert_int_equal(sqlite3_open("locked.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL),
                     SQLITE_OK);
    const char *const words[] = {"sweep", "mixed.yaml", "--allow-failures", "--store", "locked.db", NULL};
    const pid_t process = cli_start(words, 0);
    while (!cli_said("locked.db is locked by another program; waiting for it") && !cli_ended(process))
        test_nap(0.02);
    assert_false(cli_ended(process));
    kill(process, SIGTERM);
    cli_result r = cli_finish(process);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "interrupted while waiting for the other program"));
    sqlite3_close(db);
}

TEST(two_sweeps_share_a_store) {
    char command[1024];
    cli_write("other.yaml", "name: other\n" BASE "axes: [{ key: machine.clock, values: [1 GHz, 4 GHz] }]\n");
    snprintf(command, sizeof command,
             "%s sweep other.yaml --allow-failures --store both.db --quiet >/dev/null & a=$!; %s sweep "
             "mixed.yaml --allow-failures --store both.db "
             "--quiet >/dev/null; b=$?; wait $a && test $b -eq 0",
             cli_program(), cli_program());
    assert_int_equal(system(command), 0);
    cli_result r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "both.db", NULL);
    assert_said(&r, "16 known");
    r = cli("sweep", "other.yaml", "--allow-failures", "--store", "both.db", NULL);
    assert_said(&r, "2 known");
}

/* A recording that was damaged is made anew. */
TEST(a_damaged_recording_does_no_harm) {
    assert_int_equal(
        system("mkdir hurt.db.cache && cp one.db.cache/*.* hurt.db.cache/ && for f in hurt.db.cache/*.*; do "
               "head -c 1000 $f > t && mv t $f; done"),
        0);
    cli_must("sweep", "mixed.yaml", "--allow-failures", "--store", "hurt.db", "--jobs", "2", "--quiet", NULL);
    assert_same_store("plain.db", "hurt.db");
}

TEST(the_memory_limit_is_kept) {
    cli_result r =
        cli("sweep", "other.yaml", "--allow-failures", "--store", "little.db", "--memory", "64kB", NULL);
    assert_int_equal(r.status, 0);
    r = cli("query", "little.db", "points", "--csv", NULL);
    if (count_of("little.db", "failed") > 0) /* a run may be over before it is looked at */
        assert_non_null(strstr(r.out, "more memory than the limit"));
    r = cli("sweep", "other.yaml", "--allow-failures", "--store", "little.db", "--memory", "lots", NULL);
    assert_int_equal(r.status, 2);
    cli_must("sweep", "other.yaml", "--allow-failures", "--store", "little.db", "--cache-limit", "1kB",
             "--retry", "--quiet", NULL);
    assert_int_equal(count_of("little.db", "done"), 2);
}

/* What is under way lies on a disk of its own, which is too small: no point fails for that. */
TEST(a_full_disk_loses_nothing) {
    assert_int_equal(mkdir("full.db.cache", 0777), 0);
    if (geteuid() != 0 || system("mount -t tmpfs -o size=48k tmpfs full.db.cache 2>mount.txt") != 0) {
        puts("skipped: a small disk needs root and mount");
        skip();
    }
    cli_result r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "full.db", "--jobs", "1", NULL);
    const int gone = system("umount full.db.cache");
    assert_int_equal(gone, 0);
    if (r.status != 1 || strstr(r.err, "full.db.cache: no room") == NULL ||
        strstr(r.err, "the same command again") == NULL)
        fail_msg("exit status %d: %s", r.status, r.err);
    r = cli("sweep", "mixed.yaml", "--allow-failures", "--store", "full.db", "--jobs", "2", NULL);
    assert_said(&r, "16 points");
    assert_same_store("full.db", "two.db");
}

/* Two hundred points that are done: reading, resolving and looking up is all that is left. */
TEST(a_finished_sweep_is_seen_at_once) {
    cli_write("many.yaml",
              "name: many\n" BASE
              "axes:\n  - { key: machine.clock, range: { from: 1 GHz, to: 2.99 GHz, step: 0.01 GHz } }\n");
    pid_t process = cli_start((const char *const[]){"sweep", "many.yaml", "--allow-failures", "--store",
                                                    "many.db", "--quiet", NULL},
                              0);
    fs_error err = {.status = FS_OK};
    fs_store *open = NULL;
    fs_store_sweep s;
    fs_arena *arena = test_arena();
    while (!scratch_there("many.db.cache") && !cli_ended(process))
        test_nap(0.002);
    kill(process, SIGKILL); /* the points are in */
    cli_finish(process);
    assert_ok(fs_store_open("many.db", FS_STORE_WRITE, &open, &err) ||
                  fs_store_read(open, arena, NULL, &s, &err) || fs_store_begin(open, &err),
              &err);
    assert_int_equal(s.point_count, 200);
    for (size_t i = 0; i < s.point_count; i++) {
        json_t *result = json_pack("{s:s, s:s, s:{s:{s:f}}}", "key", s.points[i].key, "status", "done",
                                   "summary", "device", "seconds", 0.5);
        assert_ok(fs_store_finish(open, result, &err), &err);
        json_decref(result);
    }
    assert_int_equal(fs_store_commit(open, &err), FS_OK);
    fs_store_close(open);
    const double begin = spent();
    cli_result r = cli("sweep", "many.yaml", "--allow-failures", "--store", "many.db", NULL);
    const double took = spent() - begin;
    assert_said(&r, "200 points: 200 known, 0 run");
    print_message("200 finished points: %.2f s\n", took);
    assert_true(took < 2.0);
}

/* Every point of the sweeps that come with the program is a whole configuration. */
TEST(the_sweeps_of_configs_are_right) {
    static const char *const said[][2] = {
        {"quick", "2 to run, 14 to replay, 0 to price, 0 wrong"},
        {"overlays-200", "2 to run, 198 to replay, 0 to price, 0 wrong"},
        {"next-chip", "1 to run, 119 to replay, 1296 to price, 0 wrong"}, /* four seconds */
    };
    for (size_t i = 0; i < (kills > FEW_KILLS ? 3 : 2); i++) {
        char command[4096];
        size_t size;
        snprintf(
            command, sizeof command,
            "%s sweep \"$FOAMSIM_DATA/configs/sweeps/%s.yaml\" --store none.db --dry-run --checks 0 | tail "
            "-n 1 > dry.txt",
            cli_program(), said[i][0]);
        assert_int_equal(system(command), 0);
        char *last = file_read("dry.txt", &size);
        if (strncmp(last, said[i][1], strlen(said[i][1])) != 0)
            fail_msg("%s: %s", said[i][0], last);
    }
}

TEST(wrong_words_are_told) {
    cli_write("bad.yaml", "base: none\naxes: []\n");
    cli_result r = cli("sweep", "bad.yaml", "--store", "bad.db", NULL);
    cli_refused(&r, "bad.yaml:1:7");
    assert_false(scratch_there("bad.db"));
    cli_refuses("is no store", "sweep", "mixed.yaml", "--allow-failures", "--store", "mixed.yaml", NULL);
}

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    seed = test_seed(20250612);
    kills = (int)test_number("FOAMSIM_KILLS", FEW_KILLS);
    cli_write("mixed.yaml", sweep);
    return 0;
}

RUN_TESTS(begin, cli_leave)
