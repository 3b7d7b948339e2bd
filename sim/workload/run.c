#include "sim/workload/run.h"

#include "sim/base/host.h"
#include "sim/base/version.h"
#include "sim/workload/recorded.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const fs_stat host_rows[] = {
    FS_STAT_VALUE("wall_seconds", fs_run, cost.wall_seconds, .unit = "s",
                  .doc = "from the start of the run to the last file written"),
    FS_STAT_VALUE("cpu_seconds", fs_run, cost.cpu_seconds, .unit = "s",
                  .doc = "user and system time of all threads, and of programs that the run started"),
    FS_STAT_VALUE("simulation_seconds", fs_run, cost.simulation_seconds, .unit = "s",
                  .doc = "the iterations, and what they need once"),
    FS_STAT_VALUE("write_seconds", fs_run, cost.write_seconds, .unit = "s", .doc = "writing the run folder"),
    FS_STAT_COUNT("peak_rss_bytes", fs_run, cost.peak_rss_bytes, .unit = "B",
                  .doc = "largest resident set, of the run or of a program that it started"),
    FS_STAT_COUNT("threads", fs_run, cost.threads, .doc = "OpenMP threads"),
    FS_STAT_COUNT("kernel_activations", fs_run, kernel_activations,
                  .doc = "processes run by the discrete-event kernel"),
    FS_STAT_VALUE("ray_hops_per_second", fs_run, cost.ray_hops_per_second, .unit = "hops/s",
                  .doc = "ray hops over simulation_seconds"),
    FS_STAT_VALUE("slowdown", fs_run, cost.slowdown, .doc = "wall seconds over device seconds"),
    FS_STAT_WORD("version", fs_run, cost.version, .doc = "foamsim's version and model version"),
    FS_STAT_WORD("compiler", fs_run, cost.compiler, .doc = "what foamsim was built with"),
};
const fs_stat_table fs_run_host_stats = FS_STAT_TABLE("host", host_rows);

void fs_run_say(fs_run *run, const char *format, ...) {
    FS_VARIADIC(args, format, vsnprintf(run->line, sizeof run->line, format, args));
}

/* ---- before ---- */

/* What is recorded is worked out in this run, and not what it goes on from. */
static fs_status check_replay(const fs_run *run, fs_error *err) {
    const fs_host_options *host = run->host;
    if (run->prices && (host->record != NULL || host->record_activity != NULL))
        return fs_fail(err, FS_INPUT,
                       "--record, --record-activity: expected a run, or a replay of an itinerary recording; "
                       "%s holds activity, from which neither is made",
                       host->replay);
    if (!run->prices && host->record != NULL)
        return fs_fail(err, FS_INPUT, "--record: %s is an itinerary recording of this run already",
                       host->replay);
    return FS_OK;
}

static fs_status open_replay(const fs_workload *workload, fs_run *run, fs_error *err) {
    fs_file_memo files = {.path = ""};
    if (run->host->replay == NULL)
        return FS_OK;
    run->replay = fs_recording_open(run->host->replay, err);
    if (run->replay == NULL)
        return err->status;
    run->prices = fs_recording_layer_of(run->replay) == FS_RECORDING_ACTIVITY;
    if (workload->recorder[run->prices ? FS_LAYER_PRICE : FS_LAYER_REPLAY] == NULL)
        return fs_recorded_expect(run->replay, run->prices ? FS_RECORDING_ITINERARY : FS_RECORDING_ACTIVITY,
                                  err);
    return fs_recorded_match(run->replay, run->config, &files, err) ? err->status : check_replay(run, err);
}

/* A mistake that is found late and begins with its key, "machine.exchange.noc.size: ...", gets the key's place. */
static void give_place(const fs_run *run, fs_error *err) {
    const size_t section = strcspn(err->text, ".: "), key = strcspn(err->text, ": ");
    if (err->status != FS_INPUT || err->text[section] != '.' || err->text[key] != ':')
        return;
    const char *text = fs_arena_printf(run->arena, "%s", err->text + key);
    const char *of = fs_arena_printf(run->arena, "%.*s", (int)section, err->text);
    const char *name = fs_arena_printf(run->arena, "%.*s", (int)(key - section - 1), err->text + section + 1);
    if (!fs_config_has(run->config, of) || fs_config_value(run->config, of, name) == NULL)
        return;
    fs_error_clear(err);
    fs_fail(err, FS_INPUT, "%s%s", fs_config_where(run->config, of, name), text);
}

fs_run *fs_run_begin(const fs_workload *workload, const fs_config *config, const fs_host_options *host,
                     fs_error *err) {
    static const fs_run_params usual = {.seed = 1, .detail = FS_RUN_PHASE};
    fs_run *run = fs_calloc(1, workload->steps.size);
    run->arena = fs_arena_create();
    run->config = config;
    run->host = host;
    run->how = fs_config_has(config, "run") ? fs_config_section(config, "run") : &usual;
    if (open_replay(workload, run, err) == FS_OK && workload->steps.elaborate(run, err) == FS_OK)
        return run;
    give_place(run, err);
    fs_run_close(workload, run);
    return NULL;
}

