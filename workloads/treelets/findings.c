/* What a run says of the rules by which it was made (docs/design/treelets.md), and its ladder. */
#include "workloads/treelets/run.h"

#include <math.h>
#include <string.h>

typedef fs_treelets_figures figures;

/* The treelet with most work, and that whose copies have most to do. */
static void find_copies(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_treelets_shown *s = &r->shown;
    uint64_t busiest = 0, next = 0;
    for (uint64_t k = 0; k < f->geometry.treelets; k++) {
        busiest = s->units_of[k] > s->units_of[busiest] ? k : busiest;
        next = s->units_of[k] * s->copies_of[next] > s->units_of[next] * s->copies_of[k] ? k : next;
    }
    const double share = (double)s->units_of[busiest] / (double)f->traffic.units;
    FS_FIND(out, "copies",
            "Treelet {treelet|.0} takes {share|share} of all work, {one_copy|3} times the mean of a tile "
            "were there one copy of each; {copies|.2} copies of each, at most {copies_most|.0} "
            "(workload.copies), leave the busiest tile with {tile_imbalance|.2} times the mean; one more of "
            "treelet {next|.0}, whose copies have most to do, would take {one_more|share} off their work.",
            FS_IS("treelet", busiest), FS_IS("share", share), FS_IS("one_copy", share * r->tiles),
            FS_IS("copies", f->copies_mean), FS_IS("copies_most", f->traffic.most_copies),
            FS_IS("tile_imbalance", f->traffic.tile_imbalance), FS_IS("next", next),
            FS_IS("one_more", 1 / (1 + (double)s->copies_of[next])));
}

/* The knee: where copies are few, the work of a treelet cannot be spread. */
static void find_room(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    enum { FEW = 2 };
    static const double full = 0.8; /* of the room: where copies end for want of it */
    double bytes = 0;
    for (uint32_t t = 0; t < r->tiles; t++)
        bytes += (double)r->tile_bytes[t];
    const double held = bytes / ((double)r->tiles * (double)fs_treelets_room(r));
    FS_FIND(out, "room",
            "Treelets of {bytes_mean|B} each fill {held|share} of the room that tiles have for them, and "
            "each tile holds {top|B} of the top; one copy each of about {fit|whole} triangles would "
            "fit[@few?; at {copies|.2} copies each the rate is {of_ideal|share} of that of workers that are "
            "always busy: smaller treelets (workload.treelet.bytes), rounded rays (workload.payload compact) "
            "or more SRAM make room for copies].",
            FS_IS("held", held), FS_IS("bytes_mean", f->bytes_mean), FS_IS("top", f->geometry.top_bytes),
            FS_IS("fit", f->triangles_fit), FS_IS("copies", f->copies_mean),
            FS_IS("of_ideal", f->rate / f->ideal),
            FS_IS("@few", f->copies_mean < FEW && held > full && r->params->copies == FS_PLACE_LOAD));
}

/* What the rules of workers and of the walk come to. */
static void find_work(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    static const char *const order[] = {"nearer child first", "by distance", "in the tree's order"};
    const fs_treelets_geometry *g = &f->geometry;
    FS_FIND(out, "quantum",
            "Workers [@quantum?stop at {@quantum|whole} units (workload.quantum), which puts a ray aside "
            "{aside|.1} times a path|go on until their tile's queue is empty (workload.quantum 0)]; a step "
            "computes for {cycles|whole} cycles on average, as long as its slowest worker, and workers are "
            "busy in {workers_busy|share} of it.",
            FS_IS("aside", (double)r->totals[FS_TREELETS_ASIDE] / (double)g->paths),
            FS_IS("cycles", (double)f->chip.device.cycles_compute / (double)f->steps),
            FS_IS("workers_busy", f->chip.use.workers_busy), FS_IS("@quantum", r->params->quantum));
    FS_FIND(out, "order",
            "Treelets {@order} (workload.order): a segment visits {visits|.2} of them, of which "
            "{found|share} give a nearer hit, keeps at most {stack|.0} top nodes on its stack and spends "
            "{top|share} of its nodes in the top.",
            FS_IS("visits", f->visits_per_segment),
            FS_IS("found", g->visits > 0 ? (double)g->found / (double)g->visits : 0),
            FS_IS("stack", g->deepest_stack), FS_IS("top", (double)g->top_nodes / (double)g->path_nodes),
            FS_IS("@order", order[r->params->order]));
}

