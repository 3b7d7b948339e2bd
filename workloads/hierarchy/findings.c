/* The sentences of findings.json, most important first. */
#include "sim/base/numbers.h"
#include "workloads/hierarchy/hierarchy.h"
#include "workloads/hierarchy/run.h"

#include <math.h>
#include <string.h>

/* What queues lose, and what that does to the picture. */
static void find_loss(const fs_hierarchy_figures *f, fs_findings *out) {
    fs_finding *o = fs_finding_begin(out, "loss");
    if (f->engine.lost == 0) {
        fs_finding_say(o, "No queue of %llu entries lost one; the fullest held %llu.",
                       (unsigned long long)f->queue, (unsigned long long)f->engine.peak);
        if (f->queue == 0) {
            o->text[0] = '\0';
            fs_finding_say(o, "Queues have no bound; the fullest held %llu entries.",
                           (unsigned long long)f->engine.peak);
        }
        fs_finding_figure(o, "peak", (double)f->engine.peak);
        return;
    }
    fs_finding_say(o, "%s of the rays lost queue entries, %s each", FS_PERCENT(f->rays_with_loss),
                   fs_number_short(f->lost_per_ray / f->rays_with_loss, 3));
    FS_FINDING_FIGURES(o, {"rays_with_loss", f->rays_with_loss},
                       {"lost_each", f->lost_per_ray / f->rays_with_loss});
    if (!isnan(f->nearest)) {
        fs_finding_say(o, ", and %s of the hits are the nearest", FS_PERCENT(f->nearest));
        fs_finding_figure(o, "nearest", f->nearest);
        if (f->nearest < 0.5)
            fs_finding_say(o, ": longer queues (machine.traversal.queue) keep them");
    }
    fs_finding_say(o, ".");
}

/* Wrong hits where no queue is to blame. */
static void find_wrong(const fs_hierarchy_params *p, const fs_hierarchy_figures *f, fs_findings *out) {
    if (isnan(f->wrong) || f->engine.lost > 0)
        return;
    fs_finding *o = fs_finding_begin(out, "wrong");
    if (f->wrong == 0)
        fs_finding_say(o, "All %s checked rays have their nearest hit.",
                       fs_number_grouped((double)f->checked));
    else
        fs_finding_say(o, "%s of the checked rays have another hit than the nearest%s.", FS_PERCENT(f->wrong),
                       p->stop == FS_UNIT_WALK_FIRST
                           ? ": a ray ends at the first leaf that it hits, and boxes overlap"
                           : "");
    fs_finding_figure(o, f->wrong == 0 ? "checked" : "wrong", f->wrong == 0 ? (double)f->checked : f->wrong);
}

/* Where a request's cycles go. */
static void find_request(const fs_hierarchy_figures *f, fs_findings *out) {
    static const char *const where[FS_REQUEST_STAGES] = {
        [FS_REQUEST_UNIT] = "in the unit",       [FS_REQUEST_GRANT] = "before the arbiter",
        [FS_REQUEST_MEMORY] = "in memory",       [FS_REQUEST_BUS] = "on the memory's bus",
        [FS_REQUEST_PIPELINE] = "in a pipeline", [FS_REQUEST_SPILL] = "for spilled entries"};
    fs_finding *o = fs_finding_begin(out, "request");
    int most = 0;
    for (int s = 1; s < FS_REQUEST_STAGES; s++)
        most = f->stage[s] > f->stage[most] ? s : most;
    fs_finding_say(o, "A ray makes %s requests of %s cycles each, %s of them %s.",
                   fs_number_short(f->per_ray, 3), fs_number_grouped(f->request_cycles),
                   FS_PERCENT(f->stage[most] / f->request_cycles), where[most]);
    FS_FINDING_FIGURES(o, {"per_ray", f->per_ray}, {"cycles", f->request_cycles},
                       {"share", f->stage[most] / f->request_cycles});
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
    fs_finding *o = fs_finding_begin(out, "limit");
    fs_finding_say(
        o,
        "Units work in %s of their cycles, wait %s before the arbiter and %s for answers; the memory's "
        "bus moves data in %s of the time: %s.",
        FS_PERCENT(f->units_busy), FS_PERCENT(f->units_grant), FS_PERCENT(f->units_answer),
        FS_PERCENT(f->bus_busy), limit_of(f));
    FS_FINDING_FIGURES(o, {"busy", f->units_busy}, {"grant", f->units_grant}, {"answer", f->units_answer},
                       {"bus", f->bus_busy});
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
    char which[48];
    const char *between = count == 2 ? ", " : " to ";
    if (count == 1)
        snprintf(which, sizeof which, "%u", first);
    else
        snprintf(which, sizeof which, "%u%s%u", first, between, last);
    fs_finding *o = fs_finding_begin(out, "starved");
    fs_finding_say(
        o,
        "%u of %u units (%s) %s starved and %s %s of the time, because the fixed arbiter grants the lowest "
        "number first: a request waits up to %s cycles; machine.intersection.arbiter = round_robin "
        "shares the grants.",
        count, e->units, which, fs_plural(count, "is", "are"), fs_plural(count, "works", "work"),
        FS_PERCENT((double)busy / (double)cycles), fs_number_grouped((double)e->longest_wait));
    FS_FINDING_FIGURES(o, {"starved", count}, {"units", e->units}, {"busy", (double)busy / (double)cycles},
                       {"longest_wait", (double)e->longest_wait});
}

