/* What a run says of the rules by which it was made (docs/design/treelets.md), and its ladder. */
#include "workloads/treelets/run.h"

#include "sim/base/numbers.h"

#include <inttypes.h>
#include <string.h>

typedef fs_treelets_figures figures;

static void say_rate(const figures *f, fs_findings *out) {
    fs_finding *at = fs_finding_begin(out, "prediction");
    fs_finding_say(
        at,
        "The chip traces %s M paths/s while its window is full, %s of what workers that are always "
        "busy would; filling and draining leave %s M paths/s of the frame; nobody has measured such a "
        "renderer, so these are predictions.",
        fs_number_short(1e-6 * f->rate, 3), FS_PERCENT(f->rate / f->ideal),
        fs_number_short(1e-6 * f->rate_frame, 3));
    FS_FINDING_FIGURES(at, {"rate", f->rate}, {"of_ideal", f->rate / f->ideal},
                       {"rate_frame", f->rate_frame});
}

static void say_copies(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_treelets_shown *s = &r->shown;
    const double all = (double)f->traffic.units;
    uint64_t busiest = 0, next = 0; /* most work; most work a copy */
    for (uint64_t k = 0; k < f->geometry.treelets; k++) {
        busiest = s->units_of[k] > s->units_of[busiest] ? k : busiest;
        next = s->units_of[k] * s->copies_of[next] > s->units_of[next] * s->copies_of[k] ? k : next;
    }
    const double share = (double)s->units_of[busiest] / all, single = share * r->tiles,
                 more = 1 / (1 + (double)s->copies_of[next]);
    fs_finding *at = fs_finding_begin(out, "copies");
    fs_finding_say(
        at,
        "Treelet %" PRIu64 " takes %s of all work, %s times the mean of a tile were there one copy of each; "
        "%.2f copies of each, at most %" PRIu64 " (workload.copies), leave the busiest tile with %.2f times "
        "the mean; one more of treelet %" PRIu64
        ", whose copies have most to do, would take %s off their work.",
        busiest, FS_PERCENT(share), fs_number_short(single, 3), f->copies_mean, f->traffic.most_copies,
        f->traffic.tile_imbalance, next, FS_PERCENT(more));
    FS_FINDING_FIGURES(at, {"treelet", (double)busiest}, {"share", share}, {"one_copy", single},
                       {"copies", f->copies_mean}, {"copies_most", (double)f->traffic.most_copies},
                       {"tile_imbalance", f->traffic.tile_imbalance}, {"next", (double)next},
                       {"one_more", more});
}

/* The knee: where copies are few, the work of a treelet cannot be spread. */
static void say_room(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    enum { FEW = 2 };
    static const double full = 0.8; /* of the room: where copies end for want of it */
    double bytes = 0;
    for (uint32_t t = 0; t < r->tiles; t++)
        bytes += (double)r->tile_bytes[t];
    const double held = bytes / ((double)r->tiles * (double)fs_treelets_room(r));
    fs_finding *at = fs_finding_begin(out, "room");
    fs_finding_say(at,
                   "Treelets of %s each fill %s of the room that tiles have for them, and each tile "
                   "holds %s of the top; one copy each of about %s triangles would fit",
                   fs_number_bytes(f->bytes_mean), FS_PERCENT(held),
                   fs_number_bytes((double)f->geometry.top_bytes),
                   fs_number_grouped((double)f->triangles_fit));
    FS_FINDING_FIGURES(at, {"held", held}, {"bytes_mean", f->bytes_mean},
                       {"top", (double)f->geometry.top_bytes}, {"fit", (double)f->triangles_fit});
    if (f->copies_mean < FEW && held > full && r->params->copies == FS_PLACE_LOAD) {
        fs_finding_say(
            at,
            "; at %.2f copies each the rate is %s of that of workers that are always busy: smaller treelets "
            "(workload.treelet.bytes), rounded rays (workload.payload compact) or more SRAM make room for "
            "copies",
            f->copies_mean, FS_PERCENT(f->rate / f->ideal));
        FS_FINDING_FIGURES(at, {"copies", f->copies_mean}, {"of_ideal", f->rate / f->ideal});
    }
    fs_finding_say(at, ".");
}

