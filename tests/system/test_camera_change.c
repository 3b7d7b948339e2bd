/* A second camera in the middle of a run: at once it tears the frame apart (RF Fig. 16),
 * after a drain or with the pose in the payload it does not; what those two cost. Payload full: every
 * reference is a run's picture. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

/* Two rows a batch and a visit every five iterations: at the visit after iteration 14, 15 batches have been
 * made. */
enum {
    WIDTH = 80,
    HEIGHT = 60,
    REPEAT = 5,
    CHANGE = 14,
    ROWS_BEFORE = 2 * (CHANGE + 1),
    PAYLOAD = 28, /* bytes of a ray, and of a pose */
    POSE = 28,
    SHARE = 57600, /* of every lane: its buffer */
    SHORT = 10,    /* idle iterations */
    LONG = 200
};

static uint8_t *first, *second; /* the pictures of the two cameras */

/* idle: iterations between the frames. With few the first frame's slow rays arrive after the second's and
 * cover them. */
static void run(const char *policy, int frames, int idle, int change, const char *out) {
    char policy_set[64], frames_set[32], idle_set[64], change_set[64];
    snprintf(policy_set, sizeof policy_set, "workload.camera_change.policy=%s", policy);
    snprintf(frames_set, sizeof frames_set, "run.frames=%d", frames);
    snprintf(idle_set, sizeof idle_set, "workload.batching.idle=%d", idle);
    snprintf(change_set, sizeof change_set, "workload.camera_change.iteration=%d", change);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", out, "--set", policy_set, "--set", frames_set,
             "--set", idle_set, "--set", change_set, NULL);
}

static uint8_t *picture_of(const char *dir) {
    char path[64];
    uint32_t width, height;
    snprintf(path, sizeof path, "%s/image.png", dir);
    uint8_t *rgb = picture_read(path, &width, &height);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    return rgb;
}

/* Pixels of rows [from, to) that differ from a reference. */
static int torn(const uint8_t *picture, const uint8_t *reference, int from, int to) {
    int count = 0;
    for (size_t p = (size_t)from * WIDTH; p < (size_t)to * WIDTH; p++)
        count += memcmp(picture + 3 * p, reference + 3 * p, 3) != 0;
    return count;
}

/* Pixels of the whole picture that are neither camera's. */
static int nobodys(const uint8_t *picture) {
    int count = 0;
    for (size_t p = 0; p < (size_t)WIDTH * HEIGHT; p++)
        count +=
            memcmp(picture + 3 * p, first + 3 * p, 3) != 0 && memcmp(picture + 3 * p, second + 3 * p, 3) != 0;
    return count;
}

TEST(the_two_cameras_see_different_things) {
    assert_true(torn(first, second, 0, HEIGHT) > WIDTH * HEIGHT / 2);
}

TEST(at_once_the_frame_is_torn) {
    run("immediate", 1, SHORT, CHANGE, "now");
    uint8_t *picture = picture_of("now");
    int lost = nobodys(picture);
    print_message("immediate: %d pixels are neither camera's\n", lost);
    assert_true(torn(picture, first, 0, HEIGHT) > 0);
    assert_true(torn(picture, second, 0, HEIGHT) > 0);
    assert_true(lost > 0); /* rays that began with one camera and ended with the other */
    assert_int_equal(torn(picture, second, ROWS_BEFORE, HEIGHT), 0);
}

/* Each row is one camera's, whole: the first's until the change, the second's from there on. */
TEST(with_either_fix_each_ray_has_one_camera) {
    static const char *const policies[] = {"drain", "pose_in_payload"};
    for (int p = 0; p < 2; p++) {
        run(policies[p], 1, SHORT, CHANGE, "fixed");
        uint8_t *picture = picture_of("fixed");
        assert_int_equal(torn(picture, first, 0, ROWS_BEFORE), 0);
        assert_int_equal(torn(picture, second, ROWS_BEFORE, HEIGHT), 0);
        assert_int_equal(nobodys(picture), 0);
    }
}

/* The change falls between two frames or into the first: the second frame is the second camera's picture, bit
 * for bit, under either fix. */
TEST(the_second_frame_is_the_second_cameras) {
    static const char *const policies[] = {"drain", "pose_in_payload"};
    static const int changes[] = {CHANGE, HEIGHT / 2 - 1};
    for (int p = 0; p < 2; p++)
        for (int c = 0; c < 2; c++) {
            run(policies[p], 2, p == 0 ? SHORT : LONG, changes[c], "fixed");
            assert_true(files_equal("fixed/image.png", "second/image.png"));
            json_t *summary = run_json("fixed", "summary.json");
            assert_true(json_is_true(figure_json(summary, "complete")));
            assert_int_equal(figure_int(summary, "rays.finished"), 2 * WIDTH * HEIGHT);
        }
}

