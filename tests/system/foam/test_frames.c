/* Frames of a camera path in flight together: with one in flight each is its single view, with more the pictures stay,
 * the rays add up and the machine takes a frame in the time that its slowest tile works for it. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

enum { FRAMES = 4, PIXELS = 80 * 60, BATCHES = 30, MOST_SETS = 8 };

#define VIEWS                                                                                                \
    "views={kind: orbit, count: 4, centre: [0.1, 0.2, 0.6], radius: 3.1, height: 1.07, start: 23 deg}"
#define SAME_VIEWS                                                                                           \
    "views={kind: list, positions: [[1.7, -3.6, 1.5], [1.7, -3.6, 1.5], [1.7, -3.6, 1.5], [1.7, -3.6, "      \
    "1.5], [1.7, "                                                                                           \
    "-3.6, 1.5], [1.7, -3.6, 1.5]]}"

static void run(const char *out, int in_flight, const char *views, const char *more) {
    char flight[64];
    snprintf(flight, sizeof flight, "run.path.in_flight=%d", in_flight);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", out, "--set", views, "--set", flight, "--set",
             more, NULL);
}

static int begin(void **state) {
    static const char *const out[] = {"p1", "p2", "p8"};
    static const int in_flight[] = {1, 2, 8};
    if (cli_enter_experiment(state) != 0)
        return -1;
    cli_must("run", "x.yaml", "--quiet", "--out", "single", "--set", VIEWS, "--set", "workload.repeat=5",
             NULL);
    for (int i = 0; i < 3; i++)
        run(out[i], in_flight[i], VIEWS, "workload.repeat=5");
    return 0;
}

static struct table frames_of(const char *dir) {
    struct table t = table_read(dir, "frames.csv");
    assert_int_equal(t.rows, FRAMES);
    return t;
}

TEST(pictures_are_those_of_single_views) {
    static const char *const out[] = {"p1", "p2", "p8"};
    for (int i = 0; i < 3; i++) {
        for (int f = 0; f < FRAMES; f++) {
            char one[64], other[64];
            snprintf(one, sizeof one, "single/view-%d/image.png", f);
            snprintf(other, sizeof other, "%s/frame-%02d.png", out[i], f);
            assert_true(files_equal(one, other));
        }
        assert_true(run_figure(out[i], "rays.generated") == FRAMES * PIXELS);
        assert_true(run_figure(out[i], "rays.finished") == FRAMES * PIXELS);
        assert_true(run_figure(out[i], "frames.count") == FRAMES);
    }
}

/* One after the other: the iterations of each, and its cycles but for the host's first visit. */
TEST(one_in_flight_is_one_view_after_the_other) {
    struct table t = frames_of("p1");
    double iterations = 0;
    for (int f = 0; f < FRAMES; f++) {
        char dir[32];
        snprintf(dir, sizeof dir, "single/view-%d", f);
        struct table rows = table_read(dir, "iterations.csv");
        const int64_t first = table_int(&rows, 0, "start"),
                      cycles = (int64_t)run_figure(dir, "device.cycles");
        assert_int_equal(table_int(&t, (size_t)f, "taken") - table_int(&t, (size_t)f, "begun"),
                         cycles - first);
        iterations += run_figure(dir, "device.iterations");
    }
    assert_true(run_figure("p1", "device.iterations") == iterations);
    assert_true(run_figure("p1", "frames.overlap") == 0);
}

/* Cycles between which two frames or more are under way, between one end of a frame and the next. */
static double overlap_of(const struct table *t) {
    int64_t both = 0, end[2 * FRAMES];
    for (size_t f = 0; f < FRAMES; f++) {
        end[2 * f] = table_int(t, f, "begun");
        end[2 * f + 1] = table_int(t, f, "taken") - table_int(t, f, "host"); /* its last pixel */
    }
    for (size_t i = 0; i < 2 * FRAMES; i++) {
        int64_t next = INT64_MAX;
        int under_way = 0;
        for (size_t k = 0; k < 2 * FRAMES; k++)
            next = end[k] > end[i] && end[k] < next ? end[k] : next;
        for (size_t f = 0; f < FRAMES; f++)
            under_way += end[2 * f] <= end[i] && end[i] < end[2 * f + 1];
        bool again = false; /* two ends in one cycle */
        for (size_t k = 0; k < i; k++)
            again |= end[k] == end[i];
        both += under_way > 1 && !again ? next - end[i] : 0;
    }
    return (double)both / (double)(table_int(t, FRAMES - 1, "taken") - table_int(t, 0, "begun"));
}

