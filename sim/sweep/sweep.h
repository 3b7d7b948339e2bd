/* Sweeps: a sweep file to points, points to results. docs/sweeps.md is the user's side.
 *
 *     fs_sweep_file     what a sweep file says                      fs_sweep_read
 *     fs_store_sweep    its points, resolved, with their keys;
 *                       goes into the store as it is                fs_sweep_points
 *     fs_sweep_item     a point to be worked on                     fs_sweep_item_of
 *     fs_sweep_plan     which layer each item needs                 fs_sweep_plan_make
 *     results           JSON, one for each item, to a sink          fs_sweep_execute
 *
 * A result is {"key", "status": "done" | "failed", "error", "layer": "run" | "replay" | "price", "summary":
 * {...}, "host": {"name", "version", "model_version", "wall_seconds", "peak_rss_bytes"}}: what
 * fs_store_finish takes.
 */
#pragma once

#include "sim/config/config.h"
#include "sim/config/yaml.h"
#include "sim/store/store.h"
#include "sim/workload/workload.h"

/* ---- sweep files ---- */

/* `{ key: value }` is FS_SWEEP_IS. A key's value at a point is what the point sets, else the base's. */
typedef enum fs_sweep_test {
    FS_SWEEP_IS,
    FS_SWEEP_IS_NOT,
    FS_SWEEP_AT_LEAST,
    FS_SWEEP_AT_MOST
} fs_sweep_test;

typedef struct fs_sweep_term {
    const char *key;
    fs_sweep_test test;
    const char *const *values; /* [count] FS_SWEEP_IS, FS_SWEEP_IS_NOT: any of them */
    size_t count;
} fs_sweep_term;

/* All terms hold. */
typedef struct fs_sweep_condition {
    const fs_sweep_term *terms; /* [count] */
    size_t count;
} fs_sweep_condition;

/* One value of an axis: what it sets. */
typedef struct fs_sweep_option {
    const char *value;          /* as written, flow style */
    double number;              /* in the base unit; NAN for words */
    const char *name;           /* of a named point or a view; else NULL */
    const fs_config_over *sets; /* [count] */
    size_t count;
} fs_sweep_option;

typedef struct fs_sweep_axis {
    const char *name;               /* a key, keys joined by '+', "points", "views" */
    const char *label;              /* short form of the name */
    const fs_sweep_option *options; /* [count] at least 1 */
    size_t count;
    fs_sweep_condition when; /* where it does not hold the axis does not apply: nothing is set */
    bool
        condition; /* what is asked of a machine, and no choice of it: `condition`, else load, scene, camera, resolution */
} fs_sweep_axis;

typedef struct fs_sweep_file {
    const fs_registry *registry; /* of which its experiments are made */
    const char *path, *name, *text;
    fs_node *base;     /* mapping of the experiment */
    fs_node *baseline; /* of the one that points are held against; NULL: the file names none */
    const fs_sweep_axis *axes;
    size_t axis_count;
    const fs_sweep_condition *excludes;
    size_t exclude_count;
    const fs_store_objective *objectives; /* NULL: the file does not say; the time of the workload */
    size_t objective_count;
    const fs_store_constraint *constraints;
    size_t constraint_count;
    bool losses;                /* points with a broken answer may be feasible */
    bool limits;                /* and those of machines beyond machine.limits.* */
    const fs_config_over *held; /* [held_count] limits that the file states, over every experiment of it */
    size_t held_count;
} fs_sweep_file;

enum { FS_SWEEP_MOST_POINTS = 100000 };

/* What a search file says beside what a sweep file does. */
typedef struct fs_sweep_search {
    size_t points;  /* the budget: so many, 0: not said so */
    double seconds; /* or so long, of the host; 0: not said so */
    int64_t batch, seed;
} fs_sweep_search;
enum { FS_SWEEP_MOST_BATCH = 10000, FS_SWEEP_MOST_BUDGET = 100000 };

