/* The tables of a sweep's page: main effects, the front, all points, what failed. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

/* ---- main effects ---- */

static void put_level(fs_study_page *p, fs_rows *t, size_t goal, size_t a, size_t k, double low, double high,
                      double full) {
    const fs_study_goal *g = &p->s->goal[goal];
    const fs_study_effect *e = &g->effect[a];
    const fs_study_mean *m = &e->mean[k];
    fs_rows_add(t);
    fs_cell(t, p->s->axis[a].level[k].value);
    fs_cell_number(t, fs_number_grouped((double)m->count), (double)m->count);
    if (m->count == 0) {
        fs_cell(t, m->best == FS_STUDY_NONE ? "no feasible point" : "no feasible point with a partner");
        fs_cell_add(t, (fs_cell_more){.look = "note", .span = 5});
        return;
    }
    const double good = e->mean[e->good].mean, more = good > 0 ? m->mean / good - 1 : (double)NAN;
    const double all = high > low ? high - low : 1;
    fs_cell_number(t, fs_study_number(p->s, m->mean, g->unit), m->mean);
    fs_cell_bar(t, k == e->good ? "best" : fs_number_change(more), 100 * fabs(more), full,
                k == e->good ? "good" : "plain");
    fs_cell_strip(t, (m->least - low) / all, (m->most - low) / all,
                  (fmax(m->mean - m->deviation, m->least) - low) / all,
                  (fmin(m->mean + m->deviation, m->most) - low) / all, (m->mean - low) / all);
    fs_cell_number(t, fs_study_number(p->s, m->deviation, g->unit), m->deviation);
    fs_cell_number(t, fs_study_value(p->s, goal, m->best), g->value[m->best]);
}

static void put_goal_effects(fs_study_page *p, size_t goal) {
    const fs_study *s = p->s;
    const fs_study_goal *g = &s->goal[goal];
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->sweep->point_count; i++)
        if (!isnan(g->value[i]) && s->sweep->points[i].feasible) {
            low = g->value[i] < low ? g->value[i] : low;
            high = g->value[i] > high ? g->value[i] : high;
        }
    fs_rows *t = fs_sheet_table(
        p->sheet,
        fs_arena_printf(p->arena,
                        "%s, %s is better: the axis that changes most first, feasible points alone. Spreads "
                        "are drawn from %s to %s.",
                        g->label, g->larger ? "larger" : "smaller", fs_study_number(s, low, g->unit),
                        fs_study_number(s, high, g->unit)),
        "value", "#points|that are compared: feasible, with a partner at each other value",
        "#mean|over these points", "#against the best mean",
        "spread|line: least to most; bar: one standard deviation each way; tick: the mean",
        "#deviation|standard deviation", g->larger ? "#highest feasible" : "#lowest feasible", NULL);
    double full = 0; /* of the bars: the worst mean of any axis, in per cent of its best */
    for (size_t i = 0; i < s->choices; i++) {
        const fs_study_effect *e = &g->effect[g->rank[i]];
        double most = e->good == FS_STUDY_NONE || !(e->mean[e->good].mean > 0)
                          ? 0
                          : 100 * fabs(e->mean[e->bad].mean / e->mean[e->good].mean - 1);
        full = most > full ? most : full;
    }
    for (size_t i = 0; i < s->choices; i++) {
        size_t a = g->rank[i];
        const fs_study_effect *e = &g->effect[a];
        const char *alone = fs_study_alone(s, e), *explains = fs_study_explains(s, goal, a);
        fs_rows_group(t, "%s: %s%s%s%s", s->axis[a].label,
                      alone == NULL ? "no point has a partner" : "alone it changes the figure by ",
                      alone == NULL ? "" : alone, explains == NULL ? "" : "; ",
                      explains == NULL ? "" : explains);
        for (size_t k = 0; k < s->axis[a].levels; k++)
            put_level(p, t, goal, a, k, low, high, full);
    }
}

static bool has_effects(const fs_study_page *p, size_t goal) {
    return p->s->goal[goal].feasible > 1;
}

void fs_study_put_effects(fs_study_page *p) {
    bool any = false;
    for (size_t g = 0; g < p->goals; g++)
        any |= has_effects(p, g);
    if (!any || p->s->choices == 0)
        return;
    fs_sheet_section(p->sheet, "effects", "Main effects",
                     "the mean of each value of each axis, and its spread");
    fs_study_by_goal(p, "effects-choice", has_effects, put_goal_effects);
}