TEST(more_in_flight_overlap) {
    struct table one = frames_of("p1"), two = frames_of("p2"), all = frames_of("p8");
    for (size_t f = 0; f < FRAMES; f++) {
        assert_true(table_int(&two, f, "iterations") >= table_int(&one, f, "iterations"));
        assert_true(table_int(&all, f, "iterations") >= table_int(&one, f, "iterations"));
        /* two in flight: a frame begins after the one before the last was taken */
        assert_true(f < 2 || table_int(&two, f, "begun") >= table_int(&two, f - 2, "taken"));
        assert_true(f == 0 || table_int(&two, f, "begun") < table_int(&two, f - 1, "taken"));
    }
    assert_true(run_figure("p8", "frames.overlap") > 0.3);
    assert_float_equal(run_figure("p8", "frames.overlap"), overlap_of(&all), 1e-9);
    assert_float_equal(run_figure("p2", "frames.overlap"), overlap_of(&two), 1e-9);
    assert_true(run_figure("p8", "device.cycles") < run_figure("p2", "device.cycles") &&
                run_figure("p2", "device.cycles") < run_figure("p1", "device.cycles"));
}

static int64_t sum_of(const struct table *t, const char *column, size_t begin, size_t end) {
    int64_t sum = 0;
    for (size_t k = begin; k < end; k++)
        sum += table_int(t, k, column);
    return sum;
}

/* One pose, a slow generator, and so many frames granted that it never waits: it makes a batch in each iteration, and
 * the compute of a frame is the generator's, to the cycle what it is for the frame alone. */
TEST(the_steady_rate_is_the_slowest_tiles) {
    run("steady", 8, SAME_VIEWS, "machine.roles.generator.clock=2 %");
    run("alone", 0, "views.kind=none", "machine.roles.generator.clock=2 %");
    struct table t = table_read("steady", "iterations.csv"), one = table_read("alone", "iterations.csv"),
                 frames = table_read("steady", "frames.csv");
    const int64_t work = sum_of(&one, "compute_generator", 0, BATCHES);
    for (size_t f = 1; f < 5; f++) { /* the first fills the machine */
        const size_t begin = f * BATCHES, end = begin + BATCHES;
        assert_int_equal(sum_of(&t, "generated", begin, end), PIXELS);
        assert_int_equal(table_int(&t, begin, "start"), table_int(&frames, f, "begun"));
        assert_int_equal(sum_of(&t, "compute", begin, end), work);
    }
}

/* A path of one frame: its own replicas are those of the run, and are sent once at 4 B a cycle. */
TEST(replicas_that_follow_are_sent) {
    run("lone", 1, "views={kind: list, positions: [[1.7, -3.6, 1.5]]}", "run.path.budget=1 s");
    struct table t = table_read("lone", "ladder.csv");
    int64_t replicated = 0, following = 0;
    for (size_t r = 0; r < t.rows; r++) {
        if (strcmp(table_text(&t, r, "name"), "replicated") == 0)
            replicated = table_int(&t, r, "cycles");
        if (strcmp(table_text(&t, r, "name"), "following") == 0)
            following = table_int(&t, r, "cycles");
    }
    assert_true(replicated > 0 && replicated < (int64_t)run_figure("lone", "device.cycles"));
    assert_int_equal(following, replicated + (int64_t)run_figure("lone", "memory.shard_bytes") / 4);
    assert_true(run_figure("p1", "ladder.following") > 0);
    size_t size;
    char *findings = file_read("p1/findings.json", &size);
    assert_non_null(strstr(findings, "of 4 pictures come later than 33 ms after the one before"));
}

