/* A run of Gaussians: what its files share. */
#pragma once

#include "models/ipu/tables/chip_run.h"
#include "models/tile/tile.h"
#include "sim/base/alloc.h"
#include "sim/workload/workload.h"
#include "workloads/gaussians/activity.h"

/* Price: the programs of a tile and what an occurrence of an event takes (gaussians.md 8). */

/* route: one worker, events of lanes.h. blend: all. copy: lanes that lead to the tile itself. find: offsets looked through. */
enum {
    FS_GAUSSIANS_P_ROUTE,
    FS_GAUSSIANS_P_BLEND,
    FS_GAUSSIANS_P_COPY,
    FS_GAUSSIANS_P_FIND,
    FS_GAUSSIANS_PROGRAMS
};
enum {
    FS_GAUSSIANS_LOOKED, /* of blend: an entry by a pixel */
    FS_GAUSSIANS_ADDED,
    FS_GAUSSIANS_PIXEL,
    FS_GAUSSIANS_WIPE, /* a word cleared */
    FS_GAUSSIANS_BLEND_EVENTS
};

/* [FS_GAUSSIANS_PROGRAMS], by the counts that are asked for; memory from the arena. */
const fs_program *const *fs_gaussians_programs(const fs_gaussians_params *params, fs_arena *arena);

/* Counts of a call, for each worker of the tile a row of fs_program_width. boxed: pixels look at entries of whose square they are
 * alone, which is what if. */
void fs_gaussians_route_counts(const fs_gaussians_params *params, const fs_gaussians_tile_work *work,
                               uint32_t *row);
void fs_gaussians_blend_counts(const fs_gaussians_activity *activity, const fs_gaussians_blend_work *work,
                               bool boxed, const fs_program *program, uint32_t *rows);

/* Cycles of the tiles in a frame, mean over the frames: of the tile with fewest, of the average, of the one with most. */
typedef struct fs_gaussians_spread_of {
    double least, mean, most;
} fs_gaussians_spread_of;

typedef struct fs_gaussians_figures {
    uint64_t gaussians, frames, before, settled, shown;
    double anchored, copies, moved, entered, hops, hops_95, churn, work;
    double entries, received, sends, failed, lost, useful;
    uint64_t longest, longest_tile, received_most;
    double route, blend, exchange, gather, frame,
        rate; /* seconds of a frame; pictures a second without the host */
    fs_gaussians_spread_of phase[FS_GAUSSIANS_PHASES], routing, blending;
    double imbalance;
    uint64_t lane_bytes; /* that move in a step */
    double psnr, holes, down, up;
    double joules_per_frame;
    bool settles, complete;
    fs_chip_figures chip;
} fs_gaussians_figures;

/* What the steps would take otherwise: an insertion by one look, a routing by all workers alike, pixels that look at entries near them. */
typedef struct fs_gaussians_what_if {
    bool map, f32, shared, boxed, without_first;
} fs_gaussians_what_if;

typedef struct fs_gaussians_run {
    fs_chip_run of; /* without a host a point is priced */
    const fs_gaussians_params *params;
    fs_splats scene; /* heap */
    fs_overlay overlay;
    const fs_overlay *over;    /* of `method: overlay`, else NULL */
    fs_gaussians_activity own; /* heap */
    const fs_gaussians_activity *activity;
    const fs_program *const *programs;
    fs_priced_program priced[FS_GAUSSIANS_PROGRAMS];
    uint32_t step_of[4]; /* numbers in the plan: gather, route, blend, exchange; UINT32_MAX: none */
    fs_transfer *transfers;
    uint32_t transfer_count;
    uint32_t *active, *occupied;
    uint64_t *own_bytes; /* [tiles] of lanes that lead to the tile itself */
    fs_transfer *moves;
    uint64_t cycles_of[4]; /* over the frames */
    fs_gaussians_figures figures;
} fs_gaussians_run;
enum { FS_GAUSSIANS_S_GATHER, FS_GAUSSIANS_S_ROUTE, FS_GAUSSIANS_S_BLEND, FS_GAUSSIANS_S_EXCHANGE };

/* Sections, programs, and the overlay where there is one. FS_INPUT: its kind's. */
fs_status fs_gaussians_begin(fs_gaussians_run *r, fs_error *err);
/* SRAM of the tiles for so many Gaussians. NULL with FS_INPUT when a tile does not hold what it needs. */
fs_ledger *fs_gaussians_ledger(const fs_gaussians_run *r, uint32_t gaussians, fs_error *err);
/* From the activity: plan, device, run, figures. */
fs_status fs_gaussians_run_device(fs_gaussians_run *r, fs_error *err);
/* Bytes that the host sends for a frame, and those of a picture. */
uint64_t fs_gaussians_down(const fs_gaussians_run *r);
uint64_t fs_gaussians_picture_bytes(const fs_gaussians_run *r);

/* Cycles of a tile by what it counted; blend by its slowest worker. */
typedef struct fs_gaussians_tile_cycles {
    uint64_t phase[FS_GAUSSIANS_PHASES], route, blend;
} fs_gaussians_tile_cycles;
fs_gaussians_tile_cycles fs_gaussians_cycles_of(const fs_gaussians_run *r, const fs_gaussians_counts *counts,
                                                fs_gaussians_what_if what);
/* Cycles of all steps, route and blend: what the device takes for them, by the slowest tile of each step. */
double fs_gaussians_cycles(const fs_gaussians_run *r, fs_gaussians_what_if what);
void fs_gaussians_figures_make(fs_gaussians_run *r);

/* record.c */
fs_status fs_gaussians_record(const char *path, fs_gaussians_run *r, fs_error *err);
fs_status fs_gaussians_replay(const fs_recording *recording, fs_gaussians_run *r, fs_error *err);
extern const fs_workload_prices fs_gaussians_prices;

/* What `foamsim ray` tells of one Gaussian: {"gaussian", "x", "y", "aim", "steps": [{"step", "held", "sent", "drawn"}]}, a step for each that
 * changes something. */
fs_status fs_gaussians_story(const fs_config *config, const fs_host_options *host, const char *which,
                             json_t **story, fs_error *err);
void fs_gaussians_tell(const json_t *story, FILE *out);

/* Steps of fs_run_steps. */
fs_status fs_gaussians_conclude(void *run, fs_conclusions *out, fs_error *err);
fs_status fs_gaussians_write(void *run, fs_results *results, fs_error *err);
