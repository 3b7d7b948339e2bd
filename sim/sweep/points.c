/* All points of a sweep file. */
#include "sim/host/signals.h"
#include "sim/sweep/private.h"
#include "sim/workload/workload.h"

#include <string.h>

void fs_sweep_want_time(fs_arena *arena, const fs_store_point *point, fs_store_sweep *sweep) {
    const fs_store_parameter *kind = fs_store_parameter_of(point, "workload.kind");
    const fs_workload *workload = kind == NULL ? NULL : fs_workload_find(kind->value);
    if (workload == NULL || workload->time == NULL || sweep->objectives != NULL)
        return;
    fs_store_objective *usual = FS_NEW(arena, fs_store_objective, 1);
    *usual = (fs_store_objective){.figure = workload->time};
    sweep->objectives = usual;
    sweep->objective_count = 1;
}

void fs_sweep_heads(fs_arena *arena, const fs_sweep_file *file, fs_store_sweep *sweep) {
    const char **names = FS_NEW(arena, const char *, file->axis_count + 1);
    for (size_t a = 0; a < file->axis_count; a++)
        names[a] = file->axes[a].name;
    *sweep = (fs_store_sweep){.name = file->name,
                              .text = file->text,
                              .axes = names,
                              .axis_count = file->axis_count,
                              .objectives = file->objectives,
                              .objective_count = file->objective_count,
                              .constraints = file->constraints,
                              .constraint_count = file->constraint_count};
}

fs_status fs_sweep_points(fs_arena *arena, const fs_sweep_file *file, fs_store_sweep *sweep, fs_error *err) {
    static fs_error first, latest; /* 32 KiB, not for the stack */
    fs_sweep_space space;
    size_t wrong = 0;
    if (fs_sweep_space_of(arena, file, FS_SWEEP_MOST_POINTS, &space, err))
        return err->status;
    fs_store_point *points = FS_NEW(arena, fs_store_point, space.count);
    fs_sweep_heads(arena, file, sweep);
    for (size_t i = 0; i < space.count; i++) {
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted");
        latest.status = FS_OK;
        latest.text[0] = '\0';
        if (fs_sweep_space_point(&space, i, &points[i], &latest) && wrong++ == 0)
            first = latest;
        if (latest.status == FS_RUN) {
            *err = latest;
            return FS_RUN;
        }
        fs_sweep_want_time(arena, &points[i], sweep);
    }
    if (wrong == space.count) {
        *err = first;
        return err->status;
    }
    sweep->points = points;
    sweep->point_count = space.count;
    return FS_OK;
}
