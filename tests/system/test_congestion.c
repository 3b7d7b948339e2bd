/* What a run says of its congestion, against its other tables: levels, lanes and parts add up, distributions
 * are those of the pixels. */
#include "tests/support/cli.h"
#include "tests/support/foam/congestion_case.h"
#include "tests/support/test.h"

/* ---- parts ---- */

TEST(parts_follow_from_the_iterations) {
    for (int f = 0; f < FOLDERS; f++) {
        struct table k = table_read(case_folder[f], "iterations.csv");
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
            assert_int_equal(part_figure(case_folder[f], case_part[p], "iterations"), end[p] - i);
            for (; i < end[p]; i++)
                cycles += table_int(&k, i, "cycles");
            assert_int_equal(part_figure(case_folder[f], case_part[p], "cycles"), cycles);
        }
        assert_true(first > 0);
        assert_int_equal(last < k.rows, f != STREAM);
    }
}

/* ---- lanes ---- */

static int64_t lane_int(const struct table *t, size_t row, const char *part, const char *what) {
    char name[64];
    snprintf(name, sizeof name, "%s_%s", part, what);
    return table_int(t, row, name);
}

TEST(lanes_add_up) {
    static const char *const sums[] = {"rays", "used", "stalled", "idle", "full", "spilled", "turned_away"};
    for (int f = 0; f < FOLDERS; f++) {
        struct table l = table_read(case_folder[f], "lanes.csv"), t = table_read(case_folder[f], "tiles.csv");
        int64_t full = 0;
        for (size_t i = 0; i < l.rows; i++) {
            int64_t peak = 0;
            for (size_t p = 0; p < PARTS; p++) {
                const int64_t part_peak = lane_int(&l, i, case_part[p], "peak"),
                              full_iterations = lane_int(&l, i, case_part[p], "full");
                assert_int_equal(lane_int(&l, i, case_part[p], "used") +
                                     lane_int(&l, i, case_part[p], "stalled") +
                                     lane_int(&l, i, case_part[p], "idle"),
                                 part_figure(case_folder[f], case_part[p], "iterations"));
                assert_int_equal(full_iterations > 0, part_peak == table_int(&l, i, "capacity"));
                assert_int_equal(part_peak > 0, lane_int(&l, i, case_part[p], "rays") > 0);
                peak = part_peak > peak ? part_peak : peak;
            }
            assert_int_equal(peak, table_int(&l, i, "all_peak"));
            for (size_t s = 0; s < sizeof sums / sizeof *sums; s++)
                assert_int_equal(lane_int(&l, i, "all", sums[s]), lane_int(&l, i, case_part[0], sums[s]) +
                                                                      lane_int(&l, i, case_part[1], sums[s]) +
                                                                      lane_int(&l, i, case_part[2], sums[s]));
            full += table_int(&l, i, "all_full") > 0;
            const size_t src = (size_t)table_int(&l, i, "src"), dst = (size_t)table_int(&l, i, "dst");
            assert_string_equal(table_text(&l, i, "src_role"), table_text(&t, src, "role"));
            assert_string_equal(table_text(&l, i, "dst_role"), table_text(&t, dst, "role"));
            assert_int_equal(table_int(&l, i, "src_level"), table_int(&t, src, "level"));
            assert_int_equal(table_int(&l, i, "dst_level"), table_int(&t, dst, "level"));
        }
        assert_int_equal(table_sum(&l, "all_turned_away"), table_sum(&l, "all_spilled")); /* none is lost */
        assert_true(
            about(run_figure(case_folder[f], "congestion.lanes_full_share"), (double)full / (double)l.rows));
        assert_true(about(run_figure(case_folder[f], "congestion.stalled_share"),
                          (double)table_sum(&l, "all_stalled") / (double)l.rows /
                              run_figure(case_folder[f], "device.iterations")));
        assert_int_equal(table_sum(&l, "all_stalled") > 0, f == CROWDED || f == LOSING);
    }
}

