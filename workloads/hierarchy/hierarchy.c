/* The workload: rays are walked once, a machine serves their requests, pages and tables say what came of it. */
#include "workloads/hierarchy/hierarchy.h"

#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "workloads/hierarchy/run.h"

#include <inttypes.h>
#include <stdio.h>

typedef fs_hierarchy_run run;

/* ---- rays ---- */

static fs_status take_rays(run *r, uint32_t queue, fs_error *err) {
    const fs_host_options *host = r->run.host;
    if (r->run.replay != NULL)
        return fs_hierarchy_replay(r->run.replay, queue, &r->work, err);
    const char *where = fs_config_where(r->run.config, "scene", "");
    if (fs_hierarchy_work_make(r->params, r->scene, queue, host->check_only, where, &r->work, err))
        return err->status;
    if (fs_config_has(r->run.config, "work") && r->work.facts.others > 0)
        return fs_fail(
            err, FS_INPUT,
            "%s: the engine tests triangles alone, and %" PRIu64
            " spheres and discs of this work's scene would be no hits: expected a work of triangles",
            where, r->work.facts.others);
    return host->record == NULL || host->check_only
               ? FS_OK
               : fs_hierarchy_record(host->record, r->run.config, &r->work, err);
}

static fs_status elaborate(void *self, fs_error *err) {
    run *r = self;
    r->machine = fs_config_section(r->run.config, "machine");
    r->scene = fs_config_section(r->run.config, "scene");
    r->params = fs_config_section(r->run.config, "workload");
    const uint32_t queue = fs_engine_queue_capacity(r->machine);
    const double began = fs_host_wall_seconds();
    if (take_rays(r, queue, err))
        return err->status;
    fs_hierarchy_itinerary(r->params, &r->work.facts, &r->work.walks, queue, r->run.arena, &r->itinerary);
    r->cost.walk_seconds = fs_host_wall_seconds() - began;
    r->run.cost.simulation_seconds = r->cost.walk_seconds;
    fs_run_say(&r->run,
               "fits: %" PRIu64 " nodes and %" PRIu64 " primitives; %" PRIu64 " requests of %" PRIu64 " rays",
               r->work.facts.nodes, r->work.facts.slots, r->work.requests, r->itinerary.rays);
    return fs_engine_itinerary_check(&r->itinerary, err);
}

static void close_run(void *self) {
    fs_hierarchy_work_free(&((run *)self)->work);
}

/* ---- spans: a track for each place of a ray, and one for the bus ---- */

enum { UNITS = 1, MEMORY = 2, BUS = 1, NAME_BYTES = 64 };

/* Ends with fs_trace_close or fs_trace_discard of `trace`. */
static fs_status open_timeline(fs_hierarchy_timeline *t, const char *path, const fs_fpga_params *machine,
                               fs_error *err) {
    *t = (fs_hierarchy_timeline){.places = (uint32_t)(machine->traversal.units * machine->traversal.rays),
                                 .trace = fs_trace_open(path, (double)machine->clock, err)};
    if (t->trace == NULL)
        return err->status;
    fs_trace_process(t->trace, UNITS, "traversal");
    for (uint32_t p = 0; p < t->places; p++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "unit %" PRIu32 ", ray place %" PRIu32,
                 p / (uint32_t)machine->traversal.rays, p % (uint32_t)machine->traversal.rays);
        fs_trace_track(t->trace, (fs_track){UNITS, p + 1}, name);
    }
    fs_trace_process(t->trace, MEMORY, "memory");
    fs_trace_track(t->trace, (fs_track){MEMORY, BUS}, "bus");
    return FS_OK;
}

static void stage(const fs_hierarchy_timeline *t, uint32_t place, const char *name, uint64_t from,
                  uint64_t to) {
    if (to > from)
        fs_trace_span(t->trace, (fs_track){UNITS, place + 1}, name, from, to - from, NULL, 0);
}

static void on_served(void *self, const fs_engine_span *s) {
    fs_hierarchy_timeline *t = &((run *)self)->timeline;
    if (t->trace == NULL || t->spans == FS_HIERARCHY_SPANS)
        return;
    t->spans++;
    const char *name = s->request == UINT64_MAX ? "spilled entries" : s->leaf ? "leaf" : "node";
    fs_trace_span(t->trace, (fs_track){UNITS, s->place + 1}, name, s->raised, s->answered - s->raised, "ray",
                  s->ray);
    stage(t, s->place, "grant", s->raised, s->granted);
    stage(t, s->place, s->cached ? "cache" : "memory", s->granted, s->first);
    stage(t, s->place, "bus", s->first, s->last);
    stage(t, s->place, "pipeline", s->last, s->answered);
    if (!s->cached && s->last > s->first)
        fs_trace_span(t->trace, (fs_track){MEMORY, BUS}, name, s->first, s->last - s->first, "unit",
                      s->place);
}

/* ---- the machine ---- */

static void on_progress(void *self, uint64_t rays_done) {
    fs_progress_update(&((run *)self)->run.progress, rays_done);
}

