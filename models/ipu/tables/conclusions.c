#include "models/ipu/tables/conclusions.h"

#include "models/ipu/device.h"

#include <math.h>

/* ---- findings ---- */

static uint64_t step_cycles(const fs_device_step_totals *s) {
    return s->compute + s->sync + s->exchange;
}

/* The step that takes most, where there are several. */
static void find_step(const fs_books_notes *n, fs_findings *out) {
    uint64_t all = 0;
    uint32_t most = 0;
    for (uint32_t s = 0; s < n->steps; s++) {
        all += step_cycles(&n->totals.step[s]);
        if (step_cycles(&n->totals.step[s]) > step_cycles(&n->totals.step[most]))
            most = s;
    }
    if (n->steps < 2 || all == 0)
        return;
    const fs_device_step_totals *step = &n->totals.step[most];
    const double share = (double)step_cycles(step) / (double)all,
                 compute = (double)step->compute / (double)step_cycles(step);
    const char *name = fs_plan_step(n->plan, most)->name;
    FS_FIND(out, "step",
            "Of all steps, step {step|.0} ({@name}) takes most: {share|share} of their cycles, "
            "{compute|share} of that compute.",
            FS_IS("share", share), FS_IS("compute", compute), FS_IS("step", most),
            FS_IS("@name", name == NULL ? "no name" : fs_arena_printf(out->arena, "%.80s", name)));
}

static void find_pace(const fs_books_notes *n, const fs_use_figures *use, fs_findings *out) {
    if (isnan(use->pace_share) || isnan(use->imbalance))
        return;
    FS_FIND(out, "pace",
            "[@uneven?Tile {tile|.0} ({@role}) sets the pace of {pace_share|share} of the compute phases, "
            "and the slowest tile computes {imbalance|.2} times as long as the average tile in use|All "
            "{@tiles|whole} tiles in use compute for the same time]; their workers are busy in "
            "{workers_busy|share} of the compute phases.",
            FS_IS("pace_share", use->pace_share), FS_IS("workers_busy", use->workers_busy),
            FS_IS("imbalance", use->imbalance), FS_IS("tile", use->pace_tile), FS_IS("@tiles", use->tiles),
            FS_IS("@uneven", use->imbalance > 1),
            FS_IS("@role", fs_books_role(&n->labels, (uint32_t)use->pace_tile)));
}

static void find_port(const fs_use_figures *use, fs_findings *out) {
    if (use->port_busy > 0)
        FS_FIND(out, "port",
                "The busiest port, the {@side} port of tile {tile|.0}, moves words in {port_busy|share} of "
                "the exchange phases; the rest is latency across the chip, programs between steps and "
                "waiting.",
                FS_IS("port_busy", use->port_busy), FS_IS("tile", use->port_tile),
                FS_IS("@side", use->port_side));
}

static void find_sram(const fs_books_notes *n, fs_findings *out) {
    if (n->ledger == NULL || fs_ledger_peak(n->ledger) == 0)
        return;
    const uint32_t tile = fs_ledger_worst(n->ledger);
    FS_FIND(out, "sram", "The fullest tile, {tile|.0}, takes {share|share} of its SRAM.",
            FS_IS("share", (double)fs_ledger_peak(n->ledger) / (double)n->machine->memory.sram),
            FS_IS("tile", tile));
}

void fs_books_findings(const fs_books_notes *notes, const fs_power_figures *power, fs_energy_each each,
                       fs_findings *out) {
    const fs_use_figures use = fs_use_figures_of(notes);
    const fs_device_figures device = fs_device_figures_of(notes->device, notes->machine->clock);
    fs_device_find_time(&device, out);
    find_step(notes, out);
    find_pace(notes, &use, out);
    find_port(&use, out);
    find_sram(notes, out);
    fs_device_find_turn(notes->device, notes->machine, out);
    fs_device_find_continued(notes->machine, out);
    fs_power_find(power, each, out);
}

/* ---- ladder ---- */

static bool branches_beside(const fs_device_plan *plan) {
    for (uint32_t s = 0; s < plan->stage_count; s++)
        if (plan->stages[s].branch_count > 1)
            return true;
    return false;
}

/* Compute phases if every tile in use computed the mean: no shorter than that, however the work is dealt. */
static uint64_t balanced(const fs_books_notes *n) {
    uint64_t sum = 0;
    for (uint32_t u = 0; u < n->used; u++)
        sum += n->totals.compute[n->tile_of[u]];
    const uint64_t mean = n->used > 0 ? (sum + n->used - 1) / n->used : 0;
    return mean < n->totals.cycles_compute ? mean : n->totals.cycles_compute;
}

void fs_books_notes_rungs(const fs_books_notes *n, fs_rung out[FS_BOOKS_RUNGS]) {
    const fs_device_totals *t = &n->totals;
    const uint64_t even = balanced(n);
    const char *bound = branches_beside(n->plan) ? "estimate" : "bound";
    const fs_rung rungs[FS_BOOKS_RUNGS] = {
        {.name = "measured", .cycles = t->cycles, .detail = "The run as it is."},
        {.name = "free_exchange",
         .cycles = t->cycles - t->cycles_exchange,
         .detail = "The exchange takes no time."},
        {.name = "free_sync",
         .cycles = t->cycles - t->cycles_sync,
         .detail = "Barriers take no time.",
         .sets = "machine.sync.base=0cycles machine.sync.skew_row=0cycles machine.sync.skew_column=0cycles"},
        {.name = "free_host",
         .cycles = t->cycles - t->cycles_host,
         .detail = "Host visits and launches take no time."},
        {.name = "balanced",
         .cycles = t->cycles - t->cycles_compute + even,
         .detail = "Every tile in use computes as long as the average one."},
        {.name = "all", .cycles = even, .detail = "All of these together."},
    };
    for (uint32_t r = 0; r < FS_BOOKS_RUNGS; r++) {
        out[r] = rungs[r];
        out[r].kind = r == 0 ? "measured" : bound;
        fs_ladder_time(&out[r], (double)rungs[r].cycles, (double)t->cycles, n->machine->clock);
    }
}
