/* What a run leaves, taken apart: every table against every other and against summary.json. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

/* `run`: the experiment as it is. `crowded`: two frames, dynamic exchange, buffers small enough to spill;
 * `losing`: one frame, so small that the generator has to drop rays. */
static const char *const folders[] = {"run", "crowded", "losing"};
enum { RUN, CROWDED, LOSING, FOLDERS };
enum { WORKERS = 6, GENERATOR_LEVEL = 4, PIXELS = 80 * 60 };

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_must("run", "x.yaml", "--quiet", "--set", "workload.payload=full", "--out", "run", NULL);
    cli_must("run", "x.yaml", "--quiet", "--set", "machine.exchange.mode=dynamic", "--set",
             "overlay.router_buffer=16 kB", "--set", "overlay.tracer_buffer=4 kB", "--set", "run.frames=2",
             "--out", "crowded", NULL);
    cli_must("run", "x.yaml", "--quiet", "--set", "overlay.router_buffer=5 kB", "--set",
             "overlay.tracer_buffer=2 kB", "--set", "overlay.generator_ring=100", "--out", "losing", NULL);
    return 0;
}

/* ---- the folder ---- */

TEST(the_folder_is_complete) {
    static const char *const files[] = {"resolved.yaml",  "summary.json",  "host.json",     "stats.csv",
                                        "iterations.csv", "tiles.csv",     "lanes.csv",     "hops.csv",
                                        "memory.csv",     "occupancy.csv", "manifest.json", "image.png",
                                        "depth.png",      "parameters.csv"};
    for (int f = 0; f < FOLDERS; f++) {
        assert_whole_run(folders[f]);
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            char path[64];
            size_t size;
            snprintf(path, sizeof path, "%s/%s", folders[f], files[i]);
            file_read(path, &size);
            assert_true(size > 0);
        }
        uint32_t width, height;
        char path[64];
        snprintf(path, sizeof path, "%s/image.png", folders[f]);
        picture_read(path, &width, &height);
        assert_int_equal(width, 80);
        assert_int_equal(height, 60);
    }
}

TEST(the_manifest_names_the_columns) {
    json_t *manifest = run_json("run", "manifest.json");
    const json_t *files = json_object_get(manifest, "files");
    int tables = 0;
    for (size_t i = 0; i < json_array_size(files); i++) {
        const json_t *item = json_array_get(files, i), *columns = json_object_get(item, "columns");
        if (columns == NULL)
            continue;
        struct table t = table_read("run", json_string_value(json_object_get(item, "file")));
        assert_int_equal(json_array_size(columns), t.columns);
        assert_int_equal(json_array_size(json_object_get(item, "units")), t.columns);
        for (size_t c = 0; c < t.columns; c++)
            assert_string_equal(json_string_value(json_array_get(columns, c)), t.cell[c]);
        tables++;
    }
    assert_true(tables >= 7); /* occupancy.csv has as many columns as the run has iterations */
}

