/* How sure the best points are where the model is uncertain, on the page of a store. What the store says of
 * it may come from anyone: what is missing is left out. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"
#include "sim/results/results.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 12 }; /* of a goal's table: the best ones */

const json_t *fs_study_judged(const json_t *of, const char *list, const char *name, const char *text) {
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(of, list), i, one) {
        if (strcmp(fs_json_text(one, name), text) == 0)
            return one;
    }
    return NULL;
}

static const json_t *goal_at(const fs_study *s, size_t goal) {
    return fs_study_judged(s->robust, "goals", "figure", s->goal[goal].figure);
}

/* What was judged of a point; NULL: it was not among those that were varied. */
static const json_t *point_at(const fs_study *s, const json_t *goal, size_t point) {
    return fs_study_judged(goal, "points", "key", s->sweep->points[point].key);
}

bool fs_study_ends(const fs_study_page *p, size_t goal, size_t point, double ends[2]) {
    const json_t *j = json_is_object(p->s->robust) ? point_at(p->s, goal_at(p->s, goal), point) : NULL;
    ends[0] = fs_json_real(j, "low");
    ends[1] = fs_json_real(j, "high");
    return isfinite(ends[0]) && isfinite(ends[1]);
}

const char *fs_study_value_and_range(const fs_study_page *p, size_t goal, size_t point) {
    double ends[2];
    const char *value = fs_study_value(p->s, goal, point), *unit = p->s->goal[goal].unit;
    return fs_study_ends(p, goal, point, ends)
               ? fs_arena_printf(p->arena, "%s (%s to %s)", value, fs_study_number(p->s, ends[0], unit),
                                 fs_study_number(p->s, ends[1], unit))
               : value;
}

const char *fs_study_sure(const fs_study_page *p, size_t goal) {
    const char *text = json_is_object(p->s->robust) ? fs_json_text(goal_at(p->s, goal), "sentence") : "";
    return text[0] == '\0' ? NULL : text;
}

static const char *percent(const fs_study_page *p, double share) {
    return fs_arena_strdup(p->arena, fs_number_share(share));
}

/* ---- what each parameter alone does to the best ---- */

static void put_tornado(fs_study_page *p, size_t goal) {
    enum { MOST = 12 };
    const json_t *alone = json_object_get(goal_at(p->s, goal), "alone"), *one;
    const fs_study_goal *g = &p->s->goal[goal];
    const double own = g->value[g->order[0]];
    fs_lever *lever = FS_NEW(p->arena, fs_lever, json_array_size(alone) + 1);
    size_t count = 0, i;
    json_array_foreach(alone, i, one) {
        const char *key = fs_json_text(one, "key");
        const json_t *ends = fs_study_judged(p->s->robust, "parameters", "key", key);
        lever[count] = (fs_lever){key,
                                  {fs_json_text(ends, "low"), fs_json_text(ends, "high")},
                                  {fs_json_real(one, "low") / own - 1, fs_json_real(one, "high") / own - 1}};
        count += own > 0 && fs_lever_reach(&lever[count]) >= 0.001;
    }
    if (count == 0)
        return;
    fs_chart *chart = fs_sheet_chart(p->sheet, fs_arena_printf(p->arena, "tornado-%zu", goal),
                                     fs_arena_printf(p->arena, "What %s of the best depends on", g->label),
                                     fs_arena_printf(p->arena,
                                                     "Its change when one uncertain parameter takes an end "
                                                     "of its range, the widest first, of %zu that "
                                                     "change 0.1 %% or more.",
                                                     count));
    fs_sheet_levers(p->sheet, chart, g->label, lever, count, MOST);
}

/* ---- the table of a goal ---- */

static void put_point(fs_study_page *p, fs_rows *t, size_t goal, size_t point, const json_t *j, double from,
                      double to) {
    const fs_study_goal *g = &p->s->goal[goal];
    const double low = fs_json_real(j, "low"), high = fs_json_real(j, "high"), best = fs_json_real(j, "best");
    const double draws = fs_json_real(j, "draws"), all = to > from ? to - from : 1;
    const double own = (g->value[point] - from) / all;
    fs_rows_add(t);
    fs_study_put_key(p, t, point);
    fs_cell(t, fs_study_settings(p->s, point));
    fs_cell_add(t, (fs_cell_more){.look = "wrap"});
    fs_cell_number(t, fs_study_value(p->s, goal, point), g->value[point]);
    if (isnan(low) || isnan(high)) {
        fs_cell(t, "infeasible at every draw");
        fs_cell_add(t, (fs_cell_more){.look = "note", .span = 2});
    } else {
        fs_cell_number(t,
                       fs_arena_printf(p->arena, "%s \xe2\x80\xa6 %s", fs_study_number(p->s, low, g->unit),
                                       fs_study_number(p->s, high, g->unit)),
                       low);
        fs_cell_strip(t, (low - from) / all, (high - from) / all, own, own, own);
    }
    fs_cell_number(t, fs_number_grouped(draws), draws);
    fs_cell_bar(t, percent(p, best / draws), draws > 0 ? best / draws : (double)NAN, 1, "good");
    fs_cell_number(t, percent(p, fs_json_real(j, "regret_mean")), fs_json_real(j, "regret_mean"));
    fs_cell_number(t, percent(p, fs_json_real(j, "regret_most")), fs_json_real(j, "regret_most"));
}

