/* The workload: a program of supersteps drives the device; tables, findings, ladder, timeline and page are
 * the machine's own. */
#include "workloads/program/program.h"

#include "models/ipu/device_figures.h"
#include "models/ipu/power/power.h"
#include "models/ipu/tables/outputs.h"
#include "models/ipu/tables/peak_figures.h"
#include "models/ipu/tables/use_figures.h"
#include "models/memory/memory_figures.h"
#include "sim/base/host.h"
#include "sim/host/progress.h"
#include "sim/workload/run_cost.h"
#include "sim/workload/run_params.h"
#include "workloads/program/supersteps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- parameters and figures ---- */

static const fs_param rows[] = {
    FS_PARAM_PATH("file", fs_program_params, file, NULL,
                  "YAML file with kernels and steps (docs/programs.md)", "", '-', FS_TOUCHES_TRAFFIC),
    FS_PARAM_INT("repeat", fs_program_params, repeat, FS_UNIT_NONE, "1", 1, FS_RUN_ITERATIONS,
                 "passes through the whole program", "", '-', FS_TOUCHES_TRAFFIC),
};
const fs_param_table fs_program_table = {
    .name = "workload/program",
    .doc = "supersteps from a file: kernels by counts, transfers by pattern",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .size = sizeof(fs_program_params)};

typedef struct figures {
    double pass_cycles, pass_seconds, joules_per_pass;
    uint64_t steps;
    bool complete;
    fs_device_figures device;
    fs_power_figures power;
    fs_peak_figures peak;
    fs_use_figures use;
    fs_memory_figures memory;
} figures;

static const fs_stat own_rows[] = {
    FS_STAT_VALUE("program.pass_seconds", figures, pass_seconds, .unit = "s", .better = FS_BETTER_LESS,
                  .label = "time of a pass", .place = 1,
                  .doc = "of one pass through the program, without the host's visits before and after"),
    FS_STAT_VALUE("program.pass_cycles", figures, pass_cycles, .unit = "cycles", .better = FS_BETTER_LESS,
                  .label = "cycles of a pass", .place = 2, .doc = "the same in cycles"),
    FS_STAT_VALUE("energy.joules_per_pass", figures, joules_per_pass, .unit = "J", .better = FS_BETTER_LESS,
                  .label = "energy of a pass", .place = 205,
                  .doc = "energy of the run over its passes, the host's visits included"),
    FS_STAT_COUNT("program.steps", figures, steps, .unit = "steps", .doc = "places of steps in a pass"),
    FS_STAT_FLAG("complete", figures, complete, .better = FS_BETTER_MORE, .doc = "every pass was run"),
};
static const fs_stat_table own_stats = FS_STAT_TABLE("program", own_rows);
static const fs_stat_part parts[] = {{.table = &own_stats},
                                     FS_STAT_PART(&fs_device_stats, figures, device),
                                     FS_STAT_PART(&fs_use_stats, figures, use),
                                     FS_STAT_PART(&fs_peak_stats, figures, peak),
                                     FS_STAT_PART(&fs_power_stats, figures, power),
                                     FS_STAT_PART(&fs_memory_stats, figures, memory)};
const fs_stat_table fs_program_stats = FS_STAT_PARTS("program", parts);

static const fs_stat_part host_parts[] = {{.table = &fs_run_cost_stats}};
const fs_stat_table fs_program_host_stats = FS_STAT_PARTS("program/host", host_parts);

/* ---- a run ---- */

typedef struct run {
    fs_arena *arena;
    const fs_host_options *host;
    const fs_machine_params *machine;
    const fs_program_params *params;
    const fs_run_params *run;
    fs_supersteps program;
    uint64_t passes;
    fs_ledger *ledger;
    fs_device *device;
    uint32_t *active;
    fs_run_labels labels;
    fs_run_notes notes;
    fs_run_cost cost;
    fs_progress progress;
} run;

