/* What a run says of its congestion, against its other tables: levels, lanes and parts add up, distributions
 * are those of the pixels, and every rung of the ladder follows from iterations.csv and cycles.csv. */
#include "tests/support/cli.h"
#include "tests/support/run_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* `run`: the experiment as it is; `crowded`: small buffers; `losing`: so small that rays are lost; `stream`:
 * two frames of a stream, dynamic exchange, finished rays kept where they end. */
static const char *const folders[] = {"run", "crowded", "losing", "stream"};
enum { RUN, CROWDED, LOSING, STREAM, FOLDERS };
static const char *const parts[] = {"injection", "steady", "drain"};
enum { PARTS = 3 };

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    cli_write_experiment("x.yaml");
    cli_must("run", "x.yaml", "--quiet", "--out", "run", NULL);
    cli_must("run", "x.yaml", "--quiet", "--set", "overlay.router_buffer=16 kB", "--set",
             "overlay.tracer_buffer=4 kB", "--set", "run.frames=2", "--out", "crowded", NULL);
    cli_must("run", "x.yaml", "--quiet", "--set", "overlay.router_buffer=5 kB", "--set",
             "overlay.tracer_buffer=2 kB", "--set", "overlay.generator_ring=100", "--out", "losing", NULL);
    cli_must("run", "x.yaml", "--quiet", "--set", "run.stream=true", "--set", "run.frames=2", "--set",
             "workload.framebuffer=local", "--set", "machine.exchange.mode=dynamic", "--out", "stream", NULL);
    cli_must("run", "x.yaml", "--quiet", "--set", "machine.execution=decoupled", "--set",
             "machine.exchange.mode=dynamic", "--out", "decoupled", NULL);
    return 0;
}

static double table_real(const struct table *t, size_t row, const char *column) {
    const char *text = table_text(t, row, column);
    return strcmp(text, "null") == 0 ? NAN : strtod(text, NULL);
}

