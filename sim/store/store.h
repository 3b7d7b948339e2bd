/* The store of sweeps: one SQLite file that holds every point of every sweep, what was set, what came out and
 * with what it was made. docs/store.md has the schema in words and queries for the sqlite3 shell.
 *
 *     fs_store *store;
 *     if (fs_store_open("runs/overlays.db", FS_STORE_WRITE, &store, err)) return err->status;
 *     fs_store_units(store, registry->figures);
 *     fs_store_put_sweep(store, &sweep, err);         the points of a sweep file: those not known are pending
 *     ...
 *     fs_store_finish(store, result, err);            for each result: done or failed, all of it or nothing
 *     fs_store_close(store);
 *
 * A point is one resolved configuration; its key is the digest of everything that touches a result
 * (fs_config_key), so it is the same point in every sweep, on every host, and is never run twice. It is
 * `done` with all its figures, or not there: each call here that writes is one transaction (or part of one
 * that fs_store_begin opened), and what has returned FS_OK survives a kill of any process and, as the disk is
 * synced, of the host.
 *
 * One writer: FS_STORE_WRITE holds an advisory lock on STORE.lock until fs_store_close; a second one waits
 * for it (and says so). Readers never wait. A store made by an older foamsim is brought up to date when it is
 * opened, in one transaction; one made by a newer one is refused, and so is a damaged one.
 *
 * Not for several threads. Errors: FS_INPUT for what is no store, or not this foamsim's; FS_IO for a full
 * disk, a damaged file and the like, always with the path and what to do.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/error.h"
#include "sim/stats/stats.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct fs_store fs_store;

typedef enum fs_store_mode {
    FS_STORE_READ,  /* an existing store */
    FS_STORE_WRITE, /* made, with its parent folders, when it is not there; waits for another writer. SIGINT
                       and SIGTERM (after fs_catch_signals) end the waiting: FS_RUN */
} fs_store_mode;

fs_status fs_store_open(const char *path, fs_store_mode mode, fs_store **store, fs_error *err);
void fs_store_close(fs_store *store); /* what was begun and not committed is undone; NULL is allowed */

/* Whether the file begins as a SQLite database does: enough to tell a store from a run folder. */
bool fs_store_is(const char *path);

/* The tables that say what figures mean, whose units and infinite nulls are kept with them: NULL-terminated,
 * kept. A figure of a point is that of the table called as its workload, else the first with its name: only the unit
 * may differ between them. Without tables units are "". */
void fs_store_units(fs_store *store, const fs_stat_table *const *tables);

/* Several writes as one transaction (they nest). Short: seconds at most. */
fs_status fs_store_begin(fs_store *store, fs_error *err);
fs_status fs_store_commit(fs_store *store, fs_error *err);
void fs_store_undo(fs_store *store); /* everything since the outermost begin */

/* ---- what a sweep is ---- */

typedef enum fs_store_op { FS_STORE_EQUALS, FS_STORE_AT_LEAST, FS_STORE_AT_MOST } fs_store_op;

typedef struct fs_store_objective {
    const char *figure; /* "device.seconds" */
    bool larger;        /* larger is better */
} fs_store_objective;

/* A point that breaks one is infeasible: it is kept, and never the best. A figure that is not there or is not
 * applicable breaks it too; one that is infinite by its row is at least anything. Truth values are 1 and 0.
 */
typedef struct fs_store_constraint {
    const char *figure;
    fs_store_op op;
    double number;    /* in the figure's unit */
    const char *text; /* FS_STORE_EQUALS with a text; else NULL */
} fs_store_constraint;

/* A value of an axis at a point, as the sweep file writes it. `number` orders and plots it: the quantity in
 * its base unit; NAN for words. */
typedef struct fs_store_setting {
    const char *value; /* NULL: the axis does not apply here (a condition) */
    double number;
} fs_store_setting;

typedef struct fs_store_parameter {
    const char *name;  /* "overlay.widths": section.key */
    const char *value; /* canonical text as in resolved.yaml */
    double number;     /* in `unit`; true and false are 1 and 0; NAN: no number */
    const char *unit;  /* base unit, "" */
} fs_store_parameter;

typedef struct fs_store_figure {
    const char *name, *unit;
    double number;       /* NAN: not applicable, or a text */
    const char *text;    /* of a figure that is a word; else NULL */
    const char *null_is; /* number is NAN and stands for infinity: the word for that, "exact"; else NULL */
} fs_store_figure;

/* A point of a sweep. To put one: key, label, settings, parameters, resolved, the layer keys, and error when
 * its configuration is wrong (then status is "failed" and parameters may be missing). Read back: everything.
 */
typedef struct fs_store_point {
    const char *key;   /* 64 hexadecimal digits */
    const char *label; /* what tells it from the others: "overlay.kind=mesh idle=10"; unique in a sweep */
    const char *geometry_key, *traffic_key; /* 64 digits; "" where the configuration is wrong */
    const char *resolved;                   /* the experiment as resolved.yaml; "" where it is wrong */
    const fs_store_setting *settings;       /* [axes] */
    const fs_store_parameter *parameters;   /* [parameter_count] sorted by name */
    size_t parameter_count;
    const char *status; /* "pending", "running", "done", "failed" */
    const char *error;  /* of a failed point: lines; else "" */
    /* Only read: */
    const fs_store_figure *figures; /* [figure_count] sorted by name */
    size_t figure_count;
    bool feasible;     /* done and within all constraints */
    const char *layer; /* what the result was made from: "run", "replay", "price"; "" before */
    const char *version, *host;
    int64_t model_version;
    double wall_seconds;
} fs_store_point;

