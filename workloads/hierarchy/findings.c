/* The sentences of findings.json, most important first. */
#include "workloads/hierarchy/hierarchy.h"
#include "workloads/hierarchy/run.h"

#include "sim/base/arith.h"

#include <math.h>

/* What queues lose, and what that does to the picture; wrong hits where no queue is to blame. */
static void find_loss(const fs_hierarchy_params *p, const fs_hierarchy_figures *f, fs_findings *out) {
    if (f->engine.lost == 0)
        FS_FIND(out, "loss",
                "[@queue?No queue of {@queue|.0} entries lost one; the fullest held {peak|.0}|Queues have no "
                "bound; the fullest held {peak|.0} entries].",
                FS_IS("peak", f->engine.peak), FS_IS("@queue", f->queue));
    else
        FS_FIND(out, "loss",
                "{rays_with_loss|share} of the rays lost queue entries, {lost_each|3} each[, and "
                "{nearest|share} of the hits are the nearest][@few?: longer queues (machine.traversal.queue) "
                "keep them].",
                FS_IS("rays_with_loss", f->rays_with_loss),
                FS_IS("lost_each", f->lost_per_ray / f->rays_with_loss), FS_IS("nearest", f->nearest),
                FS_IS("@few", f->nearest < 0.5));
    if (!isnan(f->wrong) && f->engine.lost == 0)
        FS_FIND(out, "wrong",
                "[wrong?{wrong|share} of the checked rays have another hit than the nearest[@first?: a ray "
                "ends at the first leaf that it hits, and boxes overlap]|All {checked|whole} checked rays "
                "have their nearest hit].",
                FS_IS("checked", f->checked), FS_IS("wrong", f->wrong),
                FS_IS("@first", p->stop == FS_UNIT_WALK_FIRST));
}

/* Where a request's cycles go. */
static void find_request(const fs_hierarchy_figures *f, fs_findings *out) {
    static const char *const where[FS_REQUEST_STAGES] = {
        [FS_REQUEST_UNIT] = "in the unit",       [FS_REQUEST_GRANT] = "before the arbiter",
        [FS_REQUEST_MEMORY] = "in memory",       [FS_REQUEST_BUS] = "on the memory's bus",
        [FS_REQUEST_PIPELINE] = "in a pipeline", [FS_REQUEST_SPILL] = "for spilled entries"};
    int most = 0;
    for (int s = 1; s < FS_REQUEST_STAGES; s++)
        most = f->stage[s] > f->stage[most] ? s : most;
    FS_FIND(out, "request",
            "A ray makes {per_ray|3} requests of {cycles|whole} cycles each, {share|share} of them {@where}.",
            FS_IS("per_ray", f->per_ray), FS_IS("cycles", f->request_cycles),
            FS_IS("share", f->stage[most] / f->request_cycles), FS_IS("@where", where[most]));
}

static const char *limit_of(const fs_hierarchy_figures *f) {
    const double full = 0.9, most = 0.5;
    return f->bus_busy >= full       ? "the memory's bandwidth is used up"
           : f->link_in_busy >= full ? "the link to the host is full"
           : f->units_grant >= most  ? "units wait before the arbiter, and more of them would wait longer"
           : f->units_answer >= most ? "units wait for their answers, and more of them would hide that"
           : f->units_busy >= most   ? "units work"
                                     : "no part is at its limit";
}

static void find_limit(const fs_hierarchy_figures *f, fs_findings *out) {
    FS_FIND(out, "limit",
            "Units work in {busy|share} of their cycles, wait {grant|share} before the arbiter and "
            "{answer|share} for answers; the memory's bus moves data in {bus|share} of the time: {@limit}.",
            FS_IS("busy", f->units_busy), FS_IS("grant", f->units_grant), FS_IS("answer", f->units_answer),
            FS_IS("bus", f->bus_busy), FS_IS("@limit", limit_of(f)));
}

/* Units that fixed priority keeps from the arbiter: they wait most of the time and work less than a hundredth of
 * what units do on average. Units without rays are idle, not starved. */
static void find_starved(const fs_hierarchy_run *run, fs_findings *out) {
    const fs_engine_results *e = &run->engine;
    uint64_t all = 0, busy = 0, cycles = 0;
    uint32_t count = 0, first = 0, last = 0;
    for (uint32_t u = 0; u < e->units; u++)
        all += e->unit[u].busy;
    for (uint32_t u = 0; u < e->units; u++) {
        const fs_part_use *use = &e->unit[u];
        const uint64_t whole = fs_part_use_sum(use);
        if ((double)use->busy * 100 * e->units >= (double)all || use->output <= whole / 2)
            continue;
        first = count++ == 0 ? u : first;
        last = u;
        busy += use->busy;
        cycles += whole;
    }
    if (count == 0 || run->machine->intersection.arbiter != FS_ARBITER_FIXED)
        return;
    FS_FIND(out, "starved",
            "{starved|.0} of {units|.0} units ({@first|.0}[@several?[@two?, | to ]{@last|.0}]) "
            "{starved|is/are} starved and {starved|works/work} {busy|share} of the time, because the fixed "
            "arbiter grants the lowest number first: a request waits up to {longest_wait|whole} cycles; "
            "machine.intersection.arbiter = round_robin shares the grants.",
            FS_IS("starved", count), FS_IS("units", e->units), FS_IS("busy", (double)busy / (double)cycles),
            FS_IS("longest_wait", e->longest_wait), FS_IS("@first", first), FS_IS("@last", last),
            FS_IS("@several", count > 1), FS_IS("@two", count == 2));
}

