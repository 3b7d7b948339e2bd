/* Why an axis matters: what each of its values does to the phases, the iterations and the other main figures
 * of the runs, over the points that are compared. */
#include "reports/read/run_folder.h"
#include "reports/study/study_page.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"
#include "sim/config/config.h"

#include <math.h>
#include <string.h>

enum { MOST_FIGURES = 7, MOST_LEVELS = 24, MOST_SENTENCES = 3 };

static bool is_phase(const char *figure) {
    return FS_HAS(fs_time_phases, FS_TIME_PHASES, figure, figure);
}

/* ---- means by value ---- */

/* A figure by the values of an axis, over the compared points. */
typedef struct by_level {
    fs_stat row;
    double *mean; /* [levels] NAN: not of all compared points */
    double least, most;
} by_level;

/* False where some compared point has no such number. */
static bool read_figure(const fs_study *s, const bool *compared, size_t axis, const char *name, by_level *f) {
    const fs_study_axis *a = &s->axis[axis];
    size_t *count = FS_NEW(s->arena, size_t, a->levels);
    f->mean = FS_NEW(s->arena, double, a->levels);
    f->least = INFINITY;
    f->most = -INFINITY;
    for (size_t p = 0; p < s->sweep->point_count; p++) {
        if (!compared[p])
            continue;
        const double v = fs_store_number_of(&s->sweep->points[p], name);
        if (!isfinite(v))
            return false;
        f->mean[a->at[p]] += v;
        count[a->at[p]]++;
    }
    for (size_t k = 0; k < a->levels; k++) {
        f->mean[k] = count[k] == 0 ? (double)NAN : f->mean[k] / (double)count[k];
        f->least = f->mean[k] < f->least ? f->mean[k] : f->least;
        f->most = f->mean[k] > f->most ? f->mean[k] : f->most;
    }
    return isfinite(f->least);
}

/* Whether a figure says why, rather than how much: no phase, no part of the time, no price of the run. */
static bool explains(const fs_study *s, const fs_stat *row) {
    return !FS_HAS(s->goal, s->goals, figure, row->name) && row->place > 0 && row->held == NULL &&
           row->type != FS_STAT_TEXT && row->says != FS_SAYS_LABEL && !is_phase(row->name) &&
           strcmp(row->name, "device.cycles") != 0 && strcmp(row->name, "device.seconds") != 0 &&
           !fs_begins(row->name, "parts.") && !fs_begins(row->name, "energy.") &&
           !fs_begins(row->name, "area.");
}

/* Half a per cent, or a percentage point of a share. */
static bool moves(const by_level *f) {
    const double gap = f->most - f->least;
    return f->row.says == FS_SAYS_SHARE ? gap >= 0.01 : gap > 0.005 * fmax(fabs(f->most), fabs(f->least));
}

typedef struct why {
    size_t goal, axis;
    const bool *compared;
    bool has_phases;
    by_level phase[FS_TIME_PHASES];
    double *clock;                 /* [levels] cycles a second; NULL: not known, or the same at all */
    by_level figure[MOST_FIGURES]; /* that move, in the order of the main table */
    size_t figures;
} why;

static void add_figure(const fs_study *s, why *w, const fs_stat *row) {
    by_level f = {.row = *row};
    if (!explains(s, row) || !read_figure(s, w->compared, w->axis, row->name, &f) || !moves(&f))
        return;
    size_t at = w->figures;
    for (; at > 0 && w->figure[at - 1].row.place > row->place; at--)
        if (at < MOST_FIGURES)
            w->figure[at] = w->figure[at - 1];
    if (at < MOST_FIGURES)
        w->figure[at] = f;
    w->figures += w->figures < MOST_FIGURES;
}

/* Cycles over seconds by level, where the levels differ in it. */
static double *clocks_of(const fs_study *s, const bool *compared, size_t axis) {
    by_level cycles, seconds;
    double *clock = FS_NEW(s->arena, double, s->axis[axis].levels), least = INFINITY, most = 0;
    if (!read_figure(s, compared, axis, "device.cycles", &cycles) ||
        !read_figure(s, compared, axis, "device.seconds", &seconds))
        return NULL;
    for (size_t k = 0; k < s->axis[axis].levels; k++) {
        clock[k] = cycles.mean[k] / seconds.mean[k];
        least = clock[k] < least ? clock[k] : least;
        most = clock[k] > most ? clock[k] : most;
    }
    return most > least * (1 + 1e-6) ? clock : NULL;
}

