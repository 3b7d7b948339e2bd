/* Gaussians on the mesh, held to counts of an independent program (gaussians.md 11 and 12): a small scene to the unit, real scenes to
 * some units, churn of published paths; and closed forms. Files of others lie in facts/gaussians of the shared folder; without them
 * what needs them is skipped. */
#include "sim/base/alloc.h"
#include "sim/config/config.h"
#include "workloads/gaussians/gaussians.h"
#include "workloads/gaussians/lanes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *shared(const char *name, char path[4096]) {
    const char *given = getenv("FOAMSIM_SHARED");
    snprintf(path, 4096, "%s/facts/gaussians/%s", given != NULL ? given : "../shared", name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        print_message("%s is not there: skipped (FOAMSIM_SHARED names the folder)\n", path);
        skip();
    }
    return file;
}

typedef struct stage {
    fs_arena *arena;
    fs_gaussians_params p;
    fs_gaussians_grid grid;
    fs_splats scene;
    fs_gaussians_seen *seen;
    fs_gaussians_lanes lanes;
} stage;

static void begin(stage *s, const char *ply, int64_t count) {
    char path[4096];
    fs_error err;
    fs_error_clear(&err);
    fs_splats_params scene = {.file = "", .count = count, .seed = 1};
    s->arena = fs_arena_create();
    fs_params_default(s->arena, &fs_gaussians_table, &s->p);
    if (ply != NULL) {
        fclose(shared(ply, path));
        scene.file = path;
    }
    assert_int_equal(fs_splats_load(&scene, &s->scene, &err), FS_OK);
    s->grid = fs_gaussians_grid_of(&s->p);
    s->seen = malloc(s->scene.count * sizeof *s->seen);
}

static void see(stage *s, uint64_t frame) {
    fs_gaussians_view view;
    fs_error err;
    fs_error_clear(&err);
    assert_int_equal(fs_gaussians_view_of(&s->p, &s->scene, frame, &view, &err), FS_OK);
    fs_gaussians_see(&s->scene, &view, &s->grid, s->seen);
}

static void end(stage *s) {
    free(s->seen);
    fs_splats_free(&s->scene);
    fs_arena_free(s->arena);
}

/* A pose of a file: half angle in radians and 16 numbers, column by column. */
static void pose(stage *s, const char *file, int wanted) {
    char path[4096], line[4096];
    FILE *f = shared(file, path);
    bool found = false;
    while (!found && fgets(line, sizeof line, f) != NULL) {
        char *at = line;
        if (strtol(at, &at, 10) != wanted || at == line)
            continue;
        s->p.camera.half_angle = strtod(at + 1, &at) * 180 / 3.14159265358979323846;
        for (int i = 0; i < 16; i++)
            s->p.camera.view[i % 4 * 4 + i / 4] = strtod(at + 1, &at);
        s->p.camera.view_given = found = true;
    }
    fclose(f);
    assert_true(found);
    see(s, 0);
}

/* ---- a small scene ---- */

static void the_small_scene_is_seen_as_expected(void **state) {
    (void)state;
    stage s;
    begin(&s, "tiny.ply", 0);
    char path[4096], line[512];
    FILE *f = shared("tiny_gaussians.csv", path);
    assert_non_null(fgets(line, sizeof line, f));
    int now = -1, rows = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        int at, id, radius, shown;
        unsigned aim, tiles;
        double x, y, z;
        assert_int_equal(sscanf(line, "%d,%d,%lf,%lf,%lf,%d,%d,%u,%u", &at, &id, &x, &y, &z, &radius, &shown,
                                &aim, &tiles),
                         9);
        if (at != now)
            pose(&s, "tiny_poses.csv", now = at);
        const fs_gaussians_seen *g = &s.seen[id - 1];
        if (fabs((double)g->x - x) > 0.011 || fabs((double)g->y - y) > 0.011 ||
            fabs((double)g->z - z) > 1e-4 * fabs(z) + 1e-4 || (int)g->radius != radius || g->drawn != shown ||
            g->aim != aim)
            fail_msg("%sfound %g,%g,%g,%g,%d,%u", line, (double)g->x, (double)g->y, (double)g->z,
                     (double)g->radius, g->drawn, g->aim);
        rows++;
    }
    fclose(f);
    assert_true(rows > 700);
    end(&s);
}