static void put_goal(fs_study_page *p, size_t goal) {
    const fs_study_goal *g = &p->s->goal[goal];
    const json_t *j = goal_at(p->s, goal);
    double from = (double)INFINITY, to = (double)-INFINITY;
    size_t shown = 0;
    for (size_t i = 0; i < g->feasible && i < MOST_ROWS; i++) {
        const json_t *q = point_at(p->s, j, g->order[i]);
        const double low = fs_json_real(q, "low"), high = fs_json_real(q, "high"),
                     own = g->value[g->order[i]];
        from = low < from ? low : from;
        to = high > to ? high : to;
        from = own < from ? own : from;
        to = own > to ? own : to;
    }
    fs_rows *t = fs_sheet_table(
        p->sheet,
        fs_arena_printf(p->arena,
                        "The best %d points for %s, as they are and over the draws; ranges are drawn "
                        "from %s to %s.",
                        MOST_ROWS, g->label, fs_study_number(p->s, from, g->unit),
                        fs_study_number(p->s, to, g->unit)),
        "point|shows the command that makes its run page", "settings",
        "#as it is|with the parameters as the machine has them",
        "#range|lowest and highest over the joint draws", "|line: the range; tick: as it is",
        "#draws|joint draws that the point was priced at",
        "#best in|share of the draws at which no other point is better",
        "#regret, mean|how far behind the best of each draw, on average", "#regret, most|at the worst draw",
        NULL);
    for (size_t i = 0; i < g->feasible && shown < MOST_ROWS; i++) {
        const json_t *q = point_at(p->s, j, g->order[i]);
        if (q == NULL)
            continue;
        put_point(p, t, goal, g->order[i], q, from, to);
        shown++;
    }
    put_tornado(p, goal);
}

/* ---- what was varied ---- */

static void put_turns(fs_study_page *p, fs_rows *t, const json_t *goal, const json_t *parameter) {
    const json_t *turn;
    const char *text = "";
    size_t i;
    json_array_foreach(json_object_get(goal, "turns"), i, turn) {
        const double regret = fs_json_real(turn, "regret");
        if (strcmp(fs_json_text(turn, "key"), fs_json_text(parameter, "key")) == 0)
            text = fs_arena_printf(
                p->arena, "%sat %s another is better%s ", text, fs_json_text(turn, "value"),
                isnan(regret) ? "" : fs_arena_printf(p->arena, ", by %s", percent(p, regret)));
    }
    fs_cell(t, text[0] == '\0' ? "the best stays" : text);
    fs_cell_add(t, (fs_cell_more){.look = "wrap"});
}

static void put_parameters(fs_study_page *p) {
    const json_t *one;
    size_t i;
    fs_rows *t =
        fs_sheet_table(p->sheet, "What is uncertain, and what of it could turn the decision by itself.",
                       "parameter", "low", "high", NULL);
    for (size_t g = 0; g < p->goals; g++)
        fs_rows_head(t, fs_arena_printf(p->arena, "alone, %s", p->s->goal[g].label), false,
                     "whether the parameter alone, at an end, makes another point the best");
    json_array_foreach(json_object_get(p->s->robust, "parameters"), i, one) {
        fs_rows_add(t);
        fs_cell(t, fs_json_text(one, "key"));
        fs_cell(t, fs_json_text(one, "low"));
        fs_cell(t, fs_json_text(one, "high"));
        for (size_t g = 0; g < p->goals; g++)
            put_turns(p, t, goal_at(p->s, g), one);
    }
    json_array_foreach(json_object_get(p->s->robust, "left_out"), i, one)
        fs_sheet_note(p->sheet, "%s stays as it is: %s.", fs_json_text(one, "key"), fs_json_text(one, "why"));
}

/* ---- the section ---- */

static bool is_judged(const fs_study_page *p, size_t goal) {
    return goal_at(p->s, goal) != NULL && p->s->goal[goal].feasible > 0;
}

void fs_study_put_robust(fs_study_page *p) {
    if (!json_is_object(p->s->robust))
        return;
    fs_sheet_section(p->sheet, "robust", "How sure the best stays the best",
                     "the best points over the ranges of what is uncertain");
    fs_sheet_list(p->sheet, true, "findings");
    for (size_t g = 0; g < p->goals; g++)
        if (is_judged(p, g))
            fs_sheet_item(p->sheet, NULL, "%s", fs_json_text(goal_at(p->s, g), "sentence"));
    fs_sheet_end(p->sheet);
    fs_study_by_goal(p, "robust-choice", is_judged, put_goal);
    put_parameters(p);
}
