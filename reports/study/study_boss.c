/* A sweep on one page: the best point, what it costs and what limits it, the baseline and the second best beside it, and how
 * sure that is. */
#include "reports/boss/boss.h"
#include "reports/study/study_page.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <string.h>

/* The values of a point, all or those that differ from another's; what the baseline has, beside them. */
static void add_point(const fs_study *s, size_t point, size_t than, fs_boss_row *rows, size_t *count) {
    const size_t base = than == FS_STUDY_NONE ? s->baseline : FS_STUDY_NONE;
    for (size_t a = 0; a < s->axes; a++) {
        const fs_study_axis *axis = &s->axis[a];
        const size_t at = axis->at[point], was = base == FS_STUDY_NONE ? FS_STUDY_NONE : axis->at[base];
        if (at != FS_STUDY_NONE && (than == FS_STUDY_NONE || at != axis->at[than]))
            fs_boss_add(
                rows, count,
                (fs_boss_row){axis->label, axis->level[at].value,
                              was == FS_STUDY_NONE || was == at
                                  ? NULL
                                  : fs_arena_printf(s->arena, "the baseline: %s", axis->level[was].value)});
    }
}

/* The objectives of a point, against those of another. */
static void add_goals(const fs_study *s, size_t point, size_t than, const char *whom, fs_boss_row *rows,
                      size_t *count) {
    for (size_t g = 0; g < s->goals; g++) {
        const fs_study_goal *goal = &s->goal[g];
        const double value = goal->value[point];
        if (!isnan(value))
            fs_boss_add(rows, count,
                        (fs_boss_row){goal->label, fs_study_value(s, g, point),
                                      than == FS_STUDY_NONE
                                          ? NULL
                                          : fs_boss_change(s->arena, value, goal->value[than], whom)});
    }
}

/* The figures of a point as those of a run. */
static fs_folder *run_of(const fs_study *s, size_t point) {
    const fs_store_point *p = &s->sweep->points[point];
    fs_figure *figures = FS_NEW(s->arena, fs_figure, p->figure_count + 1);
    fs_stat *rows = FS_NEW(s->arena, fs_stat, p->figure_count + 1);
    for (size_t i = 0; i < p->figure_count; i++) {
        const fs_store_figure *f = &p->figures[i];
        const bool known = fs_stats_find_in(s->figures, f->name, &rows[i]);
        figures[i] = (fs_figure){.name = f->name,
                                 .unit = f->unit,
                                 .description = "",
                                 .kind = f->text != NULL                         ? FS_FIGURE_WORD
                                         : known && rows[i].type == FS_STAT_BOOL ? FS_FIGURE_FLAG
                                                                                 : FS_FIGURE_NUMBER,
                                 .whole = known && rows[i].type == FS_STAT_U64,
                                 .value = f->number,
                                 .text = f->text,
                                 .row = known ? &rows[i] : NULL};
    }
    return fs_folder_of_figures(s->arena, figures, p->figure_count);
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

/* "13 % less time than the baseline", "2.3 times the base", "the best of 16 feasible points". */
static const char *against(const fs_study *s, size_t best, size_t base) {
    const fs_study_goal *g = &s->goal[0];
    const double was = base == FS_STUDY_NONE ? (double)NAN : g->value[base];
    const char *change = fs_boss_change(s->arena, g->value[best], was, "the baseline");
    if (best == base)
        return "the baseline itself is the best";
    if (change[0] == '\0')
        return s->feasible == 1 ? "the one feasible point"
                                : fs_arena_printf(s->arena, "the best of %zu feasible points", s->feasible);
    if (strcmp(g->unit, "s") == 0 && g->value[best] < 0.9995 * was)
        change = fs_arena_printf(s->arena, "%s less time than the baseline",
                                 fs_study_share(s, 1 - g->value[best] / was));
    return s->sweep->points[base].feasible ? change
                                           : fs_arena_printf(s->arena, "%s, which is infeasible", change);
}

fs_status fs_study_boss(const fs_study *s, const char *file, fs_error *err) {
    fs_boss b = {.name = fs_study_name(s), .build = "Build this", .second = "Second best"};
    if (s->goals == 0 || s->goal[0].feasible == 0)
        return fs_fail(err, FS_INPUT, "--boss: the sweep %s has no feasible point with its first objective",
                       s->sweep->name);
    const fs_study_goal *g = &s->goal[0];
    const size_t best = fs_study_winner(s, 0), second = s->choices < s->axes ? FS_STUDY_NONE : second_of(g),
                 base = s->baseline;
    const fs_store_parameter *kind = fs_store_parameter_of(&s->sweep->points[best], "workload.kind");
    const fs_workload *workload = kind == NULL ? NULL : fs_workload_find(s->registry, kind->value);
    const fs_page_plan *plan = workload == NULL ? NULL : workload->page;
    fs_folder *run = run_of(s, best);
    add_point(s, best, FS_STUDY_NONE, b.what, &b.what_count);
    add_goals(s, best, base == best ? FS_STUDY_NONE : base, "the baseline", b.cost, &b.cost_count);
    fs_boss_costs(&b, s->arena, run, plan, base == FS_STUDY_NONE || base == best ? NULL : run_of(s, base));
    const char *limit = plan == NULL ? NULL : fs_folder_limit(s->arena, run, plan);
    b.verdict =
        fs_arena_printf(s->arena, "Build %s: %s, %s%s%s", fs_study_brief(s, best), fs_study_value(s, 0, best),
                        against(s, best, base), limit == NULL ? "" : "; ", limit == NULL ? "" : limit);
    if (second != FS_STUDY_NONE) {
        add_point(s, second, best, b.other, &b.other_count);
        add_goals(s, second, best, "the best", b.other, &b.other_count);
    }
    say_sure(s, &b);
    return fs_boss_write(&b, file, err);
}
