/* A run of treelets: what its files share. */
#pragma once

#include "models/ipu/tables/chip_run.h"
#include "models/ipu/tables/joined.h"
#include "sim/workload/workload.h"
#include "workloads/paths/walk/walk.h"
#include "workloads/treelets/params.h"
#include "workloads/treelets/record/statistics.h"
#include "workloads/treelets/traffic/travel.h"
#include "workloads/treelets/traffic/travelled.h"

/* The program of a tile of treelets: the events of a path tracer's walk, and those of rays that wait and travel. */

/* Events of the program, behind those of the walk. */
typedef enum fs_treelets_event {
    FS_TREELETS_TOP = FS_WALK_EVENTS,
    FS_TREELETS_TAKE,
    FS_TREELETS_ASIDE,
    FS_TREELETS_PACK,
    FS_TREELETS_UNPACK,
    FS_TREELETS_ROUTE,
    FS_TREELETS_EVENTS
} fs_treelets_event;

/* With the prices of the payload and the order; code_bytes 0. Memory from the arena. */
const fs_program *fs_treelets_program(const fs_treelets_params *params, fs_arena *arena);

/* What a worker counted in a step, as occurrences of the program's events. smooth: the mesh has normals. */
void fs_treelets_counts(const uint32_t row[FS_TRAVEL_EVENTS], bool smooth,
                        uint32_t counts[FS_TREELETS_EVENTS]);

/* What is known of the geometry once the paths are walked: all that recordings keep of scene, tree and cut. */
typedef struct fs_treelets_geometry {
    uint64_t nodes, triangles, vertices, materials; /* of the tree; of the scene */
    uint64_t degenerate;
    uint64_t smooth;                                         /* 1: the mesh has normals */
    uint64_t treelets, top_bytes, treelet_bytes, most_bytes; /* of the cut; bytes of all, of the largest */
    uint64_t paths, segments, hits, escapes, stopped, visits, found, path_nodes, leaves, top_nodes;
    uint64_t shadows, blocked, deepest_stack; /* shadow rays; of them, that met something */
    uint64_t half, most_of_20, most_of_100;   /* visits of a segment that 50, 95, 99 % do not exceed */
} fs_treelets_geometry;

/* What tables and pictures show beside the figures: of each bounce, treelet and pixel. Arena. */
typedef struct fs_treelets_shown {
    fs_itineraries_visits bounce[FS_ITINERARIES_BOUNCES];  /* of segments */
    uint64_t *bytes_of, *visits_of, *units_of, *copies_of; /* [treelets] */
    uint8_t *rgb;                                          /* [pixels][3] */
    uint16_t *treelet; /* [pixels] that holds what is seen; FS_PIECE_ANYWHERE: nothing is */
    uint32_t *visits;  /* [pixels] of all samples */
} fs_treelets_shown;

/* What placement and traffic came to: all that a price needs beside the activity. */
typedef struct fs_treelets_traffic {
    uint64_t copies, most_copies;
    uint64_t moves, hops, refused, turned, units, deepest, deepest_tile;
    double treelet_imbalance, treelet_gini; /* of the units of visits, were there one copy of each */
    double tile_imbalance;                  /* of units */
} fs_treelets_traffic;

typedef struct fs_treelets_figures {
    fs_treelets_geometry geometry;
    fs_treelets_traffic traffic;
    double bytes_mean, fill, stopped, copies_mean, visits_per_segment, segments_per_path, nodes_per_segment;
    double moves_per_path, slots_per_path;
    double rate, rate_frame, ideal; /* paths/s: steady; over all steps; were all workers always busy */
    double seconds_steps;           /* of all steps, without visits of the host */
    double share_compute, share_exchange, share_sync;
    uint64_t steps, payload, triangles_fit;
    double joules_per_path;
    bool complete;
    fs_chip_figures chip;
    fs_joined_figures chips;
} fs_treelets_figures;