/* What lanes moved in iterations [begin, end) is read one iteration later; spills are of the iteration
 * itself. */
TEST(lanes_follow_from_the_iterations) {
    static const char *const read[] = {"rays_tracers", "rays_generator", "rays_level_1", "rays_level_2",
                                       "rays_level_3"};
    for (int f = 0; f < FOLDERS; f++) {
        struct table l = table_read(case_folder[f], "lanes.csv"),
                     k = table_read(case_folder[f], "iterations.csv");
        size_t from = 0;
        for (size_t p = 0; p < PARTS; p++) {
            char rays[32], spilled[32];
            int64_t moved = 0, spills = 0;
            const size_t to = from + (size_t)part_figure(case_folder[f], case_part[p], "iterations");
            for (; from < to; from++) {
                for (size_t c = 0; c < sizeof read / sizeof *read && from + 1 < k.rows; c++)
                    moved += table_int(&k, from + 1, read[c]);
                spills += table_int(&k, from, "spilled");
            }
            snprintf(rays, sizeof rays, "%s_rays", case_part[p]);
            snprintf(spilled, sizeof spilled, "%s_spilled", case_part[p]);
            /* a stream ends with rays in its lanes that nobody reads */
            if (f != STREAM || to < k.rows)
                assert_int_equal(table_sum(&l, rays), moved);
            assert_int_equal(table_sum(&l, spilled), spills);
        }
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

TEST(levels_add_up) {
    static const char *const sums[] = {"iterations", "rays",    "compute",     "compute_slowest",
                                       "paced",      "spilled", "turned_away", "misrouted"};
    for (int f = 0; f < FOLDERS; f++) {
        struct table v = table_read(case_folder[f], "levels.csv"),
                     l = table_read(case_folder[f], "lanes.csv"), t = table_read(case_folder[f], "tiles.csv"),
                     k = table_read(case_folder[f], "iterations.csv");
        for (size_t i = 0; i < v.rows; i++)
            if (strcmp(table_text(&v, i, "part"), "all") == 0)
                for (size_t s = 0; s < sizeof sums / sizeof *sums; s++) {
                    int64_t sum = 0;
                    for (size_t p = 0; p < PARTS; p++)
                        sum += table_int(&v, level_row(&v, case_part[p], table_int(&v, i, "level")), sums[s]);
                    assert_int_equal(sum, table_int(&v, i, sums[s]));
                }
        assert_int_equal(sum_of_part(&v, "all", "rays"), table_sum(&t, "visits"));
        assert_int_equal(sum_of_part(&v, "all", "compute"), table_sum(&t, "compute"));
        assert_int_equal(sum_of_part(&v, "all", "paced"), k.rows);
        assert_int_equal(sum_of_part(&v, "all", "spilled"), run_figure(case_folder[f], "rays.spilled"));
        assert_int_equal(sum_of_part(&v, "all", "turned_away"), run_figure(case_folder[f], "rays.spilled"));
        assert_int_equal(sum_of_part(&v, "all", "misrouted"), run_figure(case_folder[f], "rays.misrouted"));
        assert_int_equal(sum_of_part(&v, "all", "slots"), table_sum(&l, "capacity"));
        size_t tracers = level_row(&v, "all", 0), routers = level_row(&v, "all", 2);
        assert_int_equal(table_int(&v, tracers, "compute_slowest"), table_sum(&k, "compute_tracer"));
        assert_int_equal(table_int(&v, tracers, "compute_slowest"),
                         run_figure(case_folder[f], "work.tracer_critical"));
        assert_int_equal(table_int(&v, tracers, "compute"), run_figure(case_folder[f], "work.tracer_cycles"));
        assert_int_equal(table_int(&v, routers, "rays"), table_sum(&k, "rays_level_2"));
        assert_true(about(table_real(&v, tracers, "imbalance"),
                          run_figure(case_folder[f], "congestion.imbalance_tracers")));
        assert_true(
            about(table_real(&v, tracers, "gini"), run_figure(case_folder[f], "congestion.gini_tracers")));
        assert_true(
            about(table_real(&v, routers, "paced_share"), run_figure(case_folder[f], "pace.router_level_2")));
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
    }
}

/* ---- cycles ---- */

static int64_t slowest(const struct matrix *m, const char *role, size_t k) {
    int64_t most = 0;
    for (size_t i = 0; i < m->tiles; i++)
        if (strcmp(m->role[i], role) == 0 && m->cycles[i * m->iterations + k] > most)
            most = m->cycles[i * m->iterations + k];
    return most;
}

TEST(cycles_are_those_of_the_iterations) {
    for (int f = 0; f < FOLDERS; f++) {
        struct matrix m = matrix_read(case_folder[f]);
        struct table k = table_read(case_folder[f], "iterations.csv"),
                     o = table_read(case_folder[f], "occupancy.csv"),
                     c = table_read(case_folder[f], "cycles.csv");
        assert_int_equal(m.iterations, k.rows);
        assert_int_equal(c.rows, o.rows);
        for (size_t i = 0; i < k.rows; i++) {
            assert_int_equal(slowest(&m, "tracer", i), table_int(&k, i, "compute_tracer"));
            assert_int_equal(slowest(&m, "router", i), table_int(&k, i, "compute_router"));
            assert_int_equal(slowest(&m, "generator", i), table_int(&k, i, "compute_generator"));
        }
        for (size_t tile = 0; tile < c.rows; tile++)
            for (size_t i = 0; i < k.rows; i++)
                if (matrix_cell(&o, tile, i) > 0)
                    assert_true(matrix_cell(&c, tile, i) > 0); /* who reads rays computes */
        matrix_free(&m);
    }
}

/* Half the mean difference of all pairs over the mean, of the tracers' cycles in the steady part. */
TEST(gini_is_the_mean_difference) {
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

TEST(distributions_are_those_of_pixels_and_lanes) {
    static const char *const hops[] = {"alive",         "waiting",       "tracer_visits",
                                       "router_visits", "delivery_hops", "misrouted"};
    for (int f = 0; f < FOLDERS; f++) {
        struct table d = table_read(case_folder[f], "distributions.csv"),
                     h = table_read(case_folder[f], "hops.csv"), l = table_read(case_folder[f], "lanes.csv");
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
        const int64_t iterations = (int64_t)run_figure(case_folder[f], "device.iterations");
        assert_int_equal(count_of(&d, "lane_fill_tracer", -1), 2 * 64 * iterations);
        assert_int_equal(count_of(&d, "lane_fill_router", -1), 2 * 21 * iterations);
        assert_int_equal(count_of(&d, "lane_fill_tracer", 100) + count_of(&d, "lane_fill_router", 100),
                         table_sum(&l, "all_full"));
    }
}

TEST(percentiles_split_the_pixels) {
    static const struct {
        const char *figure, *column;
        int percent;
    } rows[] = {{"hops.alive_p50", "alive", 50},          {"hops.alive_p90", "alive", 90},
                {"hops.alive_p99", "alive", 99},          {"hops.waiting_p50", "waiting", 50},
                {"hops.waiting_p90", "waiting", 90},      {"hops.waiting_p99", "waiting", 99},
                {"hops.tracer_p50", "tracer_visits", 50}, {"hops.tracer_p99", "tracer_visits", 99},
                {"hops.router_p50", "router_visits", 50}, {"hops.router_p99", "router_visits", 99}};
    for (int f = 0; f < FOLDERS; f++) {
        struct table h = table_read(case_folder[f], "hops.csv");
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            const int64_t value = (int64_t)run_figure(case_folder[f], rows[r].figure);
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
    }
}

/* ---- basic ---- */

TEST(basic_leaves_out_only_these) {
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
}

RUN_TESTS(congestion_begin, cli_leave)
