/* Captured scenes through their committed cameras, on 1,024 shards, one row a batch: nothing is lost, the
 * figures are those of scenes with empty space in them, and the pictures show what was captured. Skipped
 * where the files are not: beside the checkout, or where FOAMSIM_SHARED says. */
#include "registry/registry.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"

#include "sim/base/alloc.h"
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/foam/foam_params.h"

#include <limits.h>
#include <unistd.h>

static char shared[PATH_MAX]; /* folder of the captured scenes, absolute */

static bool shared_file(const char *name, char path[PATH_MAX + 64]) {
    snprintf(path, PATH_MAX + 64, "%s/scenes/%s", shared, name);
    if (access(path, R_OK) == 0)
        return true;
    print_message("%s is not there: skipped (FOAMSIM_SHARED names the folder)\n", path);
    return false;
}

/* ---- what a view shows ---- */

/* Mean colours, 0 ... 255. */
static bool black(const double c[3]) {
    return c[0] < 2 && c[1] < 2 && c[2] < 2;
}
static bool plants(const double c[3]) { /* green, with yellow in it */
    return c[1] > c[0] && c[0] > c[2] && c[2] < 0.65 * c[1];
}
static bool daffodils(const double c[3]) {
    return c[0] > 150 && c[1] > 150 && c[2] < 40;
}
static bool painted_blue(const double c[3]) { /* from turquoise to petrol */
    return c[1] > 1.2 * c[0] && c[2] > 1.2 * c[0];
}
static bool pink(const double c[3]) {
    return c[0] > 1.3 * c[1] && c[2] > c[1];
}
static bool stone(const double c[3]) { /* grey, brownish */
    return c[0] > c[1] && c[1] > c[2] && c[2] > 0.6 * c[0];
}

enum { GRID = 8, PATCHES = 4 };
typedef struct view {
    const char *name, *file; /* experiment, captured file */
    uint32_t width, height;
    double cells[2], visits[2];        /* ranges of a ray's mean cells and tracer visits */
    double brightness[2], contrast[2]; /* of the luma, 0 ... 255: mean, standard deviation */
    struct {
        int row, column; /* of an 8 x 8 grid laid over the picture */
        bool (*is)(const double colour[3]);
    } patch[PATCHES];
} view;

#define CAMERA_FILE "garden_cameras.txt"
#define POINT_FILE  "garden_sfm_points.ply"
static const view views[] = {
    {"flowers",
     "flowers_gs.ply",
     640,
     480,
     {60, 130},
     {15, 35},
     {55, 105},
     {50, 110},
     {{0, 0, black}, {1, 4, painted_blue}, {3, 3, daffodils}, {7, 6, plants}}},
    {"tabletop",
     "tabletop_gs.ply",
     640,
     480,
     {35, 80},
     {12, 30},
     {105, 165},
     {30, 65},
     {{7, 7, pink}, {6, 6, painted_blue}, {6, 5, painted_blue}}},
    {"garden-sfm-0",
     POINT_FILE,
     648,
     420,
     {25, 60},
     {12, 35},
     {75, 130},
     {40, 80},
     {{1, 6, plants}, {4, 1, plants}, {3, 4, stone}, {6, 2, stone}}},
    {"garden-sfm-1",
     POINT_FILE,
     648,
     420,
     {25, 60},
     {12, 35},
     {65, 120},
     {40, 85},
     {{0, 1, black}, {2, 6, plants}, {4, 4, stone}, {6, 2, stone}}},
    {"garden-sfm-2",
     POINT_FILE,
     648,
     420,
     {20, 50},
     {10, 30},
     {75, 130},
     {35, 75},
     {{3, 7, plants}, {1, 6, plants}, {5, 3, stone}, {4, 2, stone}}},
};
enum { VIEWS = sizeof views / sizeof *views, FIRST_CAMERA = 2, CAMERAS = 3 };

static double luma(const uint8_t *rgb) {
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
}