/* A clock that nobody has published of this engine: 250 MHz on a Virtex-5 (docs/facts/fpga_engine.md). */
static void find_clock(const fs_fpga_params *m, fs_findings *out) {
    const double published = 250e6;
    if ((double)m->clock > published)
        FS_FIND(out, "clock",
                "The clock of {@mhz|4} MHz exceeds the 250 MHz published for this engine on a "
                "Virtex-5[@fixed?; memory keeps its latency of {@latency} (machine.memory.latency)].",
                FS_IS("hz", m->clock), FS_IS("published_hz", published),
                FS_IS("@mhz", (double)m->clock / 1e6), FS_IS("@fixed", m->memory.kind == FS_MEMORY_FIXED),
                FS_IS("@latency", fs_number_in(m->memory.latency, "s", 4)));
}

/* Where requests pass one by one, units do not help; the ladder has served the rays with 256 of them. */
static void find_one_in_flight(const fs_hierarchy_run *run, fs_findings *out) {
    const fs_rung *units = FS_FOUND(run->rungs, run->rung_count, name, "endless_units"),
                  *many = FS_FOUND(run->rungs, run->rung_count, name, "free_arbiter");
    const int64_t in_flight = run->machine->memory.in_flight;
    if (in_flight == FS_IN_FLIGHT_MANY || run->figures.units_grant < 0.5 || units == NULL || many == NULL ||
        units->gain_percent >= 1)
        return;
    FS_FIND(out, "in_flight",
            "More units gain nothing while one request is in flight (machine.memory.in_flight = {@now}): 256 "
            "of them would save {units_percent|most}[@any? of the time], machine.memory.in_flight = many "
            "{many_percent|most}.",
            FS_IS("units_percent", units->gain_percent), FS_IS("many_percent", many->gain_percent),
            FS_IS("@now", in_flight == FS_IN_FLIGHT_CONTROLLER ? "controller" : "pipeline"),
            FS_IS("@any", units->gain_percent > 0));
}

/* The rung that gains most, apart from all together. */
static void find_next(const fs_rung *rungs, size_t count, fs_findings *out) {
    size_t best = 1;
    for (size_t i = 2; i < count - 1; i++)
        best = rungs[i].gain_percent > rungs[best].gain_percent ? i : best;
    if (!(rungs[best].gain_percent >= 1))
        return;
    const fs_plan_rung *said =
        FS_FOUND(fs_hierarchy_page.rungs, fs_hierarchy_page.rung_count, name, rungs[best].name);
    FS_FIND(out, "next",
            "The largest gain would come from {@name}: {gain_percent|most} of the time[@sets? ({@sets})].",
            FS_IS("gain_percent", rungs[best].gain_percent),
            FS_IS("@name", said != NULL ? said->said : rungs[best].name), FS_IS("@sets", rungs[best].sets));
}

/* Memory; the paper's processor, where visits are counted; what of the scene the engine does not test. */
static void find_rest(const fs_hierarchy_figures *f, fs_findings *out) {
    if (!isnan(f->row_hits) || !isnan(f->cache_hits))
        FS_FIND(out, "memory",
                "[{row_hits|share} of the bursts find their row open.][@both? ][{cache_hits|share} of the "
                "nodes come from the cache.]",
                FS_IS("row_hits", f->row_hits), FS_IS("cache_hits", f->cache_hits),
                FS_IS("@both", !isnan(f->row_hits) && !isnan(f->cache_hits)));
    if (!isnan(f->cpu_rays_per_second))
        FS_FIND(out, "others",
                "The paper's processor would visit {visits|4} nodes and leaves a ray and trace "
                "{cpu_rays_per_second|4} rays/s; the board traces {rays_per_second|4} rays/s, {ratio|2} "
                "times as many.",
                FS_IS("visits", f->cpu_visits), FS_IS("cpu_rays_per_second", f->cpu_rays_per_second),
                FS_IS("rays_per_second", f->rays_per_second), FS_IS("ratio", f->of_cpu));
    if (f->facts.others > 0 || f->facts.degenerate > 0)
        FS_FIND(out, "scene",
                "[left_out?{left_out|whole} {left_out|sphere or disc/spheres and discs} of the scene "
                "{left_out|is/are} left out: the engine tests triangles.][@both? "
                "][degenerate?{degenerate|whole} triangles without an area are left out.]",
                FS_IS("left_out", f->facts.others), FS_IS("degenerate", f->facts.degenerate),
                FS_IS("@both", f->facts.others > 0 && f->facts.degenerate > 0));
}

void fs_hierarchy_find(const fs_hierarchy_run *run, fs_findings *found) {
    const fs_hierarchy_figures *f = &run->figures;
    const bool sound =
        f->engine.lost == 0 && !(f->wrong > 0); /* what is wrong goes first, what is right last */
    if (!sound)
        find_loss(run->params, f, found);
    find_starved(run, found);
    find_limit(f, found);
    find_request(f, found);
    find_clock(run->machine, found);
    find_one_in_flight(run, found);
    find_next(run->rungs, run->rung_count, found);
    if (run->rung_count < FS_HIERARCHY_RUNGS)
        fs_find(found, "left_out",
                "The ladder has no rung of endless queues: a ray would hold more than 16,384 entries, or all "
                "rays would ask too often for a run of this size.",
                NULL);
    find_rest(f, found);
    if (sound)
        find_loss(run->params, f, found);
    fs_fpga_power_find(&f->power, (fs_energy_each){"ray", f->joules_per_ray}, found);
}
