/* Every rung of a run's ladder follows from its tables iterations.csv and cycles.csv; rungs that are settings
 * are near what such a run takes. */
#include "tests/support/cli.h"
#include "tests/support/foam/congestion_case.h"
#include "tests/support/test.h"

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

TEST(rungs_follow_from_the_tables) {
    for (int f = 0; f < FOLDERS; f++) {
        struct matrix m = matrix_read(case_folder[f]);
        struct table l = table_read(case_folder[f], "ladder.csv"),
                     k = table_read(case_folder[f], "iterations.csv");
        size_t shard[4];
        int64_t copies, routers = 0, exchange = 0, sync = 0, host = 0, even = 0, split = 0;
        const size_t shards = read_plan(table_text(&l, rung(&l, "replicated"), "sets"), shard, &copies);
        const int64_t all = (int64_t)run_figure(case_folder[f], "device.cycles"),
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
            /* Clocks and leakage follow the time, all else stays. */
            const double standing = run_figure(case_folder[f], "energy.parts.clock") +
                                    run_figure(case_folder[f], "energy.parts.leakage");
            assert_true(about(table_real(&l, i, "joules"),
                              run_figure(case_folder[f], "energy.joules") +
                                  standing * ((double)table_int(&l, i, "cycles") / (double)all - 1)));
            if (i > 0)
                assert_true(about(table_real(&l, i, "gain_percent"), run_figure(case_folder[f], name)));
        }
        matrix_free(&m);
    }
}

/* Without a spill larger buffers gain nothing, and a run with larger ones is the same run; with spills the
 * rung is an estimate. */
TEST(buffers_gain_where_rays_waited) {
    for (int f = 0; f < FOLDERS; f++) {
        struct table l = table_read(case_folder[f], "ladder.csv"),
                     k = table_read(case_folder[f], "iterations.csv");
        const bool waited =
            table_sum(&k, "spilled") + table_sum(&k, "dropped") + table_sum(&k, "backlog") > 0;
        const size_t row = rung(&l, "infinite_buffers");
        assert_string_equal(table_text(&l, row, "kind"), waited ? "estimate" : "bound");
        assert_int_equal(waited, f == CROWDED || f == LOSING);
        if (!waited)
            assert_int_equal(table_int(&l, row, "cycles"), rung_cycles(&l, "measured"));
    }
}

/* Runs a rung's `sets` on top of the settings of a folder; cycles of that run. */
static int64_t simulate_rung(int f, const char *name) {
    char sets[512];
    const char *words[32] = {"run", "x.yaml", "--quiet", "--force", "--out", "rung"};
    size_t n = 6;
    struct table l = table_read(case_folder[f], "ladder.csv");
    snprintf(sets, sizeof sets, "%s", table_text(&l, rung(&l, name), "sets"));
    for (int i = 0; i < 4 && case_setting[f][i] != NULL; i++) {
        words[n++] = "--set";
        words[n++] = case_setting[f][i];
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
TEST(free_routers_are_routers_of_no_cycles) {
    for (int f = 0; f < FOLDERS; f++) {
        struct table l = table_read(case_folder[f], "ladder.csv");
        assert_int_equal(simulate_rung(f, "free_routers"), rung_cycles(&l, "free_routers"));
    }
}

/* What is estimated is near what such a run takes. */
TEST(estimates_are_near) {
    static const struct {
        int folder;
        const char *rung;
        double near;
    } cases[] = {{RUN, "replicated", 0.2},
                 {STREAM, "replicated", 0.25},
                 {CROWDED, "infinite_buffers", 0.25},
                 {LOSING, "infinite_buffers", 0.25}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table l = table_read(case_folder[cases[i].folder], "ladder.csv");
        const double estimate = (double)rung_cycles(&l, cases[i].rung),
                     cycles = (double)simulate_rung(cases[i].folder, cases[i].rung);
        print_message("%s, %s: %.0f cycles estimated, %.0f simulated (%+.1f %%)\n",
                      case_folder[cases[i].folder], cases[i].rung, estimate, cycles,
                      100 * (estimate / cycles - 1));
        assert_true(fabs(estimate / cycles - 1) <= cases[i].near);
    }
}

/* Decoupled: a rung is as long as the busiest tile that is left computes in all, beside the host. */
TEST(decoupled_rungs_follow_from_the_tiles) {
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
}

RUN_TESTS(congestion_begin, cli_leave)