static bool about(double a, double b) {
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* The number of a table at a place of a matrix: cells[tile row][iteration], column 3 on. */
static int64_t cell(const struct table *t, size_t row, size_t k) {
    return strtoll(t->cell[(row + 1) * t->columns + 3 + k], NULL, 10);
}

/* ---- parts ---- */

static int64_t part_figure(const char *folder, const char *part, const char *what) {
    char name[64];
    snprintf(name, sizeof name, "parts.%s_%s", part, what);
    return (int64_t)run_figure(folder, name);
}

static void parts_follow_from_the_iterations(void **state) {
    (void)state;
    for (int f = 0; f < FOLDERS; f++) {
        struct table k = table_read(folders[f], "iterations.csv");
        size_t first = k.rows, last = k.rows;
        for (size_t i = k.rows; i-- > 0;) {
            first = table_int(&k, i, "finished") > 0 ? i : first;
            if (last == k.rows && table_int(&k, i, "generated") > 0)
                last = i + 1;
        }
        last = f == STREAM ? k.rows : last > first ? last : first;
        const size_t end[PARTS] = {first, last, k.rows};
        for (size_t p = 0, i = 0; p < PARTS; p++) {
            int64_t cycles = 0;
            assert_int_equal(part_figure(folders[f], parts[p], "iterations"), end[p] - i);
            for (; i < end[p]; i++)
                cycles += table_int(&k, i, "cycles");
            assert_int_equal(part_figure(folders[f], parts[p], "cycles"), cycles);
        }
        assert_true(first > 0);
        assert_int_equal(last < k.rows, f != STREAM);
        table_free(&k);
    }
}

/* ---- lanes ---- */

static int64_t lane_int(const struct table *t, size_t row, const char *part, const char *what) {
    char name[64];
    snprintf(name, sizeof name, "%s_%s", part, what);
    return table_int(t, row, name);
}

static void lanes_add_up(void **state) {
    (void)state;
    static const char *const sums[] = {"rays", "used", "stalled", "idle", "full", "spilled", "turned_away"};
    for (int f = 0; f < FOLDERS; f++) {
        struct table l = table_read(folders[f], "lanes.csv"), t = table_read(folders[f], "tiles.csv");
        int64_t full = 0;
        for (size_t i = 0; i < l.rows; i++) {
            int64_t peak = 0;
            for (size_t p = 0; p < PARTS; p++) {
                const int64_t part_peak = lane_int(&l, i, parts[p], "peak"),
                              full_iterations = lane_int(&l, i, parts[p], "full");
                assert_int_equal(lane_int(&l, i, parts[p], "used") + lane_int(&l, i, parts[p], "stalled") +
                                     lane_int(&l, i, parts[p], "idle"),
                                 part_figure(folders[f], parts[p], "iterations"));
                assert_int_equal(full_iterations > 0, part_peak == table_int(&l, i, "capacity"));
                assert_int_equal(part_peak > 0, lane_int(&l, i, parts[p], "rays") > 0);
                peak = part_peak > peak ? part_peak : peak;
            }
            assert_int_equal(peak, table_int(&l, i, "all_peak"));
            for (size_t s = 0; s < sizeof sums / sizeof *sums; s++)
                assert_int_equal(lane_int(&l, i, "all", sums[s]), lane_int(&l, i, parts[0], sums[s]) +
                                                                      lane_int(&l, i, parts[1], sums[s]) +
                                                                      lane_int(&l, i, parts[2], sums[s]));
            full += table_int(&l, i, "all_full") > 0;
            const size_t src = (size_t)table_int(&l, i, "src"), dst = (size_t)table_int(&l, i, "dst");
            assert_string_equal(table_text(&l, i, "src_role"), table_text(&t, src, "role"));
            assert_string_equal(table_text(&l, i, "dst_role"), table_text(&t, dst, "role"));
            assert_int_equal(table_int(&l, i, "src_level"), table_int(&t, src, "level"));
            assert_int_equal(table_int(&l, i, "dst_level"), table_int(&t, dst, "level"));
        }
        assert_int_equal(table_sum(&l, "all_turned_away"), table_sum(&l, "all_spilled")); /* none is lost */
        assert_true(
            about(run_figure(folders[f], "congestion.lanes_full_share"), (double)full / (double)l.rows));
        assert_true(about(run_figure(folders[f], "congestion.stalled_share"),
                          (double)table_sum(&l, "all_stalled") / (double)l.rows /
                              run_figure(folders[f], "device.iterations")));
        assert_int_equal(table_sum(&l, "all_stalled") > 0, f == CROWDED || f == LOSING);
        table_free(&l);
        table_free(&t);
    }
}

/* What lanes moved in iterations [begin, end) is read one iteration later; spills are of the iteration
 * itself. */
static void lanes_follow_from_the_iterations(void **state) {
    (void)state;
    static const char *const read[] = {"rays_tracers", "rays_generator", "rays_level_1", "rays_level_2",
                                       "rays_level_3"};
    for (int f = 0; f < FOLDERS; f++) {
        struct table l = table_read(folders[f], "lanes.csv"), k = table_read(folders[f], "iterations.csv");
        size_t from = 0;
        for (size_t p = 0; p < PARTS; p++) {
            char rays[32], spilled[32];
            int64_t moved = 0, spills = 0;
            const size_t to = from + (size_t)part_figure(folders[f], parts[p], "iterations");
            for (; from < to; from++) {
                for (size_t c = 0; c < sizeof read / sizeof *read && from + 1 < k.rows; c++)
                    moved += table_int(&k, from + 1, read[c]);
                spills += table_int(&k, from, "spilled");
            }
            snprintf(rays, sizeof rays, "%s_rays", parts[p]);
            snprintf(spilled, sizeof spilled, "%s_spilled", parts[p]);
            /* a stream ends with rays in its lanes that nobody reads */
            if (f != STREAM || to < k.rows)
                assert_int_equal(table_sum(&l, rays), moved);
            assert_int_equal(table_sum(&l, spilled), spills);
        }
        table_free(&l);
        table_free(&k);
    }
}

/* ---- levels ---- */

/* Row of a level in a part. */
static size_t level_row(const struct table *v, const char *part, int64_t level) {
    for (size_t i = 0; i < v->rows; i++)
        if (strcmp(table_text(v, i, "part"), part) == 0 && table_int(v, i, "level") == level)
            return i;
    fail_msg("no level %d in %s", (int)level, part);
    return 0;
}

static int64_t sum_of_part(const struct table *v, const char *part, const char *column) {
    int64_t sum = 0;
    for (size_t i = 0; i < v->rows; i++)
        sum += strcmp(table_text(v, i, "part"), part) == 0 ? table_int(v, i, column) : 0;
    return sum;
}

static void levels_add_up(void **state) {
    (void)state;
    static const char *const sums[] = {"iterations", "rays",    "compute",     "compute_slowest",
                                       "paced",      "spilled", "turned_away", "misrouted"};
    for (int f = 0; f < FOLDERS; f++) {
        struct table v = table_read(folders[f], "levels.csv"), l = table_read(folders[f], "lanes.csv"),
                     t = table_read(folders[f], "tiles.csv"), k = table_read(folders[f], "iterations.csv");
        for (size_t i = 0; i < v.rows; i++)
            if (strcmp(table_text(&v, i, "part"), "all") == 0)
                for (size_t s = 0; s < sizeof sums / sizeof *sums; s++) {
                    int64_t sum = 0;
                    for (size_t p = 0; p < PARTS; p++)
                        sum += table_int(&v, level_row(&v, parts[p], table_int(&v, i, "level")), sums[s]);
                    assert_int_equal(sum, table_int(&v, i, sums[s]));
                }
        assert_int_equal(sum_of_part(&v, "all", "rays"), table_sum(&t, "visits"));
        assert_int_equal(sum_of_part(&v, "all", "compute"), table_sum(&t, "compute"));
        assert_int_equal(sum_of_part(&v, "all", "paced"), k.rows);
        assert_int_equal(sum_of_part(&v, "all", "spilled"), run_figure(folders[f], "rays.spilled"));
        assert_int_equal(sum_of_part(&v, "all", "turned_away"), run_figure(folders[f], "rays.spilled"));
        assert_int_equal(sum_of_part(&v, "all", "misrouted"), run_figure(folders[f], "rays.misrouted"));
        assert_int_equal(sum_of_part(&v, "all", "slots"), table_sum(&l, "capacity"));
        size_t tracers = level_row(&v, "all", 0), routers = level_row(&v, "all", 2);
        assert_int_equal(table_int(&v, tracers, "compute_slowest"), table_sum(&k, "compute_tracer"));
        assert_int_equal(table_int(&v, tracers, "compute_slowest"),
                         run_figure(folders[f], "work.tracer_critical"));
        assert_int_equal(table_int(&v, tracers, "compute"), run_figure(folders[f], "work.tracer_cycles"));
        assert_int_equal(table_int(&v, routers, "rays"), table_sum(&k, "rays_level_2"));
        assert_true(about(table_real(&v, tracers, "imbalance"),
                          run_figure(folders[f], "congestion.imbalance_tracers")));
        assert_true(
            about(table_real(&v, tracers, "gini"), run_figure(folders[f], "congestion.gini_tracers")));
        assert_true(
            about(table_real(&v, routers, "paced_share"), run_figure(folders[f], "pace.router_level_2")));
        /* spilled and turned away by level, from the lanes */
        for (int64_t level = 0; level <= 4; level++) {
            int64_t away = 0, most = 0;
            for (size_t i = 0; i < l.rows; i++)
                away += table_int(&l, i, "dst_level") == level ? table_int(&l, i, "all_turned_away") : 0;
            assert_int_equal(away, table_int(&v, level_row(&v, "all", level), "turned_away"));
            if (level >= 1 && level <= 3) {
                char name[32];
                snprintf(name, sizeof name, "rays_level_%d", (int)level);
                for (size_t i = 0; i < k.rows; i++)
                    most = table_int(&k, i, name) > most ? table_int(&k, i, name) : most;
                assert_int_equal(most, table_int(&v, level_row(&v, "all", level), "rays_max"));
            }
        }
        table_free(&v);
        table_free(&l);
        table_free(&t);
        table_free(&k);
    }
}

/* ---- cycles ---- */

/* Compute cycles of every tile in use in every iteration, idle calls included: what an idle call costs
 * follows from the tile's sum. */
struct matrix {
    size_t tiles, iterations;
    int64_t *cycles; /* [tiles][iterations] */
    int64_t *idle;   /* [tiles]; -1: the tile was never idle */
    char (*role)[16];
    size_t *tile;
};

static struct matrix matrix_read(const char *folder) {
    struct table c = table_read(folder, "cycles.csv"), t = table_read(folder, "tiles.csv");
    struct matrix m = {.tiles = c.rows, .iterations = c.columns - 3};
    m.cycles = calloc(m.tiles * m.iterations, sizeof *m.cycles);
    m.idle = calloc(m.tiles, sizeof *m.idle);
    m.role = calloc(m.tiles, sizeof *m.role);
    m.tile = calloc(m.tiles, sizeof *m.tile);
    assert_true(m.cycles != NULL && m.idle != NULL && m.role != NULL && m.tile != NULL);
    for (size_t i = 0; i < m.tiles; i++) {
        m.tile[i] = (size_t)table_int(&c, i, "tile");
        snprintf(m.role[i], sizeof m.role[i], "%s", table_text(&c, i, "role"));
        int64_t sum = table_int(&t, m.tile[i], "compute"), idle = 0;
        for (size_t k = 0; k < m.iterations; k++) {
            sum -= cell(&c, i, k);
            idle += cell(&c, i, k) == 0;
        }
        assert_true(idle > 0 ? sum > 0 && sum % idle == 0 : sum == 0);
        m.idle[i] = idle > 0 ? sum / idle : -1;
        for (size_t k = 0; k < m.iterations; k++) {
            const int64_t cycles = cell(&c, i, k);
            assert_true(cycles == 0 || cycles >= m.idle[i]);
            m.cycles[i * m.iterations + k] = cycles > 0 ? cycles : m.idle[i];
        }
    }
    table_free(&c);
    table_free(&t);
    return m;
}

static void matrix_free(struct matrix *m) {
    free(m->cycles);
    free(m->idle);
    free(m->role);
    free(m->tile);
}

static int64_t slowest(const struct matrix *m, const char *role, size_t k) {
    int64_t most = 0;
    for (size_t i = 0; i < m->tiles; i++)
        if (strcmp(m->role[i], role) == 0 && m->cycles[i * m->iterations + k] > most)
            most = m->cycles[i * m->iterations + k];
    return most;
}

static void cycles_are_those_of_the_iterations(void **state) {
    (void)state;
    for (int f = 0; f < FOLDERS; f++) {
        struct matrix m = matrix_read(folders[f]);
        struct table k = table_read(folders[f], "iterations.csv"),
                     o = table_read(folders[f], "occupancy.csv"), c = table_read(folders[f], "cycles.csv");
        assert_int_equal(m.iterations, k.rows);
        assert_int_equal(c.rows, o.rows);
        for (size_t i = 0; i < k.rows; i++) {
            assert_int_equal(slowest(&m, "tracer", i), table_int(&k, i, "compute_tracer"));
            assert_int_equal(slowest(&m, "router", i), table_int(&k, i, "compute_router"));
            assert_int_equal(slowest(&m, "generator", i), table_int(&k, i, "compute_generator"));
        }
        for (size_t tile = 0; tile < c.rows; tile++)
            for (size_t i = 0; i < k.rows; i++)
                if (cell(&o, tile, i) > 0)
                    assert_true(cell(&c, tile, i) > 0); /* who reads rays computes */
        table_free(&k);
        table_free(&o);
        table_free(&c);
        matrix_free(&m);
    }
}

/* Half the mean difference of all pairs over the mean, of the tracers' cycles in the steady part. */
static void gini_is_the_mean_difference(void **state) {
    (void)state;
    struct matrix m = matrix_read("run");
    struct table v = table_read("run", "levels.csv");
    const size_t from = (size_t)part_figure("run", "injection", "iterations"),
                 to = from + (size_t)part_figure("run", "steady", "iterations");
    double sum[64] = {0}, all = 0, most = 0, pairs = 0;
    for (size_t i = 0; i < 64; i++) {
        assert_string_equal(m.role[i], "tracer");
        for (size_t k = from; k < to; k++)
            sum[i] += (double)m.cycles[i * m.iterations + k];
        all += sum[i];
        most = sum[i] > most ? sum[i] : most;
    }
    for (size_t i = 0; i < 64; i++)
        for (size_t j = 0; j < 64; j++)
            pairs += fabs(sum[i] - sum[j]);
    const size_t row = level_row(&v, "steady", 0);
    assert_true(about(table_real(&v, row, "gini"), pairs / (2 * 64 * all)));
    assert_true(about(table_real(&v, row, "imbalance"), most / (all / 64)));
    table_free(&v);
    matrix_free(&m);
}

/* ---- distributions ---- */

static int64_t count_of(const struct table *d, const char *name, int64_t value) {
    int64_t count = 0;
    for (size_t i = 0; i < d->rows; i++)
        if (strcmp(table_text(d, i, "name"), name) == 0 && (value < 0 || table_int(d, i, "value") == value))
            count += table_int(d, i, "count");
    return count;
}

static void distributions_are_those_of_pixels_and_lanes(void **state) {
    (void)state;
    static const char *const hops[] = {"alive",         "waiting",       "tracer_visits",
                                       "router_visits", "delivery_hops", "misrouted"};
    for (int f = 0; f < FOLDERS; f++) {
        struct table d = table_read(folders[f], "distributions.csv"), h = table_read(folders[f], "hops.csv"),
                     l = table_read(folders[f], "lanes.csv");
        for (size_t n = 0; n < sizeof hops / sizeof *hops; n++)
            for (int64_t value = 0; value < 40; value++) {
                int64_t count = 0;
                for (size_t i = 0; i < h.rows; i++)
                    count +=
                        strtoll(h.cell[(i + 1) * h.columns + table_column(&h, hops[n])], NULL, 10) == value;
                assert_int_equal(count_of(&d, hops[n], value), count);
            }
        int64_t shortest = 0, written = 0;
        for (size_t i = 0; i < h.rows; i++) {
            written += table_int(&h, i, "alive") >= 0;
            shortest += table_int(&h, i, "alive") >= 0 &&
                        table_int(&h, i, "alive") - table_int(&h, i, "waiting") == 15;
        }
        assert_int_equal(count_of(&d, "shortest", 15), shortest);
        assert_int_equal(count_of(&d, "alive", -1), written);
        const int64_t iterations = (int64_t)run_figure(folders[f], "device.iterations");
        assert_int_equal(count_of(&d, "lane_fill_tracer", -1), 2 * 64 * iterations);
        assert_int_equal(count_of(&d, "lane_fill_router", -1), 2 * 21 * iterations);
        assert_int_equal(count_of(&d, "lane_fill_tracer", 100) + count_of(&d, "lane_fill_router", 100),
                         table_sum(&l, "all_full"));
        table_free(&d);
        table_free(&h);
        table_free(&l);
    }
}

static void percentiles_split_the_pixels(void **state) {
    (void)state;
    static const struct {
        const char *figure, *column;
        int percent;
    } rows[] = {{"hops.alive_p50", "alive", 50},          {"hops.alive_p90", "alive", 90},
                {"hops.alive_p99", "alive", 99},          {"hops.waiting_p50", "waiting", 50},
                {"hops.waiting_p90", "waiting", 90},      {"hops.waiting_p99", "waiting", 99},
                {"hops.tracer_p50", "tracer_visits", 50}, {"hops.tracer_p99", "tracer_visits", 99},
                {"hops.router_p50", "router_visits", 50}, {"hops.router_p99", "router_visits", 99}};
    for (int f = 0; f < FOLDERS; f++) {
        struct table h = table_read(folders[f], "hops.csv");
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            const int64_t value = (int64_t)run_figure(folders[f], rows[r].figure);
            int64_t below = 0, up_to = 0, written = 0;
            for (size_t i = 0; i < h.rows; i++) {
                const int64_t x =
                    strtoll(h.cell[(i + 1) * h.columns + table_column(&h, rows[r].column)], NULL, 10);
                written += x >= 0;
                below += x >= 0 && x < value;
                up_to += x >= 0 && x <= value;
            }
            assert_true(100 * up_to >= rows[r].percent * written && 100 * below < rows[r].percent * written);
        }
        table_free(&h);
    }
}