TEST(host_figures_are_those_of_a_run) {
    json_t *host = run_json("run", "host.json");
    static const char *const names[] = {"wall_seconds",        "cpu_seconds",    "write_seconds",
                                        "simulation_seconds",  "peak_rss_bytes", "threads",
                                        "ray_hops_per_second", "slowdown"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(figure(host, names[i]) > 0);
    assert_true(
        fabs(figure(host, "slowdown") * run_figure("run", "device.seconds") / figure(host, "wall_seconds") -
             1) < 1e-9);
    assert_non_null(json_string_value(json_object_get(host, "version")));
}

/* stats.csv and summary.json say the same. */
TEST(the_statistics_are_the_summary) {
    json_t *summary = run_json("run", "summary.json");
    struct table t = table_read("run", "stats.csv");
    assert_true(t.rows > 50);
    for (size_t i = 0; i < t.rows; i++) {
        const json_t *same = figure_json(summary, table_text(&t, i, "name"));
        const char *value = table_text(&t, i, "value");
        if (json_is_number(same))
            assert_true(json_number_value(same) == strtod(value, NULL));
        else if (json_is_string(same))
            assert_string_equal(json_string_value(same), value);
        else
            assert_string_equal(json_is_boolean(same) ? (json_is_true(same) ? "true" : "false") : "null",
                                value);
        assert_true(strlen(table_text(&t, i, "description")) > 0);
    }
}

TEST(its_own_settings_give_it_again) {
    for (int f = 0; f < FOLDERS; f++) {
        char resolved[64], again[64];
        snprintf(resolved, sizeof resolved, "%s/resolved.yaml", folders[f]);
        snprintf(again, sizeof again, "%s-again", folders[f]);
        cli_must("run", resolved, "--quiet", "--out", again, NULL);
        assert_same_run(folders[f], again, SAME_SETTINGS);
    }
}

/* ---- time ---- */

TEST(phases_add_up) {
    for (int f = 0; f < FOLDERS; f++) {
        json_t *s = run_json(folders[f], "summary.json");
        struct table k = table_read(folders[f], "iterations.csv");
        int64_t cycles = figure_int(s, "device.cycles"), before = table_int(&k, 0, "start"), end = before;
        for (size_t i = 0; i < k.rows; i++) {
            assert_int_equal(table_int(&k, i, "iteration"), i);
            assert_int_equal(table_int(&k, i, "start"), end);
            assert_int_equal(table_int(&k, i, "cycles"),
                             table_int(&k, i, "compute") + table_int(&k, i, "sync") +
                                 table_int(&k, i, "exchange") + table_int(&k, i, "host"));
            end += table_int(&k, i, "cycles");
        }
        assert_int_equal(end, cycles);
        assert_int_equal(k.rows, figure_int(s, "device.iterations"));
        assert_int_equal(table_sum(&k, "compute"), figure_int(s, "device.cycles_compute"));
        assert_int_equal(table_sum(&k, "sync"), figure_int(s, "device.cycles_sync"));
        assert_int_equal(table_sum(&k, "exchange"), figure_int(s, "device.cycles_exchange"));
        assert_int_equal(table_sum(&k, "host") + before,
                         figure_int(s, "device.cycles_host")); /* and the start */
        assert_int_equal(cycles,
                         figure_int(s, "device.cycles_compute") + figure_int(s, "device.cycles_sync") +
                             figure_int(s, "device.cycles_exchange") + figure_int(s, "device.cycles_host"));
        assert_true(fabs(figure(s, "device.seconds") * 1.33e9 / (double)cycles - 1) < 1e-12);
    }
}

/* The slowest tile of an iteration ends its compute phase; shares of the pace are counts of iterations. */
TEST(the_slowest_role_sets_the_pace) {
    for (int f = 0; f < FOLDERS; f++) {
        static const char *const roles[] = {"tracer", "router", "generator"};
        json_t *s = run_json(folders[f], "summary.json");
        struct table k = table_read(folders[f], "iterations.csv"), t = table_read(folders[f], "tiles.csv");
        int64_t count[3] = {0}, *paced = calloc(t.rows, sizeof *paced);
        assert_non_null(paced);
        for (size_t i = 0; i < k.rows; i++) {
            int64_t slowest = 0, tile = table_int(&k, i, "pace_tile");
            for (int r = 0; r < 3; r++) {
                char column[32];
                snprintf(column, sizeof column, "compute_%s", roles[r]);
                int64_t cycles = table_int(&k, i, column);
                slowest = cycles > slowest ? cycles : slowest;
                if (strcmp(table_text(&k, i, "pace_role"), roles[r]) == 0) {
                    count[r]++;
                    assert_int_equal(cycles, table_int(&k, i, "compute"));
                }
            }
            assert_int_equal(slowest, table_int(&k, i, "compute"));
            assert_string_equal(table_text(&t, (size_t)tile, "role"), table_text(&k, i, "pace_role"));
            paced[tile]++;
        }
        for (int r = 0; r < 3; r++) {
            char name[32];
            snprintf(name, sizeof name, "pace.%s", roles[r]);
            assert_true(fabs(figure(s, name) * (double)k.rows - (double)count[r]) < 1e-6);
        }
        for (size_t tile = 0; tile < t.rows; tile++)
            assert_int_equal(table_int(&t, tile, "paced"), paced[tile]);
        free(paced);
    }
}

/* Each worker is busy, waiting or idle in every cycle of every compute phase. */
TEST(workers_account_for_every_cycle) {
    for (int f = 0; f < FOLDERS; f++) {
        int64_t compute = (int64_t)run_figure(folders[f], "device.cycles_compute");
        struct table t = table_read(folders[f], "tiles.csv");
        assert_int_equal(t.rows, 96);
        for (size_t i = 0; i < t.rows; i++) {
            assert_int_equal(table_int(&t, i, "busy") + table_int(&t, i, "waiting") +
                                 table_int(&t, i, "idle"),
                             WORKERS * compute);
            assert_true(table_int(&t, i, "compute") <= compute);
        }
    }
}

/* ---- rays ---- */

TEST(rays_are_kept_account_of) {
    for (int f = 0; f < FOLDERS; f++) {
        json_t *s = run_json(folders[f], "summary.json");
        struct table k = table_read(folders[f], "iterations.csv");
        static const char *const sums[] = {"generated", "finished", "dropped", "spilled", "misrouted"};
        for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
            char name[32];
            snprintf(name, sizeof name, "rays.%s", sums[i]);
            assert_int_equal(table_sum(&k, sums[i]), figure_int(s, name));
        }
        int64_t in_flight = 0, injecting = 0;
        for (size_t i = 0; i < k.rows; i++) {
            in_flight +=
                table_int(&k, i, "generated") - table_int(&k, i, "finished") - table_int(&k, i, "dropped");
            assert_int_equal(table_int(&k, i, "in_flight"), in_flight);
            assert_int_equal(table_int(&k, i, "injecting"), table_int(&k, i, "generated") > 0);
            assert_true(table_int(&k, i, "backlog") <= in_flight);
            injecting += table_int(&k, i, "injecting");
        }
        assert_int_equal(in_flight, figure_int(s, "rays.in_flight"));
        assert_int_equal(injecting, figure_int(s, "device.injecting_iterations"));
        assert_int_equal(figure_int(s, "rays.generated"), PIXELS * (f == CROWDED ? 2 : 1));
        assert_int_equal(json_is_true(figure_json(s, "complete")), f != LOSING);
        assert_int_equal(figure_int(s, "rays.dropped") > 0, f == LOSING);
        assert_int_equal(figure_int(s, "rays.spilled") > 0, f != RUN);
        assert_int_equal(figure_int(s, "rays.misrouted"),
                         figure_int(s, "rays.spilled")); /* nothing is under way */
        double written = (double)(PIXELS - (f == LOSING ? figure_int(s, "rays.dropped") : 0)) / PIXELS;
        assert_true(fabs(figure(s, "coverage") - written) < 1e-12);
    }
}