/* "200", "30 min", "2 h"; false for anything else. */
bool fs_sweep_read_budget(const char *text, fs_sweep_search *search);
/* Reads and checks a sweep file; everything belongs to the arena. `search`, unless NULL: it may also say
 * budget, batch and seed. FS_INPUT with a line for each error. */
fs_status fs_sweep_read(fs_arena *arena, const fs_registry *registry, const char *path, fs_sweep_file *file,
                        fs_sweep_search *search, fs_error *err);

enum { FS_SWEEP_NO_OPTION = UINT16_MAX };

/* Which combinations of options are points, in the order of the file, the last axis fastest. Arena-owned; the
 * file must stay. */
typedef struct fs_sweep_space {
    const fs_sweep_file *file;
    const uint16_t *choice; /* [count][axis_count] option; FS_SWEEP_NO_OPTION: the axis does not apply */
    size_t count;
    /* Key of what points are held against: the baseline, else the base without any axis; NULL: that is wrong by
     * itself. */
    const char *base;
    const fs_store_point *baseline; /* the point "baseline", without settings; NULL: the file names none */
    struct fs_sweep_maker *maker;
} fs_sweep_space;

/* FS_INPUT: there are none, or more than `most`. */
fs_status fs_sweep_space_of(fs_arena *arena, const fs_sweep_file *file, size_t most, fs_sweep_space *space,
                            fs_error *err);
/* Puts the baseline behind the points [count], which have room for it; false: there is none, or one of them is it. */
bool fs_sweep_add_baseline(const fs_sweep_space *space, fs_store_point *points, size_t count);
/* One point of it, resolved, with its settings. One whose configuration is wrong is "failed", and its error
 * is returned; FS_RUN: the host could not read what it names. */
fs_status fs_sweep_space_point(const fs_sweep_space *space, size_t index, fs_store_point *point,
                               fs_error *err);

/* A sweep of no points yet: what the file says of it. */
void fs_sweep_heads(fs_arena *arena, const fs_sweep_file *file, fs_store_sweep *sweep);
/* Where a sweep has no objectives: the time of the point's workload. */
void fs_sweep_want_time(const fs_registry *registry, fs_arena *arena, const fs_store_point *point,
                        fs_store_sweep *sweep);

/* Unless the file allows losses, or limits to be broken, or says a bound itself: that the answer is right and
 * the machine within its limits, by each figure of the points' workload that tells (fs_stat.wrong, held), where
 * all points have one workload. */
void fs_sweep_want_kept(fs_arena *arena, const fs_sweep_file *file, const fs_store_point *points,
                        size_t count, fs_store_sweep *sweep);

/* The points in the order of the file, the last axis fastest, each resolved. One whose configuration is wrong
 * is "failed" with its error. What a single experiment would print (keys that another kind does not have)
 * is reported once, with the number of points. FS_INPUT: there are none, too many, or not one that is right: then
 * each distinct error, once. */
fs_status fs_sweep_points(fs_arena *arena, const fs_sweep_file *file, fs_store_sweep *sweep, fs_error *err);

/* Points of which the same is to be said, but for numbers. */
typedef struct fs_sweep_reason {
    const char *words; /* of the first of them */
    const char *first; /* its label */
    size_t points;
} fs_sweep_reason;
/* Each distinct one of words [count] once, as they come; NULL or "": no words for that point. */
fs_sweep_reason *fs_sweep_reasons(fs_arena *arena, const fs_store_point *points, const char *const *words,
                                  size_t count, size_t *reasons);
/* The words, after their first line "(at 12 points, the first kind=mesh)". */
const char *fs_sweep_reason_text(fs_arena *arena, const fs_sweep_reason *reason);
/* Prints a line "wrong: ..." of each. */
void fs_sweep_print_wrong(fs_arena *arena, const fs_store_point *points, const char *const *words,
                          size_t count, FILE *out);