static void say_quantum(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_device_figures *d = &f->chip.device;
    const double aside = (double)r->totals[FS_TREELETS_ASIDE] / (double)f->geometry.paths;
    fs_finding *at = fs_finding_begin(out, "quantum");
    if (r->params->quantum == 0)
        fs_finding_say(at, "Workers go on until their tile's queue is empty (workload.quantum 0)");
    else
        fs_finding_say(
            at, "Workers stop at %s units (workload.quantum), which puts a ray aside %.1f times a path",
            fs_number_grouped((double)r->params->quantum), aside);
    fs_finding_say(at,
                   "; a step computes for %s cycles on average, as long as its slowest worker, and workers "
                   "are busy in %s of "
                   "it.",
                   fs_number_grouped((double)d->cycles_compute / (double)f->steps),
                   FS_PERCENT(f->chip.use.workers_busy));
    if (r->params->quantum > 0)
        fs_finding_figure(at, "aside", aside);
    FS_FINDING_FIGURES(at, {"cycles", (double)d->cycles_compute / (double)f->steps},
                       {"workers_busy", f->chip.use.workers_busy});
}

static void say_order(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    static const char *const order[] = {"nearer child first", "by distance", "in the tree's order"};
    const fs_treelets_geometry *g = &f->geometry;
    const double found = g->visits > 0 ? (double)g->found / (double)g->visits : 0,
                 top = (double)g->top_nodes / (double)g->path_nodes;
    fs_finding *at = fs_finding_begin(out, "order");
    fs_finding_say(at,
                   "Treelets %s (workload.order): a segment visits %.2f of them, of which %s give a nearer "
                   "hit, keeps at "
                   "most %" PRIu64 " top nodes on its stack and spends %s of its nodes in the top.",
                   order[r->params->order], f->visits_per_segment, FS_PERCENT(found), g->deepest_stack,
                   FS_PERCENT(top));
    FS_FINDING_FIGURES(at, {"visits", f->visits_per_segment}, {"found", found},
                       {"stack", (double)g->deepest_stack}, {"top", top});
}

static void say_window(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_travelled *a = r->activity;
    const double working = (double)a->active / ((double)a->steps * (double)r->tiles),
                 filling = 1 - f->rate_frame / f->rate;
    fs_finding *at = fs_finding_begin(out, "window");
    fs_finding_say(at,
                   "%" PRId64
                   " paths in flight for each tile (workload.window, workload.start %s): a tile has a ray to "
                   "work on in %s of the steps",
                   r->params->window, r->params->start == FS_TREELETS_SCATTERED ? "scattered" : "image",
                   FS_PERCENT(working));
    fs_finding_figure(at, "working", working);
    if (filling > 0) {
        fs_finding_say(at, ", and filling and draining take %s of the frame's rate", FS_PERCENT(filling));
        fs_finding_figure(at, "filling", filling);
    }
    fs_finding_say(at, ".");
}

static void say_capacity(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_treelets_traffic *t = &f->traffic;
    fs_finding *at = fs_finding_begin(out, "capacity");
    fs_finding_say(at, "The deepest queue, on tile %" PRIu64 ", holds %s rays", t->deepest_tile,
                   fs_number_grouped((double)t->deepest));
    if (r->params->capacity > 0)
        fs_finding_say(at, " of workload.queue.capacity %s", fs_number_grouped((double)r->params->capacity));
    if (t->refused > 0)
        fs_finding_say(at, "; %s times a ray stayed where it was, %.2f times a path",
                       fs_number_grouped((double)t->refused), (double)t->refused / (double)f->geometry.paths);
    else
        fs_finding_say(at, "; no ray had to stay where it was for want of room");
    if (t->turned > 0)
        fs_finding_say(at, ", and %s rings of full tiles were turned", fs_number_grouped((double)t->turned));
    fs_finding_say(at, ".");
    FS_FINDING_FIGURES(at, {"deepest", (double)t->deepest}, {"tile", (double)t->deepest_tile},
                       {"refused", (double)t->refused}, {"rings", (double)t->turned});
}

