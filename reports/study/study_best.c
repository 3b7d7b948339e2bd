/* The best point, or where something is asked of a machine the best under each condition; and one step away from it. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

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
    fs_rows *t = fs_sheet_table(p->sheet, "Under each condition the best of the feasible points.", NULL);
    for (size_t a = 0; a < s->axes; a++)
        if (s->axis[a].condition)
            fs_rows_head(t, s->axis[a].label, s->axis[a].numeric, s->axis[a].name);
    if (chosen)
        fs_rows_head(t, "best choice", false, NULL);
    fs_rows_head(t, g->label, true, NULL);
    if (chosen)
        fs_rows_head(t, fs_study_chosen(s, all->choice.point), true, "the best choice under all conditions");
    fs_rows_head(t, "point", false, "shows the command that makes its run page");
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
        const size_t own = fs_study_under(s, goal, all->choice.point, best);
        if (chosen)
            fs_cell_number(t, behind_words(p, g, best, own), own == FS_STUDY_NONE ? 1e300 : g->value[own]);
        fs_study_put_key(p, t, best);
    }
}

/* ---- one step away ---- */

/* "+12 %", "3.1 times" of a change by so much. */
static const char *change_words(const fs_study_page *p, double change) {
    return 1 + change >= 10        ? fs_arena_printf(p->arena, "%s times", fs_number_short(1 + change, 3))
           : fabs(change) < 0.0005 ? "no change"
                                   : fs_arena_strdup(p->arena, fs_number_change(change));
}

/* What a choice does to the goal in the place of another, over the conditions under which both are feasible: the mean and the
 * largest change. False: nowhere. */
static bool compare_choices(const fs_study *s, size_t goal, const fs_study_conditions *all, size_t own,
                            size_t other, double *mean, double *most) {
    const double *value = s->goal[goal].value;
    size_t had = 0;
    *mean = *most = 0;
    for (size_t i = 0; i < all->count; i++) {
        const size_t a = fs_study_under(s, goal, own, all->best[i]),
                     b = fs_study_under(s, goal, other, all->best[i]);
        if (a == FS_STUDY_NONE || b == FS_STUDY_NONE)
            continue;
        const double change = value[b] / value[a] - 1;
        *mean += change;
        *most = fabs(change) > fabs(*most) ? change : *most;
        had++;
    }
    *mean /= (double)(had > 0 ? had : 1);
    return had > 0;
}

/* The value of the axis, and those of axes that the best point does not have. */
static const char *neighbour_name(const fs_study_page *p, size_t axis, size_t best, size_t q) {
    const fs_study *s = p->s;
    const char *text = s->axis[axis].level[s->axis[axis].at[q]].value;
    for (size_t a = 0; a < s->axes; a++)
        if (a != axis && s->axis[a].at[best] == FS_STUDY_NONE && s->axis[a].at[q] != FS_STUDY_NONE)
            text = fs_arena_printf(p->arena, "%s, %s", text, s->axis[a].level[s->axis[a].at[q]].value);
    return text;
}

static void put_step(fs_study_page *p, fs_rows *t, size_t goal, const fs_study_conditions *all, size_t axis,
                     size_t best, size_t q) {
    const fs_study *s = p->s;
    const fs_study_goal *g = &s->goal[goal];
    const fs_store_point *point = &s->sweep->points[q];
    const char *name = neighbour_name(p, axis, best, q), *value = fs_study_value(s, goal, q);
    double mean, most;
    if (!fs_study_done(point) || isnan(g->value[q]))
        fs_cell_chip(t, "gone", point->error, name, fs_study_done(point) ? "no figure" : point->status);
    else if (!compare_choices(s, goal, all, best, q, &mean, &most))
        fs_cell_chip(
            t, "hollow", fs_arena_printf(p->arena, "%s, infeasible", value), name,
            fs_arena_printf(p->arena, "%s, infeasible", change_words(p, g->value[q] / g->value[best] - 1)));
    else {
        const char *usual = change_words(p, mean), *worst = change_words(p, most);
        fs_cell_chip(t, fabs(mean) >= 0.0005 && (g->larger ? mean < 0 : mean > 0) ? "worse" : "equal",
                     all->count == 1 ? value : NULL, name,
                     strcmp(usual, worst) == 0 ? usual
                                               : fs_arena_printf(p->arena, "%s, at most %s", usual, worst));
    }
}

static void put_steps(fs_study_page *p, size_t goal, const fs_study_conditions *all) {
    const fs_study *s = p->s;
    const fs_study_goal *g = &s->goal[goal];
    const size_t best = fs_study_winner(s, goal);
    const bool asked = s->choices < s->axes;
    fs_rows *t = fs_sheet_table(
        p->sheet,
        fs_arena_printf(
            p->arena, "One step away from the best %s: what each other choice does to %s, all else equal%s.",
            asked ? "choice" : "point", g->label, asked ? ", on average over the conditions" : ""),
        "axis", asked ? "of the best choice" : "at the best point", "changed alone to", NULL);
    for (size_t i = 0; i < s->choices; i++) {
        size_t a = g->rank[i], count = 0, shown = 0;
        const size_t *along = fs_study_along(s, best, a, &count);
        if (s->axis[a].at[best] == FS_STUDY_NONE)
            continue;
        fs_rows_add(t);
        fs_cell_head(t, "%s", s->axis[a].label);
        fs_cell_say(t, "<b>%s</b>", s->axis[a].level[s->axis[a].at[best]].value);
        fs_cell(t, "");
        fs_cell_add(t, (fs_cell_more){.look = "chips"});
        for (size_t k = 0; k < count; k++)
            if (along[k] != best && s->axis[a].at[along[k]] != FS_STUDY_NONE) {
                put_step(p, t, goal, all, a, best, along[k]);
                shown++;
            }
        if (shown == 0)
            fs_cell_chip(t, "gone", NULL, "no point differs in this axis alone", NULL);
    }
}

void fs_study_put_best(fs_study_page *p, size_t goal) {
    const fs_study *s = p->s;
    const fs_study_conditions all = fs_study_conditions_of(s, goal);
    if (all.count == 0) {
        fs_sheet_note(p->sheet, "No feasible point has this figure.");
        return;
    }
    const size_t best = fs_study_winner(s, goal);
    if (s->choices < s->axes)
        put_each(p, goal, &all);
    else
        fs_sheet_say(p->sheet, "<b>%s</b> at point <code>%s</code>; its run page: <code>%s</code>",
                     fs_study_value_and_range(p, goal, best), fs_study_short_key(p, best),
                     fs_study_command(p, best));
    if (s->choices > 0 || s->axes == 0)
        put_steps(p, goal, &all);
}
