/* The workload: a program of supersteps drives the device; tables, findings, ladder, timeline and page are
 * the machine's own. */
#include "workloads/program/program.h"

#include "models/ipu/tables/chip_run.h"
#include "sim/base/numbers.h"
#include "sim/host/voice.h"
#include "workloads/program/supersteps.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- parameters and figures ---- */

static const fs_param rows[] = {
    FS_PARAM_PATH("file", fs_program_params, file, NULL,
                  "YAML file with kernels and steps (docs/programs.md)", TRAFFIC,
                  .names = fs_supersteps_names),
    FS_PARAM_INT("repeat", fs_program_params, repeat, NONE, "1", 1, FS_BOOKS_ITERATIONS,
                 "passes through the whole program", TRAFFIC),
};
const fs_param_table fs_program_table =
    FS_PARAM_TABLE("workload/program", "supersteps from a file: kernels by counts, transfers by pattern",
                   rows, sizeof(fs_program_params));

typedef struct figures {
    double pass_cycles, pass_seconds, joules_per_pass;
    double paired_cycles, paired_seconds; /* of a pass, with every pair that the pipes allow */
    uint64_t steps;
    bool complete;
    fs_chip_figures chip;
} figures;

#define FS_ROWS_OF figures
static const fs_stat own_rows[] = {
    FS_VALUE("program.pass_seconds", pass_seconds, "s",
             "of one pass through the program, without the host's visits before and after", FS_LESS,
             FS_AT(1, "time of a pass")),
    FS_VALUE("program.pass_cycles", pass_cycles, "cycles", "the same in cycles", FS_LESS,
             FS_AT(2, "cycles of a pass")),
    FS_VALUE(
        "program.paired_seconds", paired_seconds, "s",
        "of a pass if every pair of a main and an aux operation were one instruction (tile.dual_issue: full)",
        FS_LESS, FS_AT(3, "time of a pass, all pairs")),
    FS_VALUE("program.paired_cycles", paired_cycles, "cycles", "the same in cycles", FS_LESS),
    FS_VALUE("energy.joules_per_pass", joules_per_pass, "J",
             "energy of the run over its passes, the host's visits included", FS_LESS,
             FS_AT(205, "energy of a pass")),
    FS_WHOLE("program.steps", steps, "steps", "places of steps in a pass"),
    FS_STAT_FLAG("complete", figures, complete, .better = FS_BETTER_MORE, .doc = "every pass was run"),
};
static const fs_stat_table own_stats = FS_STAT_TABLE("program", own_rows);
static const fs_stat_part parts[] = {{.table = &own_stats}, FS_STAT_PART(&fs_chip_stats, figures, chip)};
const fs_stat_table fs_program_stats = FS_STAT_PARTS("program", parts);

/* ---- a run ---- */

typedef struct run {
    fs_chip_run of;
    const fs_program_params *params;
    fs_supersteps program;
    fs_machine_params paired;    /* the machine, with every pair */
    uint64_t iterations, passes; /* of the device; of the program */
    uint32_t *active;
    figures figures;
} run;

/* ---- the device's client ---- */

/* A tile's occurrences, shared by the workers of its kernel. */
static void count_tile(const run *r, const fs_superstep_call *call, uint32_t tile) {
    const fs_program *kernel = &r->program.kernels[call->kernel];
    const uint32_t width = fs_program_width(kernel),
                   workers = kernel->workers > 0 ? kernel->workers : (uint32_t)r->of.machine->tile.workers;
    uint32_t *counts = fs_device_counts(r->of.device, tile);
    for (uint32_t e = 0; e < kernel->event_count; e++)
        for (uint32_t w = 0; w < workers; w++)
            counts[(size_t)w * width + e] =
                (uint32_t)(call->count[e] / workers + (w < call->count[e] % workers) +
                           (call->worker != NULL ? call->worker[w * kernel->event_count + e] : 0));
    const fs_amp_product *p = &call->product;
    if (p->rows > 0)
        fs_device_multiplied(r->of.device, tile, p->type, (uint64_t)p->rows * p->inputs * p->outputs);
    fs_device_done(r->of.device, tile);
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
        qsort(r->active, *active_count, sizeof *r->active, fs_by_u32);
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
    *stop = iteration + 1 == r->iterations;
    *visit = (fs_host_visit){.visit = *stop && r->program.download > 0, .bytes_to_host = r->program.download};
    return FS_OK;
}

/* Flit by flit a network takes its time: what is long is said first. */
static void say_network(const run *r) {
    static const double hop = 5e-8,
                        said_from = 10; /* host seconds on one core of a common PC: of a flit and router */
    const fs_supersteps *p = &r->program;
    double hops = 0;
    for (uint32_t s = 0; s < fs_plan_steps(&r->of.plan); s++)
        hops += (double)fs_fabric_flit_hops(fs_device_fabric(r->of.device, s), p->steps[p->step_of[s]].bytes);
    hops *= (double)r->iterations;
    if (2 * hops * hop >= said_from)
        fs_say("flits pass %s routers at least, and as many again with all pairs, which takes about %s of an "
               "idle core",
               fs_number_grouped(hops), fs_number_seconds(2 * hop * hops));
}