/* Against what one port of a tile could carry: the root of a tree of routers is one tile. */
static void say_moves(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_machine_params *m = r->of.machine;
    const double bytes = f->rate * f->moves_per_path * (double)f->payload,
                 ports = bytes / ((double)m->exchange.bytes_per_cycle * m->clock);
    fs_finding *at = fs_finding_begin(out, "moves");
    fs_finding_say(at,
                   "A path moves %.2f times, a ray of %" PRIu64
                   " B: %s GB/s, %s times what one tile's port carries, and the root of a tree of routers is "
                   "one tile; moving takes %s of the time",
                   f->moves_per_path, f->payload, fs_number_short(1e-9 * bytes, 3), fs_number_short(ports, 2),
                   FS_PERCENT(f->share_exchange));
    FS_FINDING_FIGURES(at, {"moves", f->moves_per_path}, {"bytes_a_second", bytes}, {"ports", ports},
                       {"exchange", f->share_exchange});
    if (fs_treelets_exchange(r->params, m) == FS_TREELETS_ROTATION) {
        const double used = (double)f->traffic.hops /
                            ((double)f->steps * (double)r->params->slots * r->tiles * (r->tiles - 1.0));
        fs_finding_say(at, ", and %s of the slots that the rotation plans are used", FS_PERCENT(used));
        fs_finding_figure(at, "used", used);
    }
    fs_finding_say(at, ".");
}

/* ---- the ladder ---- */

static void set_rung(fs_rung *rung, const fs_treelets_run *r, double cycles) {
    const double measured = (double)r->figures.chip.device.cycles;
    rung->cycles = (uint64_t)(cycles + 0.5);
    rung->seconds = cycles / r->of.machine->clock;
    rung->gain_percent = 100 * (measured - cycles) / measured;
}

/* The machine's, and before their last, `all`, which has them too: compute of workers that are always busy; all paths at
 * the steady rate. */
static void add_rungs(const fs_treelets_run *r, fs_conclusions *out) {
    enum { BUSY, STEADY, OWN };
    const figures *f = &r->figures;
    const fs_device_figures *d = &f->chip.device;
    const double cycles_a_second = r->of.machine->clock, paths = (double)f->geometry.paths,
                 busy = paths / f->ideal * cycles_a_second;
    fs_rung own[OWN] = {
        [BUSY] = {.name = "busy_workers",
                  .kind = "bound",
                  .detail = "Every worker of every tile of treelets computes all the time."},
        [STEADY] = {.name = "steady",
                    .kind = "estimate",
                    .detail = "Other frames fill what the first and the last paths of this one leave."}};
    fs_rung *rungs = FS_NEW(r->of.run.arena, fs_rung, out->rung_count + OWN);
    size_t n = 0;
    set_rung(&own[BUSY], r, (double)(d->cycles - d->cycles_compute) + busy);
    set_rung(&own[STEADY], r, (double)d->cycles_host + paths / f->rate * cycles_a_second);
    for (size_t i = 0; i < out->rung_count; i++) {
        const bool all = strcmp(out->rungs[i].name, "all") == 0;
        for (size_t k = 0; all && k < OWN; k++)
            rungs[n++] = own[k];
        rungs[n] = out->rungs[i];
        if (all)
            set_rung(&rungs[n], r, busy);
        n++;
    }
    out->rungs = rungs;
    out->rung_count = n;
    fs_ladder_energy(rungs, n, f->chip.power.energy.joules, fs_power_standing(&f->chip.power));
}

fs_status fs_treelets_conclude(void *run, fs_conclusions *out, fs_error *err) {
    const fs_treelets_run *r = run;
    const figures *f = &r->figures;
    say_rate(f, out->findings);
    say_copies(r, f, out->findings);
    say_room(r, f, out->findings);
    say_quantum(r, f, out->findings);
    say_order(r, f, out->findings);
    say_window(r, f, out->findings);
    say_capacity(r, f, out->findings);
    say_moves(r, f, out->findings);
    if (fs_chip_run_conclude(run, out, err))
        return err->status;
    fs_joined_find(&f->chips, r->of.device, NULL, out->findings);
    add_rungs(r, out);
    return FS_OK;
}
