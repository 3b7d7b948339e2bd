/* What a run of treelets has to say beside its machine: what its rules are worth, in words, and a rung of the ladder. */
#include "workloads/treelets/run.h"

#include "models/ipu/tables/conclusions.h"
#include "sim/base/numbers.h"
#include "workloads/treelets/place/place.h"
#include "workloads/treelets/record/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef fs_treelets_figures figures;

static void say_size(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    fs_finding *at = fs_finding_begin(out, "size");
    const fs_treelets_geometry *g = &f->geometry;
    fs_finding_say(at,
                   "%s triangles take %s in %" PRIu64
                   " treelets, %.1f times the room of a tile; one copy of each of "
                   "about %s would fit, the top of %s on each tile.",
                   fs_number_grouped((double)g->triangles), fs_number_bytes((double)g->treelet_bytes),
                   g->treelets, (double)g->treelet_bytes / (double)fs_treelets_room(r),
                   fs_number_grouped((double)f->triangles_fit), fs_number_bytes((double)g->top_bytes));
    FS_FINDING_FIGURES(at, {"triangles", (double)g->triangles}, {"bytes", (double)g->treelet_bytes},
                       {"treelets", (double)g->treelets}, {"fit", (double)f->triangles_fit},
                       {"top", (double)g->top_bytes});
}

/* One copy each: the tile of the busiest treelet does at least what is done there. */
static void say_copies(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    uint64_t most = 0, busiest = 0;
    for (uint64_t k = 0; k < f->geometry.treelets; k++)
        if (r->shown.units_of[k] > most) {
            most = r->shown.units_of[k];
            busiest = k;
        }
    if (f->geometry.treelets < 2)
        return;
    fs_finding *at = fs_finding_begin(out, "copies");
    const double share = (double)most / (double)f->traffic.units,
                 single = (double)most * r->tiles / (double)f->traffic.units;
    fs_finding_say(at,
                   "Treelet %" PRIu64
                   " takes %s of all work: with one copy each its tile would do %s times the mean. ",
                   busiest, FS_PERCENT(share), fs_number_short(single, 3));
    if (r->params->copies == FS_PLACE_LOAD)
        fs_finding_say(at,
                       "Copies by the load of a pilot, %.1f each and %" PRIu64
                       " of the busiest, leave %.2f times for the busiest tile.",
                       f->copies_mean, f->traffic.most_copies, f->traffic.tile_imbalance);
    else
        fs_finding_say(
            at, "The busiest tile does %s times the mean; workload.copies load would give more copies to it.",
            fs_number_short(f->traffic.tile_imbalance, 3));
    FS_FINDING_FIGURES(at, {"share", share}, {"one_copy", single}, {"copies", f->copies_mean},
                       {"busiest_tile", f->traffic.tile_imbalance});
}

static void say_visits(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    static const char *const order[] = {
        [FS_ORDER_NEAR] = "the nearer child first, with up to %" PRIu64 " top nodes in the ray",
        [FS_ORDER_SORTED] = "sorted by distance, without a stack in the ray (%" PRIu64 " entries)",
        [FS_ORDER_FIXED] = "in the tree's order, without a stack in the ray (%" PRIu64 " entries)"};
    const double found = (double)f->geometry.found / (double)f->geometry.visits,
                 top = (double)f->geometry.top_nodes / (double)f->geometry.path_nodes;
    char how[96];
    snprintf(how, sizeof how, order[r->params->order], f->geometry.deepest_stack);
    fs_finding *at = fs_finding_begin(out, "visits");
    fs_finding_say(at,
                   "A segment visits %.2f treelets, %s; %s of the visits find a nearer hit, %s of the nodes "
                   "are the top's.",
                   f->visits_per_segment, how, FS_PERCENT(found), FS_PERCENT(top));
    FS_FINDING_FIGURES(at, {"visits", f->visits_per_segment}, {"found", found}, {"top", top});
}

