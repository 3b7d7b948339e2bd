/* What matters most, and the title of a sweep's page. */
#include "reports/study/study.h"
#include "sim/base/numbers.h"

#include <string.h>

bool fs_study_matters(const fs_study_effect *e) {
    if (e->good == FS_STUDY_NONE || e->good == e->bad)
        return false;
    return e->groups == 0 ? e->share > 0.01 : e->alone_median >= 0.005;
}

const char *fs_study_alone(const fs_study *s, const fs_study_effect *e) {
    if (e->groups == 0)
        return NULL;
    const char *usual = fs_study_percent(s, e->alone_median), *most = fs_study_percent(s, e->alone_most);
    return strcmp(usual, most) == 0 ? most
                                    : fs_arena_printf(s->arena, "typically %s, at most %s", usual, most);
}

const char *fs_study_explains(const fs_study *s, size_t goal, size_t axis) {
    const fs_study_effect *e = &s->goal[goal].effect[axis];
    return e->whole ? fs_arena_printf(s->arena, "explains %s of the spread", fs_study_share(s, e->share))
                    : NULL;
}

/* "typically 15 %, at most 16 %" of the axis that matters most; "" where none does. */
static const char *matters_most(const fs_study *s) {
    const fs_study_goal *g = &s->goal[0];
    const size_t top = s->axes > 0 ? g->rank[0] : 0;
    if (s->search != NULL || s->axes == 0 || g->feasible < 3 || !fs_study_matters(&g->effect[top]))
        return "";
    const char *alone = fs_study_alone(s, &g->effect[top]);
    return fs_arena_printf(s->arena, "; %s matters most%s%s", s->axis[top].label,
                           alone == NULL ? "" : ": all else equal ", alone == NULL ? "" : alone);
}

const char *fs_study_title(const fs_study *s) {
    const char *none = fs_study_none(s);
    if (s->goals == 0 || s->goal[0].feasible == 0)
        return none;
    const size_t best = s->goal[0].order[0];
    const char *distance = fs_study_to_baseline(s, 0, best);
    return fs_arena_printf(s->arena, "%s at best%s: %s%s; %s of %s points are feasible",
                           fs_study_value(s, 0, best),
                           distance[0] == '\0' || s->baseline == best
                               ? ""
                               : fs_arena_printf(s->arena, " (%s to the baseline)", distance),
                           fs_study_brief(s, best), matters_most(s), fs_number_grouped((double)s->feasible),
                           fs_number_grouped((double)s->sweep->point_count));
}