/* At once, while rays of the first frame are in flight, and before the second has begun: the first frame's
 * last rays arrive wrong, the second frame covers them all. */
TEST(at_once_only_the_frame_in_flight_suffers) {
    run("immediate", 2, LONG, HEIGHT / 2 - 1, "now");
    assert_true(files_equal("now/image.png", "second/image.png"));
}

/* A drain costs iterations: nothing is generated from the change until the last ray has arrived. */
TEST(a_drain_costs_iterations) {
    run("immediate", 1, SHORT, CHANGE, "now");
    run("drain", 1, SHORT, CHANGE, "drained");
    struct table k = table_read("drained", "iterations.csv");
    size_t begin = CHANGE + 1, end = begin;
    while (end < k.rows && table_int(&k, end, "injecting") == 0)
        end++;
    assert_true(end > begin);
    assert_int_equal(end % REPEAT, 0); /* the host looks at its visits */
    assert_int_equal(table_int(&k, end - 1, "in_flight"), 0);
    assert_true(table_int(&k, end - 1 - REPEAT, "in_flight") > 0);
    for (size_t i = 0; i < k.rows; i++)
        assert_int_equal(table_int(&k, i, "generated"),
                         i < begin || (i >= end && i < end + HEIGHT / 2 - begin) ? 2 * WIDTH : 0);
    double longer = run_figure("drained", "device.last_pixel_iteration") -
                    run_figure("now", "device.last_pixel_iteration");
    print_message("drain: %zu iterations without a ray, the frame %.0f iterations longer\n", end - begin,
                  longer);
    assert_true(longer > 0);
}

static int64_t ring_bytes(const char *dir) {
    struct table m = table_read(dir, "memory.csv");
    int64_t bytes = 0;
    for (size_t i = 0; i < m.rows; i++)
        if (strcmp(table_text(&m, i, "allocation"), "backlog ring") == 0)
            bytes += table_int(&m, i, "bytes");
    return bytes;
}

/* The pose in the payload costs buffer: the lanes hold fewer rays, and no iteration is lost while they
 * suffice. */
TEST(a_pose_in_the_payload_costs_capacity) {
    run("immediate", 1, SHORT, CHANGE, "now");
    run("pose_in_payload", 1, SHORT, CHANGE, "carried");
    struct table now = table_read("now", "lanes.csv"), carried = table_read("carried", "lanes.csv");
    assert_int_equal(now.rows, carried.rows);
    for (size_t l = 0; l < now.rows; l++) {
        assert_int_equal(table_int(&now, l, "capacity"), SHARE / PAYLOAD);
        assert_int_equal(table_int(&carried, l, "capacity"), SHARE / (PAYLOAD + POSE));
    }
    struct table a = table_read("now", "iterations.csv"), b = table_read("carried", "iterations.csv");
    for (size_t i = 0; i < a.rows && i < b.rows; i++)
        assert_int_equal(table_int(&a, i, "generated"), table_int(&b, i, "generated"));
    assert_int_equal(ring_bytes("now"), 5760 * PAYLOAD);
    assert_int_equal(ring_bytes("carried"), 5760 * (PAYLOAD + POSE));
}

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    static const char form[] = "name: change\n"
                               "machine: gc200-small\n"
                               "scene: { generate: { kind: garden, cells: 8000, seed: 7 } }\n"
                               "workload:\n"
                               "  camera: { position: %s, look_at: %s, width: 80, height: 60 }\n"
                               "  partition: { shards: 64 }\n"
                               "  payload: full\n"
                               "  batching: { per_batch: 2, idle: 10 }\n"
                               "  repeat: 5\n"
                               "  camera_change: { position: %s, look_at: %s }\n";
    static const char one[] = "[2.1, -2.9, 1.7]", one_at[] = "[0.1, 0.2, 0.6]", two[] = "[1.2, -3.1, 2.0]",
                      two_at[] = "[0.3, 0.1, 0.4]";
    char text[1024];
    snprintf(text, sizeof text, form, one, one_at, two, two_at);
    cli_write("x.yaml", text);
    snprintf(text, sizeof text, form, two, two_at, one, one_at);
    cli_write("y.yaml", text);
    cli_must("run", "x.yaml", "--quiet", "--out", "first", NULL);
    cli_must("run", "y.yaml", "--quiet", "--out", "second", NULL);
    first = picture_of("first");
    second = picture_of("second");
    return 0;
}

RUN_TESTS(begin, cli_leave)
