/* A workload: what runs on a machine, as its descriptor says it. The engine (command line, sweeps, clusters,
 * view sets) knows workloads and sections of experiment files only through an fs_registry, which main hands
 * down. */
#pragma once

#include "sim/base/error.h"
#include "sim/config/config.h"
#include "sim/results/columns.h"
#include "sim/results/recording.h"
#include "sim/stats/stats.h"
#include "sim/workload/host_options.h"
#include "sim/workload/run.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Rows of a workload's table that a view set fills; NULL all: no camera, so no views. */
typedef struct fs_camera_keys {
    const char *position, *look_at; /* points [x, y, z] */
    const char *instead; /* a row that fixes the camera in another way and can't be moved; may be NULL */
} fs_camera_keys;

/* ---- layers ---- */

/* What a result can be made from: a run; a replay of the rays' ways, which points of one geometry share; a
 * price of what every tile did, which points of one traffic share (sim/config/key.h). Each is cheaper than
 * the one before and goes on from a recording that an earlier layer has left. */
typedef enum fs_layer { FS_LAYER_RUN, FS_LAYER_REPLAY, FS_LAYER_PRICE, FS_LAYERS } fs_layer;
extern const char *const fs_layer_words[]; /* "run", "replay", "price", NULL */

/* A point's parameters by their full names, as a store or a loaded experiment has them. */
typedef struct fs_point {
    const void *self;
    double (*number)(const void *self, const char *key, double otherwise); /* in the base unit */
    bool (*is)(const void *self, const char *key, const char *value);      /* or has no such parameter */
    const char *(*text)(const void *self, const char *key); /* NULL: it has no such parameter */
} fs_point;

/* Who wants to know more of a priced point than its figures: each call at most once, while the point stands; what is
 * handed over goes after it. */
typedef struct fs_price_view {
    /* What ladder.csv of its run would hold; those without a name are left out. */
    void (*rungs)(void *self, const fs_rung *rungs, size_t count);
    /* Columns of tiles.csv, of those that a price knows: places, roles and the tiles' own compute. */
    void (*tiles)(void *self, const fs_column *columns, size_t count, uint64_t rows);
    void *self;
} fs_price_view;

/* How points of one traffic are priced from its activity recording: what no price touches is made once, for
 * the first point, and kept. */
typedef struct fs_workload_prices {
    size_t size; /* of what is kept between points: zeroed before the first, on the heap */
    /* Prices a configuration that the recording matches: the figures of its summary.json, as if it had been
     * run; view NULL: nothing else is asked. What is wrong is wrong with this point alone. */
    fs_status (*point)(void *kept, const fs_recording *recording, const fs_config *config, json_t *summary,
                       const fs_price_view *view, fs_error *err);
    /* Whether what is kept still looks at a configuration that was priced; NULL: it may at any. */
    bool (*keeps)(const void *kept, const fs_config *config);
    void (*close)(void *kept); /* frees what is in it, whatever came of the points */
} fs_workload_prices;

/* Who hears of priced points: one call each, in their order; `summary` borrowed, or NULL and what is wrong. */
typedef struct fs_priced_result {
    void (*take)(void *self, size_t point, const json_t *summary, const fs_error *err);
    void *self;
} fs_priced_result;

/* ---- work ---- */

/* What the work of a run is, written into its folder as work.csv: runs that differ in a row without a unit do
 * not do the same work, and are compared by what rows with one count. A row has keys or figures. */
typedef struct fs_work_row {
    const char *what;    /* "picture", "scene"; as the other workloads call it */
    const char *keys;    /* parameters, "workload.width workload.height"; "scene.": all of the section */
    const char *figures; /* of summary.json; of several, with blanks between them, the product */
    const char *unit;    /* of a count that rates and joules are given by: "path"; NULL: none */
} fs_work_row;
/* Members of the descriptor: `.page = &page, FS_WORK(rows)`. */
#define FS_WORK(rows) .work = (rows), .work_count = sizeof(rows) / sizeof *(rows)

/* What `foamsim ray` follows through a finished run, which is made again; zeroed: nothing. */
typedef struct fs_workload_follow {
    const char *option, *form; /* how it is named: "pixel", "X,Y" */
    /* Its way, hop by hop, as JSON; owner: the caller. FS_INPUT: there is no such thing in this run. */
    fs_status (*story)(const fs_config *config, const fs_host_options *host, const char *which,
                       json_t **story, fs_error *err);
    void (*tell)(const json_t *story, FILE *out); /* for people */
} fs_workload_follow;