void fs_run_close(const fs_workload *workload, fs_run *run) {
    if (workload->steps.close != NULL)
        workload->steps.close(run);
    fs_recording_close((fs_recording *)(uintptr_t)run->replay);
    fs_arena_free(run->arena);
    free(run);
}

/* ---- behind ---- */

/* How many findings there are, and how to read them: behind the line. */
static void count_findings(fs_run *run, const fs_findings *findings, fs_results *results) {
    static const char aside[] = ".partial/";
    const char *path = fs_results_path(results, "");
    const size_t used = strlen(run->line), tail = sizeof aside - 1;
    if (findings->count > 0 && strlen(path) > tail)
        snprintf(run->line + used, sizeof run->line - used, "\n%u %s: foamsim report %.*s", findings->count,
                 fs_plural(findings->count, "finding", "findings"), (int)(strlen(path) - tail), path);
}

static fs_status conclude(const fs_run_steps *steps, fs_run *run, fs_results *results, fs_error *err) {
    fs_conclusions said = {.findings = FS_NEW(run->arena, fs_findings, 1)};
    said.findings->arena = run->arena;
    if (steps->conclude(run, &said, err) ||
        (said.rung_count > 0 && fs_ladder_write(said.rungs, said.rung_count, results, err)) ||
        fs_findings_write(said.findings, results, err))
        return err->status;
    count_findings(run, said.findings, results);
    return FS_OK;
}

static fs_status write_all(const fs_workload *workload, fs_run *run, fs_results *results, fs_error *err) {
    const fs_run_steps *steps = &workload->steps;
    if (workload->stats != NULL && fs_results_figures(results, workload->stats, run->figures, err))
        return err->status;
    if (steps->conclude != NULL && run->how->statistics == FS_STATISTICS_FULL &&
        conclude(steps, run, results, err))
        return err->status;
    if (steps->write != NULL && run->how->outputs == FS_OUTPUTS_FULL && steps->write(run, results, err))
        return err->status;
    return steps->trace != NULL && run->host->trace != NULL ? steps->trace(run, err) : FS_OK;
}

/* What the run cost, but for simulation_seconds. */
static void end_cost(fs_run *run, double started, double write_began) {
    struct fs_run_cost *c = &run->cost;
    const double now = fs_host_wall_seconds();
    c->wall_seconds = now - started;
    c->write_seconds = now - write_began;
    c->cpu_seconds = fs_host_cpu_seconds();
    c->peak_rss_bytes = fs_host_peak_rss_bytes();
    c->threads = (uint64_t)run->host->threads;
    c->ray_hops_per_second =
        c->simulation_seconds > 0 ? (double)run->ray_hops / c->simulation_seconds : (double)NAN;
    c->slowdown = c->wall_seconds / run->device_seconds;
    c->version = FS_VERSION;
    c->compiler = __VERSION__;
}

static fs_status write_host(const fs_workload *workload, const fs_run *run, fs_results *results,
                            fs_error *err) {
    json_t *root = json_object();
    fs_results_stats_json(&fs_run_host_stats, run, root);
    if (workload->host_stats != NULL)
        fs_results_stats_json(workload->host_stats, run, root);
    const fs_status status = fs_results_json(results, "host.json", root, err);
    json_decref(root);
    return status;
}

static fs_status run_on(const fs_workload *workload, fs_run *run, double started, fs_results *results,
                        fs_error *err) {
    const fs_run_steps *steps = &workload->steps;
    if (run->host->check_only)
        return FS_OK;
    const double begun = fs_host_wall_seconds();
    if (steps->simulate(run, err)) {
        give_place(run, err);
        return err->status;
    }
    run->cost.simulation_seconds += fs_host_wall_seconds() - begun;
    if (steps->figures != NULL && steps->figures(run, err))
        return err->status;
    const double write_began = fs_host_wall_seconds();
    if (write_all(workload, run, results, err))
        return err->status;
    end_cost(run, started, write_began);
    return write_host(workload, run, results, err);
}

fs_status fs_workload_run(const fs_workload *workload, const fs_config *config, const fs_host_options *host,
                          fs_results *results, char line[FS_RUN_LINE], fs_error *err) {
    const double started = fs_host_wall_seconds();
    line[0] = '\0';
    fs_run *run = fs_run_begin(workload, config, host, err);
    if (run == NULL)
        return err->status;
    const fs_status status = run_on(workload, run, started, results, err);
    memcpy(line, run->line, sizeof run->line);
    fs_run_close(workload, run);
    return status;
}
