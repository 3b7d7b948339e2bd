/* The knee of a curve: where a figure that rises steeply, such as a latency against load, is so many times what it is with
 * nothing in the way. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>

/* Means of the goal and of the figure alone over the points of a colour at each value of the axis. */
static void sum_up(const fs_study *s, const char *alone, size_t goal, size_t axis, size_t colour, size_t k,
                   double *value, double *floor) {
    double *count = FS_NEW(s->arena, double, s->axis[axis].levels + 1);
    for (size_t i = 0; i < s->sweep->point_count; i++) {
        const size_t level = s->axis[axis].at[i];
        const double under = fs_store_number_of(&s->sweep->points[i], alone);
        if (level == FS_STUDY_NONE || !isfinite(s->goal[goal].value[i]) || !isfinite(under) ||
            (colour != FS_STUDY_NONE && s->axis[colour].at[i] != k))
            continue;
        value[level] += s->goal[goal].value[i];
        floor[level] += under;
        count[level] += 1;
    }
    for (size_t level = 0; level < s->axis[axis].levels; level++) {
        value[level] = count[level] > 0 ? value[level] / count[level] : (double)NAN;
        floor[level] = count[level] > 0 ? floor[level] / count[level] : (double)NAN;
    }
}

fs_study_knees fs_study_knees_of(const fs_study *s, size_t goal, size_t axis, size_t colour) {
    const fs_study_axis *a = &s->axis[axis];
    const size_t colours = colour == FS_STUDY_NONE ? 1 : s->axis[colour].levels;
    fs_study_knees out = {.count = 0};
    fs_stat row;
    if (!a->numeric || !fs_stats_find_in(s->figures, s->goal[goal].figure, &row) || row.alone == NULL)
        return out;
    out.times = row.knee;
    out.alone = INFINITY;
    for (size_t k = 0; k < colours; k++) {
        double *value = FS_NEW(s->arena, double, a->levels + 1),
               *floor = FS_NEW(s->arena, double, a->levels + 1);
        sum_up(s, row.alone, goal, axis, colour, k, value, floor);
        out.at[k] = NAN;
        size_t before = SIZE_MAX;
        for (size_t l = 0; l < a->levels && isnan(out.at[k]); l++) {
            if (isnan(value[l]))
                continue;
            out.alone = fmin(out.alone, floor[l]);
            const double now = value[l] / (row.knee * floor[l]);
            const double was = before == SIZE_MAX ? 2 : value[before] / (row.knee * floor[before]);
            if (was <= 1 && now > 1) {
                const double part = (1 - was) / (now - was);
                out.at[k] = a->level[before].number + part * (a->level[l].number - a->level[before].number);
                out.level[k] = row.knee * (floor[before] + part * (floor[l] - floor[before]));
                out.count++;
            }
            before = l;
        }
    }
    return out;
}

const char *fs_study_knee_says(const fs_study *s, const fs_study_knees *knees, size_t axis, size_t colour) {
    const char *words = fs_arena_printf(s->arena, "The knee lies at %s", s->axis[axis].label), *between = " ";
    for (size_t k = 0; k < fs_study_colours_of(s, colour); k++) {
        if (isnan(knees->at[k]))
            continue;
        words = fs_arena_printf(s->arena, "%s%s%s", words, between, fs_number_short(knees->at[k], 3));
        if (colour != FS_STUDY_NONE)
            words = fs_arena_printf(s->arena, "%s (%s)", words, fs_study_colour_name(s, colour, k));
        between = ", ";
    }
    return words;
}