typedef struct fs_store_sweep {
    const char *name;
    const char *text; /* of the sweep file */
    const char *base; /* key of its base as it is, which need be no point of it; "" or NULL: not known */
    const char *const *axes; /* [axis_count] what each axis is called: a key, keys joined by '+', "points" */
    size_t axis_count;
    const bool
        *conditions; /* [axis_count] the axis is what is asked of a machine, and no choice; NULL: none is */
    const fs_store_objective *objectives;
    size_t objective_count;
    const fs_store_constraint *constraints;
    size_t constraint_count;
    const fs_store_point *points; /* [point_count] in the order of the sweep file */
    size_t point_count;
} fs_store_sweep;

/* ---- writing ---- */

/* Enters a sweep under its name, in place of an earlier one of that name; points that are known keep state
 * and results. */
fs_status fs_store_put_sweep(fs_store *store, const fs_store_sweep *sweep, fs_error *err);

/* Notes a point as pending or running (with why, or ""); one that is done stays so. */
fs_status fs_store_mark(fs_store *store, const char *key, const char *status, const char *why, fs_error *err);
/* All running points are pending again: for the one writer when it starts and has nothing running. */
fs_status fs_store_reset_running(fs_store *store, fs_error *err);

/* Enters a result: {"key", "status": "done" | "failed", "error", "layer", "summary": {...},
 * "host": {...}}; summary for a done point, the others may be missing.
 * host: "name", "version", "model_version", "wall_seconds", "peak_rss_bytes". A result of a point that is
 * done already is passed over, of a failed one takes its place. FS_INPUT when it is no such result, or of a
 * point that the store does not know. */
fs_status fs_store_finish(fs_store *store, const json_t *result, fs_error *err);

/* What was judged of a sweep as a whole, as JSON: "search" (how a search went on), "robust" (how sure its
 * best points are), in place of an earlier one. It goes when the sweep is entered again. FS_INPUT: no such
 * sweep. */
fs_status fs_store_put_judgement(fs_store *store, const char *sweep, const char *kind,
                                 const json_t *judgement, fs_error *err);

/* Enters what a point comes to where something uncertain is otherwise than its configuration says: figures by
 * their full names, under a key (64 digits) of the point and of what is otherwise. */
fs_status fs_store_put_price(fs_store *store, const char *point, const char *key, const json_t *figures,
                             fs_error *err);

/* ---- reading; everything belongs to the arena ---- */

/* A price, the caller's (json_decref); NULL where there is none. */
fs_status fs_store_price(fs_store *store, const char *key, json_t **figures, fs_error *err);

/* A judgement, the caller's (json_decref); NULL where there is none. */
fs_status fs_store_judgement(fs_store *store, const char *sweep, const char *kind, json_t **judgement,
                             fs_error *err);

/* Names of the sweeps, the latest entered first. */
fs_status fs_store_sweeps(fs_store *store, fs_arena *arena, const char *const **names, size_t *count,
                          fs_error *err);
/* One sweep with all its points; name NULL: the latest entered. FS_INPUT when there is none of that name,
 * naming those there are. */
fs_status fs_store_read(fs_store *store, fs_arena *arena, const char *name, fs_store_sweep *sweep,
                        fs_error *err);
/* One point by its key, without settings; feasible by the constraints of `sweep`. FS_INPUT: there is none. */
fs_status fs_store_read_point(fs_store *store, fs_arena *arena, const char *key, const fs_store_sweep *sweep,
                              fs_store_point *point, fs_error *err);
/* The state of a point: one of the four words, or NULL for a point that the store does not know. */
fs_status fs_store_state(fs_store *store, const char *key, const char **status, fs_error *err);
/* The experiment of a point as YAML, with the point's full key: `key` may be its beginning, if no other
 * begins so. FS_INPUT otherwise. */
fs_status fs_store_resolved(fs_store *store, fs_arena *arena, const char *key, const char **full,
                            const char **yaml, fs_error *err);

/* The figures that a sweep wants, objectives first, then constraints: i below the sum of both counts. */
const char *fs_store_wanted(const fs_store_sweep *sweep, size_t i);
/* The figure of a point, NULL where there is none; its number, NAN where there is none. */
const fs_store_figure *fs_store_figure_of(const fs_store_point *point, const char *name);
double fs_store_number_of(const fs_store_point *point, const char *name);
const fs_store_parameter *fs_store_parameter_of(const fs_store_point *point, const char *name);
/* Whether a point's figures are within a constraint. */
bool fs_store_keeps(const fs_store_point *point, const fs_store_constraint *constraint);
/* Whether `a` is better than `b` for an objective; a NAN is worse than everything. */
bool fs_store_better(const fs_store_objective *objective, double a, double b);
/* The best point for an objective but those that are passed over [points], the first of equal ones; SIZE_MAX:
 * none has a number. */
size_t fs_store_best(const fs_store_sweep *sweep, const fs_store_objective *objective, const bool *over);

/* The feasible points but those that are passed over [points] that no such point beats in one objective without losing in the
 * other, from the best in `a` to the best in `b`: places [*count]. Points with equal figures are all in it. */
size_t *fs_store_front(fs_arena *arena, const fs_store_sweep *sweep, const fs_store_objective *a,
                       const fs_store_objective *b, const bool *over, size_t *count);

/* The canonical text of a store: CSV lines, sorted, without hosts, times, layers and folders. Two stores that
 * hold the same sweeps done have the same text, however they came about. */
fs_status fs_store_export(fs_store *store, FILE *out, fs_error *err);