/* ---- the ladder ---- */

static size_t rung(const struct table *l, const char *name) {
    for (size_t i = 0; i < l->rows; i++)
        if (strcmp(table_text(l, i, "name"), name) == 0)
            return i;
    fail_msg("no rung %s", name);
    return 0;
}

static int64_t rung_cycles(const struct table *l, const char *name) {
    return table_int(l, rung(l, name), "cycles");
}

/* Shards and copies of "workload.replicas.shards=[17,33] workload.replicas.copies=2". */
static size_t read_plan(const char *sets, size_t shard[4], int64_t *copies) {
    size_t count = 0;
    *copies = 1;
    const char *at = strstr(sets, "shards=["), *of = strstr(sets, "copies=");
    if (at == NULL)
        return 0;
    char *next = strchr(at, '[');
    while (next != NULL && *next != ']')
        shard[count++] = strtoul(next + 1, &next, 10);
    *copies = strtol(of + strlen("copies="), NULL, 10);
    return count;
}

static int64_t replicated_tracers(const struct matrix *m, size_t k, const size_t *shard, size_t count,
                                  int64_t copies) {
    int64_t most = 0;
    for (size_t i = 0; i < m->tiles; i++) {
        if (strcmp(m->role[i], "tracer") != 0)
            continue;
        int64_t cycles = m->cycles[i * m->iterations + k];
        for (size_t s = 0; s < count; s++)
            if (m->tile[i] == shard[s]) /* tracer s is on tile s */
                cycles = m->idle[0] + (cycles - m->idle[0] + copies - 1) / copies;
        most = cycles > most ? cycles : most;
    }
    return most;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static void rungs_follow_from_the_tables(void **state) {
    (void)state;
    for (int f = 0; f < FOLDERS; f++) {
        struct matrix m = matrix_read(folders[f]);
        struct table l = table_read(folders[f], "ladder.csv"), k = table_read(folders[f], "iterations.csv");
        size_t shard[4];
        int64_t copies, routers = 0, exchange = 0, sync = 0, host = 0, even = 0, split = 0;
        const size_t shards = read_plan(table_text(&l, rung(&l, "replicated"), "sets"), shard, &copies);
        const int64_t all = (int64_t)run_figure(folders[f], "device.cycles"),
                      first = table_int(&k, 0, "start");
        for (size_t i = 0; i < k.rows; i++) {
            const int64_t cycles = table_int(&k, i, "cycles"), compute = table_int(&k, i, "compute"),
                          tracer = table_int(&k, i, "compute_tracer"),
                          router = table_int(&k, i, "compute_router"),
                          generator = table_int(&k, i, "compute_generator"), rest = cycles - compute;
            int64_t sum = 0, tracers = 0;
            for (size_t t = 0; t < m.tiles; t++)
                if (strcmp(m.role[t], "tracer") == 0) {
                    sum += m.cycles[t * m.iterations + i];
                    tracers++;
                }
            routers += rest + larger(tracer, generator);
            exchange += cycles - table_int(&k, i, "exchange");
            sync += cycles - table_int(&k, i, "sync");
            host += cycles - table_int(&k, i, "host");
            even += rest + larger(larger(router, generator), (sum + tracers - 1) / tracers);
            split +=
                rest + larger(larger(router, generator), replicated_tracers(&m, i, shard, shards, copies));
        }
        assert_int_equal(rung_cycles(&l, "measured"), all);
        assert_int_equal(rung_cycles(&l, "free_routers"), first + routers);
        assert_int_equal(rung_cycles(&l, "free_exchange"), first + exchange);
        assert_int_equal(rung_cycles(&l, "free_sync"), first + sync);
        assert_int_equal(rung_cycles(&l, "free_host"), host);
        assert_int_equal(rung_cycles(&l, "balanced_tracers"), first + even);
        assert_int_equal(rung_cycles(&l, "replicated"), first + split);
        for (size_t i = 0; i < l.rows; i++) {
            char name[64];
            snprintf(name, sizeof name, "ladder.%s", table_text(&l, i, "name"));
            /* without waiting a run that loses rays has more to do */
            assert_true(table_int(&l, i, "cycles") <= all || i == rung(&l, "infinite_buffers"));
            assert_true(table_int(&l, i, "cycles") >= rung_cycles(&l, "all"));
            assert_true(about(table_real(&l, i, "gain_percent"),
                              100.0 * (double)(all - table_int(&l, i, "cycles")) / (double)all));
            if (i > 0)
                assert_true(about(table_real(&l, i, "gain_percent"), run_figure(folders[f], name)));
        }
        table_free(&l);
        table_free(&k);
        matrix_free(&m);
    }
}

/* Without a spill larger buffers gain nothing, and a run with larger ones is the same run; with spills the
 * rung is an estimate. */
static void buffers_gain_where_rays_waited(void **state) {
    (void)state;
    for (int f = 0; f < FOLDERS; f++) {
        struct table l = table_read(folders[f], "ladder.csv"), k = table_read(folders[f], "iterations.csv");
        const bool waited =
            table_sum(&k, "spilled") + table_sum(&k, "dropped") + table_sum(&k, "backlog") > 0;
        const size_t row = rung(&l, "infinite_buffers");
        assert_string_equal(table_text(&l, row, "kind"), waited ? "estimate" : "bound");
        assert_int_equal(waited, f == CROWDED || f == LOSING);
        if (!waited)
            assert_int_equal(table_int(&l, row, "cycles"), rung_cycles(&l, "measured"));
        table_free(&l);
        table_free(&k);
    }
}

/* The settings of `begin`, for runs of single rungs. */
static const char *const settings[FOLDERS][4] = {
    [CROWDED] = {"overlay.router_buffer=16 kB", "overlay.tracer_buffer=4 kB", "run.frames=2"},
    [LOSING] = {"overlay.router_buffer=5 kB", "overlay.tracer_buffer=2 kB", "overlay.generator_ring=100"},
    [STREAM] = {"run.stream=true", "run.frames=2", "workload.framebuffer=local",
                "machine.exchange.mode=dynamic"},
};

/* Runs a rung's `sets` on top of the settings of a folder; cycles of that run. */
static int64_t simulate_rung(int f, const char *name) {
    char sets[512];
    const char *words[32] = {"run", "x.yaml", "--quiet", "--force", "--out", "rung"};
    size_t n = 6;
    struct table l = table_read(folders[f], "ladder.csv");
    snprintf(sets, sizeof sets, "%s", table_text(&l, rung(&l, name), "sets"));
    table_free(&l);
    for (int i = 0; i < 4 && settings[f][i] != NULL; i++) {
        words[n++] = "--set";
        words[n++] = settings[f][i];
    }
    for (char *at = strtok(sets, " "); at != NULL; at = strtok(NULL, " ")) {
        words[n++] = "--set";
        words[n++] = at;
    }
    cli_result r = cli_words(words, 0);
    if (r.status != 0)
        fail_msg("%s", r.err);
    return (int64_t)run_figure("rung", "device.cycles");
}

/* A bound of routers that compute in no cycles is a run with hardware routers of 0 cycles, to the cycle. */
static void free_routers_are_routers_of_no_cycles(void **state) {
    (void)state;
    for (int f = 0; f < FOLDERS; f++) {
        struct table l = table_read(folders[f], "ladder.csv");
        assert_int_equal(simulate_rung(f, "free_routers"), rung_cycles(&l, "free_routers"));
        table_free(&l);
    }
}

/* What is estimated is near what such a run takes. */
static void estimates_are_near(void **state) {
    (void)state;
    static const struct {
        int folder;
        const char *rung;
        double near;
    } cases[] = {{RUN, "replicated", 0.2},
                 {STREAM, "replicated", 0.25},
                 {CROWDED, "infinite_buffers", 0.25},
                 {LOSING, "infinite_buffers", 0.25}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table l = table_read(folders[cases[i].folder], "ladder.csv");
        const double estimate = (double)rung_cycles(&l, cases[i].rung),
                     cycles = (double)simulate_rung(cases[i].folder, cases[i].rung);
        print_message("%s, %s: %.0f cycles estimated, %.0f simulated (%+.1f %%)\n", folders[cases[i].folder],
                      cases[i].rung, estimate, cycles, 100 * (estimate / cycles - 1));
        assert_true(fabs(estimate / cycles - 1) <= cases[i].near);
        table_free(&l);
    }
}

/* Decoupled: a rung is as long as the busiest tile that is left computes in all, beside the host. */
static void decoupled_rungs_follow_from_the_tiles(void **state) {
    (void)state;
    struct table l = table_read("decoupled", "ladder.csv"), t = table_read("decoupled", "tiles.csv"),
                 v = table_read("decoupled", "levels.csv"), k = table_read("decoupled", "iterations.csv"),
                 n = table_read("decoupled", "lanes.csv");
    const int64_t host = (int64_t)run_figure("decoupled", "device.cycles_host"),
                  all = (int64_t)run_figure("decoupled", "device.cycles");
    int64_t tracer = 0, generator = 0, router = 0, tracing = 0;
    for (size_t i = 0; i < t.rows; i++) {
        const char *role = table_text(&t, i, "role");
        const int64_t compute = table_int(&t, i, "compute");
        int64_t *most = *role == 't' ? &tracer : *role == 'g' ? &generator : &router;
        *most = larger(*most, compute);
        tracing += *role == 't' ? compute : 0;
    }
    assert_int_equal(rung_cycles(&l, "measured"), all);
    assert_int_equal(rung_cycles(&l, "free_host"), all - host);
    assert_int_equal(rung_cycles(&l, "free_routers"), host + larger(tracer, generator));
    assert_int_equal(rung_cycles(&l, "balanced_tracers"),
                     host + larger(larger(router, generator), (tracing + 63) / 64));
    for (size_t i = 0; i < l.rows; i++) {
        assert_true(table_int(&l, i, "cycles") <= all);
        assert_true(table_int(&l, i, "cycles") >= rung_cycles(&l, "all"));
        assert_string_not_equal(table_text(&l, i, "name"), "free_sync"); /* there is none */
    }
    assert_int_equal(sum_of_part(&v, "all", "compute"), table_sum(&t, "compute"));
    assert_int_equal(sum_of_part(&v, "all", "rays"), table_sum(&t, "visits"));
    for (size_t i = 0; i < n.rows; i++)
        assert_int_equal(table_int(&n, i, "all_used") + table_int(&n, i, "all_stalled") +
                             table_int(&n, i, "all_idle"),
                         k.rows);
    table_free(&l);
    table_free(&t);
    table_free(&v);
    table_free(&k);
    table_free(&n);
}

/* ---- findings ---- */

static void findings_are_sentences(void **state) {
    (void)state;
    for (int f = 0; f <= FOLDERS; f++) {
        json_t *root = run_json(f < FOLDERS ? folders[f] : "decoupled", "findings.json");
        const json_t *list = json_object_get(root, "findings");
        assert_true(json_array_size(list) >= 5);
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *item = json_array_get(list, i);
            const char *text = json_string_value(json_object_get(item, "text"));
            assert_true(json_is_string(json_object_get(item, "key")));
            assert_true(json_object_size(json_object_get(item, "figures")) > 0);
            assert_true(text != NULL && strlen(text) > 20 && text[strlen(text) - 1] == '.');
            assert_true(strstr(text, "nan") == NULL && strstr(text, "inf ") == NULL);
        }
        const char *first = json_string_value(json_object_get(json_array_get(list, 0), "key"));
        assert_string_equal(first, f == LOSING ? "loss" : "pace");
        json_decref(root);
    }
}