/* Of the first point's figures each that has a row and moves. */
static why why_of(const fs_study *s, size_t goal, size_t axis) {
    why w = {.goal = goal, .axis = axis, .compared = s->goal[goal].effect[axis].compared, .has_phases = true};
    const fs_store_point *any = NULL;
    for (size_t p = 0; p < s->sweep->point_count && any == NULL; p++)
        any = w.compared[p] ? &s->sweep->points[p] : NULL;
    for (size_t i = 0; i < FS_TIME_PHASES; i++)
        w.has_phases &= read_figure(s, w.compared, axis, fs_time_phases[i].figure, &w.phase[i]);
    w.clock = clocks_of(s, w.compared, axis);
    for (size_t i = 0; any != NULL && i < any->figure_count; i++) {
        fs_stat row;
        if (fs_stats_find_in(s->figures, any->figures[i].name, &row))
            add_figure(s, &w, &row);
    }
    return w;
}

/* ---- words ---- */

static const char *cycles_text(const fs_study *s, double cycles) {
    cycles = fabs(cycles);
    if (cycles < 1e6)
        return fs_number_grouped(floor(cycles + 0.5));
    return fs_arena_printf(s->arena, "%s million", fs_number_short(cycles / 1e6, cycles < 1e8 ? 3 : 4));
}

/* What changed first, and what it does to the phases: "its clock is 60 % slower, 0.8 GHz instead of 2 GHz, so
 * compute takes 31 ms more", "exchange takes 2.1 million cycles more, while compute takes 0.2 million less". Where
 * nothing takes more the goal's figure does. */
static const char *phase_words(const fs_study *s, const why *w, size_t good, size_t bad) {
    const double new = w->clock == NULL ? 1 : w->clock[bad], old = w->clock == NULL ? 1 : w->clock[good];
    const bool timed = fabs(new / old - 1) > 1e-6;
    const fs_study_goal *g = &s->goal[w->goal];
    double gap[FS_TIME_PHASES], sum = 0;
    for (size_t i = 0; i < FS_TIME_PHASES; i++) {
        gap[i] = timed ? w->phase[i].mean[bad] / new - w->phase[i].mean[good] / old
                       : w->phase[i].mean[bad] - w->phase[i].mean[good];
        sum += fabs(gap[i]);
    }
    const char *more = "", *less = "";
    for (size_t i = 0; i < FS_TIME_PHASES; i++) {
        if ((!timed && fabs(gap[i]) < 0.5) || fabs(gap[i]) < 0.05 * sum)
            continue;
        const char **text = gap[i] > 0 ? &more : &less;
        *text = fs_arena_append(s->arena, *text, ", ", "%s %s %s%s %s", fs_time_phases[i].words,
                                fs_time_takes(fs_time_phases[i].words),
                                timed ? fs_study_number(s, fabs(gap[i]), "s") : cycles_text(s, gap[i]),
                                timed ? "" : " cycles", gap[i] > 0 ? "more" : "less");
    }
    const char *cause =
        timed ? fs_arena_printf(s->arena, "its clock is %s %s, %s instead of %s",
                                fs_number_percent(fabs(new / old - 1)), new > old ? "faster" : "slower",
                                fs_study_number(s, new, "Hz"), fs_study_number(s, old, "Hz"))
              : "";
    if (more[0] == '\0' && cause[0] == '\0')
        cause = fs_arena_printf(s->arena, "%s is %s instead of %s", g->label,
                                fs_study_number(s, g->effect[w->axis].mean[bad].mean, g->unit),
                                fs_study_number(s, g->effect[w->axis].mean[good].mean, g->unit));
    else if (cause[0] == '\0')
        cause = more;
    else if (more[0] != '\0')
        cause = fs_arena_printf(s->arena, "%s, so %s", cause, more);
    return less[0] == '\0' ? cause : fs_arena_printf(s->arena, "%s, while %s", cause, less);
}