/* A clock that nobody has published of this engine: 250 MHz on a Virtex-5 (docs/facts/fpga_engine.md). */
static void find_clock(const fs_fpga_params *m, fs_findings *out) {
    const double published = 250e6;
    if ((double)m->clock <= published)
        return;
    fs_finding *o = fs_finding_begin(out, "clock");
    fs_finding_say(o, "The clock of %s MHz exceeds the 250 MHz published for this engine on a Virtex-5",
                   fs_number_short((double)m->clock / 1e6, 4));
    if (m->memory.kind == FS_MEMORY_FIXED)
        fs_finding_say(o, "; memory keeps its latency of %s (machine.memory.latency)",
                       fs_number_in(m->memory.latency, "s", 4));
    fs_finding_say(o, ".");
    FS_FINDING_FIGURES(o, {"hz", (double)m->clock}, {"published_hz", published});
}

static const fs_rung *rung_of(const fs_hierarchy_run *run, const char *name) {
    for (size_t i = 0; i < run->rung_count; i++)
        if (strcmp(run->rungs[i].name, name) == 0)
            return &run->rungs[i];
    return NULL;
}

/* Where requests pass one by one, units do not help; the ladder has served the rays with 256 of them. */
static void find_one_in_flight(const fs_hierarchy_run *run, fs_findings *out) {
    const fs_rung *units = rung_of(run, "endless_units"), *many = rung_of(run, "free_arbiter");
    const int64_t in_flight = run->machine->memory.in_flight;
    if (in_flight == FS_IN_FLIGHT_MANY || run->figures.units_grant < 0.5 || units == NULL || many == NULL ||
        units->gain_percent >= 1)
        return;
    fs_finding *o = fs_finding_begin(out, "in_flight");
    fs_finding_say(
        o,
        "More units gain nothing while one request is in flight (machine.memory.in_flight = %s): 256 of them "
        "would save %s%s, machine.memory.in_flight = many %s.",
        in_flight == FS_IN_FLIGHT_CONTROLLER ? "controller" : "pipeline", FS_AT_MOST(units->gain_percent),
        units->gain_percent > 0 ? " of the time" : "", FS_AT_MOST(many->gain_percent));
    FS_FINDING_FIGURES(o, {"units_percent", units->gain_percent}, {"many_percent", many->gain_percent});
}

/* The rung that gains most, apart from all together. */
static void find_next(const fs_rung *rungs, size_t count, fs_findings *out) {
    size_t best = 1;
    for (size_t i = 2; i < count - 1; i++)
        best = rungs[i].gain_percent > rungs[best].gain_percent ? i : best;
    if (!(rungs[best].gain_percent >= 1))
        return;
    const char *name = rungs[best].name;
    for (size_t i = 0; i < fs_hierarchy_page.rung_count; i++)
        if (strcmp(fs_hierarchy_page.rungs[i].name, rungs[best].name) == 0)
            name = fs_hierarchy_page.rungs[i].said;
    fs_finding *o = fs_finding_begin(out, "next");
    fs_finding_say(o, "The largest gain would come from %s: %s of the time%s%s%s.", name,
                   FS_AT_MOST(rungs[best].gain_percent), rungs[best].sets[0] == '\0' ? "" : " (",
                   rungs[best].sets, rungs[best].sets[0] == '\0' ? "" : ")");
    fs_finding_figure(o, "gain_percent", rungs[best].gain_percent);
}