/* Points one by one: what it keeps are digests of input files. Arena-owned. */
typedef struct fs_sweep_resolver fs_sweep_resolver;
fs_sweep_resolver *fs_sweep_resolver_create(fs_arena *arena, const fs_registry *registry);
/* One point: `sets` [count] over the experiment `base` (both stay as they are), resolved, with its keys,
 * named `label` and without settings. One whose configuration is wrong is "failed", and its error is
 * returned. FS_RUN: the host could not read what it names; nothing is known of the point. */
fs_status fs_sweep_resolve(fs_sweep_resolver *resolver, fs_node *base, const fs_config_over *sets,
                           size_t count, const char *label, fs_store_point *point, fs_error *err);

/* A number and its unit's word, as they are written. */
typedef struct fs_sweep_amount {
    double number; /* in that unit */
    const char *unit;
    bool whole; /* written without point and exponent */
} fs_sweep_amount;
/* False: the text does not begin with a finite number. */
bool fs_sweep_amount_of(const char *text, fs_sweep_amount *amount);
/* The text of a number of so many digits, and its unit. */
const char *fs_sweep_amount_text(fs_arena *arena, double number, int digits, const char *unit);
/* The number that a text is, in its base unit; true and false are 1 and 0; NAN. */
double fs_sweep_value_number(const char *text);
/* The name of a statistic that stands at a node; NULL after a report. */
const char *fs_sweep_figure(const fs_registry *registry, const fs_yaml *yaml, const fs_node *node);
/* The same for a row of a const char *; `self` begins with a pointer to the registry. */
fs_yaml_reader fs_sweep_read_figure;
/* A YAML value in flow style on one line. */
const char *fs_sweep_value_text(fs_arena *arena, const fs_node *node);

/* ---- items and plans ---- */

typedef struct fs_sweep_item {
    const char *key, *label, *geometry_key, *traffic_key, *resolved;
    const char *kind;          /* of the workload */
    double seconds[FS_LAYERS]; /* of the host, expected; NAN: it has no such layer */
} fs_sweep_item;

/* From a point that was made or read back; false for one whose configuration is wrong. Texts are the point's. */
bool fs_sweep_item_of(const fs_registry *registry, const fs_store_point *point, fs_sweep_item *item);

/* A process to start: one item, or with FS_LAYER_PRICE several of one traffic key. */
typedef struct fs_sweep_job {
    fs_layer layer;
    const size_t *items; /* [count] indices */
    size_t count;
    const char *itinerary; /* file that a run writes, a replay reads; NULL: none */
    const char *activity;  /* file that a run or a replay writes, pricing reads; NULL: none */
    bool together;         /* priced in one process by `foamsim price`; else each is a process of its own */
    double seconds;        /* expected, of the host */
} fs_sweep_job;

typedef struct fs_sweep_plan {
    fs_sweep_job *jobs; /* [count] each recording is written before it is read */
    size_t count;
    double seconds; /* expected, all jobs one after the other */
} fs_sweep_plan;

/* What a plan may count on. */
typedef struct fs_sweep_means {
    const fs_registry *registry;
    const char *folder;          /* of the recordings; an existing one is used */
    bool recordings;             /* false: everything runs */
    bool keep;                   /* make recordings for points that are to come, too */
    size_t together;             /* points that a process prices at most; 0: the usual number */
    int jobs;                    /* processes that share out the points of a recording among them; 0: one */
    const char *const *promised; /* [promised_count] recordings that are being written */
    size_t promised_count;
} fs_sweep_means;

/* The cheapest layer for each of the items whose index is in `open` [count] (NULL: the first `count`). */
void fs_sweep_plan_make(fs_arena *arena, const fs_sweep_item *items, const size_t *open, size_t count,
                        const fs_sweep_means *means, fs_sweep_plan *plan);

/* ---- execution ---- */