/* A unit that value_text leaves out. */
static bool has_unit(const by_level *f) {
    return f->row.says != FS_SAYS_SHARE && f->row.unit != NULL && strcmp(f->row.unit, "B") != 0 &&
           strcmp(f->row.unit, "s") != 0 && strcmp(f->row.unit, "J") != 0;
}

static const char *value_text(const fs_study *s, const by_level *f, size_t level) {
    const double v = f->mean[level];
    if (f->row.says == FS_SAYS_SHARE)
        return fs_arena_printf(s->arena, "%.0f\xc2\xa0%%", 100 * v);
    if (has_unit(f))
        return fabs(v) >= 1e6 ? cycles_text(s, v)
                              : fs_study_number(s, fabs(v) >= 100 ? floor(v + 0.5) : v, "");
    return fs_study_number(s, v, f->row.unit == NULL ? "" : f->row.unit);
}

/* How much of a figure's size its change is, so that the largest change comes first. */
static double weight(const by_level *f, size_t good, size_t bad) {
    const double gap = fabs(f->mean[bad] - f->mean[good]);
    return f->row.says == FS_SAYS_SHARE ? gap : gap / fmax(fabs(f->mean[bad]), fabs(f->mean[good]));
}

static const char *capital(const fs_study *s, const char *text) {
    char *out = fs_arena_strdup(s->arena, text);
    if (out[0] >= 'a' && out[0] <= 'z')
        out[0] = (char)(out[0] - 'a' + 'A');
    return out;
}

static const char *figure_words(const fs_study *s, const why *w, size_t good, size_t bad) {
    const char *text = "";
    bool said[MOST_FIGURES] = {false};
    for (size_t n = 0; n < MOST_SENTENCES; n++) {
        size_t best = MOST_FIGURES;
        for (size_t i = 0; i < w->figures; i++) {
            const by_level *f = &w->figure[i];
            if (said[i] || isnan(f->mean[good]) || isnan(f->mean[bad]) || weight(f, good, bad) < 0.02)
                continue;
            if (best == MOST_FIGURES || weight(f, good, bad) > weight(&w->figure[best], good, bad))
                best = i;
        }
        if (best == MOST_FIGURES)
            break;
        const by_level *f = &w->figure[best];
        const char *new = value_text(s, f, bad), *old = value_text(s, f, good);
        said[best] = true;
        text = f->row.changed != NULL
                   ? fs_arena_printf(
                         s->arena, "%s %s", text,
                         fs_study_fill(s, fs_study_fill(s, f->row.changed, "{new}", new), "{old}", old))
                   : fs_arena_printf(s->arena, "%s %s: %s instead of %s%s%s.", text,
                                     capital(s, f->row.label == NULL ? f->row.name : f->row.label), new, old,
                                     has_unit(f) ? " " : "", has_unit(f) ? f->row.unit : "");
    }
    return text;
}

/* ---- an axis that changes nothing ---- */

static bool same_figure(const fs_store_figure *a, const fs_store_point *of) {
    const fs_store_figure *b = fs_store_figure_of(of, a->name);
    if (b == NULL)
        return false;
    if (a->text != NULL || b->text != NULL)
        return a->text != NULL && b->text != NULL && strcmp(a->text, b->text) == 0;
    return (isnan(a->number) && isnan(b->number)) || (a->number <= b->number && a->number >= b->number);
}

/* Most figures that two points differ in which agree in all but the axis; *pairs: how many were held
 * together. */
static size_t changed_by(const fs_study *s, size_t axis, size_t *pairs) {
    size_t *item = FS_NEW(s->arena, size_t, s->sweep->point_count + 1), count = 0, changed = 0;
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (fs_study_done(&s->sweep->points[p]) && s->axis[axis].at[p] != FS_STUDY_NONE)
            item[count++] = p;
    fs_study_group(s, axis, item, count);
    *pairs = 0;
    for (size_t i = 1; i < count; i++) {
        const fs_store_point *x = &s->sweep->points[item[i - 1]], *y = &s->sweep->points[item[i]];
        size_t differ = 0;
        if (fs_study_compare_but(s, axis, item[i - 1], item[i]) != 0)
            continue;
        ++*pairs;
        for (size_t k = 0; k < x->figure_count; k++)
            differ += !same_figure(&x->figures[k], y);
        changed = differ > changed ? differ : changed;
    }
    return changed;
}