/* ---- columns that several tables share ---- */

static void put_heads(const fs_study *s, fs_rows *t) {
    for (size_t a = 0; a < s->axes; a++)
        fs_rows_head(t, s->axis[a].label, s->axis[a].numeric, s->axis[a].name);
}

static void put_settings(fs_study_page *p, fs_rows *t, size_t point) {
    for (size_t a = 0; a < p->s->axes; a++) {
        const fs_study_axis *axis = &p->s->axis[a];
        if (axis->at[point] == FS_STUDY_NONE)
            fs_cell(t, "");
        else if (axis->numeric)
            fs_cell_number(t, axis->level[axis->at[point]].value, axis->level[axis->at[point]].number);
        else
            fs_cell(t, axis->level[axis->at[point]].value);
    }
}

/* " (2 … 3)" in the unit of the value; "" where no range is known. */
static const char *range_words(fs_study_page *p, size_t goal, size_t point) {
    double ends[2];
    return fs_study_ends(p, goal, point, ends)
               ? fs_arena_printf(p->arena, " (%s\xc2\xa0\xe2\x80\xa6\xc2\xa0%s)",
                                 fs_number_short(ends[0] * p->scale[goal].factor, 3),
                                 fs_number_short(ends[1] * p->scale[goal].factor, 3))
               : "";
}

/* ", -47 %": where there is a baseline, every figure says how far it is from it. */
static const char *to_baseline(fs_study_page *p, size_t goal, size_t point) {
    const char *distance = fs_study_to_baseline(p->s, goal, point);
    return distance[0] == '\0' ? "" : fs_arena_printf(p->arena, ", %s", distance);
}

static void put_figure(fs_study_page *p, fs_rows *t, size_t goal, size_t point) {
    double v = p->s->goal[goal].value[point];
    const char *endless = fs_study_endless(&p->s->sweep->points[point], p->s->goal[goal].figure);
    if (endless != NULL)
        fs_cell_number(t, endless, 1e300);
    else
        fs_cell_number(t,
                       fs_arena_printf(p->arena, "%s\xc2\xa0%s%s%s",
                                       fs_number_short(v * p->scale[goal].factor, 4), p->scale[goal].unit,
                                       range_words(p, goal, point), to_baseline(p, goal, point)),
                       v);
}

/* ---- a front ---- */

void fs_study_put_front(fs_study_page *p, size_t a, size_t b) {
    const fs_study *s = p->s;
    size_t count = 0, *front = fs_study_front(s, a, b, &count);
    fs_rows *t = fs_sheet_table(
        p->sheet,
        fs_arena_printf(p->arena,
                        "The front: no feasible point is better in one of the two without being "
                        "worse in the other. From the best in %s to the best in %s.",
                        s->goal[a].label, s->goal[b].label),
        NULL);
    put_heads(s, t);
    fs_rows_head(t, s->goal[a].label, true, NULL);
    fs_rows_head(t, s->goal[b].label, true, NULL);
    fs_rows_head(t, "point", false, NULL);
    for (size_t i = 0; i < count; i++) {
        fs_rows_add(t);
        put_settings(p, t, front[i]);
        put_figure(p, t, a, front[i]);
        put_figure(p, t, b, front[i]);
        fs_study_put_key(p, t, front[i]);
    }
}

/* ---- all points ---- */

enum { MOST_VARYING = 8, MOST_ROWS = 2000 };

/* Best first in the first objective, then the infeasible, then those without a figure, each in their order. */
static size_t *table_order(const fs_study_page *p) {
    size_t points = p->s->sweep->point_count, count = 0, *order = FS_NEW(p->arena, size_t, points + 1);
    bool *taken = FS_NEW(p->arena, bool, points + 1);
    for (size_t i = 0; p->goals > 0 && i < p->s->goal[0].feasible; i++) {
        order[count++] = p->s->goal[0].order[i];
        taken[p->s->goal[0].order[i]] = true;
    }
    for (int done = 1; done >= 0; done--)
        for (size_t i = 0; i < points; i++)
            if (!taken[i] && fs_study_done(&p->s->sweep->points[i]) == (done == 1)) {
                order[count++] = i;
                taken[i] = true;
            }
    return order;
}

static const char *state_of(const fs_study_page *p, size_t point) {
    const fs_store_point *q = &p->s->sweep->points[point];
    return !fs_study_done(q) ? q->status : q->feasible ? "done" : "infeasible";
}

