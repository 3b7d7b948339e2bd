/* Prices of recorded activity: the device with sums alone. Batches are worked out anew only where a price of
 * the walk or the samples differ from the point before. */
#include "workloads/pathtrace/figures.h"
#include "workloads/pathtrace/record.h"
#include "workloads/pathtrace/run.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct pricing {
    fs_pathtrace_recorded activity; /* rows 0: not yet read */
    fs_walk_counts sums;            /* over the drawn samples; rows 0: no point was looped yet */
    fs_arena *arena;                /* of the batches; NULL: none yet */
    fs_pathtrace_fixed fixed;       /* that they were priced with */
    fs_pathtrace_batch *batch;
    fs_arena
        *network; /* of the exchanges that a network took for the point of that machine; NULL: none yet */
    fs_pathtrace_fixed planned;
    const fs_machine_params *machine;
} pricing;

/* The network of a point is the earlier one's, whose exchanges then need not be simulated again. */
static bool same_network(const pricing *p, const fs_machine_params *m) {
    return p->network != NULL && fs_params_equal(&fs_machine_table, "exchange", p->machine, m) &&
           fs_params_equal(&fs_machine_table, "geometry", p->machine, m);
}

/* Whether a batch's walks take the same cycles: fs_pathtrace_batch_of asks for nothing else. */
static bool same_walks(const fs_pathtrace_fixed *a, const fs_pathtrace_fixed *b) {
    const fs_priced_program *x = &a->walk, *y = &b->walk;
    return memcmp(x->slots, y->slots, sizeof x->slots) == 0 && x->cycles_per_slot == y->cycles_per_slot &&
           x->permille == y->permille && x->before == y->before && x->after == y->after &&
           x->fixed_other[0] == y->fixed_other[0] && a->each == b->each && a->drawn == b->drawn &&
           a->samples == b->samples && a->render_tiles == b->render_tiles && a->workers == b->workers;
}

static void make_sums(pricing *p, const fs_pathtrace_setup *s) {
    const uint64_t rows = fs_pathtrace_rows_of(&s->layout, s->fixed.drawn),
                   kept = fs_pathtrace_rows_kept_of(&s->fixed);
    if (s->fixed.each || p->sums.rows > 0)
        return;
    fs_pathtrace_row *row = fs_malloc(rows * sizeof *row);
    fs_walk_counts_create(&p->sums, s->layout.batches * kept);
    for (uint64_t b = 0; b < s->layout.batches; b++) {
        fs_walk_counts_rows(&p->activity.counts, b * rows, rows, row);
        fs_pathtrace_sum_rows(&s->fixed, row);
        fs_walk_counts_keep(&p->sums, b * kept, kept, row);
    }
    free(row);
}

static fs_status price_batches(pricing *p, const fs_pathtrace_setup *s, fs_error *err) {
    double share;
    if (p->arena != NULL && same_walks(&p->fixed, &s->fixed))
        return FS_OK;
    make_sums(p, s);
    fs_arena_free(p->arena);
    p->arena = fs_arena_create();
    p->fixed = s->fixed;
    p->batch = FS_NEW(p->arena, fs_pathtrace_batch, s->layout.batches);
    const uint64_t rows = fs_pathtrace_rows_of(&s->layout, s->fixed.drawn);
    uint64_t *slots = fs_malloc(rows * sizeof *slots);
    for (uint64_t b = 0; b < s->layout.batches; b++) {
        fs_walk_counts_price(&p->activity.counts, b * rows, rows, s->fixed.walk.slots, slots);
        fs_pathtrace_batch_of(&s->fixed, slots, p->arena, &p->batch[b]);
    }
    free(slots);
    if (fs_pathtrace_batches_close(&s->fixed, s->layout.batches,
                                   s->fixed.each ? &p->activity.counts : &p->sums, p->batch, &share, err)) {
        fs_arena_free(p->arena);
        p->arena = NULL;
    }
    return err->status;
}

static fs_status price_setup(pricing *p, const fs_pathtrace_setup *s, fs_arena *arena, json_t *summary,
                             const fs_config *config, const fs_price_view *view, fs_error *err) {
    fs_pathtrace_run *r = FS_NEW(arena, fs_pathtrace_run, 1);
    r->setup = *s;
    r->chip.of.run = (fs_run){.arena = arena, .how = fs_config_section(config, "run")};
    if (price_batches(p, s, err) ||
        fs_pathtrace_fixed_plan(&r->setup.fixed, same_network(p, s->machine) ? &p->planned : NULL, err) ||
        fs_pathtrace_chip_create(&r->chip, &r->setup, err))
        return err->status;
    r->frame =
        fs_pathtrace_frame_of(&r->setup.fixed, &s->layout, p->batch, (fs_pathtrace_free){.balance = false});
    r->chip.batch = p->batch;
    if (s->machine->exchange.kind == FS_FABRIC_NOC && !same_network(p, s->machine)) {
        fs_arena_free(p->network);
        p->network = arena;
        p->planned = r->setup.fixed;
        p->machine = s->machine;
    }
    if (fs_pathtrace_chip_run(&r->chip, &r->frame, err))
        return err->status;
    r->figures = fs_pathtrace_figures_of(&r->chip, &r->frame, &p->activity.paths);
    fs_results_stats_json(&fs_pathtrace_stats, &r->figures, summary);
    /* One of its tiles stands for all that render. */
    return fs_chip_run_view(&r->chip.of, fs_pathtrace_conclude, false, view, err);
}

static fs_status price_point(void *kept, const fs_recording *recording, const fs_config *config,
                             json_t *summary, const fs_price_view *view, fs_error *err) {
    pricing *p = kept;
    fs_pathtrace_setup s;
    if (p->activity.counts.rows == 0 && fs_pathtrace_read(recording, config, false, &p->activity, err))
        return err->status;
    const fs_pathtrace_params *params = fs_config_section(config, "workload");
    if (params->sharing == FS_PATHTRACE_QUEUE)
        return fs_fail(err, FS_INPUT,
                       "%s: a queue's order depends on prices, so it is run and not priced; expected fixed",
                       fs_config_where(config, "workload", "sharing"));
    fs_arena *arena = fs_arena_create();
    if (fs_pathtrace_setup_make(&s, config, params, &p->activity.scene, arena, err) == FS_OK)
        price_setup(p, &s, arena, summary, config, view, err);
    if (arena != p->network)
        fs_arena_free(arena);
    return err->status;
}

static void forget(void *kept) {
    pricing *p = kept;
    fs_pathtrace_recorded_free(&p->activity);
    fs_walk_counts_free(&p->sums);
    fs_arena_free(p->arena);
    fs_arena_free(p->network);
}

const fs_workload_prices fs_pathtrace_prices = {
    .size = sizeof(pricing), .point = price_point, .close = forget};