static const char *value_at(void *self, const char *name) {
    const fs_store_parameter *set = fs_store_parameter_of(self, name);
    return set == NULL ? NULL : set->value;
}

const char *fs_study_fixed(const fs_study *s, size_t axis, bool idle) {
    const char *words = NULL;
    size_t fixed = 0, all = 0;
    for (size_t p = 0; p < s->sweep->point_count; p++) {
        fs_store_point point = s->sweep->points[p];
        const fs_param_values values = {.of = value_at, .self = &point};
        if (!fs_study_done(&point) || s->axis[axis].at[p] == FS_STUDY_NONE)
            continue;
        const char *one = fs_param_fixed(s->registry->sections, s->registry->section_count,
                                         s->axis[axis].name, &values, idle, s->arena);
        all++;
        fixed += one != NULL;
        words = words == NULL ? one : words;
    }
    if (words == NULL || fixed == all)
        return words;
    return fs_arena_printf(s->arena, "at %zu of %zu points %s", fixed, all, words);
}

/* ---- the sentence ---- */

const char *fs_study_why(const fs_study *s, size_t goal, size_t axis) {
    const fs_study_axis *a = &s->axis[axis];
    const fs_study_effect *e = &s->goal[goal].effect[axis];
    size_t pairs = 0;
    const bool same = changed_by(s, axis, &pairs) == 0 && pairs > 0,
               idle = same || e->good == FS_STUDY_NONE || e->good == e->bad;
    const char *fixed = fs_study_fixed(s, axis, idle), *never = fs_study_never(s, axis);
    if (idle && !same && (never != NULL || e->good == FS_STUDY_NONE))
        return fs_arena_printf(s->arena, "%s: %s.", a->label,
                               never == NULL ? "no feasible point has this axis" : never);
    never = never == NULL ? "" : fs_arena_printf(s->arena, "%s. ", never);
    if (same)
        return fs_arena_printf(s->arena,
                               "%s changes nothing: with all else equal, every figure is the same%s%s.",
                               a->label, fixed == NULL ? "" : "; ", fixed == NULL ? "" : fixed);
    if (idle)
        return fs_arena_printf(s->arena, "%s changes nothing of %s%s%s.", a->label, s->goal[goal].figure,
                               fixed == NULL ? "" : ": ", fixed == NULL ? "" : fixed);
    const char *behind = fixed == NULL ? "" : fs_arena_printf(s->arena, " But %s.", fixed);
    const why w = why_of(s, goal, axis);
    return fs_arena_printf(
        s->arena, "%s%s = %s against %s: %s.%s%s", never, a->label, a->level[e->bad].value,
        a->level[e->good].value,
        w.has_phases ? phase_words(s, &w, e->good, e->bad)
                     : fs_arena_printf(s->arena, "%s is %s instead of %s", s->goal[goal].label,
                                       fs_study_number(s, e->mean[e->bad].mean, s->goal[goal].unit),
                                       fs_study_number(s, e->mean[e->good].mean, s->goal[goal].unit)),
        figure_words(s, &w, e->good, e->bad), behind);
}

/* ---- the section ---- */

/* The phases of a value as one bar, on one scale for all values. */
static void put_phases(fs_study_page *p, fs_rows *t, const why *w, size_t level, double full) {
    double share[FS_TIME_PHASES];
    const char *name[FS_TIME_PHASES], *colour[FS_TIME_PHASES];
    for (size_t i = 0; i < FS_TIME_PHASES; i++) {
        share[i] = full > 0 ? w->phase[i].mean[level] / full : 0;
        name[i] = fs_arena_printf(p->arena, "%s: %s cycles", fs_time_phases[i].words,
                                  cycles_text(p->s, w->phase[i].mean[level]));
        colour[i] = fs_time_phases[i].name;
    }
    fs_cell_stack(t, share, name, colour, FS_TIME_PHASES);
}

static void put_row(fs_rows *t, const char *label, const char *hint) {
    fs_rows_add(t);
    fs_cell_head(t, "%s", label);
    fs_cell_add(t, (fs_cell_more){.hint = hint});
}