/* What is wrong with a point, for the tooltip of its state. */
static const char *why(const fs_study_page *p, size_t point) {
    const fs_store_point *q = &p->s->sweep->points[point];
    const char *text = fs_study_done(q) ? "" : q->error;
    for (size_t c = 0; fs_study_done(q) && c < p->s->sweep->constraint_count; c++)
        if (!fs_store_keeps(q, &p->s->sweep->constraints[c]))
            text = fs_arena_append(p->arena, text, ", ", "not %s",
                                   fs_study_constraint(p->s, &p->s->sweep->constraints[c]));
    return text;
}

/* Constraints with a column of their own: neither of an objective, nor on the share of a limit, which stands beside what it
 * holds, nor that the answer is right, where it is right everywhere. */
static bool is_alone(const fs_study_page *p, size_t constraint) {
    fs_stat row;
    const char *figure = p->s->sweep->constraints[constraint].figure;
    if (FS_HAS(p->s->goal, p->goals, figure, figure))
        return false;
    return !fs_stats_find_in(p->s->figures, figure, &row) || row.wrong == NULL ||
           (row.held == NULL && p->s->broken[constraint] > 0);
}

/* "784.5 mm2 (91 %)": what a limit holds, and its share of it. */
static void put_held(fs_study_page *p, fs_rows *t, const fs_stat *limit, size_t point) {
    const char *of = "", *value = fs_study_held(p->s, limit, point, &of);
    const double share = fs_store_number_of(&p->s->sweep->points[point], limit->name);
    fs_cell_number(
        t,
        share > 0 && value != NULL ? fs_arena_printf(p->arena, "%s (%s)", value, fs_study_share(p->s, share))
                                   : value,
        value == NULL ? (double)NAN : fs_store_number_of(&p->s->sweep->points[point], limit->held));
}

static void put_constraint(fs_study_page *p, fs_rows *t, const char *figure, size_t point) {
    const fs_store_point *q = &p->s->sweep->points[point];
    const fs_store_figure *f = fs_store_figure_of(q, figure);
    const char *endless = fs_study_endless(q, figure);
    if (endless != NULL)
        fs_cell_number(t, endless, 1e300);
    else if (f == NULL)
        fs_cell_number(t, "", (double)NAN);
    else if (f->text == NULL && fs_study_flag(p->s, figure))
        fs_cell_number(t, f->number > 0 ? "yes" : "no", f->number);
    else if (f->text != NULL)
        fs_cell(t, f->text);
    else
        fs_cell_number(t, fs_study_number(p->s, f->number, f->unit), f->number);
}

/* What the script says of points: their commands, with a key in the place of KEY, settings and places on the
 * axes. */
static void put_commands(fs_study_page *p) {
    const fs_study *s = p->s;
    const char *store = fs_study_quote(p->arena, p->store);
    json_t *keys = json_array(), *settings = json_array(), *axes = json_array(), *at = json_array();
    for (size_t i = 0; i < s->sweep->point_count; i++) {
        json_t *places = json_array();
        for (size_t a = 0; a < s->axes; a++)
            json_array_append_new(places, s->axis[a].at[i] == FS_STUDY_NONE
                                              ? json_null()
                                              : json_integer((json_int_t)s->axis[a].at[i]));
        json_array_append_new(at, places);
        json_array_append_new(keys, json_string(fs_study_short_key(p, i)));
        json_array_append_new(settings, json_string(fs_study_settings(s, i)));
    }
    for (size_t a = 0; a < s->axes; a++) {
        json_t *values = json_array();
        for (size_t k = 0; k < s->axis[a].levels; k++)
            json_array_append_new(values, json_string(s->axis[a].level[k].value));
        json_array_append_new(axes, json_pack("{s:s, s:o}", "label", s->axis[a].label, "values", values));
    }
    fs_sheet_json(p->sheet, "point-commands",
                  json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "command",
                            fs_arena_printf(p->arena, "foamsim report %s --point KEY -o KEY.html", store),
                            "diff", fs_arena_printf(p->arena, "foamsim query %s diff KEY1 KEY2", store),
                            "keys", keys, "settings", settings, "axes", axes, "at", at));
}

