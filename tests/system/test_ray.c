/* `foamsim ray`: the way of a ray, followed hop by hop, is what hops.csv has of its pixel, its tiles follow
 * each other over lanes, and it ends with the pixel of the picture; with waiting rays, and from a recording.
 */
#include "reports/read/run_folder.h"
#include "sim/base/numbers.h"
#include "sim/results/results.h"
#include "tests/support/cli.h"
#include "tests/support/test.h"

#include <jansson.h>

static json_t *story(const char *run, uint32_t x, uint32_t y, const char *more) {
    char command[8192];
    snprintf(command, sizeof command, "'%s' ray %s --pixel %u,%u --json %s", cli_program(), run, x, y, more);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    json_error_t error;
    json_t *root = json_loadf(out, 0, &error);
    assert_int_equal(pclose(out), 0);
    if (root == NULL)
        fail_msg("%s: %s", command, error.text);
    return root;
}

static json_int_t whole(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value))
        fail_msg("no number \"%s\"", key);
    return json_integer_value(value);
}

/* Each hop begins on the tile that the one before it named, an iteration later; its cycles are those of
 * iterations.csv. */
static void check_hops(const json_t *root, const fs_csv *iterations) {
    fs_error err = {0};
    const json_t *hops = json_object_get(root, "hops"), *hop, *before = NULL;
    const int64_t *cycles = fs_csv_ints(iterations, "cycles", &err),
                  *start = fs_csv_ints(iterations, "start", &err),
                  *compute = fs_csv_ints(iterations, "compute", &err);
    size_t i;
    assert_non_null(cycles);
    assert_non_null(start);
    json_array_foreach(hops, i, hop) {
        const size_t at = (size_t)whole(hop, "iteration");
        assert_int_equal(whole(hop, "cycles"), cycles[at]);
        assert_int_equal(whole(hop, "start"), start[at]);
        /* The tile computes, and then waits for the slowest. */
        assert_in_range(whole(hop, "tile_cycles"), 0, compute[at]);
        assert_int_equal(whole(hop, "tile_cycles") + whole(hop, "waiting_cycles"), compute[at]);
        if (before != NULL) {
            const json_t *to = json_object_get(before, "to");
            assert_int_equal(whole(hop, "iteration"), whole(before, "iteration") + 1);
            assert_int_equal(whole(hop, "tile"), whole(to == NULL ? before : to, "tile"));
        }
        before = hop;
    }
    assert_string_equal(json_string_value(json_object_get(json_array_get(hops, 0), "did")), "made");
    assert_string_equal(json_string_value(json_object_get(before, "did")), "written");
}

/* The parts of its cycles add up to them, and its waiting is that of its hops. */
static void check_sum(const json_t *root) {
    static const char *const parts[] = {"tracers", "routers",  "generator",
                                        "waiting", "exchange", "barriers_and_host"};
    const json_t *sum = json_object_get(root, "sum"), *hop;
    json_int_t all = 0, waiting = 0, most = 0;
    size_t i;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        all += whole(sum, parts[k]);
    assert_int_equal(all, whole(root, "cycles"));
    json_array_foreach(json_object_get(root, "hops"), i, hop) {
        waiting += whole(hop, "waiting_cycles");
        if (whole(hop, "pace_tile") == whole(sum, "waiting_tile"))
            most += whole(hop, "waiting_cycles");
    }
    assert_int_equal(waiting, whole(sum, "waiting"));
    assert_int_equal(most, whole(sum, "waiting_for_tile"));
}

