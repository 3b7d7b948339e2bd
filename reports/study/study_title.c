/* What matters most, and the title of a sweep's page. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"
#include "sim/results/results.h"

#include <math.h>
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
    const size_t top = s->choices > 0 ? g->rank[0] : 0;
    if (s->search != NULL || s->choices == 0 || g->feasible < 3 || !fs_study_matters(&g->effect[top]))
        return "";
    const char *alone = fs_study_alone(s, &g->effect[top]);
    return fs_arena_printf(s->arena, "; %s matters most%s%s", s->axis[top].label,
                           alone == NULL ? "" : ": all else equal ", alone == NULL ? "" : alone);
}

const char *fs_study_name(const fs_study *s) {
    return fs_arena_printf(s->arena, "%s %s", s->search != NULL ? "Search" : "Sweep", s->sweep->name);
}

/* "; the best in 50 % of the ranges of what is uncertain, safest: mesh, at most 2.8 % behind"; "" where nobody varied it.
 * A store's judgement may come from anyone: what is missing is left out. */
static const char *how_sure(const fs_study *s) {
    const json_t *goal = fs_study_judged(s->robust, "goals", "figure", s->goal[0].figure);
    const char *best = s->sweep->points[s->goal[0].order[0]].key, *safest = fs_json_text(goal, "safest");
    const json_t *own = fs_study_judged(goal, "points", "key", best),
                 *safe = fs_study_judged(goal, "points", "key", safest);
    const double share = fs_json_real(own, "best") / fs_json_real(own, "draws"),
                 regret = fs_json_real(safe, "regret_most");
    const size_t point = FS_PLACE(s->sweep->points, s->sweep->point_count, key, safest);
    if (!isfinite(share))
        return "";
    const char *text =
        share < 1 ? fs_arena_printf(s->arena, "; it stays the best in %s of the ranges of what is uncertain",
                                    fs_study_share(s, share))
                  : "; it stays the best in all ranges of what is uncertain";
    return share >= 1 || isnan(regret) || point == s->sweep->point_count || strcmp(safest, best) == 0
               ? text
               : fs_arena_printf(s->arena, "%s, the safest is %s (at most %s behind)", text,
                                 fs_study_brief(s, point), fs_study_share(s, regret));
}

/* "; the knee lies at load 0.41 (buffer 4)" of the first condition against which the first objective has one; "". */
static const char *knee_of(const fs_study *s) {
    for (size_t a = 0; a < s->axes; a++) {
        const size_t colour = fs_study_colour_of(s, 0, a);
        const fs_study_knees knees =
            s->axis[a].condition ? fs_study_knees_of(s, 0, a, colour) : (fs_study_knees){.count = 0};
        if (knees.count > 0)
            return fs_arena_printf(s->arena, "; t%s", fs_study_knee_says(s, &knees, a, colour) + 1);
    }
    return "";
}

/* What the best has; where much is asked, which choice is best. */
static const char *answer_of(const fs_study *s) {
    const size_t best = s->goal[0].order[0];
    const char *distance = fs_study_to_baseline(s, 0, best), *asked = fs_study_asked(s, 0);
    if (asked != NULL)
        return fs_arena_printf(s->arena, "%s%s", asked, knee_of(s));
    return fs_arena_printf(s->arena, "%s at best%s: %s%s", fs_study_value(s, 0, best),
                           distance[0] == '\0' || s->baseline == best
                               ? ""
                               : fs_arena_printf(s->arena, " (%s to the baseline)", distance),
                           fs_study_brief(s, best), how_sure(s));
}

const char *fs_study_title(const fs_study *s) {
    if (s->goals == 0 || s->goal[0].feasible == 0)
        return fs_study_none(s);
    return fs_arena_printf(s->arena, "%s%s; %s of %s points are feasible", answer_of(s),
                           json_is_object(s->robust) ? "" : matters_most(s),
                           fs_number_grouped((double)s->feasible),
                           fs_number_grouped((double)s->sweep->point_count));
}