/* The least and the most that a visit of the host takes. */
static void visits_of(const char *dir, int64_t *least, int64_t *most) {
    struct table t = table_read(dir, "iterations.csv");
    *least = INT64_MAX;
    *most = 0;
    for (size_t r = 0; r < t.rows; r++) {
        const int64_t host = table_int(&t, r, "host");
        *least = host > 0 && host < *least ? host : *least;
        *most = host > *most ? host : *most;
    }
}

/* Prices of a path's activity: frames, pictures and ladder as run; another clock from the same recording. */
TEST(prices_are_the_run) {
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "again", "--set", VIEWS, "--set",
             "workload.repeat=5", "--set", "run.path.in_flight=2", "--record-activity", "acts.fsr", NULL);
    assert_same_run("p2", "again", SAME_SETTINGS);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "priced", "--set", VIEWS, "--set",
             "workload.repeat=5", "--set", "run.path.in_flight=2", "--replay", "acts.fsr", NULL);
    assert_same_run("p2", "priced", SAME_SETTINGS);
    static const char *const replay[] = {"--replay", "--force"};
    for (int i = 0; i < 2; i++)
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", i == 0 ? "fast0" : "fast1", "--set", VIEWS,
                 "--set", "workload.repeat=5", "--set", "run.path.in_flight=2", "--set",
                 "machine.clock=1.8 GHz", replay[i], i == 0 ? "acts.fsr" : NULL, NULL);
    assert_same_run("fast1", "fast0", SAME_SETTINGS);
}

/* Slices and cameras for each frame in flight, and visits that read and bring them. */
TEST(frames_in_flight_take_sram) {
    int64_t least, most, all_least, all_most;
    visits_of("p1", &least, &most);
    visits_of("p8", &all_least, &all_most);
    assert_true(least == most && all_least == least); /* one frame is looked at */
    assert_true(all_most > most);                     /* or one is taken, and the next is looked at */
    assert_true(run_figure("p1", "memory.slice_bytes") * 8 == run_figure("p8", "memory.slice_bytes"));
    assert_true(run_figure("p8", "memory.peak_bytes") - run_figure("p1", "memory.peak_bytes") >= 7 * 132);
}

TEST(late_pictures_are_dropped) {
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "late", "--set", VIEWS, "--set",
             "workload.repeat=5", "--set", "run.path={in_flight: 2, budget: 1 us, late: drop}", NULL);
    assert_true(run_figure("late", "frames.over_budget") == FRAMES - 1 ||
                run_figure("late", "frames.over_budget") == FRAMES);
    assert_true(run_figure("late", "frames.shown") == FRAMES - run_figure("late", "frames.over_budget"));
    same_file("late", "p2", "iterations.csv"); /* an account: no ray depends on it */
}

TEST(what_does_not_go_together_is_refused) {
    static const struct {
        const char *set, *words;
    } cases[] = {
        {"run.stream=true", "run.stream: run.path has a frame for each view"},
        {"run.frames=2", "run.frames: run.path has a frame for each view"},
        {"machine.execution=decoupled", "run.path.in_flight: a decoupled run meets the host"},
        {"workload.judging.visit=previous", "frames of run.path are taken as the visit finds them"},
        {"run.path.in_flight=9", "run.path.in_flight"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_refuses(cases[i].words, "run", "x.yaml", "--quiet", "--check", "--set", VIEWS, "--set",
                    "run.path.in_flight=2", "--set", cases[i].set, NULL);
    }
    cli_refuses("run.path.in_flight: the frames of a path are the views", "run", "x.yaml", "--quiet",
                "--check", "--set", "run.path.in_flight=2", NULL);
    const cli_result r = cli("run", "x.yaml", "--quiet", "--force", "--out", "rec", "--set", VIEWS, "--set",
                             "run.path.in_flight=2", "--record", "r.fsr", NULL);
    assert_int_equal(r.status, 2);
}

RUN_TESTS(begin, cli_leave)