/* occupancy.csv: its rows are the visits and peaks of tiles.csv, its columns the rays by level of
 * iterations.csv. */
TEST(occupancy_is_what_tiles_and_iterations_say) {
    for (int f = 0; f < FOLDERS; f++) {
        struct table o = table_read(folders[f], "occupancy.csv"), t = table_read(folders[f], "tiles.csv"),
                     k = table_read(folders[f], "iterations.csv");
        size_t first = table_column(&o, "i0");
        assert_int_equal(o.columns - first, k.rows);
        assert_int_equal(o.rows, 64 + 21 + 1);
        int64_t(*by_level)[GENERATOR_LEVEL + 1] = calloc(k.rows, sizeof *by_level);
        assert_non_null(by_level);
        for (size_t i = 0; i < o.rows; i++) {
            int64_t sum = 0, peak = 0, level = table_int(&o, i, "level");
            size_t tile = (size_t)table_int(&o, i, "tile");
            for (size_t j = 0; j < k.rows; j++) {
                int64_t rays = strtoll(o.cell[(i + 1) * o.columns + first + j], NULL, 10);
                sum += rays;
                peak = rays > peak ? rays : peak;
                by_level[j][level] += rays;
            }
            assert_int_equal(sum, table_int(&t, tile, "visits"));
            assert_int_equal(peak, table_int(&t, tile, "peak_rays"));
        }
        static const char *const columns[] = {"rays_tracers", "rays_level_1", "rays_level_2", "rays_level_3",
                                              "rays_generator"};
        for (size_t j = 0; j < k.rows; j++)
            for (int level = 0; level <= GENERATOR_LEVEL; level++)
                assert_int_equal(by_level[j][level], table_int(&k, j, columns[level]));
        free(by_level);
    }
}

