/* What is asked of a machine is no choice of it: which choice is best under each condition, and which under all. */
#include "reports/study/study_page.h"

#include <string.h>

/* How points compare in the axes that are conditions, or in all others. */
static int compare(const fs_study *s, bool conditions, size_t p, size_t q) {
    for (size_t a = 0; a < s->axes; a++)
        if (s->axis[a].condition == conditions && s->axis[a].at[p] != s->axis[a].at[q])
            return s->axis[a].at[p] < s->axis[a].at[q] ? -1 : 1;
    return 0;
}

bool fs_study_same_conditions(const fs_study *s, size_t p, size_t q) {
    return compare(s, true, p, q) == 0;
}

static bool by_condition(const void *self, size_t p, size_t q) {
    return compare(self, true, p, q) < 0;
}

static bool by_choice(const void *self, size_t p, size_t q) {
    return compare(self, false, p, q) < 0;
}

double fs_study_behind(const fs_study_goal *g, size_t best, size_t point) {
    return g->larger ? 1 - g->value[point] / g->value[best] : g->value[point] / g->value[best] - 1;
}

/* Feasible under more conditions, else less behind on average. */
static bool better_choice(const fs_study_choice *a, const fs_study_choice *b) {
    return a->had > b->had || (a->had == b->had && a->behind_mean < b->behind_mean);
}

/* What the points [count] of one choice do under their conditions. */
static fs_study_choice choice_of(const fs_study *s, const fs_study_goal *g, const size_t *point, size_t count,
                                 const size_t *best_at) {
    fs_study_choice c = {.point = point[0], .worst = point[0]};
    for (size_t i = 0; i < count; i++) {
        const double behind = fs_study_behind(g, best_at[point[i]], point[i]);
        c.had++;
        c.wins += !(behind > 0);
        c.behind_mean += behind;
        if (behind > c.behind_most) {
            c.behind_most = behind;
            c.worst = point[i];
        }
        if (s->baseline != FS_STUDY_NONE && fs_study_same_conditions(s, point[i], s->baseline))
            c.point = point[i];
    }
    c.behind_mean /= (double)c.had;
    return c;
}

fs_study_conditions fs_study_conditions_of(const fs_study *s, size_t goal) {
    const fs_study_goal *g = &s->goal[goal];
    fs_study_conditions all = {.best = FS_NEW(s->arena, size_t, g->feasible + 1)};
    size_t *item = FS_NEW(s->arena, size_t, g->feasible + 1),
           *best_at = FS_NEW(s->arena, size_t, s->sweep->point_count + 1);
    if (g->feasible > 0)
        memcpy(item, g->order, g->feasible * sizeof *item);
    fs_study_sort(s, item, g->feasible, by_condition, s); /* the best of each stays first */
    for (size_t i = 0; i < g->feasible; i++) {
        if (i == 0 || by_condition(s, item[i - 1], item[i]))
            all.best[all.count++] = item[i];
        best_at[item[i]] = all.best[all.count - 1];
    }
    fs_study_sort(s, item, g->feasible, by_choice, s);
    for (size_t i = 0, end; i < g->feasible; i = end) {
        for (end = i + 1; end < g->feasible && !by_choice(s, item[i], item[end]);)
            end++;
        const fs_study_choice c = choice_of(s, g, item + i, end - i, best_at);
        if (i == 0 || better_choice(&c, &all.choice))
            all.choice = c;
    }
    return all;
}

size_t fs_study_winner(const fs_study *s, size_t goal) {
    if (s->goal[goal].feasible == 0)
        return FS_STUDY_NONE;
    return s->choices < s->axes ? fs_study_conditions_of(s, goal).choice.point : s->goal[goal].order[0];
}

size_t fs_study_under(const fs_study *s, size_t goal, size_t choice, size_t condition) {
    for (size_t i = 0; i < s->goal[goal].feasible; i++) {
        const size_t p = s->goal[goal].order[i];
        if (compare(s, false, p, choice) == 0 && compare(s, true, p, condition) == 0)
            return p;
    }
    return FS_STUDY_NONE;
}

/* ---- words ---- */

/* "12 values of load", "6 conditions". */
static const char *counted(const fs_study *s, size_t count) {
    for (size_t a = 0; a < s->axes; a++)
        if (s->axis[a].condition && s->choices + 1 == s->axes)
            return fs_arena_printf(s->arena, "%zu %s of %s", count, count == 1 ? "value" : "values",
                                   s->axis[a].label);
    return fs_arena_printf(s->arena, "%zu %s", count, count == 1 ? "condition" : "conditions");
}

/* "load = 0.4": the conditions of its settings. */
static const char *condition(const fs_study *s, size_t point) {
    const char *text = "";
    for (size_t a = 0; a < s->axes; a++)
        if (s->axis[a].condition && s->axis[a].at[point] != FS_STUDY_NONE)
            text = fs_arena_append(s->arena, text, ", ", "%s = %s", s->axis[a].label,
                                   s->axis[a].level[s->axis[a].at[point]].value);
    return text;
}

const char *fs_study_asked(const fs_study *s, size_t goal) {
    const fs_study_goal *g = &s->goal[goal];
    if (s->choices == s->axes || g->feasible == 0 || !(g->value[g->order[0]] > 0))
        return NULL;
    const fs_study_conditions all = fs_study_conditions_of(s, goal);
    const size_t last = g->order[g->feasible - 1];
    if (s->choices == 0)
        return fs_arena_printf(s->arena, "%s is %s to %s under %s", g->label,
                               fs_study_value(s, goal, g->order[0]), fs_study_value(s, goal, last),
                               counted(s, all.count));
    const fs_study_choice *c = &all.choice;
    const char *text =
        fs_arena_printf(s->arena, "%s is the best choice for %s under %zu of %s",
                        fs_study_chosen(s, c->point), g->label, c->wins, counted(s, all.count));
    if (c->had < all.count)
        text = fs_arena_printf(s->arena, "%s, infeasible under %zu", text, all.count - c->had);
    return c->wins == c->had ? text
                             : fs_arena_printf(s->arena, "%s, elsewhere at most %s behind (%s)", text,
                                               fs_study_share(s, c->behind_most), condition(s, c->worst));
}
