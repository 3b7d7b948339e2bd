/* The frame of a run, written once: a workload fills in the steps, everything around them is here.
 *
 *   begin      memory and sections; a recording to go on from is opened, matched, and refused where what it
 *              holds can't give what is asked
 *   elaborate  the workload's: everything that can be wrong before something runs. `run --check` ends here
 *   simulate   the workload's: timed, and all that the run does
 *   figures    the workload's: what it reports. Then summary.json and stats.csv are written
 *   conclude   the workload's, with run.statistics full: ladder.csv and findings.json
 *   write      the workload's, with run.outputs full: its tables and pictures
 *   trace      the workload's, with --trace: its timeline
 *   end        host.json; the workload's close; memory
 *
 * docs/how-to/workload.md has an example.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/config/config.h"
#include "sim/host/progress.h"
#include "sim/results/findings.h"
#include "sim/results/ladder.h"
#include "sim/results/recording.h"
#include "sim/results/results.h"
#include "sim/workload/host_options.h"
#include "sim/workload/run_params.h"

enum { FS_RUN_LINE = 1024 };

/* What a run costs the host. */
struct fs_run_cost {
    double wall_seconds, cpu_seconds, simulation_seconds, write_seconds;
    uint64_t peak_rss_bytes, threads;
    double ray_hops_per_second, slowdown; /* slowdown: wall seconds over device seconds */
    const char *version, *compiler;
};

/* A workload's struct of a run begins with it. */
typedef struct fs_run {
    /* Given: */
    fs_arena *arena; /* freed with the run */
    const fs_config *config;
    const fs_host_options *host;
    const fs_run_params *how;   /* the section `run`, or its defaults where the workload reads none */
    const fs_recording *replay; /* that it goes on from; NULL: everything is worked out */
    bool prices;                /* the recording holds activity */
    /* To be filled by the steps: */
    const void *figures;         /* the struct of fs_workload.stats */
    double device_seconds;       /* with the next two for host.json */
    uint64_t kernel_activations; /* of simulated processes */
    uint64_t ray_hops;
    struct fs_run_cost cost; /* of it simulation_seconds, if the steps before simulate are part of them */
    fs_progress progress;
    char line[FS_RUN_LINE]; /* what is printed at the end (fs_run_say) */
} fs_run;

/* Of it: host.json, the one file that may differ between two runs of the same configuration. */
extern const fs_stat_table fs_run_host_stats;

/* What a run has to say; memory of the run's arena. */
typedef struct fs_conclusions {
    const fs_rung *rungs; /* [rung_count]; none: no ladder.csv */
    size_t rung_count;
    fs_findings *findings; /* empty at first */
} fs_conclusions;

/* The steps of a workload, each with its struct of a run. All but the first three may be NULL. */
typedef struct fs_run_steps {
    size_t size; /* of that struct: on the heap, zeroed */
    fs_status (*elaborate)(void *run, fs_error *err);
    fs_status (*simulate)(void *run, fs_error *err);
    fs_status (*figures)(void *run, fs_error *err);
    fs_status (*conclude)(void *run, fs_conclusions *out, fs_error *err);
    fs_status (*write)(void *run, fs_results *results, fs_error *err);
    fs_status (*trace)(void *run, fs_error *err);
    void (*close)(void *run); /* frees what is not the arena's, however far the run came */
} fs_run_steps;

/* The line for the person: at the end of elaborate for --check, and of figures (printf rules). A later one
 * takes the place of an earlier one. */
void fs_run_say(fs_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A run up to elaborate, for whoever takes the other steps by themselves: NULL, or what to fs_run_close. */
struct fs_workload;
fs_run *fs_run_begin(const struct fs_workload *workload, const fs_config *config, const fs_host_options *host,
                     fs_error *err);
void fs_run_close(const struct fs_workload *workload, fs_run *run);

/* A checked experiment through all steps into `results` (resolved.yaml and manifest.json are the caller's);
 * NULL: with --check. line: what is printed at the end, "" for nothing. */
fs_status fs_workload_run(const struct fs_workload *workload, const fs_config *config,
                          const fs_host_options *host, fs_results *results, char line[FS_RUN_LINE],
                          fs_error *err);