static void the_small_scene_does_what_is_expected(void **state) {
    (void)state;
    stage s;
    begin(&s, "tiny.ply", 0);
    char path[4096], line[512];
    FILE *f = shared("tiny_expected.csv", path);
    assert_non_null(fgets(line, sizeof line, f));
    int now = -1, step = 0, rows = 0;
    uint64_t mentioned = 0, busy = 0;
    bool made = false, *seen = calloc(s.grid.tiles, sizeof *seen);
    while (fgets(line, sizeof line, f) != NULL) {
        int at, steps;
        unsigned tile, n[11];
        assert_int_equal(sscanf(line, "%d,%d,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u", &at, &steps, &tile, &n[0],
                                &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9], &n[10]),
                         14);
        if (at != now || steps != step) {
            assert_int_equal(mentioned, busy);
            mentioned = busy = 0;
        }
        if (at != now) {
            if (made)
                fs_gaussians_lanes_free(&s.lanes);
            fs_gaussians_lanes_create(&s.lanes, &s.p, s.scene.count);
            made = true;
            step = 0;
            pose(&s, "tiny_poses.csv", now = at);
        }
        while (step < steps) {
            fs_gaussians_step(&s.lanes, s.seen);
            if (++step == steps)
                for (uint32_t t = 0; t < s.grid.tiles; t++) {
                    const fs_gaussians_tile_work *w = &s.lanes.work[t];
                    busy += w->stored + w->listed + w->received + w->sends > 0;
                }
        }
        const fs_gaussians_tile_work *w = &s.lanes.work[tile];
        const uint32_t found[11] = {w->stored,
                                    w->listed,
                                    w->received,
                                    w->sends,
                                    w->failed,
                                    fs_gaussians_in_lane(&s.lanes, tile, FS_GAUSSIANS_LEFT),
                                    fs_gaussians_in_lane(&s.lanes, tile, FS_GAUSSIANS_RIGHT),
                                    fs_gaussians_in_lane(&s.lanes, tile, FS_GAUSSIANS_UP),
                                    fs_gaussians_in_lane(&s.lanes, tile, FS_GAUSSIANS_DOWN),
                                    w->event[FS_GAUSSIANS_COMPARE],
                                    w->event[FS_GAUSSIANS_SWAP]};
        for (int i = 0; i < 11; i++)
            if (found[i] != n[i])
                fail_msg("%sfound %u in column %d", line, found[i], i + 3);
        mentioned++;
        rows++;
    }
    fclose(f);
    assert_int_equal(mentioned, busy);
    assert_true(rows > 1000);
    fs_gaussians_lanes_free(&s.lanes);
    free(seen);
    end(&s);
}

/* ---- real scenes ---- */

typedef struct expected {
    int step;
    uint64_t entries, longest, received, failed, lost;
} expected;

static void expect_near(uint64_t found, uint64_t wanted, const char *what, int step) {
    const double apart = fabs((double)found - (double)wanted);
    if (apart > 3 && apart > 1e-3 * (double)wanted)
        fail_msg("step %d: %s: found %" PRIu64 ", expected %" PRIu64, step, what, found, wanted);
}