static fs_status simulate(void *self, fs_error *err) {
    run *r = self;
    const char *trace = r->run.host->trace;
    const fs_engine_listener listener = {.self = r,
                                         .config = r->run.config,
                                         .served = trace == NULL ? NULL : on_served,
                                         .progress = on_progress};
    if (trace != NULL && open_timeline(&r->timeline, trace, r->machine, err))
        return err->status;
    const double began = fs_host_wall_seconds();
    fs_progress_begin(&r->run.progress, "rays", r->itinerary.rays);
    const fs_status status = fs_engine_run(r->machine, &r->itinerary, (fs_engine_detail)r->run.how->detail,
                                           &listener, r->run.arena, &r->engine, err);
    fs_progress_end(&r->run.progress);
    r->cost.engine_seconds = fs_host_wall_seconds() - began;
    if (trace != NULL && status == FS_OK)
        return fs_trace_close(r->timeline.trace, err);
    if (trace != NULL)
        fs_trace_discard(r->timeline.trace);
    return status;
}

/* ---- results ---- */

static fs_status make_figures(void *self, fs_error *err) {
    (void)err;
    run *r = self;
    const fs_hierarchy_figures *f = &r->figures;
    const double requests = (double)r->engine.requests;
    fs_hierarchy_figures_of(r->params, r->machine, &r->work, &r->itinerary, &r->engine, &r->figures);
    r->run.figures = f;
    r->run.device_seconds = f->seconds;
    r->run.kernel_activations = r->engine.activations;
    r->run.ray_hops = r->engine.requests;
    r->cost.requests_walked_per_second = requests / r->cost.walk_seconds;
    r->cost.requests_served_per_second = requests / r->cost.engine_seconds;
    r->cost.cycles_per_second = (double)r->engine.cycles / r->cost.engine_seconds;
    char right[64] = "";
    if (f->checked > 0)
        snprintf(right, sizeof right, " and %.1f %% of the hits are the nearest", 100 * f->nearest);
    fs_run_say(&r->run,
               "%s rays/s; a ray makes %.1f requests of %s cycles each; %.1f %% of the rays lose queue "
               "entries%s; the memory's bus is busy in %.0f %% of the time",
               fs_number_grouped(f->rays_per_second), f->per_ray, fs_number_grouped(f->request_cycles),
               100 * f->rays_with_loss, right, 100 * f->bus_busy);
    return FS_OK;
}

static fs_status conclude(void *self, fs_conclusions *out, fs_error *err) {
    run *r = self;
    const double began = fs_host_wall_seconds();
    if (fs_hierarchy_ladder(r, err))
        return err->status;
    r->cost.ladder_seconds = fs_host_wall_seconds() - began;
    out->rungs = r->rungs;
    out->rung_count = r->rung_count;
    fs_hierarchy_find(r, out->findings);
    return FS_OK;
}

/* ---- the descriptor ---- */

/* Host seconds on one core of a common PC: a request takes about 0.15 us to walk, and 0.05 us to serve by
 * closed forms; a ray of the usual scenes asks 100 times. */
static void expect(const fs_point *point, double seconds[FS_LAYERS]) {
    static const double process = 0.1, walked = 1.5e-7, served = 5e-8, per_ray = 100;
    const double rays = point->is(point->self, "workload.source", "camera")
                            ? point->number(point->self, "workload.camera.width", 512) *
                                  point->number(point->self, "workload.camera.height", 512)
                            : point->number(point->self, "workload.rays", 16384);
    seconds[FS_LAYER_REPLAY] = process + rays * per_ray * served;
    seconds[FS_LAYER_RUN] = seconds[FS_LAYER_REPLAY] + rays * per_ray * walked;
}

static const char *const machines[] = {"fpga", NULL};
static const char *const scenes[] = {"mesh", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines},
    {.section = "scene", .kinds = scenes},
    {.section = "run", .table = &fs_hierarchy_run_table},
    {.section = NULL},
};

static const fs_work_key keys[] = {
    {.own = "source", .must = "camera"},
    {.own = "stop", .must = "nearest"},
    {.work = "width", .own = "camera.width"},
    {.work = "height", .own = "camera.height"},
    {.work = "seed", .own = "seed"},
    {.work = "segments", .must = "1", .why = "traces rays and no paths beyond their first segment"},
    {.work = "samples", .must = "1", .why = "sends one ray through the middle of a pixel"},
    {.work = "jitter", .must = "0", .why = "sends its rays through the middle of pixels"},
    {.work = NULL},
};

static const fs_work_row work[] = {
    {.what = "scene", .keys = "scene.kind scene.file scene.builtin scene.soup. scene.grove. scene.normals"},
    {.what = "view", .keys = "scene.camera."},
    {.what = "rays from", .keys = "workload.source"},
    {.what = "rule that ends a ray", .keys = "workload.stop"},
    {.what = "rays that lose entries", .figures = "queue.rays_with_loss"},
    {.what = "number of rays", .figures = "rays.count"},
    {.what = "rays", .figures = "rays.count", .unit = "ray"},
};

const fs_workload fs_workload_hierarchy = {
    .abi = FS_ABI,
    .kind = "hierarchy",
    .summary = "rays through a hierarchy of triangles, as the units of a traversal engine ask for it",
    .rules = {.uses = uses, .check = fs_hierarchy_check, .work = keys},
    .expect = expect,
    .steps = {.size = sizeof(run),
              .elaborate = elaborate,
              .simulate = simulate,
              .figures = make_figures,
              .conclude = conclude,
              .write = fs_hierarchy_write,
              .close = close_run},
    .recorder = {[FS_LAYER_REPLAY] = "record"},
    .traces = true,
    .stats = &fs_hierarchy_stats,
    .host_stats = &fs_hierarchy_host_stats,
    .time = "device.seconds",
    .page = &fs_hierarchy_page,
    FS_WORK(work)};