static void find_memory(const fs_hierarchy_figures *f, fs_findings *out) {
    if (isnan(f->row_hits) && isnan(f->cache_hits))
        return;
    fs_finding *o = fs_finding_begin(out, "memory");
    if (!isnan(f->row_hits)) {
        fs_finding_say(o, "%s of the bursts find their row open.", FS_PERCENT(f->row_hits));
        fs_finding_figure(o, "row_hits", f->row_hits);
    }
    if (!isnan(f->cache_hits)) {
        fs_finding_say(o, "%s%s of the nodes come from the cache.", o->text[0] == '\0' ? "" : " ",
                       FS_PERCENT(f->cache_hits));
        fs_finding_figure(o, "cache_hits", f->cache_hits);
    }
}

/* Beside the paper's processor, where visits are counted. */
static void find_others(const fs_hierarchy_figures *f, fs_findings *out) {
    if (isnan(f->cpu_rays_per_second))
        return;
    fs_finding *o = fs_finding_begin(out, "others");
    fs_finding_say(
        o,
        "The paper's processor would visit %s nodes and leaves a ray and trace %s rays/s; the board "
        "traces %s rays/s, %s times as many.",
        fs_number_short(f->cpu_visits, 4), fs_number_short(f->cpu_rays_per_second, 4),
        fs_number_short(f->rays_per_second, 4), fs_number_short(f->of_cpu, 2));
    FS_FINDING_FIGURES(o, {"visits", f->cpu_visits}, {"cpu_rays_per_second", f->cpu_rays_per_second},
                       {"rays_per_second", f->rays_per_second}, {"ratio", f->of_cpu});
}

static void find_scene(const fs_hierarchy_figures *f, fs_findings *out) {
    if (f->facts.others == 0 && f->facts.degenerate == 0)
        return;
    fs_finding *o = fs_finding_begin(out, "scene");
    if (f->facts.others > 0) {
        fs_finding_say(o, "%s %s of the scene %s left out: the engine tests triangles.",
                       fs_number_grouped((double)f->facts.others),
                       fs_plural(f->facts.others, "sphere or disc", "spheres and discs"),
                       fs_plural(f->facts.others, "is", "are"));
        fs_finding_figure(o, "left_out", (double)f->facts.others);
    }
    if (f->facts.degenerate > 0) {
        fs_finding_say(o, "%s%s triangles without an area are left out.", o->text[0] == '\0' ? "" : " ",
                       fs_number_grouped((double)f->facts.degenerate));
        fs_finding_figure(o, "degenerate", (double)f->facts.degenerate);
    }
}

void fs_hierarchy_find(const fs_hierarchy_run *run, fs_findings *found) {
    const fs_hierarchy_figures *f = &run->figures;
    const bool sound =
        f->engine.lost == 0 && !(f->wrong > 0); /* what is wrong goes first, what is right last */
    if (!sound) {
        find_loss(f, found);
        find_wrong(run->params, f, found);
    }
    find_starved(run, found);
    find_limit(f, found);
    find_request(f, found);
    find_clock(run->machine, found);
    find_one_in_flight(run, found);
    find_next(run->rungs, run->rung_count, found);
    if (run->rung_count < FS_HIERARCHY_RUNGS)
        fs_finding_say(
            fs_finding_begin(found, "left_out"),
            "The ladder has no rung of endless queues: a ray would hold more than 16,384 entries, or "
            "all rays would ask too often for a run of this size.");
    find_memory(f, found);
    find_others(f, found);
    find_scene(f, found);
    if (sound) {
        find_loss(f, found);
        find_wrong(run->params, f, found);
    }
    fs_fpga_power_find(&f->power, (fs_energy_each){"ray", f->joules_per_ray}, found);
}