/* ---- the device's client ---- */

/* A tile's occurrences, shared by the workers of its kernel. */
static void count_tile(const run *r, const fs_superstep_call *call, uint32_t tile) {
    const fs_program *kernel = &r->program.kernels[call->kernel];
    const uint32_t width = fs_program_width(kernel),
                   workers = kernel->workers > 0 ? kernel->workers : (uint32_t)r->machine->tile.workers;
    uint32_t *counts = fs_device_counts(r->device, tile);
    for (uint32_t e = 0; e < kernel->event_count; e++)
        for (uint32_t w = 0; w < workers; w++)
            counts[(size_t)w * width + e] =
                (uint32_t)(call->count[e] / workers + (w < call->count[e] % workers));
    const fs_amp_product *p = &call->product;
    if (p->rows > 0)
        fs_device_multiplied(r->device, tile, p->type, (uint64_t)p->rows * p->inputs * p->outputs);
    fs_device_done(r->device, tile);
}

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                            fs_error *err) {
    (void)err;
    run *r = self;
    const fs_superstep *step = &r->program.steps[r->program.step_of[at.step]];
    *active_count = 0;
    for (uint32_t c = 0; c < step->call_count; c++)
        for (uint32_t i = 0; i < step->calls[c].tiles; i++) {
            count_tile(r, &step->calls[c], step->calls[c].tile[i]);
            r->active[(*active_count)++] = step->calls[c].tile[i];
        }
    if (step->call_count > 1)
        qsort(r->active, *active_count, sizeof *r->active, ascending);
    *active = r->active;
    return FS_OK;
}

/* All bytes of a program's transfers are worth moving. */
static fs_status on_exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    (void)err;
    const run *r = self;
    *occupied = r->program.steps[r->program.step_of[at.step]].bytes;
    return FS_OK;
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)err;
    const run *r = self;
    *stop = iteration + 1 == r->passes;
    *visit = (fs_host_visit){.visit = *stop && r->program.download > 0, .bytes_to_host = r->program.download};
    return FS_OK;
}

static void on_finished(void *self, const fs_iteration *iteration) {
    run *r = self;
    fs_run_notes_add(&r->notes, iteration);
    fs_progress_update(&r->progress, iteration->number + 1);
}

static fs_status elaborate(run *r, fs_error *err) {
    if (fs_supersteps_read(r->params->file, r->machine, r->arena, &r->program, err))
        return err->status;
    r->passes = r->program.iterations * (uint64_t)r->params->repeat;
    if (r->passes > FS_RUN_ITERATIONS)
        return fs_fail(err, FS_INPUT, "%s: expected at most %d passes, found %" PRIu64, r->params->file,
                       FS_RUN_ITERATIONS, r->passes);
    r->labels = fs_supersteps_labels(&r->program, r->arena);
    r->ledger = fs_supersteps_ledger(&r->program, &r->machine->memory, &r->labels, r->arena, err);
    if (r->ledger == NULL)
        return err->status;
    r->device = fs_device_create(r->arena, r->machine, &r->program.plan,
                                 r->run->detail == FS_RUN_EVENT ? FS_DETAIL_EVENT : FS_DETAIL_PHASE, err);
    return r->device == NULL ? err->status : FS_OK;
}

static fs_status simulate(run *r, fs_error *err) {
    const fs_device_client client = {.self = r,
                                     .compute = on_compute,
                                     .exchange = on_exchange,
                                     .decide = on_decide,
                                     .finished = on_finished};
    const double begin = fs_host_wall_seconds();
    r->active = FS_NEW(r->arena, uint32_t, r->program.plan.tiles);
    fs_run_notes_create(&r->notes, r->arena, &r->program.plan, r->machine, r->device, &r->labels, r->passes);
    fs_progress_begin(&r->progress, "passes", r->passes);
    const fs_status status = fs_device_run(r->device, &client, err);
    fs_progress_end(&r->progress);
    r->cost.simulation_seconds = fs_host_wall_seconds() - begin;
    fs_run_notes_close(&r->notes, r->ledger);
    return status;
}