static double finding_figure(const json_t *root, const char *key, const char *name) {
    const json_t *list = json_object_get(root, "findings");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(item, "key")), key) == 0)
            return json_number_value(json_object_get(json_object_get(item, "figures"), name));
    }
    fail_msg("no finding %s", key);
    return NAN;
}

/* Their figures follow from the tables. */
static void findings_are_true(void **state) {
    (void)state;
    for (int f = 0; f < FOLDERS; f++) {
        json_t *root = run_json(folders[f], "findings.json");
        struct table t = table_read(folders[f], "tiles.csv"), k = table_read(folders[f], "iterations.csv"),
                     l = table_read(folders[f], "ladder.csv");
        size_t hottest = 0;
        int64_t spare = 0, most_sram = 0, finished = 0, last = 0, cycles = 0;
        for (size_t i = 0; i < t.rows; i++) {
            hottest = table_int(&t, i, "paced") > table_int(&t, hottest, "paced") ? i : hottest;
            spare += strcmp(table_text(&t, i, "role"), "spare") == 0;
            if (strcmp(table_text(&t, i, "role"), "router") == 0)
                most_sram = larger(most_sram, table_int(&t, i, "sram"));
        }
        assert_true(about(finding_figure(root, "pace", "tile"), (double)hottest));
        assert_true(about(finding_figure(root, "pace", "share"),
                          (double)table_int(&t, hottest, "paced") / (double)k.rows));
        assert_true(about(finding_figure(root, "sram", "spare_tiles"), (double)spare));
        assert_true(about(finding_figure(root, "sram", "router_bytes"), (double)most_sram));
        assert_true(about(finding_figure(root, "time", "exchange"),
                          (double)table_sum(&k, "exchange") / run_figure(folders[f], "device.cycles")));
        assert_true(
            about(finding_figure(root, "waiting", "spilled"), run_figure(folders[f], "rays.spilled")));
        assert_true(about(finding_figure(root, "next", "free_routers_percent"),
                          table_real(&l, rung(&l, "free_routers"), "gain_percent")));
        for (size_t i = 0; i < k.rows && finished < table_sum(&k, "finished"); i++) {
            const bool tail = 100 * finished >= 99 * table_sum(&k, "finished");
            last += tail;
            cycles += tail ? table_int(&k, i, "cycles") : 0;
            finished += table_int(&k, i, "finished");
        }
        if (last > 0) /* else there is nothing to say */
            assert_true(about(finding_figure(root, "drain", "iterations"), (double)last));
        assert_int_equal(last, run_figure(folders[f], "parts.last_percent_iterations"));
        assert_int_equal(cycles, run_figure(folders[f], "parts.last_percent_cycles"));
        table_free(&t);
        table_free(&k);
        table_free(&l);
        json_decref(root);
    }
}