typedef struct fs_treelets_run {
    fs_chip_run of; /* without a host a point is priced */
    const fs_treelets_params *params;
    uint32_t tiles; /* that may hold treelets, the first of the machine's */
    /* Geometry: made, or read from a recording. */
    fs_walk_scene walk;
    fs_mesh_scene mesh;
    fs_bvh tree;
    fs_treelet_cut cut;
    fs_itineraries its; /* heap */
    fs_treelets_geometry geometry;
    fs_treelets_shown shown;
    /* Traffic. */
    fs_placement placement;
    const uint64_t *tile_bytes; /* [tiles] of treelets */
    const uint64_t *tile_units; /* [machine's tiles] that its workers took */
    fs_treelets_traffic traffic;
    fs_travelled own; /* heap */
    const fs_travelled *activity;
    /* Price. */
    const fs_program *program;
    uint64_t *end_of;   /* [steps] cycle in which each ended */
    uint64_t *totals;   /* [FS_TREELETS_EVENTS] occurrences of all workers */
    fs_transfer *moves; /* of a step */
    uint32_t *active;   /* [tiles] of a step, the machine's */
    fs_status damaged;  /* not FS_OK: rows of a recording cannot be read */
    fs_treelets_figures figures;
} fs_treelets_run;

/* ---- setup.c ---- */

/* Sections and program of a run that has arena and configuration. */
void fs_treelets_begin(fs_treelets_run *r);
/* Scene, tree and cut. */
fs_status fs_treelets_load(fs_treelets_run *r, fs_error *err);
/* Bytes of a tile for treelets: the parameter's, or what its SRAM leaves. 0: nothing is left. */
uint64_t fs_treelets_room(const fs_treelets_run *r);
/* SRAM of all tiles with the treelets that they hold (tile_bytes; NULL: none). NULL with FS_INPUT. */
fs_ledger *fs_treelets_ledger(const fs_treelets_run *r, fs_error *err);
/* Copies of treelets over the tiles, by a pilot of the itineraries; NULL its: whether one copy of each fits. */
fs_status fs_treelets_place(fs_treelets_run *r, const fs_itineraries *its, fs_error *err);

/* ---- rays.c ---- */

/* Walks the itineraries: geometry, picture. FS_INPUT: the host has not the memory. */
fs_status fs_treelets_walk(fs_treelets_run *r, fs_error *err);
/* Of the itineraries, walked or read: all that is shown but the picture. */
void fs_treelets_show(fs_treelets_run *r);
fs_status fs_treelets_pictures_write(const fs_treelets_run *r, fs_results *results, fs_error *err);

/* ---- frame.c ---- */

/* All supersteps: activity and traffic. FS_RUN when they are more than run.max_iterations. */
fs_status fs_treelets_travel(fs_treelets_run *r, fs_error *err);

/* ---- device.c, figures.c ---- */

/* The device runs the activity; figures. */
fs_status fs_treelets_run_device(fs_treelets_run *r, fs_error *err);
void fs_treelets_figures_make(fs_treelets_run *r);

/* ---- record.c ---- */

fs_status fs_treelets_record_geometry(fs_treelets_run *r, const char *path, fs_error *err);
fs_status fs_treelets_record_activity(fs_treelets_run *r, const char *path, fs_error *err);
/* FS_IO when damaged. Heap of its, own. */
fs_status fs_treelets_read_geometry(fs_treelets_run *r, const fs_recording *recording, fs_error *err);
fs_status fs_treelets_read_activity(fs_treelets_run *r, const fs_recording *recording, fs_error *err);
extern const fs_workload_prices fs_treelets_prices;

/* Steps of fs_run_steps: findings, ladder and tables beside the machine's (findings.c, outputs.c). */
fs_status fs_treelets_conclude(void *run, fs_conclusions *out, fs_error *err);
/* Of it what a price knows, too: the rungs, and what the machine itself has to say. */
fs_status fs_treelets_climb(void *run, fs_conclusions *out, fs_error *err);
fs_status fs_treelets_write(void *run, fs_results *results, fs_error *err);