/* The words have the numbers. */
static void check_words(const char *run, uint32_t x, uint32_t y, const char *more, const json_t *root) {
    char command[8192], said[200];
    static char text[1 << 20];
    snprintf(command, sizeof command, "'%s' ray %s --pixel %u,%u %s", cli_program(), run, x, y, more);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    assert_int_equal(pclose(out), 0);
    const char *at = text;
    const json_t *hop;
    size_t i;
    json_array_foreach(json_object_get(root, "hops"), i, hop) {
        if (whole(hop, "waiting_cycles") == 0)
            continue;
        snprintf(said, sizeof said, "; %s cycles of %s, waits %s for tile %lld",
                 fs_number_grouped((double)whole(hop, "tile_cycles")),
                 fs_number_grouped((double)whole(hop, "cycles")),
                 fs_number_grouped((double)whole(hop, "waiting_cycles")), (long long)whole(hop, "pace_tile"));
        at = strstr(at, said);
        if (at == NULL)
            fail_msg("not said in this order: %s", said);
        at++;
    }
}

static void check_pixel(const char *dir, uint32_t x, uint32_t y, const char *more, bool *waited) {
    fs_error err = {0};
    fs_folder *run = fs_folder_open(dir, NULL, &err);
    assert_non_null(run);
    const fs_csv *t = fs_folder_table(run, "hops.csv", &err);
    const int64_t *px = fs_csv_ints(t, "x", &err), *py = fs_csv_ints(t, "y", &err),
                  *tracers = fs_csv_ints(t, "tracer_visits", &err),
                  *routers = fs_csv_ints(t, "router_visits", &err), *alive = fs_csv_ints(t, "alive", &err),
                  *waiting = fs_csv_ints(t, "waiting", &err);
    uint32_t width, height;
    char picture[256];
    snprintf(picture, sizeof picture, "%s/image.png", dir);
    uint8_t *rgb = fs_png_read_rgb(picture, &width, &height, &err);
    json_t *root = story(dir, x, y, more);
    size_t row = 0;
    while (px[row] != x || py[row] != y)
        row++;
    assert_int_equal(whole(root, "tracer_visits"), tracers[row]);
    assert_int_equal(whole(root, "router_visits"), routers[row]);
    assert_int_equal(whole(root, "iterations"), alive[row]);
    *waited = *waited || waiting[row] > 0;
    check_hops(root, fs_folder_table(run, "iterations.csv", &err));
    check_words(dir, x, y, more, root);
    check_sum(root);
    const json_t *value = json_object_get(json_object_get(root, "value"), "rgb8");
    for (size_t c = 0; c < 3; c++)
        assert_int_equal(json_integer_value(json_array_get(value, c)), rgb[3 * ((size_t)y * width + x) + c]);
    json_decref(root);
    free(rgb);
    fs_folder_close(run);
}

TEST(follows_rays) {
    bool waited = false;
    cli_must("run", "x.yaml", "--quiet", "--out", "wide", "--record", "rays.bin", NULL);
    check_pixel("wide", 0, 0, "", &waited);
    check_pixel("wide", 40, 30, "", &waited);
    check_pixel("wide", 40, 30, "--replay rays.bin", &waited);
    assert_false(waited);
    cli_must("run", "x.yaml", "--quiet", "--out", "mesh", "--set", "overlay.kind=mesh", NULL);
    check_pixel("mesh", 40, 30, "", &waited);
    check_pixel("mesh", 12, 50, "", &waited);
    cli_must("run", "x.yaml", "--quiet", "--out", "narrow", CLI_NARROW, NULL);
    for (uint32_t y = 8; y < 60 && !waited; y += 10)
        check_pixel("narrow", 44, y, "", &waited);
    assert_true(waited); /* a ray that waits is told as well */
}

TEST(refuses) {
    cli_result r = cli("ray", "wide", NULL);
    cli_refused(&r, "--pixel X,Y");
    cli_refuses("expected X below 80 and Y below 60, found 80,0", "ray", "wide", "--pixel", "80,0", NULL);
    cli_refuses("no run folder", "ray", "nowhere", "--pixel", "1,1", NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "free", "--set", "machine.execution=decoupled", "--set",
             "machine.exchange.mode=dynamic", NULL);
    cli_refuses("expected bsp", "ray", "free", "--pixel", "1,1", NULL);
}

RUN_TESTS(cli_enter_experiment, cli_leave)
