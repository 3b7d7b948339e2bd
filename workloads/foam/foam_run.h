/* One run of the workload foam and all its parts. Private to foam*.c. */
#pragma once

#include "models/overlay/device_plan.h"
#include "sim/workload/recorded.h"
#include "workloads/foam/books/books.h"
#include "workloads/foam/books/ladder.h"
#include "workloads/foam/books/timeline.h"
#include "workloads/foam/foam.h"
#include "workloads/foam/foam_params.h"
#include "workloads/foam/follow/follow.h"
#include "workloads/foam/kernels/decoupled/decoupled.h"
#include "workloads/foam/kernels/layout.h"
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/march/reference.h"
#include "workloads/foam/record/activity.h"
#include "workloads/foam/record/recording.h"
#include "workloads/scene/foam/foam_scene.h"

/* What a run of the foam costs the host beside what any run does. */
typedef struct fs_foam_cost {
    double scene_seconds, partition_seconds, march_seconds, statistics_seconds;
    double march_cpu_seconds, iterations_cpu_seconds;
    const char *march;
} fs_foam_cost;

/* All parts of one run. Heap members are freed when it is closed; the rest lives in the arena. */
typedef struct fs_foam_run {
    fs_chip_run
        of; /* without a host a point is priced; with prices activity is replayed: no rays are moved */
    const fs_foam_params *params;
    const fs_foam_run_params *pictures; /* the section of of.run.how */
    bool marches;                       /* the scene itself is there: rays can be marched */
    fs_foam foam;                       /* this and the next only with it */
    fs_march_scene scene;
    fs_partition partition; /* replayed: sizes and neighbours of the shards only */
    fs_foam_facts facts;
    fs_activity activity;
    fs_activity_cursor cursor;
    fs_activity_recorder *recorder; /* --record-activity; else NULL */
    fs_activity_image image;        /* what is recorded of it */
    fs_recorded_rays rays;          /* itineraries that were read, or are to be recorded */
    fs_payload payload;
    fs_camera camera[FS_CAMERAS];
    uint32_t cameras;
    fs_overlay overlay;
    fs_foam_layout layout;
    fs_foam_setup setup;
    fs_foam_simulation *sim;
    fs_device_programs programs;
    fs_foam_decoupled *decoupled; /* machine.execution: decoupled; else NULL */
    fs_foam_books books;
    const uint32_t *active;
    uint32_t active_count;
    fs_reference reference;
    uint8_t *rgb8;
    uint16_t *depth16;
    fs_foam_figures figures;
    fs_congestion *congestion; /* this and the next with run.statistics full */
    fs_foam_ladder *ladder;
    fs_timeline timeline;
    fs_foam_cost cost;
    double began, looked; /* host seconds: the simulation began (0: its time was said), was looked at first */
    uint64_t made;        /* rays by then */
    fs_follow *follow;    /* one ray that is looked at; NULL: none */
    uint8_t *
        frames8; /* [frames][height][width][3] pictures of a path; heap, NULL: there is none, or nobody wants them */
    fs_frame frame[FS_FRAMES_MOST]; /* [figures.path.count] of a path */
} fs_foam_run;

/* ---- elaboration, step by step (foam.c) ---- */

/* The sections of a run that has a configuration. */
void fs_foam_sections(fs_foam_run *r);
fs_status fs_foam_make_cameras(fs_foam_run *r, fs_error *err);
/* Plans the overlay section's kind for the scene, adds the replicas that are asked for, checks the outcome and
 * lays out every tile (foam_overlay.c). FS_INPUT when something does not fit. */