/* ---- the descriptor ---- */

/* What `foamsim run` does with a checked experiment. The descriptor's ABI version guards against a stale
 * object. */
enum { FS_ABI = 4 };
typedef struct fs_workload {
    int abi;
    const char *kind; /* "foam": the `kind` of the workload section */
    const char *summary;
    /* The sections that it reads beside its own, with the kinds of them that will do (of `machine` the
     * machines that it runs on), and what it checks of an experiment before anything is made: all that needs
     * no scene, every fault at its place. */
    fs_section_rules rules;
    fs_run_steps steps;
    const fs_workload_prices *prices; /* NULL: the workload has no activity recordings */
    fs_camera_keys camera;
    fs_workload_follow follow;
    bool traces; /* knows --trace */
    /* By layer: the option of `foamsim run`, without dashes, that writes the recording which the layer goes
     * on from; NULL: the workload has no such layer (a run needs none). */
    const char *recorder[FS_LAYERS];
    /* Host seconds that a point takes on one core by each layer, its process with them, about; NAN where this
     * point has no such layer. They choose the layer, order and announce, and change no result. NULL: a run.
     */
    void (*expect)(const fs_point *point, double seconds[FS_LAYERS]);
    const fs_stat_table *stats;      /* the figures of its summary.json; NULL only without a camera */
    const fs_stat_table *host_stats; /* its own of host.json, of its struct of a run; NULL: none */
    const char *time;                /* of `stats` the seconds that a run takes; NULL: none says so */
    const struct fs_page_plan *page; /* what a page about its runs shows; NULL: what all have */
    const fs_work_row *work;         /* [work_count]: what its work is */
    size_t work_count;
} fs_workload;

/* ---- what the program has ---- */

/* Lists of the program that main hands down: nothing asks for them from below. A plug-in extends them before
 * anything is read. */
typedef struct fs_registry {
    const fs_section *sections; /* [section_count] of an experiment file */
    size_t section_count;
    const fs_workload *const *workloads; /* NULL-terminated */
    const fs_stat_table *const *figures; /* NULL-terminated: all that a run folder may hold */
} fs_registry;

/* An experiment as fs_config_load has it, of all sections, with the parts of configs/. */
fs_config *fs_experiment_load(const fs_registry *registry, fs_arena *arena, const char *path,
                              const char *const *sets, size_t set_count, fs_error *err);

/* The workload of a kind; NULL when there is none. Panics when its object is of another ABI. */
const fs_workload *fs_workload_find(const fs_registry *registry, const char *kind);
/* That of a loaded experiment; panics when the registry has a section but no workload of that kind. */
const fs_workload *fs_workload_of(const fs_config *config);

/* FS_INPUT for an option of the host that the workload's descriptor does not have: a timeline, a recording. */
fs_status fs_workload_check_host(const fs_workload *workload, const fs_host_options *host, fs_error *err);

/* An activity recording from which configurations are priced as they come. One thread to a pricing; several
 * know nothing of each other. Starts no process and no simulation. */
typedef struct fs_pricing fs_pricing;

/* FS_INPUT: it is no activity recording; FS_IO. Owner: caller, fs_pricing_close (NULL is allowed). */
fs_pricing *fs_pricing_open(const char *activity_file, fs_error *err);
void fs_pricing_close(fs_pricing *pricing);
/* Fills `summary` with the figures of a configuration of the recording's traffic; view may be NULL. FS_INPUT: it is
 * of another, or its workload has no prices. `config` lives as long as fs_pricing_keeps it. */
fs_status fs_pricing_point(fs_pricing *pricing, const fs_config *config, json_t *summary,
                           const fs_price_view *view, fs_error *err);
/* Whether the configuration is of the recording's traffic: else only another recording can price it. */
bool fs_pricing_fits(fs_pricing *pricing, const fs_config *config);
bool fs_pricing_keeps(const fs_pricing *pricing, const fs_config *config);

/* Loads an activity recording once and prices `count` configurations of its traffic. Fails when the
 * recording can't be read, or when interrupted; results given until then stand. */
fs_status fs_workload_price(const fs_config *const *configs, size_t count, const char *activity_file,
                            const fs_priced_result *result, fs_error *err);

/* What the workload expects of a point (fs_workload.expect); NULL: of a workload that is not known here. */
void fs_workload_expect(const fs_workload *workload, const fs_point *point, double seconds[FS_LAYERS]);
