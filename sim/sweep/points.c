/* All points of a sweep file. */
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/sweep/private.h"
#include "sim/workload/workload.h"

#include <string.h>

static const fs_workload *workload_of(const fs_registry *registry, const fs_store_point *point) {
    const fs_store_parameter *kind = fs_store_parameter_of(point, "workload.kind");
    return kind == NULL ? NULL : fs_workload_find(registry, kind->value);
}

void fs_sweep_want_time(const fs_registry *registry, fs_arena *arena, const fs_store_point *point,
                        fs_store_sweep *sweep) {
    const fs_workload *workload = workload_of(registry, point);
    if (workload == NULL || workload->time == NULL || sweep->objectives != NULL)
        return;
    fs_store_objective *usual = FS_NEW(arena, fs_store_objective, 1);
    *usual = (fs_store_objective){.figure = workload->time};
    sweep->objectives = usual;
    sweep->objective_count = 1;
}

static bool is_bound(const fs_sweep_file *file, const char *figure) {
    return FS_HAS(file->constraints, file->constraint_count, figure, figure);
}

/* The answer is right, or the machine within its limit, as far as this figure tells. */
static fs_store_constraint right(const fs_stat *row) {
    const bool flag = row->type == FS_STAT_BOOL;
    return (fs_store_constraint){.figure = row->name,
                                 .op = flag                            ? FS_STORE_EQUALS
                                       : row->better == FS_BETTER_MORE ? FS_STORE_AT_LEAST
                                                                       : FS_STORE_AT_MOST,
                                 .number = flag ? 1 : row->bound};
}

void fs_sweep_want_kept(fs_arena *arena, const fs_sweep_file *file, const fs_store_point *points,
                        size_t count, fs_store_sweep *sweep) {
    const fs_workload *workload = NULL;
    for (size_t i = 0; i < count; i++) {
        const fs_workload *w = points[i].resolved[0] == '\0' ? NULL : workload_of(file->registry, &points[i]);
        if (w != NULL && workload != NULL && w != workload)
            return;
        workload = w == NULL ? workload : w;
    }
    const size_t rows = workload == NULL || workload->stats == NULL ? 0 : fs_stats_count(workload->stats);
    fs_store_constraint *all = FS_NEW(arena, fs_store_constraint, file->constraint_count + rows + 1);
    size_t n = file->constraint_count;
    if (n > 0)
        memcpy(all, file->constraints, n * sizeof *all);
    for (size_t i = 0; i < rows; i++) {
        const fs_stat row = fs_stats_row(workload->stats, i);
        const bool allowed = row.held != NULL ? file->limits : file->losses;
        if (row.wrong != NULL && !allowed && !is_bound(file, row.name))
            all[n++] = right(&row);
    }
    sweep->constraints = all;
    sweep->constraint_count = n;
}

void fs_sweep_heads(fs_arena *arena, const fs_sweep_file *file, fs_store_sweep *sweep) {
    const char **names = FS_NEW(arena, const char *, file->axis_count + 1);
    bool *conditions = FS_NEW(arena, bool, file->axis_count + 1);
    for (size_t a = 0; a < file->axis_count; a++) {
        names[a] = file->axes[a].name;
        conditions[a] = file->axes[a].condition;
    }
    *sweep = (fs_store_sweep){.name = file->name,
                              .text = file->text,
                              .axes = names,
                              .axis_count = file->axis_count,
                              .conditions = conditions,
                              .objectives = file->objectives,
                              .objective_count = file->objective_count,
                              .constraints = file->constraints,
                              .constraint_count = file->constraint_count};
}

/* What the program would say of the point under way, lines joined. */
typedef struct heard {
    fs_arena *arena;
    const char *text;
} heard;

static void hear(void *self, const char *line) {
    heard *h = self;
    h->text = h->text == NULL ? fs_arena_strdup(h->arena, line)
                              : fs_arena_printf(h->arena, "%s; %s", h->text, line);
}

/* Each distinct one of the words once: to the user, or as an error where there is one. */
static void tell_each(fs_arena *arena, const fs_store_point *points, const char *const *words, size_t count,
                      fs_error *err) {
    size_t reasons = 0;
    const fs_sweep_reason *reason = fs_sweep_reasons(arena, points, words, count, &reasons);
    for (size_t i = 0; i < reasons; i++)
        if (err != NULL)
            fs_fail_also(err, FS_INPUT, "%s", fs_sweep_reason_text(arena, &reason[i]));
        else
            fs_say("%s", fs_sweep_reason_text(arena, &reason[i]));
}

bool fs_sweep_add_baseline(const fs_sweep_space *space, fs_store_point *points, size_t count) {
    if (space->baseline == NULL || FS_HAS(points, count, key, space->baseline->key))
        return false;
    points[count] = *space->baseline;
    return true;
}

fs_status fs_sweep_points(fs_arena *arena, const fs_sweep_file *file, fs_store_sweep *sweep, fs_error *err) {
    fs_error latest;
    fs_sweep_space space;
    size_t wrong = 0;
    const bool was = fs_say_quiet(true);
    fs_error_clear(&latest);
    fs_sweep_space_of(arena, file, FS_SWEEP_MOST_POINTS, &space, err);
    fs_say_quiet(was);
    if (err->status)
        return err->status;
    fs_store_point *points = FS_NEW(arena, fs_store_point, space.count + 1);
    const char **said = FS_NEW(arena, const char *, space.count),
               **wrongs = FS_NEW(arena, const char *, space.count);
    fs_sweep_heads(arena, file, sweep);
    sweep->base = space.base;
    for (size_t i = 0; i < space.count && latest.status != FS_RUN; i++) {
        heard words = {.arena = arena, .text = NULL};
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted");
        fs_error_clear(&latest);
        fs_voice_heard(hear, &words);
        wrong += fs_sweep_space_point(&space, i, &points[i], &latest) != FS_OK;
        fs_voice_heard(NULL, NULL);
        said[i] = words.text;
        wrongs[i] = points[i].error;
        fs_sweep_want_time(file->registry, arena, &points[i], sweep);
    }
    if (latest.status == FS_RUN) {
        *err = latest;
        return FS_RUN;
    }
    if (wrong == space.count) { /* not one right point */
        tell_each(arena, points, wrongs, space.count, err);
        return err->status;
    }
    tell_each(arena, points, said, space.count, NULL);
    sweep->points = points;
    sweep->point_count = space.count + fs_sweep_add_baseline(&space, points, space.count);
    fs_sweep_want_kept(arena, file, points, sweep->point_count, sweep);
    return FS_OK;
}