static void patch_colour(const uint8_t *rgb, uint32_t width, uint32_t height, int row, int column,
                         double colour[3]) {
    uint32_t x0 = (uint32_t)column * width / GRID, x1 = ((uint32_t)column + 1) * width / GRID;
    uint32_t y0 = (uint32_t)row * height / GRID, y1 = ((uint32_t)row + 1) * height / GRID;
    colour[0] = colour[1] = colour[2] = 0;
    for (uint32_t y = y0; y < y1; y++)
        for (uint32_t x = x0; x < x1; x++)
            for (int c = 0; c < 3; c++)
                colour[c] += rgb[3 * ((size_t)y * width + x) + (size_t)c];
    for (int c = 0; c < 3; c++)
        colour[c] /= (double)(x1 - x0) * (y1 - y0);
}

#define assert_within(what, value, range)                                                                    \
    do {                                                                                                     \
        if (!((value) >= (range)[0] && (value) <= (range)[1]))                                               \
            fail_msg("%s: %.3f, expected %g to %g", what, value, (range)[0], (range)[1]);                    \
    } while (0)

static void check_picture(const view *v) {
    char path[64];
    uint32_t width, height;
    snprintf(path, sizeof path, "%s/image.png", v->name);
    uint8_t *rgb = picture_read(path, &width, &height);
    assert_int_equal(width, v->width);
    assert_int_equal(height, v->height);
    double sum = 0, squares = 0, pixels = (double)width * height;
    for (size_t i = 0; i < (size_t)width * height; i++) {
        sum += luma(rgb + 3 * i);
        squares += luma(rgb + 3 * i) * luma(rgb + 3 * i);
    }
    double mean = sum / pixels;
    assert_within("brightness", mean, v->brightness);
    assert_within("contrast", sqrt(squares / pixels - mean * mean), v->contrast);
    for (int p = 0; p < PATCHES && v->patch[p].is != NULL; p++) {
        double colour[3];
        patch_colour(rgb, width, height, v->patch[p].row, v->patch[p].column, colour);
        if (!v->patch[p].is(colour))
            fail_msg("the patch in row %d, column %d has the wrong colour: %.0f %.0f %.0f", v->patch[p].row,
                     v->patch[p].column, colour[0], colour[1], colour[2]);
    }
}

/* ---- its figures ---- */

static void check_figures(const view *v, const json_t *s) {
    static const double routers_a_visit[2] = {3, 6}, delivery[2] = {8, 10};
    const int64_t rays = (int64_t)v->width * v->height, tile_bytes = 624 * 1024;
    assert_int_equal(figure_int(s, "rays.generated"), rays);
    assert_int_equal(figure_int(s, "rays.finished"), rays);
    assert_int_equal(figure_int(s, "rays.dropped"), 0);
    assert_int_equal(figure_int(s, "rays.in_flight"), 0);
    assert_true(json_is_true(figure_json(s, "complete")));
    assert_int_equal(figure_int(s, "device.injecting_iterations"), v->height);
    assert_within("cells of a ray", figure(s, "cells.per_ray_mean"), v->cells);
    double tracers = figure(s, "hops.tracer_mean");
    assert_within("tracer visits", tracers, v->visits);
    assert_within("router visits for a tracer visit", figure(s, "hops.router_mean") / tracers,
                  routers_a_visit);
    assert_within("delivery hops", figure(s, "hops.delivery_mean"), delivery);
    assert_true(figure_int(s, "memory.peak_bytes") <= tile_bytes);
    if (figure(s, "image.psnr_db") <= 45)
        fail_msg("PSNR %.1f dB: too low for half floats at this distance", figure(s, "image.psnr_db"));
    assert_true(figure(s, "image.ssim") > 0.995);
}

static void a_captured_scene(void **state) {
    const view *v = *state;
    char file[PATH_MAX + 64], set[PATH_MAX + 96], experiment[PATH_MAX + 64];
    if (!shared_file(v->file, file))
        skip();
    snprintf(experiment, sizeof experiment, "%s/experiments/%s.yaml", fs_configs_dir(), v->name);
    snprintf(set, sizeof set, "scene.file=%s", file);
    if (getenv("FOAMSIM_SHARED") != NULL)
        cli_must("run", experiment, "--quiet", "--set", set, "--out", v->name, NULL);
    else /* the path in the experiment is that of the neighbouring folder */
        cli_must("run", experiment, "--quiet", "--out", v->name, NULL);
    json_t *s = run_json(v->name, "summary.json");
    print_message("%s: %.0f cells, %.1f a ray; %.1f tracer and %.1f router visits; %.0f iterations, %.3f s; "
                  "%.1f dB\n",
                  v->name, figure(s, "scene.cells"), figure(s, "cells.per_ray_mean"),
                  figure(s, "hops.tracer_mean"), figure(s, "hops.router_mean"),
                  figure(s, "device.iterations"), figure(s, "device.seconds"), figure(s, "image.psnr_db"));
    check_figures(v, s);
    check_picture(v);
}

