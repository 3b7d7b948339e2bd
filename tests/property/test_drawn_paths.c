/* What drawn samples say of all: of 100 draws of a hundredth of the samples, and of draws of tiles too, at
 * least 90 give intervals that hold what all samples give. */
#include "sim/config/config.h"
#include "sim/stats/drawn.h"
#include "tests/support/test.h"
#include "workloads/smallpaint/forecast.h"
#include "workloads/smallpaint/run.h"
#include "workloads/smallpaint/smallpaint.h"

enum { SAMPLES = 400, DRAWS = 100 };

static fs_arena *arena;
static fs_machine_params machine;
static fs_smallpaint_params params;
static fs_primitives room;
static fs_paint_activity all;

typedef struct said {
    double slowest, slowest_half, bounces, bounces_half;
} said;

static said forecast(const fs_paint_activity *activity, const fs_smallpaint_params *p) {
    fs_arena *own = test_arena();
    fs_paint_forecast f;
    fs_smallpaint_figures g;
    fs_error err = {0};
    assert_int_equal(fs_paint_forecast_make(&f, activity, p, &machine, 1, own, &err), FS_OK);
    assert_int_equal(fs_smallpaint_figures_make(&g, &f, p, &err), FS_OK);
    const said s = {f.slowest_tile, f.half_width * f.slowest_tile, g.bounces, g.bounces_half_width};
    return s;
}

/* The samples that a seed draws, out of what all of them did. */
static void draw_into(fs_paint_activity *a, const fs_smallpaint_params *p, uint64_t seed) {
    fs_paint_activity_create(a, p, &machine, seed);
    const size_t each = (size_t)a->workers * FS_PAINT_COUNTS;
    for (uint32_t t = 0; t < a->tiles.count; t++)
        for (uint64_t k = 0; k < a->drawn; k++)
            memcpy(a->counts + (t * a->drawn + k) * each,
                   fs_paint_counts_of(&all, a->stand_in[t], a->sample[k]), each * sizeof *a->counts);
}

static said draw(int64_t drawn, int64_t tiles, uint64_t seed) {
    fs_smallpaint_params p = params;
    fs_paint_activity a;
    p.drawn = drawn;
    p.drawn_tiles = tiles;
    draw_into(&a, &p, seed);
    const said s = forecast(&a, &p);
    fs_paint_activity_free(&a);
    return s;
}

/* ---- the interval of a tile's time, a second time: the jackknife, from the priced samples ---- */

static double square_error(const double *x, size_t n, double of) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return squares / (double)(n - 1) / (double)n * (1 - (double)n / of);
}

/* The slowest of the means of tiles over `n` numbers each, drawn to their mean by what is noise in it; before
 * its numbers a tile has the square of its error. */
static double slowest_of(double *const tile[], size_t tiles, size_t n) {
    double mean = 0, most = 0, noise = 0, squares = 0, own[400];
    for (size_t t = 0; t < tiles; t++) {
        own[t] = 0;
        for (size_t k = 0; k < n; k++)
            own[t] += tile[t][k] / (double)n;
        mean += own[t] / (double)tiles;
        most = fmax(most, own[t]);
    }
    for (size_t t = 0; t < tiles; t++) {
        squares += (own[t] - mean) * (own[t] - mean);
        noise += tile[t][-1] / (double)tiles;
    }
    const double seen = squares / (double)(tiles - 1);
    return mean + (noise < seen ? sqrt(1 - noise / seen) : 0) * (most - mean);
}

