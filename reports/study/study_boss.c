/* A sweep on one page: the best point, what it costs, the second best, and how sure that is. */
#include "reports/boss/boss.h"
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

static void add_point(const fs_study *s, size_t point, size_t than, fs_boss_row *rows, size_t *count) {
    for (size_t a = 0; a < s->axes; a++) {
        const fs_study_axis *axis = &s->axis[a];
        if (axis->at[point] != FS_STUDY_NONE && (than == FS_STUDY_NONE || axis->at[point] != axis->at[than]))
            fs_boss_add(rows, count, (fs_boss_row){axis->label, axis->level[axis->at[point]].value, NULL});
    }
}

static void add_goals(const fs_study *s, size_t point, size_t than, fs_boss_row *rows, size_t *count) {
    for (size_t g = 0; g < s->goals; g++) {
        const fs_study_goal *goal = &s->goal[g];
        const double value = goal->value[point];
        if (isnan(value))
            continue;
        const double change = than == FS_STUDY_NONE ? 0 : 100 * (value / goal->value[than] - 1);
        fs_boss_add(rows, count,
                    (fs_boss_row){goal->label, fs_study_value(s, g, point),
                                  than == FS_STUDY_NONE || isnan(change)
                                      ? NULL
                                      : fs_arena_printf(s->arena, "%s%s %%", change < 0 ? "−" : "+",
                                                        fs_number_short(fabs(change), 2))});
    }
}

/* The best point that is not as good as the best. */
static size_t second_of(const fs_study_goal *g) {
    return g->ties < g->feasible ? g->order[g->ties] : g->feasible > 1 ? g->order[1] : FS_STUDY_NONE;
}

static void say_sure(const fs_study *s, fs_boss *b) {
    const json_t *goal;
    size_t i;
    json_array_foreach(json_object_get(s->robust, "goals"), i, goal)
        fs_boss_say(b, json_string_value(json_object_get(goal, "sentence")));
    if (!json_is_object(s->robust))
        fs_boss_say(b, "Nobody varied what is uncertain: `foamsim sweep --robust` prices the best points "
                       "over the ranges of "
                       "the model's parameters and says in how many draws the best stays the best.");
    fs_boss_say(b, fs_arena_printf(s->arena, "%zu of %zu points are done, %zu feasible, %zu failed.", s->done,
                                   s->sweep->point_count, s->feasible, s->failed));
    for (size_t c = 0; c < s->sweep->constraint_count; c++)
        if (s->broken[c] > 0)
            fs_boss_say(b, fs_arena_printf(s->arena, "%zu points break %s.", s->broken[c],
                                           fs_study_constraint(s, &s->sweep->constraints[c])));
}

fs_status fs_study_boss(const fs_study *s, const char *file, fs_error *err) {
    fs_boss b = {.name = fs_arena_printf(s->arena, "Sweep %s", s->sweep->name), .second = "Second best"};
    if (s->goals == 0 || s->goal[0].feasible == 0)
        return fs_fail(err, FS_INPUT, "--boss: the sweep %s has no feasible point with its first objective",
                       s->sweep->name);
    const fs_study_goal *g = &s->goal[0];
    const size_t best = g->order[0], second = second_of(g);
    b.build = "Build this";
    b.verdict = fs_arena_printf(
        s->arena, "Build %s: %s, the best of %s", fs_study_settings(s, best), fs_study_value(s, 0, best),
        s->feasible == 1 ? "one feasible point"
                         : fs_arena_printf(s->arena, "%zu feasible points", s->feasible));
    add_point(s, best, FS_STUDY_NONE, b.what, &b.what_count);
    add_goals(s, best, FS_STUDY_NONE, b.cost, &b.cost_count);
    if (second != FS_STUDY_NONE) {
        add_point(s, second, best, b.other, &b.other_count);
        add_goals(s, second, best, b.other, &b.other_count);
    }
    say_sure(s, &b);
    return fs_boss_write(&b, file, err);
}