void fs_study_put_points(fs_study_page *p) {
    const fs_study *s = p->s;
    size_t vary = 0, limits = 0;
    const fs_stat *limit = fs_study_limits(s, &limits);
    const char **varying = fs_study_varying(s, &vary);
    const size_t shown =
        vary > MOST_VARYING ? 0 : vary; /* an axis of kinds brings the whole table of each kind */
    fs_sheet_section(p->sheet, "points", "All points", "every point: sort, filter, tick to compare");
    fs_sheet_say(
        p->sheet,
        "Best first. Heads sort, the fields above the table filter; a point's key shows the command that "
        "runs it "
        "again and makes the page of its run (<code>foamsim report %s --point KEY -o page.html</code>).",
        fs_study_quote(p->arena, p->store));
    fs_rows *t = fs_sheet_table(p->sheet, NULL, NULL);
    put_heads(s, t);
    for (size_t i = 0; i < shown; i++)
        fs_rows_head(t, varying[i], false, NULL);
    for (size_t i = 0; i < p->goals; i++)
        fs_rows_head(t, s->goal[i].label, true,
                     fs_arena_printf(p->arena, "%s; %s is better", s->goal[i].label,
                                     s->goal[i].larger ? "larger" : "smaller"));
    size_t columns = s->axes + shown + p->goals + limits;
    for (size_t c = 0; c < s->sweep->constraint_count; c++)
        if (is_alone(p, c)) {
            fs_rows_head(t, s->sweep->constraints[c].figure, true, "a constraint");
            columns++;
        }
    for (size_t k = 0; k < limits; k++)
        fs_rows_head(t, limit[k].held, true, "in brackets its share of the limit");
    fs_rows_head(t, "state", false, NULL);
    fs_rows_head(t, "layer", false, "what the result was made from: run, replay or price");
    fs_rows_head(t, "point", false, "shows the command that makes its run page");
    fs_rows_filter(t, "all-points", "points", s->axes, columns);
    const size_t *order = table_order(p);
    for (size_t i = 0; i < s->sweep->point_count && i < MOST_ROWS; i++) {
        size_t at = order[i];
        const fs_store_point *q = &s->sweep->points[at];
        fs_rows_add(t);
        put_settings(p, t, at);
        for (size_t k = 0; k < shown; k++) {
            const fs_store_parameter *set = fs_store_parameter_of(q, varying[k]);
            fs_cell(t, set == NULL ? "" : set->value);
        }
        for (size_t k = 0; k < p->goals; k++)
            put_figure(p, t, k, at);
        for (size_t c = 0; c < s->sweep->constraint_count; c++)
            if (is_alone(p, c))
                put_constraint(p, t, s->sweep->constraints[c].figure, at);
        for (size_t k = 0; k < limits; k++)
            put_held(p, t, &limit[k], at);
        fs_cell_say(t, "<span class=\"state %s\">%s</span>", state_of(p, at), state_of(p, at));
        fs_cell_add(t, (fs_cell_more){.hint = why(p, at)});
        fs_cell(t, q->layer);
        fs_study_put_key(p, t, at);
    }
    if (s->sweep->point_count > MOST_ROWS)
        fs_sheet_note(p->sheet, "The first %d of %zu points; foamsim query %s table lists all.", MOST_ROWS,
                      s->sweep->point_count, fs_study_quote(p->arena, p->store));
    put_commands(p);
}

/* ---- failed points ---- */

void fs_study_put_failed(fs_study_page *p) {
    size_t kinds = 0;
    const fs_study_failure *f = fs_study_failures(p->s, &kinds);
    if (kinds == 0)
        return;
    fs_sheet_section(p->sheet, "failed", "Failed points", "points that ended with an error, by error");
    for (size_t k = 0; k < kinds; k++) {
        fs_sheet_fold(p->sheet, k == 0 && f[k].count <= 10, "%zu %s: %s", f[k].count,
                      f[k].count == 1 ? "point" : "points",
                      fs_arena_printf(p->arena, "%.*s", (int)strcspn(f[k].error, "\n"), f[k].error));
        fs_rows *t = fs_sheet_table(p->sheet, NULL, "point", "settings", "error", NULL);
        for (size_t i = 0; i < f[k].count; i++) {
            const fs_store_point *q = &p->s->sweep->points[f[k].point[i]];
            fs_rows_add(t);
            fs_study_put_key(p, t, f[k].point[i]);
            fs_cell(t, q->label);
            fs_cell_add(t, (fs_cell_more){.look = "wrap"});
            fs_cell(t, q->error);
            fs_cell_add(t, (fs_cell_more){.look = "wrap error"});
        }
        fs_sheet_end(p->sheet);
    }
}
