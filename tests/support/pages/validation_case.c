#include "tests/support/pages/validation_case.h"
#include "registry/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tables[][6] = {
    {0.952, 0.986, 1.027}, {1.121, 1.141, 1.374, 1.433, 2.485}, {680, 500, 380}, {820, 520, 480, 460, 480}};
static const double idle[5] = {0, 100, 150, 200, 225};
static const double table6[5][5] = {{1.121, 1.110, 1.083, 1.096, 1.097},
                                    {1.141, 1.088, 1.062, 0.975, 0.976},
                                    {1.374, 1.278, 1.163, 1.083, 1.007},
                                    {1.433, 1.394, 1.310, 1.186, 1.129},
                                    {2.485, 1.691, 1.637, 1.410, 1.382}};

/* Deviations of a few per cent, the same each time. */
static double deviation(size_t i, size_t j) {
    size_t mixed = (i * 2654435761U + j * 40503U + 12345U) % 1000003U;
    return ((double)(mixed % 997) / 997.0 - 0.5) * 0.16;
}

static double bad(void) {
    return (double)NAN;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median and range of what is simulated. */
static void judge(fs_arena *arena, fs_claim *c, size_t standins) {
    double *sorted = FS_NEW(arena, double, standins + 1);
    size_t n = 0;
    for (size_t i = 0; i < standins; i++)
        if (!isnan(c->simulated[i]))
            sorted[n++] = c->simulated[i];
    qsort(sorted, n, sizeof *sorted, by_value);
    c->median = n == 0 ? bad() : n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
    c->low = n == 0 ? bad() : sorted[0];
    c->high = n == 0 ? bad() : sorted[n - 1];
    c->error = c->median / c->published - 1;
    c->within = c->low <= c->published && c->published <= c->high;
    c->reached = fabs(c->error) <= c->tolerance;
    c->held = c->held_baseline = (fs_held){c->median, 0.9 * c->median, 1.1 * c->median, 0.05, 0.03, true};
}

static fs_claim *add(fs_arena *arena, fs_validation_case *k, const char *name, const char *figure,
                     const char *unit, fs_use use, double published) {
    fs_claim *c = &k->claims[k->claim_count++];
    *c = (fs_claim){.name = name,
                    .variant = name,
                    .figure = figure,
                    .unit = unit,
                    .use = use,
                    .published = published,
                    .measured = fs_paper_measure(k->paper, figure),
                    .tolerance = use == FS_USE_STRUCTURE ? 0 : 0.07,
                    .source = k->source};
    c->simulated = FS_NEW(arena, double, k->standin_count + 1);
    for (size_t i = 0; i < k->standin_count; i++)
        c->simulated[i] =
            use == FS_USE_STRUCTURE ? published : published * (1 + deviation(k->claim_count, i) + 0.015);
    judge(arena, c, k->standin_count);
    return c;
}

static fs_validation_case *begin(fs_arena *arena, fs_validation *v, const char *name, const char *title,
                                 const char *source, const char *ensemble) {
    fs_validation_case *k = &v->cases[v->case_count++];
    const fs_standin **standins = FS_NEW(arena, const fs_standin *, v->standin_count + 1);
    *k = (fs_validation_case){.name = name,
                              .title = title,
                              .paper = v->paper,
                              .source = source,
                              .path = fs_arena_printf(arena, "configs/validation/cases/%s.yaml", name),
                              .about = "What the figures are, in a sentence.",
                              .standins = standins,
                              .claims = FS_NEW(arena, fs_claim, 60),
                              .variants = FS_NEW(arena, fs_variant, 60),
                              .scored = strncmp(name, "table", 5) == 0,
                              .order = bad(),
                              .mean_error = bad()};
    for (size_t i = 0; i < v->standin_count; i++)
        if (strcmp(v->standins[i].ensemble, ensemble) == 0)
            standins[k->standin_count++] = &v->standins[i];
    return k;
}

static fs_claim *add_at(fs_arena *arena, fs_validation_case *k, double x, double series, const char *name,
                        const char *figure, const char *unit, double published) {
    fs_claim *c = add(arena, k, name, figure, unit, FS_USE_PREDICT, published);
    c->variant = fs_arena_printf(arena, "%g at %g", isnan(series) ? 0 : series, x);
    for (size_t i = 0; i < k->variant_count; i++)
        if (strcmp(k->variants[i].name, c->variant) == 0)
            return c;
    k->variants[k->variant_count++] =
        (fs_variant){.name = c->variant, .sets = "workload.batching.per_batch", .x = x, .series = series};
    return c;
}

static void line_case(fs_arena *arena, fs_validation *v, size_t table, const char *name, const char *title,
                      const char *what, size_t count) {
    fs_validation_case *k = begin(arena, v, name, title, table == 0 ? "RF Tab. 3" : "RF Tab. 5", "bicycle");
    k->x_name = fs_arena_printf(arena, "%s in a batch", what);
    k->series_name = "";
    k->open =
        "The paper does not say which camera was used. The stand-ins' cameras stand in general position; "
        "a camera on the axis gives +40 % iterations.";
    for (size_t i = 0; i < count; i++) {
        double x = (double)(i + 1);
        fs_claim *time = add_at(arena, k, x, bad(), fs_arena_printf(arena, "time, %zu %s", i + 1, what),
                                "device.seconds", "s", tables[table][i]);
        fs_claim *total =
            add_at(arena, k, x, bad(), fs_arena_printf(arena, "iterations, %zu %s", i + 1, what),
                   "device.iterations", "iterations", tables[table + 2][i]);
        time->saturated = total->saturated = i >= 3;
        if (table == 0 && i == 0)
            time->use = FS_USE_CALIBRATE;
    }
    k->order = table == 0 ? 1 : 0.9;
    k->mean_error = 0.04 + 0.02 * (double)table;
}

static void table6_case(fs_arena *arena, fs_validation *v) {
    fs_validation_case *k = begin(arena, v, "table-6", "Table 6: idle after a frame", "RF Tab. 6", "bicycle");
    k->x_name = "idle iterations after a frame";
    k->series_name = "columns in a batch";
    for (size_t row = 0; row < 5; row++)
        for (size_t i = 0; i < 5; i++) {
            fs_claim *c = add_at(arena, k, idle[i], (double)(row + 1),
                                 fs_arena_printf(arena, "time, %zu columns, idle %g", row + 1, idle[i]),
                                 "device.seconds", "s", table6[row][i]);
            c->saturated = row >= 3;
        }
    k->order = 0.87;
    k->mean_error = 0.09;
}

static void sensitive(fs_arena *arena, fs_validation_case *k) {
    static const fs_sensitivity rows[] = {
        {"machine.tile.launch", "10 cycles", "60 cycles", -0.004, 0.013},
        {"machine.exchange.bytes_per_cycle", "3.6 B/cycle", "4.4 B/cycle", 0.021, -0.018},
        {"machine.host.readback_bandwidth", "2 GB/s", "20 GB/s", 0.062, -0.011},
        {"workload.kernels.generator_workers", "1", "6", 0, -0.074},
        {"machine.cost.branch", "1 slot", "3 slots", -0.031, 0.034},
    };
    k->sensitivity_count = sizeof rows / sizeof *rows;
    k->sensitivities = FS_NEW(arena, fs_sensitivity, k->sensitivity_count);
    memcpy(k->sensitivities, rows, sizeof rows);
    k->paces = FS_NEW(arena, fs_pace, k->variant_count);
    static const double shares[] = {0.3, 0.4, 0.25, 0.05};
    for (size_t i = 0; i < k->variant_count; i++) {
        double *means = FS_NEW(arena, double, 2);
        means[0] = 1.9e6 + 1e5 * (double)i;
        means[1] = 1.4e6;
        k->paces[k->pace_count++] = (fs_pace){.variant = k->variants[i].name,
                                              .shares = shares,
                                              .means = means,
                                              .words = "The camera's tracer sets the pace while rays enter."};
    }
}

static void structure_case(fs_arena *arena, fs_validation *v, bool bare) {
    fs_validation_case *k = begin(arena, v, "roles", "Roles, worst path, buffers", "RF Sec. 4", "bicycle");
    add(arena, k, "tracers", "overlay.tracers", "tiles", FS_USE_STRUCTURE, 1024);
    add(arena, k, "routers", "overlay.routers", "tiles", FS_USE_STRUCTURE, 341);
    add(arena, k, "worst leaf-to-leaf path", "overlay.worst_path", "hops", FS_USE_STRUCTURE, 10);
    add(arena, k, "rays in a buffer at 20 B", "overlay.capacity", "rays", FS_USE_STRUCTURE, 2880);
    if (bare)
        return;
    fs_validation_case *visits = begin(arena, v, "visits", "Visits a ray", "RF Sec. 5.4", "bicycle");
    add(arena, visits, "mean neighbours", "scene.neighbours", "", FS_USE_CALIBRATE, 15.17);
    add(arena, visits, "largest adjacency of a shard", "shards.adjacency", "", FS_USE_CALIBRATE, 64010);
    add(arena, visits, "tracer visits, Bicycle", "hops.tracer_mean", "visits", FS_USE_CALIBRATE, 16.7);
    add(arena, visits, "router visits, Bicycle", "hops.router_mean", "visits", FS_USE_PREDICT, 75.6);
    visits->open = "Whether router visits include the delivery is not said: without it the error is -12 %.";
}

static void behaviour_case(fs_arena *arena, fs_validation *v) {
    fs_validation_case *k = begin(arena, v, "behaviours", "What the paper describes", "RF App. C", "bicycle");
    fs_claim *c = add(arena, k, "fused is faster than unfused", "device.seconds", "", FS_USE_BEHAVIOUR, 2);
    c->median = 6.3;
    c->reached = true;
    c->words = "Unfused takes 6.3 times as long; the host takes 71 % of it.";
    c = add(arena, k, "saturation drops samples (Fig. 15)", "rays.dropped", "", FS_USE_BEHAVIOUR, bad());
    c->median = c->low = c->high = bad();
    c->reached = false;
    c->words = "No ray is dropped on <any> stand-in.";
}

/* The scene statistics of the second case, on every stand-in. */
static void alike(fs_arena *arena, fs_validation *v) {
    const fs_validation_case *k = &v->cases[1];
    for (size_t i = 0; i < v->standin_count; i++) {
        fs_standin *s = &v->standins[i];
        s->likeness = FS_NEW(arena, fs_likeness, k->claim_count);
        for (size_t j = 0; j < k->claim_count; j++)
            if (k->claims[j].use == FS_USE_CALIBRATE)
                s->likeness[s->likeness_count++] =
                    (fs_likeness){k->claims[j].name, k->claims[j].unit, k->claims[j].published,
                                  i < k->standin_count ? k->claims[j].simulated[i] : bad()};
    }
}

static void standins(fs_arena *arena, fs_validation *v, const validation_case_spec *spec) {
    v->standin_count = spec->bicycles + spec->gardens;
    v->standins = FS_NEW(arena, fs_standin, v->standin_count);
    for (size_t i = 0; i < v->standin_count; i++) {
        bool garden = i >= spec->bicycles;
        fs_standin *s = &v->standins[i];
        s->ensemble = garden ? "garden" : "bicycle";
        s->name = fs_arena_printf(arena, "%s-%zu", s->ensemble, garden ? i - spec->bicycles + 1 : i + 1);
        s->path = fs_arena_printf(arena, "%s.yaml", s->name);
        s->about = "garden kind, 1.1 M cells, seed 7";
        s->run = i == 0 || i == spec->bicycles ? spec->run : NULL;
    }
}

const fs_paper *validation_case_paper(fs_arena *arena) {
    static fs_error err; /* 16 KiB, not for the stack */
    fs_paper *paper = FS_NEW(arena, fs_paper, 1);
    err = (fs_error){.status = FS_OK};
    const char *path =
        fs_arena_printf(arena, "%s/validation/papers/" FS_PAPER_DEFAULT ".yaml", fs_configs_dir());
    FS_ASSERT(fs_paper_read(arena, &fs_registry_all, path, paper, &err) == FS_OK, "%s", err.text);
    return paper;
}

fs_validation *validation_case(fs_arena *arena, const validation_case_spec *spec) {
    fs_validation *v = FS_NEW(arena, fs_validation, 1);
    v->cases = FS_NEW(arena, fs_validation_case, 8);
    v->paper = validation_case_paper(arena);
    standins(arena, v, spec);
    structure_case(arena, v, spec->bare);
    if (!spec->bare)
        alike(arena, v);
    line_case(arena, v, 0, "table-3", "Table 3: rows in a batch", "rows", 3);
    line_case(arena, v, 1, "table-5", "Table 5: columns in a batch", "columns", 5);
    table6_case(arena, v);
    if (!spec->bare) {
        for (size_t i = 2; i < v->case_count; i++)
            sensitive(arena, &v->cases[i]);
        behaviour_case(arena, v);
    }
    if (spec->holes) {
        fs_validation_case *k = &v->cases[2]; /* Table 3 */
        for (size_t i = 0; i < k->claim_count; i++) {
            for (size_t s = 0; s < k->standin_count; s++)
                k->claims[i].simulated[s] = bad();
            judge(arena, &k->claims[i], k->standin_count);
            k->claims[i].missing = "the frame never completes";
        }
        v->cases[3].claims[0].simulated[0] = bad();
        judge(arena, &v->cases[3].claims[0], v->cases[3].standin_count);
    }
    static const fs_table held[] = {{"table-3", 6, 0, 0.05, 0.8, 0.04, 0.06, 0.7, 0.05},
                                    {"table-5", 10, 1, 0.09, 0.9, 0.06, 0.2, 0.6, 0.1}};
    v->tables = held;
    v->table_count = spec->bare ? 0 : 2;
    v->all_tables = (fs_table){NULL, 16, 1, 0.075, 0.8625, 0.0525, 0.1475, 0.6375, 0.08};
    v->drawn = !spec->bare;
    v->draw_count = 64;
    v->kept_count = 60;
    v->scores = (fs_scores){.mean_error = 0.0874,
                            .mean_error_plain = 0.0612,
                            .mean_error_saturated = 0.1433,
                            .order = 0.88,
                            .baseline_error = 0.128,
                            .baseline_order = 0.9,
                            .predicted = 40,
                            .failed = 2,
                            .ranged = 38,
                            .in_range = 30};
    v->structure_exact = v->structure_count = 4;
    v->behaviour_count = spec->bare ? 0 : 2;
    v->behaviour_holds = spec->bare ? 0 : 1;
    v->version = "foamsim 0.9, model 12";
    return v;
}