/* Before the tests below, which look at their pictures. */
__attribute__((constructor)) static void list_views(void) {
    for (size_t i = 0; i < VIEWS; i++)
        test_list((struct CMUnitTest){.name = views[i].name,
                                      .test_func = a_captured_scene,
                                      .initial_state = (void *)(uintptr_t)&views[i]});
}

/* ---- the true cameras ---- */

typedef struct camera {
    int64_t width, height;
    double fx, fy, cx, cy, matrix[16];
} camera;

/* A block of garden_cameras.txt, which states its own convention. */
static void read_camera(const char *path, int wanted, camera *out) {
    FILE *file = fopen(path, "r");
    char line[512];
    long long w, h;
    int index, rows = -1;
    assert_non_null(file);
    while (rows < 4 && fgets(line, sizeof line, file) != NULL) {
        double *m = out->matrix + (rows > 0 ? 4 * rows : 0);
        if (rows >= 0 && sscanf(line, "%lf %lf %lf %lf", &m[0], &m[1], &m[2], &m[3]) == 4)
            rows++;
        else if (sscanf(line, "camera %d %lld %lld %lf %lf %lf %lf", &index, &w, &h, &out->fx, &out->fy,
                        &out->cx, &out->cy) == 7 &&
                 index == wanted)
            rows = 0;
    }
    fclose(file);
    assert_int_equal(rows, 4);
    out->width = w;
    out->height = h;
}

TEST(the_cameras_are_the_true_ones) {
    char path[PATH_MAX + 64];
    if (!shared_file(CAMERA_FILE, path))
        skip();
    for (int i = 0; i < CAMERAS; i++) {
        camera c;
        fs_error err = {0};
        fs_arena *arena = fs_arena_create();
        read_camera(path, i, &c);
        char experiment[PATH_MAX + 64];
        snprintf(experiment, sizeof experiment, "%s/experiments/garden-sfm-%d.yaml", fs_configs_dir(), i);
        fs_config *config = fs_config_load(arena, experiment, fs_registry_sections,
                                           fs_registry_all.section_count, NULL, 0, fs_configs_dir(), &err);
        assert_got(config, &err);
        const fs_foam_params *params = fs_config_section(config, "workload");
        const fs_camera_params *used = &params->camera;
        const double is[4] = {used->intrinsics_fx, used->intrinsics_fy, used->intrinsics_cx,
                              used->intrinsics_cy};
        const double stated[4] = {c.fx, c.fy, c.cx, c.cy};
        assert_int_equal(used->width, c.width);
        assert_int_equal(used->height, c.height);
        assert_memory_equal(is, stated, sizeof is);
        assert_memory_equal(used->world_to_camera, c.matrix, sizeof c.matrix);
        fs_arena_free(arena);
    }
}

typedef struct point {
    float at[3];
    uint8_t rgb[3];
} point;

/* The points of the file, whose layout scenes.md 4 states: 15 bytes each after the header. */
static point *read_points(const char *path, size_t *count) {
    enum { RECORD = 15 };
    size_t size;
    char *text = file_read(path, &size);
    const char *end = strstr(text, "end_header\n");
    assert_non_null(end);
    const char *records = end + strlen("end_header\n");
    *count = (size - (size_t)(records - text)) / RECORD;
    point *points = malloc(*count * sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < *count; i++) {
        memcpy(points[i].at, records + RECORD * i, 12);
        memcpy(points[i].rgb, records + RECORD * i + 12, 3);
    }
    return points;
}

typedef struct correlation {
    double n, x, y, xx, yy, xy;
} correlation;

static void correlate(correlation *c, double x, double y) {
    c->n++, c->x += x, c->y += y, c->xx += x * x, c->yy += y * y, c->xy += x * y;
}

