/* How far points are from what they are held against, and where more of something stops helping. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>

/* ---- the baseline ---- */

/* Of the baseline's value: NAN where there is none, or none above 0. */
static double over_baseline(const fs_study *s, size_t goal, size_t point) {
    const double was = s->baseline == FS_STUDY_NONE || !fs_study_same_conditions(s, s->baseline, point)
                           ? (double)NAN
                           : s->goal[goal].value[s->baseline];
    return was > 0 ? s->goal[goal].value[point] / was : (double)NAN;
}

const char *fs_study_to_baseline(const fs_study *s, size_t goal, size_t point) {
    const double ratio = over_baseline(s, goal, point);
    if (!isfinite(ratio))
        return "";
    if (ratio >= 10)
        return fs_arena_printf(s->arena, "%s\xc2\xa0times", fs_number_short(ratio, 3));
    return fabs(ratio - 1) < 0.0005 ? "=" : fs_arena_strdup(s->arena, fs_number_change(ratio - 1));
}

const char *fs_study_baseline_words(const fs_study *s, size_t goal) {
    if (s->baseline == FS_STUDY_NONE || isnan(s->goal[goal].value[s->baseline]))
        return NULL;
    const size_t best = s->goal[goal].order[0];
    const char *infeasible = s->sweep->points[s->baseline].feasible ? "" : ", which is infeasible";
    if (s->goal[goal].feasible == 0 || s->choices < s->axes)
        return NULL;
    if (best == s->baseline)
        return "No feasible point is better than the baseline.";
    return fs_arena_printf(s->arena, "The baseline has %s%s; the best point has %s of it.",
                           fs_study_value(s, goal, s->baseline), infeasible,
                           fs_number_percent(over_baseline(s, goal, best)));
}

/* ---- where more stops helping ---- */

/* Within this much of the best nobody notices. */
static const double NOTHING = 0.01;

static const char *level_of(const fs_study *s, size_t axis, size_t point) {
    return s->axis[axis].level[s->axis[axis].at[point]].value;
}

/* The least value of an axis of numbers that is as good as the best point's, all else equal, and the next below. */
static const char *knee_of(const fs_study *s, size_t goal, size_t axis) {
    const fs_study_goal *g = &s->goal[goal];
    size_t count = 0, enough = FS_STUDY_NONE, less = FS_STUDY_NONE;
    const size_t best = g->order[0], *along = fs_study_along(s, best, axis, &count);
    const fs_study_axis *a = &s->axis[axis];
    for (size_t i = 0; i < count && along[i] != best; i++) { /* from the smallest on */
        if (!s->sweep->points[along[i]].feasible || !(g->value[along[i]] > 0))
            continue;
        if (enough == FS_STUDY_NONE && fs_study_behind(g, best, along[i]) < NOTHING)
            enough = along[i];
        else if (enough == FS_STUDY_NONE)
            less = along[i];
    }
    if (enough == FS_STUDY_NONE || a->at[enough] == FS_STUDY_NONE)
        return NULL;
    const double by = fs_study_behind(g, best, enough);
    const char *knee =
        fs_arena_printf(s->arena, "%s: %s wins by %s over %s", a->label, level_of(s, axis, best),
                        by < 0.00005 ? "less than 0.01 %" : fs_number_percent(by), level_of(s, axis, enough));
    return less == FS_STUDY_NONE
               ? knee
               : fs_arena_printf(s->arena, "%s; %s is %s behind", knee, level_of(s, axis, less),
                                 fs_number_percent(fs_study_behind(g, best, less)));
}

const char *fs_study_knee_words(const fs_study *s, size_t goal) {
    const char *text = "";
    const fs_study_goal *g = &s->goal[goal];
    if (g->feasible == 0 || !(g->value[g->order[0]] > 0))
        return NULL;
    for (size_t i = 0; i < s->choices; i++) {
        const size_t axis = g->rank[i];
        const char *knee = s->axis[axis].numeric && s->axis[axis].at[g->order[0]] != FS_STUDY_NONE
                               ? knee_of(s, goal, axis)
                               : NULL;
        if (knee != NULL)
            text = fs_arena_append(s->arena, text, "; ", "%s", knee);
    }
    return text[0] == '\0' ? NULL : fs_arena_printf(s->arena, "More stops helping at %s.", text);
}