/* What paths in flight and queues come to. */
static void find_queues(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_travelled *a = r->activity;
    const fs_treelets_traffic *t = &f->traffic;
    const double filling = 1 - f->rate_frame / f->rate;
    FS_FIND(out, "window",
            "{@window|.0} paths in flight for each tile (workload.window, workload.start {@start}): a tile "
            "has a ray to work on in {working|share} of the steps[, and filling and draining take "
            "{filling|share} of the frame's rate].",
            FS_IS("working", (double)a->active / ((double)a->steps * (double)r->tiles)),
            FS_IS("filling", filling > 0 ? filling : (double)NAN), FS_IS("@window", r->params->window),
            FS_IS("@start", r->params->start == FS_TREELETS_SCATTERED ? "scattered" : "image"));
    FS_FIND(out, "capacity",
            "The deepest queue, on tile {tile|.0}, holds {deepest|whole} rays[@capacity? of "
            "workload.queue.capacity {@capacity|whole}]; [refused?{refused|whole} times a ray stayed where "
            "it was, {@each|.2} times a path|no ray had to stay where it was for want of room][rings?, and "
            "{rings|whole} rings of full tiles were turned].",
            FS_IS("deepest", t->deepest), FS_IS("tile", t->deepest_tile), FS_IS("refused", t->refused),
            FS_IS("rings", t->turned), FS_IS("@capacity", r->params->capacity),
            FS_IS("@each", (double)t->refused / (double)f->geometry.paths));
}

/* Against what one port of a tile could carry: the root of a tree of routers is one tile. */
static void find_moves(const fs_treelets_run *r, const figures *f, fs_findings *out) {
    const fs_machine_params *m = r->of.machine;
    const double bytes = f->rate * f->moves_per_path * (double)f->payload,
                 slots = (double)f->steps * (double)r->params->slots * r->tiles * (r->tiles - 1.0);
    const bool rotates = fs_treelets_exchange(r->params, m) == FS_TREELETS_ROTATION;
    FS_FIND(out, "moves",
            "A path moves {moves|.2} times, a ray of {@payload|.0} B: {bytes_a_second|3e-9} GB/s, {ports|2} "
            "times what one tile's port carries, and the root of a tree of routers is one tile; moving takes "
            "{exchange|share} of the time[, and {used|share} of the slots that the rotation plans are used].",
            FS_IS("moves", f->moves_per_path), FS_IS("bytes_a_second", bytes),
            FS_IS("ports", bytes / ((double)m->exchange.bytes_per_cycle * m->clock)),
            FS_IS("exchange", f->share_exchange),
            FS_IS("used", rotates ? (double)f->traffic.hops / slots : (double)NAN),
            FS_IS("@payload", f->payload));
}

/* ---- the ladder ---- */

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
    fs_ladder_time(&own[BUSY], (double)(d->cycles - d->cycles_compute) + busy, (double)d->cycles,
                   cycles_a_second);
    fs_ladder_time(&own[STEADY], (double)d->cycles_host + paths / f->rate * cycles_a_second,
                   (double)d->cycles, cycles_a_second);
    for (size_t i = 0; i < out->rung_count; i++) {
        const bool all = strcmp(out->rungs[i].name, "all") == 0;
        for (size_t k = 0; all && k < OWN; k++)
            rungs[n++] = own[k];
        rungs[n] = out->rungs[i];
        if (all)
            fs_ladder_time(&rungs[n], busy, (double)d->cycles, cycles_a_second);
        n++;
    }
    out->rungs = rungs;
    out->rung_count = n;
    fs_ladder_energy(rungs, n, f->chip.power.energy.joules, fs_power_standing(&f->chip.power));
}

fs_status fs_treelets_climb(void *run, fs_conclusions *out, fs_error *err) {
    if (fs_chip_run_conclude(run, out, err) == FS_OK)
        add_rungs(run, out);
    return err->status;
}

fs_status fs_treelets_conclude(void *run, fs_conclusions *out, fs_error *err) {
    const fs_treelets_run *r = run;
    const figures *f = &r->figures;
    FS_FIND(out->findings, "prediction",
            "The chip traces {rate|3e-6} M paths/s while its window is full, {of_ideal|share} of what "
            "workers that are always busy would; filling and draining leave {rate_frame|3e-6} M paths/s over "
            "all steps; nobody has measured such a renderer, so these are predictions.",
            FS_IS("rate", f->rate), FS_IS("of_ideal", f->rate / f->ideal),
            FS_IS("rate_frame", f->rate_frame));
    find_copies(r, f, out->findings);
    find_room(r, f, out->findings);
    find_work(r, f, out->findings);
    find_queues(r, f, out->findings);
    find_moves(r, f, out->findings);
    if (fs_treelets_climb(run, out, err))
        return err->status;
    fs_joined_find(&f->chips, r->of.device, NULL, out->findings);
    return FS_OK;
}
