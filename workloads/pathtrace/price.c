/* Prices of recorded activity: batches in closed form, worked out anew only where a price of the walk or the
 * samples differ from the point before. */
#include "workloads/pathtrace/figures.h"
#include "workloads/pathtrace/record.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct pricing {
    fs_pathtrace_recorded activity; /* rows 0: not yet read */
    fs_arena *arena;                /* of the batches; NULL: none yet */
    fs_pathtrace_fixed fixed;       /* that they were priced with */
    fs_pathtrace_batch *batch;
} pricing;

/* Whether a batch's walks take the same cycles: fs_pathtrace_batch_of asks for nothing else. */
static bool same_walks(const fs_pathtrace_fixed *a, const fs_pathtrace_fixed *b) {
    const fs_priced_program *x = &a->walk, *y = &b->walk;
    return memcmp(x->slots, y->slots, sizeof x->slots) == 0 && x->cycles_per_slot == y->cycles_per_slot &&
           x->permille == y->permille && x->before == y->before && x->after == y->after &&
           x->fixed_other[0] == y->fixed_other[0] && a->each == b->each && a->drawn == b->drawn &&
           a->samples == b->samples && a->render_tiles == b->render_tiles && a->workers == b->workers;
}

static void price_batches(pricing *p, const fs_pathtrace_setup *s) {
    if (p->arena != NULL && same_walks(&p->fixed, &s->fixed))
        return;
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
    fs_pathtrace_batches_grow(&s->fixed, p->batch, s->layout.batches);
}

static fs_status price_point(void *kept, const fs_recording *recording, const fs_config *config,
                             json_t *summary, fs_error *err) {
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
    const fs_status status = fs_pathtrace_setup_make(&s, config, &p->activity.scene, arena, err);
    if (status == FS_OK) {
        price_batches(p, &s);
        const fs_pathtrace_frame frame =
            fs_pathtrace_frame_of(&s.fixed, &s.layout, p->batch, (fs_pathtrace_free){.balance = false});
        const fs_pathtrace_figures f = fs_pathtrace_figures_of(&s, p->batch, &frame, &p->activity.paths);
        fs_results_stats_json(&fs_pathtrace_stats, &f, summary);
    }
    fs_arena_free(arena);
    return status;
}

static void forget(void *kept) {
    pricing *p = kept;
    fs_pathtrace_recorded_free(&p->activity);
    fs_arena_free(p->arena);
}

const fs_workload_prices fs_pathtrace_prices = {
    .size = sizeof(pricing), .point = price_point, .close = forget};