static figures figures_of(const run *r) {
    figures f = {.steps = r->notes.steps,
                 .complete = true,
                 .device = fs_device_figures_of(r->device, r->machine->clock),
                 .power = fs_power_figures_of(r->device, r->machine),
                 .peak = fs_peak_figures_of(r->device, r->machine, r->ledger),
                 .use = fs_use_figures_of(&r->notes),
                 .memory = fs_memory_figures_of(r->ledger)};
    f.pass_cycles = (double)(f.device.cycles - f.device.cycles_host) / (double)r->passes;
    f.joules_per_pass = f.power.energy.joules / (double)r->passes;
    f.pass_seconds = f.pass_cycles / r->machine->clock;
    return f;
}

static fs_status run_all(run *r, fs_results *results, char *line, size_t line_size, fs_error *err) {
    const double started = fs_host_wall_seconds();
    if (elaborate(r, err))
        return err->status;
    if (r->host->check_only) {
        snprintf(line, line_size, "fits: %" PRIu32 " steps on %" PRIu32 " tiles",
                 fs_plan_steps(&r->program.plan), r->program.plan.tiles);
        return FS_OK;
    }
    if (simulate(r, err))
        return err->status;
    const figures f = figures_of(r);
    snprintf(line, line_size,
             "%.0f cycles a pass (%.4g us), %.0f %% compute, %.0f %% exchange; workers %.0f %% busy",
             f.pass_cycles, 1e6 * f.pass_seconds,
             100.0 * (double)f.device.cycles_compute / (double)f.device.cycles,
             100.0 * (double)f.device.cycles_exchange / (double)f.device.cycles, 100.0 * f.use.workers_busy);
    const double write_began = fs_host_wall_seconds();
    const fs_run_outputs outputs = {.notes = &r->notes,
                                    .stats = &fs_program_stats,
                                    .figures = &f,
                                    .power = &f.power,
                                    .each = {"pass", f.joules_per_pass},
                                    .summary = r->run->outputs == FS_OUTPUTS_SUMMARY,
                                    .full = r->run->statistics == FS_STATISTICS_FULL,
                                    .trace = r->host->trace,
                                    .trace_tiles = r->host->trace_tiles};
    if (fs_run_outputs_write(&outputs, results, err))
        return err->status;
    const fs_run_end end = {.started = started,
                            .write_began = write_began,
                            .threads = r->host->threads,
                            .kernel_activations = r->notes.totals.kernel_activations,
                            .device_seconds = f.device.seconds};
    fs_run_cost_end(&r->cost, &end);
    return fs_run_cost_write(&fs_program_host_stats, &r->cost, results, err);
}

static fs_status program_workload(const fs_config *config, const fs_host_options *host, fs_results *results,
                                  char *line, size_t line_size, fs_error *err) {
    run r = {.arena = fs_arena_create(),
             .host = host,
             .machine = fs_config_section(config, "machine"),
             .params = fs_config_section(config, "workload"),
             .run = fs_config_section(config, "run")};
    const fs_status status = run_all(&r, results, line, line_size, err);
    fs_arena_free(r.arena);
    return status;
}

static const char *const machines[] = {"ipu", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_matrix_table},
    {.section = "run", .table = &fs_run_plain_table},
    {.section = NULL},
};

const fs_workload fs_workload_program = {.abi = FS_ABI,
                                         .kind = "program",
                                         .summary =
                                             "supersteps from a YAML file or a trace: a kernel without C",
                                         .rules = {.uses = uses},
                                         .run = program_workload,
                                         .traces = true,
                                         .stats = &fs_program_stats,
                                         .time = "device.seconds",
                                         .page = &fs_program_page};