TEST(the_interval_is_the_jackknife) {
    enum { N = 6, TILES = 400 };
    machine.sync.local = FS_SYNC_LOCAL_MERGED;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        fs_smallpaint_params p = params;
        fs_paint_activity a;
        fs_paint_forecast f;
        fs_error err = {0};
        fs_arena *own = test_arena();
        p.drawn = N;
        draw_into(&a, &p, seed);
        assert_int_equal(fs_paint_forecast_make(&f, &a, &p, &machine, 1, own, &err), FS_OK);
        const size_t tiles = a.tiles.count;
        assert_true(tiles <= TILES);
        double room_of[TILES][N + 1], *tile[TILES], left[N], picked = 0, mean = 0;
        for (size_t t = 0; t < tiles; t++) {
            tile[t] = &room_of[t][1];
            for (size_t k = 0; k < N; k++) {
                tile[t][k] = (double)f.path[t * N + k];
                mean += tile[t][k] / N / (double)tiles;
            }
            room_of[t][0] = square_error(tile[t], N, SAMPLES);
        }
        const double whole = slowest_of(tile, tiles, N);
        for (size_t k = 0; k < N; k++) {
            double rest[TILES][N], *others[TILES], most = 0;
            size_t best = 0;
            for (size_t t = 0; t < tiles; t++) {
                double sum = 0;
                rest[t][0] = room_of[t][0] * N / (N - 1.0);
                others[t] = &rest[t][1];
                for (size_t i = 0, to = 0; i < N; i++)
                    if (i != k)
                        sum += others[t][to++] = tile[t][i];
                if (sum > most) {
                    most = sum;
                    best = t;
                }
            }
            left[k] = slowest_of(others, tiles, N - 1);
            picked += tile[best][k] / N;
        }
        picked = fmin(fmax(picked, mean), whole);
        const double error = (N - 1) * fs_drawn_student(N - 1) * sqrt(square_error(left, N, SAMPLES)),
                     slowest = (picked + whole) / 2;
        assert_true(error > 0 && fabs(f.slowest_tile / slowest - 1) < 1e-9);
        assert_true(fabs(f.half_width / (((whole - picked) / 2 + error) / slowest) - 1) < 1e-6);
        fs_paint_activity_free(&a);
    }
}

static void covers(int64_t drawn, int64_t tiles, int64_t local) {
    int slowest = 0, bounces = 0;
    double low = 0, width = 0;
    machine.sync.local = local;
    const said whole = forecast(&all, &params);
    assert_true(whole.slowest_half == 0 && whole.bounces_half == 0);
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        const said s = draw(drawn, tiles, seed);
        slowest += fabs(s.slowest - whole.slowest) <= s.slowest_half;
        bounces += fabs(s.bounces - whole.bounces) <= s.bounces_half;
        low += (s.slowest / whole.slowest - 1) / DRAWS;
        width += s.slowest_half / s.slowest / DRAWS;
    }
    printf("%2d of %d samples, %2d tiles: time held %d, off by %.4f, half width %.4f; bounces held %d\n",
           (int)drawn, SAMPLES, (int)tiles, slowest, low, width, bounces);
    assert_true(slowest >= 90);
    assert_true(bounces >= 90);
}

TEST(a_hundredth_of_the_samples) {
    covers(4, 0, FS_SYNC_LOCAL_MERGED);
    covers(16, 0, FS_SYNC_LOCAL_MERGED);
}

TEST(with_barriers) {
    covers(4, 0, FS_SYNC_LOCAL_EACH);
}

TEST(a_quarter_of_the_tiles_too) {
    covers(16, 24, FS_SYNC_LOCAL_MERGED);
}

static int enter(void **state) {
    (void)state;
    fs_error err = {0};
    arena = fs_arena_create();
    fs_params_default(arena, &fs_machine_table, &machine);
    fs_params_default(arena, &fs_smallpaint_table, &params);
    params.width = 96;
    params.height = 60;
    params.tile_width = 8;
    params.tile_height = 8;
    params.samples = SAMPLES;
    params.samples_per_step = SAMPLES;
    if (fs_primitives_load(&(fs_primitives_params){.file = ""}, arena, &room, &err))
        return 1;
    fs_paint_activity_create(&all, &params, &machine, 1);
    return (int)fs_paint_activity_trace(&all, &params, &room, 1, &err);
}

static int leave(void **state) {
    (void)state;
    fs_paint_activity_free(&all);
    fs_arena_free(arena);
    return 0;
}

RUN_TESTS(enter, leave)