static void expect_steps(const char *ply, int number, const expected *rows, size_t count, bool has_lost) {
    stage s;
    begin(&s, ply, 0);
    pose(&s, "poses.csv", number);
    fs_gaussians_lanes_create(&s.lanes, &s.p, s.scene.count);
    int step = -1;
    for (size_t i = 0; i < count; i++) {
        expected found = {0};
        for (; step < rows[i].step; step++)
            fs_gaussians_step(&s.lanes, s.seen);
        for (uint32_t t = 0; t < s.grid.tiles; t++) {
            const fs_gaussians_tile_work *w = &s.lanes.work[t];
            found.entries += w->listed;
            found.longest = w->listed > found.longest ? w->listed : found.longest;
            found.received = w->received > found.received ? w->received : found.received;
            found.failed += w->failed;
            found.lost += w->lost;
        }
        expect_near(found.entries, rows[i].entries, "entries", step);
        expect_near(found.longest, rows[i].longest, "longest list", step);
        expect_near(found.received, rows[i].received, "most received", step);
        expect_near(found.failed, rows[i].failed, "failed sends", step);
        if (has_lost)
            expect_near(found.lost, rows[i].lost, "lost", step);
    }
    fs_gaussians_lanes_free(&s.lanes);
    end(&s);
}

static void real_scenes_move_as_expected(void **state) {
    (void)state;
    static const expected sloth[] = {{0, 24928, 18, 0, 0, 0},          {10, 32791, 381, 132, 0, 0},
                                     {20, 53510, 808, 315, 395, 109},  {30, 73772, 808, 356, 3802, 111},
                                     {50, 93797, 808, 381, 5961, 111}, {100, 93815, 808, 381, 5010, 19}};
    static const expected pringles[] = {{0, 32966, 23, 0, 0, 0},         {10, 39632, 130, 124, 0, 0},
                                        {20, 65947, 376, 324, 199, 0},   {30, 93934, 494, 368, 1853, 0},
                                        {50, 118889, 492, 357, 4312, 0}, {100, 120756, 492, 357, 4440, 0}};
    expect_steps("sloth.ply", 4, sloth, sizeof sloth / sizeof *sloth, true);
    expect_steps("pringles.ply", 2, pringles, sizeof pringles / sizeof *pringles, false);
}

/* ---- churn of published paths ---- */

typedef struct churn_row {
    int64_t kind;
    double step;
    uint64_t frame, stay, moved;
    double hops;
} churn_row;

static void published_paths_move_as_recorded(void **state) {
    (void)state;
    static const churn_row rows[] = {
        {FS_GAUSSIANS_STILL, 0, 7, 25161, 0, 0},          {FS_GAUSSIANS_ORBIT, 0.1, 1, 25055, 106, 1.000},
        {FS_GAUSSIANS_ORBIT, 0.1, 102, 24909, 252, 0},    {FS_GAUSSIANS_ORBIT, 20, 1, 1347, 23814, 1.178},
        {FS_GAUSSIANS_ORBIT, 20, 10, 1999, 23162, 1.691}, {FS_GAUSSIANS_FORWARD, 0, 1, 25125, 36, 0},
        {FS_GAUSSIANS_FORWARD, 0, 172, 25117, 44, 1.023}};
    stage s;
    begin(&s, "sloth.ply", 0);
    fs_gaussians_seen *before = malloc(s.scene.count * sizeof *before);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        s.p.path.kind = rows[i].kind;
        s.p.path.step = rows[i].step;
        see(&s, rows[i].frame - 1);
        memcpy(before, s.seen, s.scene.count * sizeof *before);
        see(&s, rows[i].frame);
        const fs_gaussians_churn c = fs_gaussians_moved(&s.grid, before, s.seen, s.scene.count);
        if (fabs((double)c.moved - (double)rows[i].moved) > 1 ||
            fabs((double)(c.both - c.moved) - (double)rows[i].stay) > 1 ||
            (rows[i].hops > 0 && fabs(c.hops - rows[i].hops) > 0.001))
            fail_msg("row %zu: %" PRIu64 " of %" PRIu64 " moved by %.3f", i, c.moved, c.both, c.hops);
    }
    free(before);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_small_scene_is_seen_as_expected),
        cmocka_unit_test(the_small_scene_does_what_is_expected),
        cmocka_unit_test(published_paths_move_as_recorded),
        cmocka_unit_test(real_scenes_move_as_expected),
    };
    return cmocka_run_group_tests_name("gaussians", tests, NULL, NULL);
}