fs_status fs_foam_make_overlay(fs_foam_run *r, fs_error *err);
void fs_foam_make_setup(fs_foam_run *r);
fs_status fs_foam_make_device(fs_foam_run *r, fs_error *err);
/* Whether what lanes hold is told to the device: a planned exchange does not move by it, but chips count it. */
static inline bool fs_foam_asks_lanes(const fs_foam_run *r) {
    return !fs_fabric_plans(&r->of.machine->exchange) || fs_machine_chips(r->of.machine) > 1;
}
/* Of a run that moves rays: what its device asks; and where counts of its tiles go, of any run. */
fs_device_client fs_foam_client(fs_foam_run *r);
fs_count_sink fs_foam_sink(fs_foam_run *r);
/* iterations: how many there can be. */
void fs_foam_make_books(fs_foam_run *r, uint32_t iterations);

/* ---- scene and rays: worked out, or from a recording (foam_rays.c) ---- */

/* Scene, partition and facts. */
fs_status fs_foam_make_scene(fs_foam_run *r, fs_error *err);
/* Facts of the scene in a recording, either way. */
void fs_foam_facts_of(fs_recorded *file, fs_foam_run *r);
/* The setup's itineraries where they come from a recording or go to one; writes that. The reference: read, or
 * left to the march that makes the itineraries. */
fs_status fs_foam_make_rays(fs_foam_run *r, fs_error *err);
/* Puts a reference that was made into the cache; NULL: none was. */
void fs_foam_keep_reference(fs_foam_run *r, const fs_reference *made);

/* ---- activity: recorded, or in place of the rays (foam_activity.c) ---- */

/* The simulation of a run that replays activity: one that only shows. */
fs_status fs_foam_make_shell(fs_foam_run *r, fs_error *err);
/* FS_RUN with the recorded words when the activity is that of a run that failed at max_iterations; before
 * that what is wrong with the device. */
fs_status fs_foam_check_finished(fs_foam_run *r, fs_error *err);
/* What a device asks of recorded activity: a client's `exchange`, with the run as `self`. */
fs_status fs_foam_recorded_exchange(void *run, fs_moment at, const uint32_t **occupied, fs_error *err);
/* Runs the device on recorded activity and closes the books. */
fs_status fs_foam_replay_activity(fs_foam_run *r, fs_error *err);
/* The figures of the pictures as they were recorded. */
void fs_foam_replay_image(fs_foam_run *r);
/* Writes the activity recording that was asked for. */
fs_status fs_foam_write_activity(fs_foam_run *r, fs_error *err);
/* In place of it, when the run failed at max_iterations; a recording that can't be written is left out. */
void fs_foam_write_unfinished(fs_foam_run *r, const char *why);

extern const fs_workload_prices fs_foam_prices; /* prices by the thousand (price.c) */

/* ---- results (foam_results.c) ---- */

/* After the run: everything that is reported. */
void fs_foam_make_figures(fs_foam_run *r);
extern const char fs_foam_coarse_note[]; /* what is said when t as fp16 is coarse */

/* Steps of fs_run_steps. */
fs_status fs_foam_report(void *run, fs_error *err); /* figures, recorded activity, the line */
fs_status fs_foam_conclude(void *run, fs_conclusions *out, fs_error *err);
/* Of it the rungs alone, which a price has, too. */
fs_status fs_foam_climb(void *run, fs_conclusions *out, fs_error *err);
fs_status fs_foam_write(void *run, fs_results *results, fs_error *err);

/* ---- tables and findings (foam_outputs*.c, foam_findings*.c) ---- */

/* cycles.csv, levels.csv, distributions.csv: run.statistics full. */
fs_status fs_foam_write_congestion(const fs_foam_run *r, fs_results *results, fs_error *err);
/* Tile by iteration, of numbers [iterations][used]. */
fs_status fs_foam_write_matrix(const fs_foam_run *r, const char *name, const uint32_t *number,
                               fs_results *results, fs_error *err);
/* lanes.csv. */
fs_status fs_foam_write_lanes(const fs_foam_run *r, fs_results *results, fs_error *err);
/* Sentences, most important first; each is left out where it would have nothing to say. */
void fs_foam_find(const fs_foam_run *r, fs_findings *out);