static double coefficient(const correlation *c) {
    return (c->xy - c->x * c->y / c->n) / sqrt((c->xx - c->x * c->x / c->n) * (c->yy - c->y * c->y / c->n));
}

/* Where a point is in the picture; false if it is behind the camera or beside the picture. */
static bool project(const camera *c, const point *p, uint32_t *u, uint32_t *v, double *depth) {
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = c->matrix[4 * k] * (double)p->at[0] + c->matrix[4 * k + 1] * (double)p->at[1] +
                c->matrix[4 * k + 2] * (double)p->at[2] + c->matrix[4 * k + 3];
    double x = c->fx * at[0] / at[2] + c->cx, y = c->fy * at[1] / at[2] + c->cy;
    if (!(at[2] > 0.1 && x >= 0 && x < (double)c->width && y >= 0 && y < (double)c->height))
        return false;
    *u = (uint32_t)x;
    *v = (uint32_t)y;
    *depth = at[2];
    return true;
}

/* Each point, where the camera file says it is, has the brightness of the picture there: the nearest of a
 * block of pixels, for the others may be hidden. A picture mirrored or upside down has it less. */
TEST(points_are_where_the_camera_file_says) {
    enum { BLOCK = 6, COLUMNS = 648 / BLOCK, ROWS = 420 / BLOCK };
    char path[PATH_MAX + 64], file[PATH_MAX + 64], picture[64];
    if (!shared_file(CAMERA_FILE, path) || !shared_file(POINT_FILE, file))
        skip();
    size_t count;
    point *points = read_points(file, &count);
    for (int i = 0; i < CAMERAS; i++) {
        static size_t nearest[ROWS * COLUMNS];
        static double distance[ROWS * COLUMNS];
        camera c;
        uint32_t width, height, u, v;
        double depth;
        read_camera(path, i, &c);
        for (size_t b = 0; b < ROWS * COLUMNS; b++)
            distance[b] = INFINITY;
        for (size_t p = 0; p < count; p++)
            if (project(&c, &points[p], &u, &v, &depth) &&
                depth < distance[v / BLOCK * COLUMNS + u / BLOCK]) {
                distance[v / BLOCK * COLUMNS + u / BLOCK] = depth;
                nearest[v / BLOCK * COLUMNS + u / BLOCK] = p;
            }
        snprintf(picture, sizeof picture, "%s/image.png", views[FIRST_CAMERA + i].name);
        uint8_t *rgb = picture_read(picture, &width, &height);
        correlation straight = {0}, mirrored = {0}, turned = {0};
        for (size_t b = 0; b < ROWS * COLUMNS; b++) {
            if (isinf(distance[b]))
                continue;
            const point *p = &points[nearest[b]];
            assert_true(project(&c, p, &u, &v, &depth));
            correlate(&straight, luma(p->rgb), luma(rgb + 3 * ((size_t)v * width + u)));
            correlate(&mirrored, luma(p->rgb), luma(rgb + 3 * ((size_t)v * width + (width - 1 - u))));
            correlate(&turned, luma(p->rgb), luma(rgb + 3 * ((size_t)(height - 1 - v) * width + u)));
        }
        print_message("camera %d: %.0f points, correlation %.3f; mirrored %.3f, upside down %.3f\n", i,
                      straight.n, coefficient(&straight), coefficient(&mirrored), coefficient(&turned));
        assert_true(straight.n > 1000);
        assert_true(coefficient(&straight) > 0.4);
        assert_true(coefficient(&mirrored) < 0.6 * coefficient(&straight));
        assert_true(coefficient(&turned) < 0.6 * coefficient(&straight));
    }
    free(points);
}

static bool find_shared(void) {
    const char *named = getenv("FOAMSIM_SHARED");
    char here[PATH_MAX];
    if (named != NULL && named[0] == '/')
        return snprintf(shared, sizeof shared, "%s", named) < (int)sizeof shared;
    if (getcwd(here, sizeof here) == NULL)
        return false;
    return snprintf(shared, sizeof shared, "%s/%s", here, named != NULL ? named : "../shared") <
           (int)sizeof shared;
}

int main(void) {
    return find_shared() ? test_run(cli_enter, cli_leave) : 1;
}
