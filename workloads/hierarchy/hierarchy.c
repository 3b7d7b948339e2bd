/* The workload: rays are walked once, a machine serves their requests, pages and tables say what came of it. */
#include "workloads/hierarchy/hierarchy.h"

#include "sim/base/host.h"
#include "sim/host/progress.h"
#include "sim/workload/recorded.h"
#include "sim/workload/run_cost.h"
#include "sim/workload/run_params.h"
#include "workloads/hierarchy/ladder.h"
#include "workloads/hierarchy/outputs.h"
#include "workloads/hierarchy/record.h"
#include "workloads/hierarchy/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    fs_arena *arena;
    const fs_config *config;
    const fs_host_options *host;
    const fs_fpga_params *machine;
    const fs_mesh_scene_params *scene;
    const fs_hierarchy_params *params;
    const fs_hierarchy_run_params *how;
    fs_hierarchy_work work;
    fs_engine_itinerary itinerary;
    fs_engine_results engine;
    fs_hierarchy_figures figures;
    fs_hierarchy_host_figures cost;
    fs_rung rungs[FS_HIERARCHY_RUNGS];
    fs_hierarchy_timeline timeline;
    fs_progress progress;
} run;

/* ---- rays ---- */

static fs_status replay(run *r, uint32_t queue, fs_error *err) {
    fs_file_memo files = {.path = ""};
    fs_recording *recording = fs_recording_open(r->host->replay, err);
    if (recording == NULL)
        return err->status;
    fs_status status = fs_recorded_match(recording, r->config, &files, err);
    if (status == FS_OK)
        status = fs_hierarchy_replay(recording, queue, &r->work, err);
    fs_recording_close(recording);
    return status;
}

static fs_status walk(run *r, fs_error *err) {
    const uint32_t queue = fs_engine_queue_capacity(r->machine);
    const double began = fs_host_wall_seconds();
    if (r->host->replay != NULL
            ? replay(r, queue, err)
            : fs_hierarchy_work_make(r->params, r->scene, queue, r->host->check_only,
                                     fs_config_where(r->config, "scene", ""), &r->work, err))
        return err->status;
    if (r->host->record != NULL && !r->host->check_only &&
        fs_hierarchy_record(r->host->record, r->config, &r->work, err))
        return err->status;
    fs_hierarchy_itinerary(r->params, &r->work.facts, &r->work.walks, queue, r->arena, &r->itinerary);
    r->cost.walk_seconds = fs_host_wall_seconds() - began;
    return fs_engine_itinerary_check(&r->itinerary, err);
}

/* ---- the machine ---- */

static void on_progress(void *self, uint64_t rays_done) {
    fs_progress_update(&((run *)self)->progress, rays_done);
}

static void on_served(void *self, const fs_engine_span *span) {
    fs_hierarchy_timeline_served(&((run *)self)->timeline, span);
}

/* The engine names the key of what it refuses first; a user is told its place. */
static fs_status placed(const run *r, fs_error *err) {
    char key[64];
    const size_t dot = strcspn(err->text, "."), length = strcspn(err->text, ":");
    if (err->status != FS_INPUT || dot >= length || length >= sizeof key || err->text[length] == '\0')
        return err->status;
    snprintf(key, sizeof key, "%.*s", (int)length, err->text);
    key[dot] = '\0';
    const char *where = fs_config_where(r->config, key, key + dot + 1),
               *why = fs_arena_printf(r->arena, "%s", err->text + length);
    *err = (fs_error){.status = FS_OK};
    return fs_fail(err, FS_INPUT, "%s%s", where, why);
}

static fs_status serve(run *r, fs_error *err) {
    const fs_engine_listener listener = {
        .self = r, .served = r->host->trace == NULL ? NULL : on_served, .progress = on_progress};
    if (r->host->trace != NULL && fs_hierarchy_timeline_open(&r->timeline, r->host->trace, r->machine, err))
        return err->status;
    const double began = fs_host_wall_seconds();
    fs_progress_begin(&r->progress, "rays", r->itinerary.rays);
    const fs_status status = fs_engine_run(r->machine, &r->itinerary, (fs_engine_detail)r->how->detail,
                                           &listener, r->arena, &r->engine, err);
    fs_progress_end(&r->progress);
    r->cost.engine_seconds = fs_host_wall_seconds() - began;
    if (r->host->trace != NULL && status == FS_OK)
        return fs_trace_close(r->timeline.trace, err);
    if (r->host->trace != NULL)
        fs_trace_discard(r->timeline.trace);
    return status == FS_OK ? FS_OK : placed(r, err);
}

/* ---- results ---- */

