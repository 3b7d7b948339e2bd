/* A job array by hand: which points a task gets, and what Slurm's states mean for a point. */
#include "sim/cluster/private.h"
#include "tests/support/test.h"

enum { MOST = 2000 };

typedef struct batch {
    fs_store_point points[MOST];
    char key[MOST][24];
    size_t index[MOST];
    double seconds[MOST], alone[MOST];
    fs_cluster_chunk *chunks;
    size_t count;
    fs_arena *arena;
} batch;

/* Points with `geometries` geometries in turn, each of `seconds`. */
static batch *make(size_t points, size_t geometries, double seconds) {
    static const char *const geometry[] = {"g0", "g1", "g2", "g3"};
    batch *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->arena = fs_arena_create();
    for (size_t i = 0; i < points; i++) {
        snprintf(b->key[i], sizeof b->key[i], "%zu", i);
        b->points[i] = (fs_store_point){.key = b->key[i],
                                        .label = "",
                                        .geometry_key = geometry[i % geometries],
                                        .traffic_key = "t",
                                        .resolved = ""};
        b->index[i] = i;
        b->seconds[i] = seconds;
    }
    return b;
}

static void divide(batch *b, size_t points, double chunk, int64_t limit, int64_t at_once) {
    const fs_cluster_options options = {
        .array_limit = limit, .tasks_at_once = at_once, .chunk_seconds = chunk, .cpus = 1};
    fs_cluster_divide(b->arena, b->points, b->index, b->seconds, b->alone, points, &options, &b->chunks,
                      &b->count);
}

static void end(batch *b) {
    fs_arena_free(b->arena);
    free(b);
}

/* Every point in exactly one chunk, no chunk empty. */
static void check_whole(const batch *b, size_t points) {
    bool seen[MOST] = {false};
    size_t sum = 0;
    for (size_t c = 0; c < b->count; c++) {
        assert_true(b->chunks[c].count > 0);
        for (size_t i = 0; i < b->chunks[c].count; i++) {
            size_t k = (size_t)strtoul(b->chunks[c].work[i].key, NULL, 10);
            assert_false(seen[k]);
            seen[k] = true;
            sum++;
        }
    }
    assert_int_equal(sum, points);
}

TEST(test_by_cost) {
    batch *b = make(10, 1, 1.0);
    divide(b, 10, 3.0, 1000, 0);
    check_whole(b, 10);
    assert_int_equal(b->count, 4); /* 3 + 3 + 3 + 1 */
    assert_int_equal(b->chunks[0].count, 3);
    assert_int_equal(b->chunks[3].count, 1);
    b->seconds[4] = 100.0; /* one that is longer than any chunk has one of its own */
    divide(b, 10, 3.0, 1000, 0);
    check_whole(b, 10);
    for (size_t c = 0; c < b->count; c++)
        for (size_t i = 0; i < b->chunks[c].count; i++)
            if (strcmp(b->chunks[c].work[i].key, "4") == 0)
                assert_int_equal(b->chunks[c].count, 1);
    end(b);
}

TEST(test_geometries_stay_together) {
    batch *b = make(40, 4, 1.0);
    divide(b, 40, 10.0, 1000, 0);
    check_whole(b, 40);
    assert_int_equal(b->count, 4);
    for (size_t c = 0; c < 4; c++)
        for (size_t i = 0; i < 10; i++) {
            assert_string_equal(b->chunks[c].work[i].geometry_key, b->chunks[c].work[0].geometry_key);
            if (i > 0) /* in the order of the sweep */
                assert_true(atoi(b->chunks[c].work[i].key) > atoi(b->chunks[c].work[i - 1].key));
        }
    end(b);
}

/* A chunk pays for the scene of its first point: 5 s and five of 1 s fill 10 s, in the second one as well. */
TEST(every_chunk_pays_for_its_scene) {
    batch *b = make(13, 1, 1.0);
    for (size_t i = 0; i < 13; i++)
        b->alone[i] = 5.0;
    divide(b, 13, 10.0, 1000, 0);
    check_whole(b, 13);
    assert_int_equal(b->count, 3);
    assert_true(b->chunks[0].count == 6 && b->chunks[1].count == 6 && b->chunks[2].count == 1);
    end(b);
}

/* The first of a geometry in a chunk makes the recording that the others use. */
TEST(test_recordings) {
    batch *b = make(10, 1, 1.0);
    for (size_t i = 0; i < 10; i++)
        b->alone[i] = 10.0;
    divide(b, 10, 15.0, 1000, 0);
    check_whole(b, 10);
    assert_int_equal(b->count, 2); /* 10 + 5, 10 + 3 */
    assert_int_equal(b->chunks[0].count, 6);
    end(b);
    b = make(4, 2, 1.0);
    for (size_t i = 0; i < 4; i++)
        b->alone[i] = 10.0;
    divide(b, 4, 21.0, 1000, 0); /* 10 + 1 of one, 10 of the other do not leave room for its second */
    check_whole(b, 4);
    assert_int_equal(b->count, 2);
    assert_int_equal(b->chunks[0].count, 3);
    divide(b, 4, 22.0, 1000, 0);
    assert_int_equal(b->count, 1);
    end(b);
}

