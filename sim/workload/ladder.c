/* foamsim run --ladder: the rungs that a run's ladder.csv can turn into settings, simulated, each a run of
 * its own beside the finished one. */
#include "sim/base/csv.h"
#include "sim/base/numbers.h"
#include "sim/host/children.h"
#include "sim/host/file.h"
#include "sim/host/voice.h"
#include "sim/workload/run_request.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNGS = 64, MOST_SETS = 64, MOST_COLUMNS = 16 };

typedef struct rung {
    const char *number, *name; /* as in ladder.csv */
    const char *sets;          /* texts for --set with blanks between */
    const char *folder;        /* of its run, inside the results */
    bool done;
    double cycles, seconds, joules, iterations;
} rung;

typedef struct ladder {
    const fs_run_request *request;
    const fs_host_options *host;
    fs_results *results;
    fs_arena *arena;
    rung rung[MOST_RUNGS];
    fs_child child[MOST_RUNGS];
    size_t count, ended;
    size_t first;    /* rung of the first child that runs */
    double measured; /* cycles of the run itself */
} ladder;

/* ---- ladder.csv ---- */

/* The rows with settings; *found: there are such columns. */
static fs_status read_rungs(ladder *l, bool *found, fs_error *err) {
    const char *path = fs_results_path(l->results, "ladder.csv");
    FILE *file = fopen(path, "rb");
    *found = false;
    if (file == NULL)
        return FS_OK; /* this workload writes none */
    char *cell[MOST_COLUMNS + 1];
    fs_csv_lines table = fs_csv_begin(fs_file_text(l->arena, file, SIZE_MAX));
    fclose(file);
    const size_t columns = fs_csv_record(&table, cell, MOST_COLUMNS + 1);
    if (columns > MOST_COLUMNS)
        return fs_fail(err, FS_BROKEN, "%s: more than %d columns", path, MOST_COLUMNS);
    size_t name = columns, cycles = columns, sets = columns;
    for (size_t i = 0; i < columns; i++) {
        name = strcmp(cell[i], "name") == 0 ? i : name;
        cycles = strcmp(cell[i], "cycles") == 0 ? i : cycles;
        sets = strcmp(cell[i], "sets") == 0 ? i : sets;
    }
    if (name == columns || cycles == columns || sets == columns)
        return FS_OK;
    *found = true;
    while (fs_csv_record(&table, cell, MOST_COLUMNS + 1) == columns) {
        if (strcmp(cell[name], "measured") == 0)
            l->measured = strtod(cell[cycles], NULL);
        if (strcmp(cell[name], "all") != 0 && cell[sets][0] != '\0') {
            if (l->count + 1 == MOST_RUNGS) /* one is for all together */
                return fs_fail(err, FS_BROKEN, "%s: more than %d rungs with settings", path, MOST_RUNGS - 1);
            l->rung[l->count++] = (rung){.number = cell[0], .name = cell[name], .sets = cell[sets]};
        }
    }
    if (table.at[0] != '\0')
        return fs_fail(err, FS_BROKEN, "%s: rows of different lengths", path);
    return FS_OK;
}

/* ---- runs ---- */

static void prepare(ladder *l, size_t i) {
    rung *r = &l->rung[i];
    const char *more[MOST_SETS];
    size_t n = 0;
    char *save = NULL, *copy = fs_arena_strdup(l->arena, r->sets);
    for (char *set = strtok_r(copy, " ", &save); set != NULL; set = strtok_r(NULL, " ", &save)) {
        FS_ASSERT(n + 2 < MOST_SETS, "rung %s has more settings than there are places", r->name);
        more[n++] = set;
    }
    more[n++] = "machine.memory.check=warn"; /* what would not fit is worth knowing too */
    r->folder = fs_arena_printf(l->arena, "rung-%zu", i);
    const char *dir = fs_arena_strdup(l->arena, fs_results_path(l->results, r->folder));
    l->child[i] = (fs_child){.label = r->name,
                             .words = fs_run_words(l->request, l->host, l->arena, more, n, NULL, dir)};
}

static double figure(const json_t *root, const char *level, const char *name) {
    return json_number_value(json_object_get(json_object_get(root, level), name));
}