static fs_status write_results(run *r, fs_results *results, fs_error *err) {
    fs_hierarchy_outputs o = {.params = r->params,
                              .machine = r->machine,
                              .work = &r->work,
                              .engine = &r->engine,
                              .figures = &r->figures,
                              .rungs = r->rungs};
    if (fs_results_figures(results, &fs_hierarchy_stats, &r->figures, err))
        return err->status;
    if (r->how->statistics == FS_STATISTICS_FULL) {
        const double began = fs_host_wall_seconds();
        if (fs_hierarchy_ladder(r->params, r->machine, r->scene, fs_config_where(r->config, "scene", ""),
                                &r->work, &r->itinerary, &r->engine, r->rungs, &o.rung_count, err))
            return err->status;
        r->cost.ladder_seconds = fs_host_wall_seconds() - began;
        if (fs_ladder_write(r->rungs, o.rung_count, results, err) ||
            fs_hierarchy_findings_write(&o, results, err))
            return err->status;
    }
    if (r->how->outputs == FS_OUTPUTS_SUMMARY)
        return FS_OK;
    return fs_hierarchy_tables_write(&o, results, err) ? err->status
                                                       : fs_hierarchy_pictures_write(&r->work, results, err);
}

static fs_status write_host(run *r, double started, double write_began, fs_results *results, fs_error *err) {
    const fs_run_end end = {.started = started,
                            .write_began = write_began,
                            .threads = r->host->threads,
                            .kernel_activations = r->engine.activations,
                            .ray_hops = r->engine.requests,
                            .device_seconds = r->figures.seconds};
    fs_hierarchy_host_figures *c = &r->cost;
    c->run.simulation_seconds = c->walk_seconds + c->engine_seconds;
    c->requests_walked_per_second = (double)r->engine.requests / c->walk_seconds;
    c->requests_served_per_second = (double)r->engine.requests / c->engine_seconds;
    c->cycles_per_second = (double)r->engine.cycles / c->engine_seconds;
    fs_run_cost_end(&c->run, &end);
    return fs_run_cost_write(&fs_hierarchy_host_stats, c, results, err);
}

static void describe(const run *r, char *line, size_t size) {
    const fs_hierarchy_figures *f = &r->figures;
    char right[64] = "";
    if (f->checked > 0)
        snprintf(right, sizeof right, ", %.1f %% of the hits are the nearest", 100 * f->nearest);
    snprintf(
        line, size,
        "%.4g thousand rays a second: %.1f requests of %.0f cycles each; %.1f %% of the rays lose entries%s; "
        "memory's bus %.0f %% busy",
        f->rays_per_second / 1e3, f->per_ray, f->request_cycles, 100 * f->rays_with_loss, right,
        100 * f->bus_busy);
}

static fs_status run_all(run *r, fs_results *results, char *line, size_t line_size, fs_error *err) {
    const double started = fs_host_wall_seconds();
    if (walk(r, err))
        return err->status;
    if (r->host->check_only) {
        snprintf(line, line_size, "fits: %llu nodes and %llu primitives; %llu requests of %llu rays",
                 (unsigned long long)r->work.facts.nodes, (unsigned long long)r->work.facts.slots,
                 (unsigned long long)r->itinerary.first[r->itinerary.rays],
                 (unsigned long long)r->itinerary.rays);
        return FS_OK;
    }
    if (serve(r, err))
        return err->status;
    fs_hierarchy_figures_of(r->params, r->machine, &r->work, &r->itinerary, &r->engine, &r->figures);
    describe(r, line, line_size);
    const double write_began = fs_host_wall_seconds();
    return write_results(r, results, err) ? err->status : write_host(r, started, write_began, results, err);
}

static fs_status hierarchy_workload(const fs_config *config, const fs_host_options *host, fs_results *results,
                                    char *line, size_t line_size, fs_error *err) {
    run *r = fs_calloc(1, sizeof *r);
    r->arena = fs_arena_create();
    r->config = config;
    r->host = host;
    r->machine = fs_config_section(config, "machine");
    r->scene = fs_config_section(config, "scene");
    r->params = fs_config_section(config, "workload");
    r->how = fs_config_section(config, "run");
    const fs_status status = run_all(r, results, line, line_size, err);
    fs_hierarchy_work_free(&r->work);
    fs_arena_free(r->arena);
    free(r);
    return status;
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

const fs_workload fs_workload_hierarchy = {
    .abi = FS_ABI,
    .kind = "hierarchy",
    .summary = "rays through a hierarchy of triangles, as the units of a traversal engine ask for it",
    .rules = {.uses = uses, .check = fs_hierarchy_check},
    .expect = expect,
    .run = hierarchy_workload,
    .recorder = {[FS_LAYER_REPLAY] = "record"},
    .traces = true,
    .stats = &fs_hierarchy_stats,
    .time = "device.seconds",
    .page = &fs_hierarchy_page};