static fs_status elaborate(void *self, fs_error *err) {
    run *r = self;
    fs_chip_run *of = &r->of;
    of->machine = fs_config_section(of->run.config, "machine");
    r->params = fs_config_section(of->run.config, "workload");
    if (fs_supersteps_read(r->params->file, of->machine, of->run.arena, &r->program, err))
        return err->status;
    r->iterations = r->program.iterations * (uint64_t)r->params->repeat;
    r->passes = r->program.passes * (uint64_t)r->params->repeat;
    if (r->iterations > FS_BOOKS_ITERATIONS)
        return fs_fail(err, FS_INPUT, "%s: expected at most %d passes, found %" PRIu64, r->params->file,
                       FS_BOOKS_ITERATIONS, r->iterations);
    of->plan = r->program.plan;
    of->labels = fs_supersteps_labels(&r->program, of->run.arena);
    of->ledger = fs_supersteps_ledger(&r->program, &of->machine->memory, &of->labels, of->run.arena, err);
    if (of->ledger == NULL)
        return err->status;
    fs_run_say(&of->run, "fits: %" PRIu32 " steps on %" PRIu32 " tiles", fs_plan_steps(&of->plan),
               of->plan.tiles);
    if (fs_chip_run_make(of, err))
        return err->status;
    say_network(r);
    return FS_OK;
}

static fs_status simulate(void *self, fs_error *err) {
    run *r = self;
    const fs_device_client client = {
        .self = r, .compute = on_compute, .exchange = on_exchange, .decide = on_decide};
    r->active = FS_NEW(r->of.run.arena, uint32_t, r->of.plan.tiles);
    return fs_chip_run_device(&r->of, &client, "passes", r->iterations, err);
}

/* The same run on a machine that pairs all: cycles without the host. */
static fs_status price_all_pairs(run *r, fs_error *err) {
    const fs_device_client client = {
        .self = r, .compute = on_compute, .exchange = on_exchange, .decide = on_decide};
    fs_device *counted = r->of.device;
    r->paired = *r->of.machine;
    r->paired.tile.dual_issue = FS_DUAL_FULL;
    r->of.device = fs_device_create(r->of.run.arena, &r->paired, &r->of.plan, FS_DETAIL_PHASE, err);
    const fs_status status =
        r->of.device == NULL ? err->status : fs_device_replay(r->of.device, &client, err);
    if (status == FS_OK) {
        const fs_device_totals t = fs_device_totals_of(r->of.device);
        r->figures.paired_cycles = (double)(t.cycles - t.cycles_host) / (double)r->passes;
        r->figures.paired_seconds = r->figures.paired_cycles / r->of.machine->clock;
    }
    r->of.device = counted;
    return status;
}

/* The line of the run. Shares are of the run, of which passes are all but the host's: its share stands with them. */
static void say_shares(run *r) {
    const figures *f = &r->figures;
    const fs_device_figures *d = &f->chip.device;
    const double percent = 100.0 / (double)d->cycles;
    fs_run_say(&r->of.run,
               "a pass takes %s cycles (%s, %s with all pairs); of the run, compute takes %.0f %%, the "
               "exchange %.0f %%, barriers %.0f %%, host visits %.0f %%; workers are busy in %.0f %% of the "
               "compute phases",
               fs_number_grouped(f->pass_cycles), fs_number_seconds(f->pass_seconds),
               fs_number_seconds(f->paired_seconds), percent * (double)d->cycles_compute,
               percent * (double)d->cycles_exchange, percent * (double)d->cycles_sync,
               percent * (double)d->cycles_host, 100.0 * f->chip.use.workers_busy);
}

static fs_status make_figures(void *self, fs_error *err) {
    run *r = self;
    figures *f = &r->figures;
    *f = (figures){.steps = r->of.notes.steps, .complete = true, .chip = r->of.chip};
    const fs_device_figures *d = &f->chip.device;
    f->pass_cycles = (double)(d->cycles - d->cycles_host) / (double)r->passes;
    f->joules_per_pass = f->chip.power.energy.joules / (double)r->passes;
    f->pass_seconds = f->pass_cycles / r->of.machine->clock;
    r->of.run.figures = f;
    r->of.each = (fs_energy_each){"pass", f->joules_per_pass};
    if (price_all_pairs(r, err))
        return err->status;
    say_shares(r);
    return FS_OK;
}

static const char *const machines[] = {"ipu", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_matrix_table},
    {.section = "run", .table = &fs_run_table},
    {.section = NULL},
};

static const fs_work_row work[] = {
    {.what = "program", .keys = "workload.file"},
};

const fs_workload fs_workload_program = {.abi = FS_ABI,
                                         .kind = "program",
                                         .summary =
                                             "supersteps from a YAML file or a trace: a kernel without C",
                                         .rules = {.uses = uses},
                                         .steps = {.size = sizeof(run),
                                                   .elaborate = elaborate,
                                                   .simulate = simulate,
                                                   .figures = make_figures,
                                                   .conclude = fs_chip_run_conclude,
                                                   .write = fs_chip_run_write,
                                                   .trace = fs_chip_run_trace},
                                         .traces = true,
                                         .stats = &fs_program_stats,
                                         .time = "device.seconds",
                                         .page = &fs_program_page,
                                         FS_WORK(work)};