static void ended(void *self, size_t i) {
    ladder *l = self;
    rung *r = &l->rung[l->first + i];
    char name[64];
    snprintf(name, sizeof name, "%s/summary.json", r->folder);
    json_t *summary = json_load_file(fs_results_path(l->results, name), 0, NULL);
    r->cycles = figure(summary, "device", "cycles");
    r->seconds = figure(summary, "device", "seconds");
    r->joules = figure(summary, "energy", "joules");
    r->iterations = figure(summary, "device", "iterations");
    r->done = r->cycles > 0;
    json_decref(summary);
    l->ended++;
    fs_say("ladder: %s: %s on the device, %zu of %zu", r->name, fs_number_in(r->seconds, "s", 4), l->ended,
           l->count);
}

/* ---- ladder_simulated.csv ---- */

/* The first line of what a failed run said. */
static const char *reason(const ladder *l, size_t i) {
    const char *text = l->child[i].words_said;
    return fs_arena_printf(l->arena, "%.*s", (int)strcspn(text, "\n"), text);
}

static fs_status write_rungs(ladder *l, fs_error *err) {
    static const char *const columns[] = {"rung",   "name",       "cycles", "seconds", "gain_percent",
                                          "joules", "iterations", "sets",   "error"};
    static const char *const units[] = {"", "", "cycles", "s", "%", "J", "iterations", "", ""};
    FILE *file = fs_results_create(l->results, "ladder_simulated.csv", columns, units,
                                   sizeof columns / sizeof columns[0], err);
    if (file == NULL)
        return err->status;
    for (size_t i = 0; i < l->count; i++) {
        const rung *r = &l->rung[i];
        double won = l->measured > 0 ? 100.0 * (l->measured - r->cycles) / l->measured : 0;
        fprintf(file, "%s,%s,", r->number, r->name);
        if (r->done)
            fprintf(file, "%.0f,%s,%s,%s,%.0f,", r->cycles, FS_REAL_WORD(r->seconds), FS_REAL_WORD(won),
                    FS_REAL_WORD(r->joules), r->iterations);
        else
            fputs("null,null,null,null,null,", file);
        fs_csv_field(r->sets, file);
        fputc(',', file);
        fs_csv_field(r->done ? "" : reason(l, i), file);
        fputc('\n', file);
        if (!r->done)
            fs_say("ladder: %s failed: %s", r->name, reason(l, i));
    }
    return fs_results_close(l->results, file, err);
}

/* Runs the rungs from `first` on; a failed one is reported in its row. */
static fs_status run_rungs(ladder *l, size_t first, fs_error *err) {
    for (size_t i = first; i < l->count; i++)
        prepare(l, i);
    l->first = first;
    fs_children children = {.child = l->child + first,
                            .count = l->count - first,
                            .jobs = (int)l->request->jobs,
                            .keep_going = true,
                            .ended = ended,
                            .self = l};
    fs_status status = fs_children_run(&children, l->arena, err);
    for (size_t i = first; i < l->count && status == FS_OK; i++) {
        const char *folder = l->rung[i].folder;
        status = fs_results_remove(l->results, folder, err);
        if (status == FS_OK) /* of one that was ended by a signal */
            status = fs_results_remove(l->results, fs_arena_printf(l->arena, "%s.partial", folder), err);
    }
    return status;
}

/* The settings of all rungs that could be run, or NULL when there are not several. */
static const char *together_of(const ladder *l) {
    const char *sets = "";
    size_t count = 0;
    for (size_t i = 0; i < l->count; i++)
        if (l->rung[i].done) {
            sets = fs_arena_append(l->arena, sets, " ", "%s", l->rung[i].sets);
            count++;
        }
    return count > 1 ? sets : NULL;
}

fs_status fs_run_ladder(const fs_run_request *request, const fs_host_options *host, fs_results *results,
                        fs_arena *arena, fs_error *err) {
    ladder *l = FS_NEW(arena, ladder, 1);
    *l = (ladder){.request = request, .host = host, .results = results, .arena = arena};
    bool found;
    if (read_rungs(l, &found, err))
        return err->status;
    if (!found) {
        fs_say("ladder: this run wrote no ladder.csv with settings, so nothing is simulated");
        return FS_OK;
    }
    if (run_rungs(l, 0, err))
        return err->status;
    size_t single = l->count;
    const char *together = together_of(l);
    if (together != NULL) {
        l->rung[l->count++] = (rung){.number = "", .name = "settings", .sets = together};
        if (run_rungs(l, single, err))
            return err->status;
    }
    return write_rungs(l, err);
}