typedef struct fs_sweep_options {
    const fs_registry *registry;
    int jobs;             /* processes at a time */
    int threads;          /* of each */
    int cores;            /* threads of one that all others wait for; 0: no more */
    uint64_t memory;      /* bytes that all of them may hold together; 0: no limit */
    uint64_t cache_limit; /* bytes of recordings to keep; 0: no limit */
    const char *folder;   /* of recordings and of what is under way: STORE.cache */
    const char *scenes;   /* cache of scenes; NULL: none */
    bool plain;           /* make and read no recordings */
    bool keep;            /* record for points that are to come, too */
    size_t together;      /* points that a process prices at most; 0: the usual number */
    bool progress;        /* show it */
    const char *label;    /* of the progress */
    size_t before,
        total; /* points of the sweep that were finished before, and all that are to be; 0: these */
} fs_sweep_options;

typedef struct fs_sweep_sink {
    /* Takes the result of one of the items, borrowed. What it fails with ends the execution. */
    fs_status (*result)(void *self, const fs_sweep_item *item, const json_t *result, fs_error *err);
    /* Several results follow, or have been given; may be NULL. */
    fs_status (*group)(void *self, bool begin, fs_error *err);
    /* An item is about to be worked on; may be NULL. */
    fs_status (*started)(void *self, const fs_sweep_item *item, fs_error *err);
    void *self;
} fs_sweep_sink;

typedef struct fs_sweep_tally {
    size_t done, failed;
    size_t by_layer[3];
} fs_sweep_tally;

/* Works on all items. A failed item is a result; FS_RUN "interrupted" after SIGINT or SIGTERM, with all
 * processes ended; other errors are the sink's and the host's. Finished runs that an earlier, killed
 * execution left in the folder are taken as they are. */
fs_status fs_sweep_execute(const fs_sweep_item *items, size_t count, const fs_sweep_options *options,
                           const fs_sweep_sink *sink, fs_sweep_tally *tally, fs_error *err);

/* The points of a sweep that are to be worked on, each key once: not known, pending, or failed and `retry`. */
fs_status fs_sweep_open_items(const fs_registry *registry, fs_store *store, const fs_store_sweep *sweep,
                              bool retry, fs_arena *arena, const fs_sweep_item **items, size_t *count,
                              fs_error *err);

/* Enters a sweep into a store that nobody else works on, and works on its open points; *open: how many they
 * were. Errors are those of fs_sweep_execute and the store; what was finished stays. */
fs_status fs_sweep_into_store(fs_store *store, const fs_store_sweep *sweep, const fs_sweep_options *options,
                              bool retry, size_t *open, fs_sweep_tally *tally, fs_error *err);

/* What a run of an item said, without the program's name; places in the item's file (KEY.yaml) become those
 * where the values came from. Arena-owned. */
const char *fs_sweep_own_places(fs_arena *arena, const fs_sweep_item *item, const char *words);

/* "host" of a result: what it cost; the caller's (json_decref). */
json_t *fs_sweep_host(double wall_seconds, double peak_bytes);

/* ---- the dry run ---- */

typedef struct fs_sweep_dry_options {
    const fs_sweep_options *how; /* points would be run */
    bool retry;
    bool allow_failures; /* what is wrong is printed, and no error */
    size_t checks;       /* points that are checked up to their first iteration */
} fs_sweep_dry_options;

/* Prints each point in the order of the file with the layer that it needs or what the store at `path` (which
 * need not be there) knows of it, each distinct error once, and the sums. Of the open points up to `checks`
 * are checked up to their first iteration (sim/workload/elaborate.h), no two of one traffic: the first of each
 * value of each axis, then the others in order. FS_RUN: some are wrong. */
fs_status fs_sweep_dry_run(const fs_sweep_dry_options *options, const char *path, const fs_store_sweep *sweep,
                           fs_arena *arena, fs_error *err);
