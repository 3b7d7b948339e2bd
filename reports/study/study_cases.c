/* The best under each condition, and one step away from the best choice: what stands for the best point where something is asked
 * of a machine. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>

/* ---- the best of each ---- */

static const char *behind_words(const fs_study_page *p, const fs_study_goal *g, size_t best, size_t point) {
    return point == FS_STUDY_NONE ? "infeasible"
           : fs_study_behind(g, best, point) > 0
               ? fs_arena_printf(p->arena, "%s (%s behind)", fs_study_number(p->s, g->value[point], g->unit),
                                 fs_study_share(p->s, fs_study_behind(g, best, point)))
               : fs_study_number(p->s, g->value[point], g->unit);
}

static void put_each(fs_study_page *p, size_t goal, const fs_study_conditions *all) {
    const fs_study *s = p->s;
    const fs_study_goal *g = &s->goal[goal];
    const bool chosen = s->choices > 0;
    fs_rows_column *column = FS_NEW(p->arena, fs_rows_column, s->axes + 5);
    size_t n = 0;
    for (size_t a = 0; a < s->axes; a++)
        if (s->axis[a].condition)
            column[n++] = (fs_rows_column){fs_study_breakable(p, s->axis[a].label), NULL, s->axis[a].numeric,
                                           s->axis[a].name};
    if (chosen)
        column[n++] = (fs_rows_column){"best choice", NULL, false, NULL};
    column[n++] = (fs_rows_column){g->label, NULL, true, NULL};
    if (chosen)
        column[n++] = (fs_rows_column){fs_study_chosen(s, all->choice[0].point), NULL, true,
                                       "the best choice under all conditions"};
    column[n++] = (fs_rows_column){"point", NULL, false, "shows the command that makes its run page"};
    fs_rows *t =
        fs_sheet_table_of(p->sheet, "Under each condition the best of the feasible points.", column, n);
    for (size_t i = 0; i < all->count; i++) {
        const size_t best = all->best[i];
        fs_rows_add(t);
        for (size_t a = 0; a < s->axes; a++)
            if (s->axis[a].condition && s->axis[a].at[best] == FS_STUDY_NONE)
                fs_cell(t, "");
            else if (s->axis[a].condition)
                fs_cell_number(t, s->axis[a].level[s->axis[a].at[best]].value,
                               s->axis[a].numeric ? s->axis[a].level[s->axis[a].at[best]].number
                                                  : (double)s->axis[a].at[best]);
        if (chosen)
            fs_cell(t, fs_study_chosen(s, best));
        fs_cell_number(t, fs_study_value(s, goal, best), g->value[best]);
        const size_t own = fs_study_under(s, goal, all->choice[0].point, best);
        if (chosen)
            fs_cell_number(t, behind_words(p, g, best, own), own == FS_STUDY_NONE ? INFINITY : g->value[own]);
        fs_study_put_key(p, t, best);
    }
}

/* ---- one step away ---- */

/* What another level of an axis does to the choice, all else equal, over the conditions: "+2 %, at most +80 %". */
static const char *step_words(const fs_study_page *p, const fs_study_goal *g, const fs_study_conditions *all,
                              size_t goal, size_t axis, size_t level, double *typical) {
    const fs_study *s = p->s;
    double sum = 0, most = 0;
    size_t had = 0;
    for (size_t i = 0; i < all->count; i++) {
        const size_t own = fs_study_under(s, goal, all->choice[0].point, all->best[i]);
        size_t count = 0;
        const size_t *along = own == FS_STUDY_NONE ? NULL : fs_study_along(s, own, axis, &count);
        for (size_t k = 0; k < count; k++) {
            if (s->axis[axis].at[along[k]] != level || !s->sweep->points[along[k]].feasible ||
                isnan(g->value[along[k]]))
                continue;
            const double change = g->value[along[k]] / g->value[own] - 1;
            sum += change;
            most = fabs(change) > fabs(most) ? change : most;
            had++;
        }
    }
    *typical = had == 0 ? (double)NAN : sum / (double)had;
    if (had == 0)
        return NULL;
    return had == 1 || fabs(most - *typical) < 0.0005
               ? fs_arena_strdup(p->arena, fs_number_change(*typical))
               : fs_arena_printf(p->arena, "%s, at most %s", fs_number_change(*typical),
                                 fs_number_change(most));
}

static void put_steps(fs_study_page *p, size_t goal, const fs_study_conditions *all) {
    const fs_study *s = p->s;
    const fs_study_goal *g = &s->goal[goal];
    fs_rows *t = fs_sheet_table(
        p->sheet,
        fs_arena_printf(p->arena,
                        "One step away from the best choice: what each other choice does to %s, all else "
                        "equal, on average over the conditions.",
                        g->label),
        "axis", "of the best choice", "changed alone to", NULL);
    for (size_t i = 0; i < s->choices; i++) {
        const size_t a = g->rank[i], own = s->axis[a].at[all->choice[0].point];
        if (own == FS_STUDY_NONE)
            continue;
        fs_rows_add(t);
        fs_cell_head(t, "%s", fs_study_breakable(p, s->axis[a].label));
        fs_cell_say(t, "<b>%s</b>", s->axis[a].level[own].value);
        fs_cell(t, "");
        fs_cell_add(t, (fs_cell_more){.look = "chips"});
        for (size_t level = 0; level < s->axis[a].levels; level++) {
            double typical = (double)NAN;
            const char *words = level == own ? NULL : step_words(p, g, all, goal, a, level, &typical);
            if (words != NULL)
                fs_cell_chip(t, (g->larger ? typical < 0 : typical > 0) ? "worse" : "equal", NULL,
                             s->axis[a].level[level].value, words);
        }
    }
}

void fs_study_put_conditions(fs_study_page *p, size_t goal) {
    const fs_study_conditions all = fs_study_conditions_of(p->s, goal);
    if (all.count == 0) {
        fs_sheet_note(p->sheet, "No feasible point has this figure.");
        return;
    }
    put_each(p, goal, &all);
    if (p->s->choices > 0)
        put_steps(p, goal, &all);
}