/* With nothing in flight at the end, all that was put into a lane was read at its end. */
TEST(lanes_carry_what_tiles_visit) {
    for (int f = 0; f < FOLDERS; f++) {
        json_t *s = run_json(folders[f], "summary.json");
        struct table l = table_read(folders[f], "lanes.csv"), t = table_read(folders[f], "tiles.csv");
        assert_int_equal(figure_int(s, "rays.in_flight"), 0);
        assert_int_equal(table_sum(&l, "all_rays"), figure_int(s, "rays.hops"));
        assert_int_equal(table_sum(&l, "all_spilled"), figure_int(s, "rays.spilled"));
        assert_int_equal(l.rows, 2 * (64 + 21));
        int64_t *arrived = test_keep(calloc(t.rows, sizeof *arrived));
        for (size_t i = 0; i < l.rows; i++) {
            arrived[table_int(&l, i, "dst")] += table_int(&l, i, "all_rays");
            assert_true(table_int(&l, i, "all_peak") <= table_int(&l, i, "capacity"));
            assert_true((table_int(&l, i, "all_full") > 0) ==
                        (table_int(&l, i, "all_peak") == table_int(&l, i, "capacity")));
        }
        for (size_t i = 0; i < t.rows; i++)
            assert_int_equal(arrived[i], table_int(&t, i, "visits"));
    }
}

TEST(means_of_the_hops_are_the_summary) {
    static const char *const pairs[][2] = {{"tracer_visits", "hops.tracer_mean"},
                                           {"router_visits", "hops.router_mean"},
                                           {"delivery_hops", "hops.delivery_mean"},
                                           {"misrouted", "hops.misrouted_mean"},
                                           {"alive", "hops.alive_mean"},
                                           {"waiting", "hops.waiting_mean"}};
    for (int f = 0; f < FOLDERS; f++) {
        json_t *s = run_json(folders[f], "summary.json");
        struct table h = table_read(folders[f], "hops.csv");
        int64_t sum[sizeof pairs / sizeof *pairs] = {0}, longest = 0, written = 0;
        assert_int_equal(h.rows, PIXELS);
        for (size_t i = 0; i < h.rows; i++) {
            int64_t alive = table_int(&h, i, "alive");
            assert_int_equal(table_int(&h, i, "x"), i % 80);
            assert_int_equal(table_int(&h, i, "y"), i / 80);
            if (alive < 0) /* its ray was lost */
                continue;
            written++;
            longest = alive > longest ? alive : longest;
            assert_true(table_int(&h, i, "tracer_visits") >= 1 && table_int(&h, i, "waiting") >= 0);
            if (f == RUN)
                assert_in_range(table_int(&h, i, "delivery_hops"), 2, 6); /* up and down three levels */
            for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
                sum[p] += table_int(&h, i, pairs[p][0]);
        }
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
            assert_true(fabs((double)sum[p] / (double)written - figure(s, pairs[p][1])) < 1e-9);
        assert_int_equal(longest, figure_int(s, "hops.alive_max"));
        assert_true(fabs(figure(s, "coverage") - (double)written / PIXELS) < 1e-12);
    }
}

/* ---- memory ---- */

TEST(allocations_add_up_to_the_tile) {
    for (int f = 0; f < FOLDERS; f++) {
        struct table m = table_read(folders[f], "memory.csv"), t = table_read(folders[f], "tiles.csv");
        int64_t *used = calloc(t.rows, sizeof *used), peak = 0;
        assert_non_null(used);
        for (size_t i = 0; i < m.rows; i++)
            used[table_int(&m, i, "tile")] += table_int(&m, i, "bytes");
        for (size_t i = 0; i < t.rows; i++) {
            assert_int_equal(used[i], table_int(&t, i, "sram"));
            peak = used[i] > peak ? used[i] : peak;
        }
        assert_int_equal(peak, run_figure(folders[f], "memory.peak_bytes"));
        assert_int_equal(used[(int)run_figure(folders[f], "memory.worst_tile")], peak);
        free(used);
    }
}