/* A column for each value of the axis, a row for each figure: values are few, and figures many. */
static void put_levels(fs_study_page *p, const why *w) {
    const fs_study *s = p->s;
    const fs_study_axis *axis = &s->axis[w->axis];
    const fs_study_goal *g = &s->goal[w->goal];
    const fs_study_mean *mean = g->effect[w->axis].mean;
    fs_rows *t = fs_sheet_table(p->sheet, NULL, NULL);
    size_t level[MOST_LEVELS], n = 0;
    double full = 0;
    fs_rows_head(t, axis->label, false, axis->name);
    for (size_t k = 0; k < axis->levels && n < MOST_LEVELS; k++) {
        double sum = 0;
        if (mean[k].count == 0)
            continue;
        for (size_t i = 0; w->has_phases && i < FS_TIME_PHASES; i++)
            sum += w->phase[i].mean[k];
        full = sum > full ? sum : full;
        level[n++] = k;
        fs_rows_head(t, axis->level[k].value, true, NULL);
    }
    put_row(t, "points", "that are compared: feasible, with a partner at each other value");
    for (size_t k = 0; k < n; k++)
        fs_cell_number(t, fs_number_grouped((double)mean[level[k]].count), (double)mean[level[k]].count);
    put_row(t, g->label, "mean over these points");
    for (size_t k = 0; k < n; k++)
        fs_cell_number(t, fs_study_number(s, mean[level[k]].mean, g->unit), mean[level[k]].mean);
    if (w->has_phases)
        put_row(t, "phases", "mean cycles, on one scale for all values");
    for (size_t k = 0; w->has_phases && k < n; k++)
        put_phases(p, t, w, level[k], full);
    fs_rows_foot(t); /* so that a click on a head does not sort figures of different units */
    for (size_t i = 0; w->has_phases && i < FS_TIME_PHASES; i++) {
        put_row(t, fs_arena_printf(p->arena, "%s, cycles", fs_time_phases[i].words),
                fs_time_phases[i].figure);
        for (size_t k = 0; k < n; k++)
            fs_cell_number(t, cycles_text(s, w->phase[i].mean[level[k]]), w->phase[i].mean[level[k]]);
    }
    for (size_t i = 0; i < w->figures; i++) {
        const fs_stat *row = &w->figure[i].row;
        put_row(t, row->label == NULL ? row->name : row->label, row->doc);
        for (size_t k = 0; k < n; k++)
            fs_cell_number(t, value_text(s, &w->figure[i], level[k]), w->figure[i].mean[level[k]]);
    }
    if (axis->levels > MOST_LEVELS)
        fs_sheet_note(p->sheet, "The first %d of %zu values.", (int)MOST_LEVELS, axis->levels);
}

/* The goal that phases speak of: the first time, else the first. */
static size_t goal_of(const fs_study_page *p) {
    for (size_t g = 0; g < p->goals; g++)
        if (strcmp(p->s->goal[g].unit, "s") == 0 && p->s->goal[g].feasible > 1)
            return g;
    return 0;
}

void fs_study_put_why(fs_study_page *p) {
    const fs_study *s = p->s;
    const size_t goal = p->goals == 0 ? 0 : goal_of(p);
    if (p->goals == 0 || s->choices == 0 || s->goal[goal].feasible < 2)
        return;
    fs_sheet_section(p->sheet, "why", "Why an axis matters",
                     "phases, iterations and pace by the value of each axis");
    fs_sheet_say(
        p->sheet,
        "What each value does to the runs behind it: averages over matched points, which are feasible and "
        "equal in all else. The text compares the worst value with the best.");
    for (size_t i = 0; i < s->choices && i < FS_STUDY_AXES; i++) {
        const size_t axis = s->goal[goal].rank[i];
        const why w = why_of(s, goal, axis);
        fs_sheet_say_as(p->sheet, "why", "%s", fs_study_why(s, goal, axis));
        if (s->goal[goal].effect[axis].good != FS_STUDY_NONE)
            put_levels(p, &w);
    }
    if (s->choices > FS_STUDY_AXES)
        fs_sheet_note(p->sheet, "The %d axes that explain most; the others are in the table of points.",
                      (int)FS_STUDY_AXES);
}