/* What moves against what one port of a tile could carry: a tree's root has a few of them. */
static void say_moves(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_machine_params *m = r->of.machine;
    const double moves = f->rate * f->moves_per_path, bytes = moves * (double)f->payload,
                 port = (double)m->exchange.bytes_per_cycle * m->clock;
    const bool rotation = fs_treelets_exchange(r->params, m) == FS_TREELETS_ROTATION;
    fs_finding *at = fs_finding_begin(out, "moves");
    fs_finding_say(
        at,
        "A path moves %.2f times, a ray of %" PRIu64
        " B: %s GB/s, %s times what one tile's port carries, and the root of a tree of routers is one "
        "tile; moving takes %s of the time",
        f->moves_per_path, f->payload, fs_number_short(1e-9 * bytes, 3), fs_number_short(bytes / port, 2),
        FS_PERCENT(f->share_exchange));
    FS_FINDING_FIGURES(at, {"moves", f->moves_per_path}, {"bytes_a_second", bytes}, {"ports", bytes / port},
                       {"exchange", f->share_exchange});
    if (rotation) {
        const double used = (double)f->traffic.hops /
                            ((double)f->steps * (double)r->params->slots * r->tiles * (r->tiles - 1.0));
        fs_finding_say(at, ", and %s of the slots that the rotation plans are used", FS_PERCENT(used));
        fs_finding_figure(at, "used", used);
    }
    fs_finding_say(at, ".");
}

static void say_queue(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_treelets_traffic *t = &f->traffic;
    fs_finding *at = fs_finding_begin(out, "queue");
    fs_finding_say(at, "Tile %" PRIu64 " holds up to %" PRIu64 " rays", t->deepest_tile, t->deepest);
    if (r->params->capacity > 0)
        fs_finding_say(at, " of %" PRId64, r->params->capacity);
    if (t->refused > 0)
        fs_finding_say(at, "; %s times a ray stayed where it was, as its tile or slot was full%s",
                       fs_number_grouped((double)t->refused),
                       t->turned > 0 ? ", and rings of full tiles turned" : "");
    fs_finding_say(at, ".");
    FS_FINDING_FIGURES(at, {"deepest", (double)t->deepest}, {"refused", (double)t->refused},
                       {"rings", (double)t->turned});
}

static void say_quantum(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const double of_ideal = f->rate / f->ideal;
    fs_finding *at = fs_finding_begin(out, "quantum");
    fs_finding_say(
        at, "The steady rate is %s of what workers that are always busy would give: ", FS_PERCENT(of_ideal));
    fs_finding_figure(at, "of_ideal", of_ideal);
    if (r->params->quantum > 0)
        fs_finding_say(at,
                       "a step lasts as long as the slowest %" PRId64
                       " units of work take a worker, and tiles run out of rays.",
                       r->params->quantum);
    else
        fs_finding_say(at,
                       "without a quantum (workload.quantum 0) a step lasts as long as the fullest tile.");
}

/* ---- the ladder ---- */

static void add_rung(fs_treelets_run *r, fs_conclusions *out) {
    const figures *f = &r->figures;
    const fs_device_figures *d = &f->chip.device;
    const double compute = (double)f->geometry.paths / f->ideal * r->of.machine->clock;
    fs_rung *rungs = FS_NEW(r->of.run.arena, fs_rung, out->rung_count + 1), *rung = &rungs[out->rung_count];
    memcpy(rungs, out->rungs, out->rung_count * sizeof *rungs);
    *rung = (fs_rung){.name = "busy_workers",
                      .kind = "bound",
                      .cycles = d->cycles - d->cycles_compute + (uint64_t)(compute + 0.5)};
    snprintf(rung->detail, sizeof rung->detail, "All workers of all tiles of treelets are busy throughout.");
    rung->seconds = (double)rung->cycles / r->of.machine->clock;
    rung->gain_percent = 100 * ((double)d->cycles - (double)rung->cycles) / (double)d->cycles;
    rung->joules =
        rungs[0].joules - fs_power_standing(&f->chip.power) * (1 - (double)rung->cycles / (double)d->cycles);
    out->rungs = rungs;
    out->rung_count++;
}

fs_status fs_treelets_conclude(void *run, fs_conclusions *out, fs_error *err) {
    fs_treelets_run *r = run;
    const figures *f = &r->figures;
    if (fs_chip_run_conclude(run, out, err))
        return err->status;
    say_copies(r, f, out->findings);
    say_quantum(r, f, out->findings);
    say_visits(r, f, out->findings);
    say_moves(r, f, out->findings);
    say_queue(r, f, out->findings);
    say_size(r, f, out->findings);
    fs_joined_find(&f->chips, r->of.device, NULL, out->findings);
    add_rung(r, out);
    return FS_OK;
}