/* ---- basic ---- */

static void basic_leaves_out_only_these(void **state) {
    (void)state;
    static const char *const gone[] = {"cycles.csv", "levels.csv", "distributions.csv", "ladder.csv",
                                       "findings.json"};
    static const char *const same[] = {"iterations.csv", "tiles.csv",  "occupancy.csv", "lanes.csv",
                                       "hops.csv",       "memory.csv", "image.png"};
    cli_must("run", "x.yaml", "--quiet", "--set", "run.statistics=basic", "--out", "basic", NULL);
    assert_whole_run("basic");
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        char path[64];
        snprintf(path, sizeof path, "basic/%s", gone[i]);
        FILE *file = fopen(path, "r");
        assert_null(file);
    }
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "basic/%s", same[i]);
        snprintf(b, sizeof b, "run/%s", same[i]);
        assert_true(files_equal(a, b));
    }
    struct table full = table_read("run", "stats.csv"), basic = table_read("basic", "stats.csv");
    assert_int_equal(full.rows, basic.rows);
    for (size_t i = 0; i < full.rows; i++)
        if (strncmp(table_text(&full, i, "name"), "ladder.", 7) == 0)
            assert_string_equal(table_text(&basic, i, "value"), "null");
        else
            assert_string_equal(table_text(&basic, i, "value"), table_text(&full, i, "value"));
    table_free(&full);
    table_free(&basic);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_follow_from_the_iterations),
        cmocka_unit_test(lanes_add_up),
        cmocka_unit_test(lanes_follow_from_the_iterations),
        cmocka_unit_test(levels_add_up),
        cmocka_unit_test(cycles_are_those_of_the_iterations),
        cmocka_unit_test(gini_is_the_mean_difference),
        cmocka_unit_test(distributions_are_those_of_pixels_and_lanes),
        cmocka_unit_test(percentiles_split_the_pixels),
        cmocka_unit_test(rungs_follow_from_the_tables),
        cmocka_unit_test(buffers_gain_where_rays_waited),
        cmocka_unit_test(free_routers_are_routers_of_no_cycles),
        cmocka_unit_test(estimates_are_near),
        cmocka_unit_test(decoupled_rungs_follow_from_the_tiles),
        cmocka_unit_test(findings_are_sentences),
        cmocka_unit_test(findings_are_true),
        cmocka_unit_test(basic_leaves_out_only_these),
    };
    return cmocka_run_group_tests(tests, begin, cli_leave);
}