/* ---- the static exchange ---- */

/* X of ipu.md 4, doubled, for the two folded columns of a gc200-small; the formula of the same section. */
static double latency(const struct table *tiles, size_t src, size_t dst) {
    static const double same_half[] = {-26.5, -24}, other_half[] = {-19, -16};
    int64_t a = table_int(tiles, src, "column"), b = table_int(tiles, dst, "column");
    int64_t apart = llabs((a < 2 ? a : 3 - a) - (b < 2 ? b : 3 - b));
    double x = (a < 2) == (b < 2) ? same_half[apart] : other_half[apart];
    return ceil(52 + (double)(table_int(tiles, src, "row") + table_int(tiles, dst, "row")) + x);
}

/* All lanes are equally large, so the plan is as long as the busiest ports are busy. Each of those is in its
 * last transfer at the end, so the last arrival is no earlier than the nearest end of any of them allows, and
 * no later than the longest way. */
TEST(a_static_exchange_is_its_busiest_port) {
    enum { OVERHEAD = 50, BYTES_PER_CYCLE = 4 };
    struct table l = table_read("run", "lanes.csv"), t = table_read("run", "tiles.csv"),
                 k = table_read("run", "iterations.csv");
    int64_t *load = calloc(2 * t.rows, sizeof *load), busiest = 0;
    double *nearest = calloc(2 * t.rows, sizeof *nearest), least = 0, most = 0;
    assert_true(load != NULL && nearest != NULL);
    for (size_t i = 0; i < l.rows; i++) {
        size_t src = (size_t)table_int(&l, i, "src"), dst = (size_t)table_int(&l, i, "dst");
        size_t port[] = {src, t.rows + dst};
        double cycles = latency(&t, src, dst);
        assert_int_equal(table_int(&l, i, "bytes"), table_int(&l, 0, "bytes"));
        most = cycles > most ? cycles : most;
        for (int p = 0; p < 2; p++) {
            nearest[port[p]] = load[port[p]] == 0 || cycles < nearest[port[p]] ? cycles : nearest[port[p]];
            load[port[p]] += table_int(&l, i, "bytes");
            busiest = load[port[p]] > busiest ? load[port[p]] : busiest;
        }
    }
    for (size_t p = 0; p < 2 * t.rows; p++)
        if (load[p] == busiest && nearest[p] > least)
            least = nearest[p];
    int64_t planned = busiest / BYTES_PER_CYCLE + OVERHEAD;
    int64_t cycles = (int64_t)run_figure("run", "device.static_exchange_cycles");
    assert_in_range(cycles, planned + (int64_t)least, planned + (int64_t)most);
    for (size_t i = 0; i < k.rows; i++)
        assert_int_equal(table_int(&k, i, "exchange"), cycles);
    for (size_t i = 0; i < t.rows; i++) { /* every lane, whole, in every iteration */
        assert_int_equal(table_int(&t, i, "bytes_out"), load[i] * (int64_t)k.rows);
        assert_int_equal(table_int(&t, i, "bytes_in"), load[t.rows + i] * (int64_t)k.rows);
        assert_int_equal(table_int(&t, i, "port_busy_out"), load[i] / BYTES_PER_CYCLE * (int64_t)k.rows);
    }
    free(load);
    free(nearest);
}

/* Dynamic: what moves is 20 B a ray (payload half), and a header of 4 B for each lane that has any in an
 * iteration. */
TEST(a_dynamic_exchange_moves_rays_and_headers) {
    struct table l = table_read("crowded", "lanes.csv"), t = table_read("crowded", "tiles.csv");
    int64_t rays = 20 * table_sum(&l, "all_rays"), headers = table_sum(&t, "bytes_in") - rays;
    assert_int_equal(table_sum(&t, "bytes_in"), table_sum(&t, "bytes_out"));
    assert_int_equal(headers % 4, 0);
    assert_true(headers > 0 && headers <= 4 * table_sum(&l, "all_rays"));
    assert_true(run_figure("crowded", "device.static_exchange_cycles") == 0.0);
}

RUN_TESTS(begin, cli_leave)