TEST(test_limits) {
    batch *b = make(MOST, 3, 0.7);
    divide(b, MOST, 0.7, 100, 0); /* the array's limit makes larger chunks */
    check_whole(b, MOST);
    assert_true(b->count <= 100 && b->count >= 80);
    divide(b, MOST, 1e9, 100, 7); /* no task idle while there are points */
    check_whole(b, MOST);
    assert_true(b->count >= 7 && b->count <= 8);
    for (size_t i = 0; i < MOST; i++)
        b->seconds[i] = i == 0 ? 1e6 : 1e-6;
    divide(b, MOST, 1e-6, 10, 0);
    check_whole(b, MOST);
    assert_true(b->count <= 10);
    divide(b, 1, 1.0, 1, 50);
    check_whole(b, 1);
    assert_int_equal(b->count, 1);
    end(b);
}

TEST(test_random) {
    unsigned seed = 20240611;
    print_message("seed %u\n", seed);
    for (int round = 0; round < 200; round++) {
        size_t points = 1 + (size_t)(seed = seed * 1664525u + 1013904223u) % 300;
        batch *b = make(points, 1 + seed / 7 % 4, 1.0);
        for (size_t i = 0; i < points; i++)
            b->seconds[i] = 0.05 + (double)((seed = seed * 1664525u + 1013904223u) >> 16) / 1000.0;
        int64_t limit = 1 + (int64_t)(seed >> 8) % 50;
        divide(b, points, 1.0 + (double)(seed >> 24), limit, (int64_t)(seed >> 4) % 9);
        check_whole(b, points);
        assert_true((int64_t)b->count <= limit);
        end(b);
    }
}

/* ---- states ---- */

typedef struct expectation {
    const char *word, *state, *why; /* why: words in it */
    bool live;
    bool first, current;
} expectation;

TEST(test_states) {
    static const expectation all[] = {
        {"PENDING", "pending", "", true, true, false},
        {"CONFIGURING", "pending", "CONFIGURING", true, true, false},
        {"REQUEUED", "pending", "REQUEUED", true, true, true},
        {"REQUEUE_HOLD", "pending", "REQUEUE_HOLD", true, true, true},
        {"RUNNING", "running", "", true, true, true},
        {"RUNNING", "pending", "", true, true, false},
        {"COMPLETING", "running", "", true, false, true},
        {"SUSPENDED", "running", "", true, false, true},
        {"COMPLETED", "pending", "shared with the nodes", false, true, true},
        {"FAILED", "pending", "its task failed: no such program", false, true, true},
        {"TIMEOUT", "failed", "--time", false, true, true},
        {"TIMEOUT", "pending", "time limit", false, false, true},
        {"TIMEOUT", "pending", "", false, true, false},
        {"DEADLINE", "failed", "--time", false, true, true},
        {"OUT_OF_MEMORY", "failed", "--mem", false, false, true},
        {"OUT_OF_MEMORY", "pending", "", false, false, false},
        {"NODE_FAIL", "pending", "NODE_FAIL", false, true, true},
        {"BOOT_FAIL", "pending", "BOOT_FAIL", false, true, true},
        {"PREEMPTED", "pending", "PREEMPTED", false, true, true},
        {"CANCELLED", "pending", "cancelled", false, true, true},
        {"A_STATE_OF_TOMORROW", "running", "", true, true, true},
    };
    fs_arena *arena = test_arena();
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fs_slurm_task task = {.fate = fs_slurm_fate_of(all[i].word), .reason = "None"};
        snprintf(task.state, sizeof task.state, "%s", all[i].word);
        const char *why = NULL;
        const char *is =
            fs_slurm_point_state(arena, &task, all[i].first, all[i].current, "no such program", &why);
        assert_string_equal(is, all[i].state);
        assert_int_equal(fs_slurm_live(task.fate), all[i].live);
        if (all[i].why[0] == '\0')
            assert_string_equal(why, "");
        else
            assert_non_null(strstr(why, all[i].why));
    }
    const fs_slurm_task again = {.fate = FS_SLURM_WAITS, .state = "PENDING", .reason = "", .restarts = 1};
    const char *why = NULL;
    assert_string_equal(fs_slurm_point_state(arena, &again, true, true, "", &why), "pending");
    assert_non_null(strstr(why, "requeued"));
    const fs_slurm_task gone = {.fate = FS_SLURM_GONE, .state = "", .reason = ""};
    assert_string_equal(fs_slurm_point_state(arena, &gone, true, true, "", &why), "pending");
    assert_false(fs_slurm_live(gone.fate));
}

RUN_TESTS(NULL, NULL)
