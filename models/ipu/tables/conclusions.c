#include "models/ipu/tables/conclusions.h"

#include "models/ipu/device.h"
#include "sim/base/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    fs_finding *f = fs_finding_begin(out, "step");
    fs_finding_say(
        f, "Of all steps, step %" PRIu32 " (%.80s) takes most: %s of their cycles, %s of that compute.", most,
        name == NULL ? "no name" : name, FS_PERCENT(share), FS_PERCENT(compute));
    FS_FINDING_FIGURES(f, {"share", share}, {"compute", compute}, {"step", most});
}

static void find_pace(const fs_books_notes *n, const fs_use_figures *use, fs_findings *out) {
    if (isnan(use->pace_share) || isnan(use->imbalance))
        return;
    fs_finding *f = fs_finding_begin(out, "pace");
    if (use->imbalance > 1)
        fs_finding_say(f,
                       "Tile %" PRIu64
                       " (%s) sets the pace of %s of the compute phases, and the slowest tile computes "
                       "%.2f times as long as the average tile in use; ",
                       use->pace_tile, fs_books_role(&n->labels, (uint32_t)use->pace_tile),
                       FS_PERCENT(use->pace_share), use->imbalance);
    else
        fs_finding_say(f, "All %s tiles in use compute for the same time; ",
                       fs_number_grouped((double)use->tiles));
    fs_finding_say(f, "their workers are busy in %s of the compute phases.", FS_PERCENT(use->workers_busy));
    if (use->imbalance > 1)
        fs_finding_figure(f, "pace_share", use->pace_share);
    FS_FINDING_FIGURES(f, {"workers_busy", use->workers_busy}, {"imbalance", use->imbalance},
                       {"tile", (double)use->pace_tile});
}

static void find_port(const fs_use_figures *use, fs_findings *out) {
    if (isnan(use->port_busy) || use->port_busy <= 0)
        return;
    fs_finding *f = fs_finding_begin(out, "port");
    fs_finding_say(f,
                   "The busiest port, the %s port of tile %" PRIu64
                   ", moves words in %s of the exchange phases; the rest is "
                   "latency across the chip, programs between steps and waiting.",
                   use->port_side, use->port_tile, FS_PERCENT(use->port_busy));
    FS_FINDING_FIGURES(f, {"port_busy", use->port_busy}, {"tile", (double)use->port_tile});
}

static void find_sram(const fs_books_notes *n, fs_findings *out) {
    if (n->ledger == NULL || fs_ledger_peak(n->ledger) == 0)
        return;
    const uint32_t tile = fs_ledger_worst(n->ledger);
    const double share = (double)fs_ledger_peak(n->ledger) / (double)n->machine->memory.sram;
    fs_finding *f = fs_finding_begin(out, "sram");
    fs_finding_say(f, "The fullest tile, %" PRIu32 ", takes %s of its SRAM.", tile, FS_PERCENT(share));
    FS_FINDING_FIGURES(f, {"share", share}, {"tile", tile});
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
    const struct {
        const char *name, *detail, *sets;
        uint64_t cycles;
    } rungs[FS_BOOKS_RUNGS] = {
        {"measured", "The run as it is.", "", t->cycles},
        {"free_exchange", "The exchange takes no time.", "", t->cycles - t->cycles_exchange},
        {"free_sync", "Barriers take no time.",
         "machine.sync.base=0cycles machine.sync.skew_row=0cycles machine.sync.skew_column=0cycles",
         t->cycles - t->cycles_sync},
        {"free_host", "Host visits and launches take no time.", "", t->cycles - t->cycles_host},
        {"balanced", "Every tile in use computes as long as the average one.", "",
         t->cycles - t->cycles_compute + even},
        {"all", "All of these together.", "", even},
    };
    const char *bound = branches_beside(n->plan) ? "estimate" : "bound";
    memset(out, 0, FS_BOOKS_RUNGS * sizeof *out);
    for (uint32_t r = 0; r < FS_BOOKS_RUNGS; r++) {
        out[r].name = rungs[r].name;
        out[r].kind = r == 0 ? "measured" : bound;
        out[r].cycles = rungs[r].cycles;
        out[r].seconds = (double)rungs[r].cycles / n->machine->clock;
        out[r].gain_percent =
            t->cycles > 0 ? 100.0 * (double)(t->cycles - rungs[r].cycles) / (double)t->cycles : 0;
        snprintf(out[r].detail, sizeof out[r].detail, "%s", rungs[r].detail);
        snprintf(out[r].sets, sizeof out[r].sets, "%s", rungs[r].sets);
    }
}
