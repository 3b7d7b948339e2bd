/* Gaussians on the mesh, held to counts of an independent program (gaussians.md 11 and 12): a small scene to the unit, real scenes to
 * some units, churn of published paths; and closed forms. Files of others lie in facts/gaussians of the shared folder; without them
 * what needs them is skipped. */
#include "sim/base/alloc.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/paint/plain_gaussians.h"
#include "tests/support/test.h"
#include "workloads/gaussians/activity.h"
#include "workloads/gaussians/gaussians.h"
#include "workloads/image/image.h"

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
    s->seen = FS_NEW(s->arena, fs_gaussians_seen, s->scene.count);
}

static void see(stage *s, uint64_t frame) {
    fs_gaussians_view view;
    fs_error err;
    fs_error_clear(&err);
    assert_int_equal(fs_gaussians_view_of(&s->p, &s->scene, frame, &view, &err), FS_OK);
    fs_gaussians_see(&s->scene, &view, &s->grid, s->seen);
}

static void end(stage *s) {
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

TEST(the_small_scene_is_seen_as_expected) {
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

TEST(the_small_scene_does_what_is_expected) {
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

/* To the last step in `make large` alone (FOAMSIM_GROVE); 20 steps show transit, blooms, full lanes and full stores. */
TEST(real_scenes_move_as_expected) {
    static const expected sloth[] = {{0, 24928, 18, 0, 0, 0},          {10, 32791, 381, 132, 0, 0},
                                     {20, 53510, 808, 315, 395, 109},  {30, 73772, 808, 356, 3802, 111},
                                     {50, 93797, 808, 381, 5961, 111}, {100, 93815, 808, 381, 5010, 19}};
    static const expected pringles[] = {{0, 32966, 23, 0, 0, 0},         {10, 39632, 130, 124, 0, 0},
                                        {20, 65947, 376, 324, 199, 0},   {30, 93934, 494, 368, 1853, 0},
                                        {50, 118889, 492, 357, 4312, 0}, {100, 120756, 492, 357, 4440, 0}};
    const bool all = getenv("FOAMSIM_GROVE") != NULL;
    expect_steps("sloth.ply", 4, sloth, all ? sizeof sloth / sizeof *sloth : 3, true);
    if (all)
        expect_steps("pringles.ply", 2, pringles, sizeof pringles / sizeof *pringles, false);
}

/* ---- churn of published paths ---- */

typedef struct churn_row {
    int64_t kind;
    double step;
    uint64_t frame, stay, moved;
    double hops;
} churn_row;

TEST(published_paths_move_as_recorded) {
    static const churn_row rows[] = {
        {FS_GAUSSIANS_STILL, 0, 7, 25161, 0, 0},          {FS_GAUSSIANS_ORBIT, 0.1, 1, 25055, 106, 1.000},
        {FS_GAUSSIANS_ORBIT, 0.1, 102, 24909, 252, 0},    {FS_GAUSSIANS_ORBIT, 20, 1, 1347, 23814, 1.178},
        {FS_GAUSSIANS_ORBIT, 20, 10, 1999, 23162, 1.691}, {FS_GAUSSIANS_FORWARD, 0, 1, 25125, 36, 0},
        {FS_GAUSSIANS_FORWARD, 0, 172, 25117, 44, 1.023}};
    stage s;
    begin(&s, "sloth.ply", 0);
    fs_gaussians_seen *before = test_keep(malloc(s.scene.count * sizeof *before));
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
    end(&s);
}

/* ---- closed forms ---- */

/* A stage without a file: Gaussians made of nothing but a centre and a radius. */
static void made(stage *s, uint32_t count) {
    begin(s, NULL, count);
    fs_gaussians_lanes_create(&s->lanes, &s->p, count);
}

static fs_gaussians_seen at(const fs_gaussians_grid *g, float x, float y, float radius) {
    const uint32_t column = (uint32_t)x / g->tile_width, row = (uint32_t)y / g->tile_height;
    return (fs_gaussians_seen){.x = x,
                               .y = y,
                               .z = 1.0f + x + y,
                               .away = 1.0f,
                               .radius = radius,
                               .aim = row * g->columns + column,
                               .guarded = true,
                               .drawn = true,
                               .opacity = 0.5f};
}

/* 150 Gaussians on one tile cross its right and its lower side: a lane has 100 slots in every step, and those that the right one has no
 * room for are not sent down. */
TEST(a_full_lane_ends_the_sends) {
    stage s;
    made(&s, 150);
    for (uint32_t i = 0; i < 150; i++)
        s.seen[i] = at(&s.grid, 664.0f + 0.05f * (float)(i % 100), 372.0f, 9.0f);
    for (int step = 0; step < 120; step++)
        fs_gaussians_step(&s.lanes, s.seen);
    const uint32_t home = s.seen[0].aim;
    for (int step = 0; step < 3; step++) {
        fs_gaussians_step(&s.lanes, s.seen);
        assert_int_equal(s.lanes.work[home].anchored, 150);
        assert_int_equal(fs_gaussians_in_lane(&s.lanes, home, FS_GAUSSIANS_RIGHT), 100);
        assert_int_equal(s.lanes.work[home + 1].listed, 100);
        assert_int_equal(fs_gaussians_in_lane(&s.lanes, home, FS_GAUSSIANS_DOWN), 100);
        assert_int_equal(s.lanes.work[home].failed, 50);
        assert_int_equal(s.lanes.work[home].sends, 100 * 2 + 50);
    }
    fs_gaussians_lanes_free(&s.lanes);
    end(&s);
}

/* Without full lanes each tile that a square reaches draws the Gaussian, once; all are at home. */
TEST(every_tile_of_a_square_draws_it) {
    enum { COUNT = 300 };
    stage s;
    made(&s, COUNT);
    fs_rng rng = fs_rng_stream(20261017, "tests/gaussians");
    print_message("seed 20261017\n");
    uint64_t expected_entries = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        int64_t c[2], r[2];
        /* not in the strips of one pixel that belong to two tiles */
        const float x = (float)fs_rng_below(&rng, s.grid.columns) * 32.0f + (float)fs_rng_range(&rng, 1, 30),
                    y = (float)fs_rng_below(&rng, s.grid.rows) * 20.0f + (float)fs_rng_range(&rng, 1, 18);
        s.seen[i] = at(&s.grid, x, y, 1.0f + (float)fs_rng_below(&rng, 120));
        assert_true(fs_gaussians_reach(&s.grid, &s.seen[i], c, r));
        expected_entries += (uint64_t)((c[1] - c[0] + 1) * (r[1] - r[0] + 1));
    }
    uint64_t state_before = 0, settled = 0;
    for (int step = 0; step < 200; step++) {
        fs_gaussians_step(&s.lanes, s.seen);
        const uint64_t now = fs_gaussians_state(&s.lanes);
        settled = now == state_before ? settled : (uint64_t)step + 1;
        state_before = now;
    }
    uint64_t entries = 0, anchored = 0, failed = 0, copies = 0;
    for (uint32_t t = 0; t < s.grid.tiles; t++) {
        entries += s.lanes.work[t].listed;
        anchored += s.lanes.work[t].anchored;
        copies += s.lanes.work[t].copies;
        failed += s.lanes.work[t].failed + s.lanes.work[t].lost;
    }
    assert_int_equal(failed, 0);
    assert_int_equal(anchored, COUNT);
    assert_int_equal(entries, expected_entries);
    assert_int_equal(anchored + copies, entries);
    assert_true(settled <= s.grid.columns + s.grid.rows + 24);

    /* straight, and over the lanes of a list, the same tiles draw the same */
    fs_gaussians_spread spread;
    s.p.method = FS_GAUSSIANS_DIRECT;
    fs_gaussians_tile_work *work = test_keep(calloc(s.grid.tiles, sizeof *work));
    fs_gaussians_spread_create(&spread, &s.p, NULL, COUNT, s.grid.tiles);
    fs_gaussians_spread_frame(&spread, s.seen, work);
    for (uint32_t t = 0; t < s.grid.tiles; t++) {
        assert_int_equal(spread.listed[t], s.lanes.work[t].listed);
        for (uint32_t i = 0; i < spread.listed[t]; i++)
            assert_true(s.seen[spread.list[(size_t)t * spread.list_slots + i] - 1].z ==
                        s.seen[s.lanes.list[(size_t)t * s.lanes.slots + i] - 1].z);
    }
    fs_gaussians_spread_free(&spread);
    fs_gaussians_lanes_free(&s.lanes);
    end(&s);
}

/* Nearly opaque Gaussians over a whole tile: 0.01 of the light is left behind the first, and the second would leave less than 0.0001. */
TEST(an_opaque_pixel_stops) {
    const fs_gaussians_grid g = {
        .width = 64, .height = 40, .tile_width = 32, .tile_height = 20, .columns = 2, .rows = 2, .tiles = 4};
    fs_gaussians_seen seen[5];
    uint32_t list[5];
    uint8_t *rgb = test_keep(calloc(64 * 40, 3));
    for (uint32_t i = 0; i < 5; i++) {
        seen[i] = (fs_gaussians_seen){.x = 16,
                                      .y = 10,
                                      .radius = 100,
                                      .opacity = 1,
                                      .colour = {0.5f, 0.25f, 1},
                                      .conic = {1e-12f, 0, 1e-12f}};
        list[i] = i + 1;
    }
    fs_gaussians_blend_work work;
    fs_gaussians_blend(&g, 6, 0, list, 5, seen, rgb, &work);
    for (uint32_t w = 0; w < 6; w++) {
        const uint32_t pixels = 32 * (w < 2 ? 4 : 3);
        assert_int_equal(fs_gaussians_rows_of(&g, 6, w) * 32, pixels);
        assert_int_equal(work.looked[w], 2 * pixels);
        assert_int_equal(work.added[w], pixels);
    }
    /* 0.2 of the light is left by each: 0.00032 behind the fifth, and the sixth would leave 0.000064 */
    fs_gaussians_seen thin[8];
    uint32_t eight[8];
    uint8_t *other = test_keep(calloc(64 * 40, 3));
    for (uint32_t i = 0; i < 8; i++) {
        thin[i] = seen[0];
        thin[i].opacity = 0.8f;
        eight[i] = i + 1;
    }
    fs_gaussians_blend(&g, 6, 0, eight, 8, thin, other, &work);
    assert_int_equal(work.looked[0], 6 * 128);
    assert_int_equal(work.added[0], 5 * 128);
    assert_true(rgb[0] == (uint8_t)(255 * 0.99f * 0.5f) &&
                rgb[3 * (19 * 64 + 31) + 2] == (uint8_t)(255 * 0.99f));
    assert_int_equal(rgb[3 * 32], 0); /* the next tile's */
}

/* A Gaussian adds to just those pixels in which it is 1/255 and more, of all of the tile. */
TEST(a_gaussian_reaches_as_far_as_it_is_seen) {
    const fs_gaussians_grid g = {
        .width = 32, .height = 20, .tile_width = 32, .tile_height = 20, .columns = 1, .rows = 1, .tiles = 1};
    const fs_gaussians_seen one = {
        .x = 16, .y = 10, .radius = 6, .opacity = 0.9f, .colour = {1, 1, 1}, .conic = {0.25f, 0, 0.25f}};
    const uint32_t list = 1;
    uint8_t *rgb = test_keep(calloc(32 * 20, 3));
    fs_gaussians_blend_work work;
    uint32_t seen = 0;
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 32; x++)
            seen += 0.9 * exp(-0.125 * ((x - 16) * (x - 16) + (y - 10) * (y - 10))) >= 1.0 / 255;
    fs_gaussians_blend(&g, 1, 0, &list, 1, &one, rgb, &work);
    assert_int_equal(work.added[0], seen);
    assert_int_equal(rgb[3 * (10 * 32 + 16)], (uint8_t)(255 * 0.9f));
}

/* Ten before one tile, the last the nearest: the host takes six, three times a list of two, of which the nearest two stay. */
TEST(a_list_is_the_nearest_of_three_times_as_many) {
    stage s;
    begin(&s, NULL, 10);
    s.p.method = FS_GAUSSIANS_GATHER;
    s.p.gather_nearest = 2;
    for (uint32_t i = 0; i < 10; i++)
        s.seen[i] = (fs_gaussians_seen){.x = 5, .y = 5, .z = (float)(20 - i), .radius = 1, .drawn = true};
    fs_gaussians_spread spread;
    fs_gaussians_tile_work *work = test_keep(calloc(s.grid.tiles, sizeof *work));
    fs_gaussians_spread_create(&spread, &s.p, NULL, 10, s.grid.tiles);
    fs_gaussians_spread_frame(&spread, s.seen, work);
    assert_true(spread.listed[0] == 2 && spread.list[0] == 6 && spread.list[1] == 5 && work[0].lost == 8);
    fs_gaussians_spread_free(&spread);
    end(&s);
}

/* ---- the picture ---- */

/* The generated room through all lanes against a plain renderer: of a small picture, in `make large` of the shipped one. */
TEST(the_picture_is_that_of_a_plain_renderer) {
    const bool all = getenv("FOAMSIM_GROVE") != NULL;
    stage s;
    begin(&s, NULL, all ? 16000 : 2500);
    const double eye[3] = {0, all ? -3.2 : -4.5, 2.3}, look[3] = {0, 2.2, 0.85};
    double from[3], to[3];
    s.p.camera.position_given = s.p.camera.look_at_given = s.p.camera.up_given = true;
    s.p.camera.up[2] = 1;
    for (int k = 0; k < 3; k++) {
        s.p.camera.position[k] = eye[k];
        s.p.camera.look_at[k] = look[k];
        from[k] = eye[k] - (double)s.scene.middle[k];
        to[k] = look[k] - (double)s.scene.middle[k];
    }
    s.p.width = all ? 1280 : 640;
    s.p.height = all ? 720 : 360;
    s.p.settle_steps = 120;
    const fs_machine_params machine = {.tile.workers = 6};
    fs_gaussians_activity a;
    fs_error err;
    fs_error_clear(&err);
    assert_int_equal(fs_gaussians_activity_make(&a, &s.p, &s.scene, NULL, &machine, &err), FS_OK);
    const plain_camera camera =
        plain_camera_at(from, to, 3.14159265358979323846 / 6, (uint32_t)s.p.width, (uint32_t)s.p.height);
    uint8_t *plain = test_keep(malloc((size_t)s.p.width * (size_t)s.p.height * 3));
    plain_gaussians(&s.scene, &camera, plain);
    const double psnr = fs_psnr_rgb8(a.rgb, plain, (uint64_t)s.p.width * (uint64_t)s.p.height);
    print_message("PSNR %.1f dB\n", psnr);
    assert_true(psnr >= 45);
    fs_gaussians_activity_free(&a);
    end(&s);
}

RUN_TESTS(NULL, NULL)
