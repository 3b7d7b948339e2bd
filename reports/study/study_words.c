/* The summary of a sweep in words. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <string.h>

/* ---- values ---- */

/* On one line: the words, whose blank at `blank` does not break. */
static const char *bound(const fs_study *s, const char *words, const char *blank) {
    return blank == NULL
               ? fs_arena_strdup(s->arena, words)
               : fs_arena_printf(s->arena, "%.*s\xc2\xa0%s", (int)(blank - words), words, blank + 1);
}

const char *fs_study_number(const fs_study *s, double value, const char *unit) {
    const char *words = fs_number_with(value, unit);
    return bound(s, words, strchr(words, ' '));
}

const char *fs_study_value(const fs_study *s, size_t goal, size_t point) {
    return fs_study_number(s, s->goal[goal].value[point], s->goal[goal].unit);
}

const char *fs_study_settings(const fs_study *s, size_t point) {
    const char *text = "";
    for (size_t a = 0; a < s->axes; a++)
        if (s->axis[a].at[point] != FS_STUDY_NONE)
            text = fs_arena_append(s->arena, text, ", ", "%s = %s", s->axis[a].label,
                                   s->axis[a].level[s->axis[a].at[point]].value);
    return text[0] == '\0' ? s->sweep->points[point].label : text;
}

const char *fs_study_constraint(const fs_study *s, const fs_store_constraint *c) {
    if (c->op == FS_STORE_EQUALS)
        return fs_arena_printf(s->arena, "%s = %s", c->figure,
                               c->text != NULL                ? c->text
                               : !fs_study_flag(s, c->figure) ? fs_number_short(c->number, 4)
                               : c->number > 0                ? "true"
                                                              : "false");
    return fs_arena_printf(s->arena, "%s %s %s", c->figure,
                           c->op == FS_STORE_AT_LEAST ? "\xe2\x89\xa5" : "\xe2\x89\xa4",
                           fs_number_short(c->number, 4));
}

/* "issue_width 2", "256 KiB", "fat-tree": a quantity and a kind speak for themselves. */
static const char *brief_setting(const fs_study *s, const fs_study_axis *axis, const char *value) {
    const char *dot = strrchr(axis->name, '.'), *key = dot == NULL ? axis->name : dot + 1;
    const bool alone = dot == NULL || strcmp(key, "kind") == 0 || strchr(value, ' ') != NULL ||
                       strchr(axis->name, '+') != NULL;
    return alone ? value : fs_arena_printf(s->arena, "%s %s", key, value);
}

static const char *brief(const fs_study *s, size_t point, bool conditions) {
    const char *text = "";
    for (size_t a = 0; a < s->axes; a++)
        if (s->axis[a].at[point] != FS_STUDY_NONE && (conditions || !s->axis[a].condition))
            text =
                fs_arena_append(s->arena, text, ", ", "%s",
                                brief_setting(s, &s->axis[a], s->axis[a].level[s->axis[a].at[point]].value));
    return text[0] == '\0' ? s->sweep->points[point].label : text;
}

const char *fs_study_brief(const fs_study *s, size_t point) {
    return brief(s, point, true);
}

const char *fs_study_chosen(const fs_study *s, size_t point) {
    return brief(s, point, false);
}

const char *fs_study_percent(const fs_study *s, double part) {
    const char *words = fs_number_percent(part);
    return bound(s, words, strrchr(words, ' '));
}

const char *fs_study_share(const fs_study *s, double share) {
    const char *words = fs_number_share(share);
    return bound(s, words, strrchr(words, ' '));
}

/* high / low for people: "12 %" more, from twice on "3.4 times". */
static const char *times(const fs_study *s, double low, double high) {
    if (!(low > 0) || !(high >= low))
        return "";
    if (high >= 2 * low)
        return fs_arena_printf(s->arena, "%s times", fs_number_short(high / low, high < 9.95 * low ? 2 : 3));
    return fs_study_percent(s, high / low - 1);
}

/* How much worse b is than a (positive numbers): "12 %", "3.4 times"; of a goal where larger is better, how much less. */
static const char *worse_by(const fs_study *s, const fs_study_goal *g, double a, double b) {
    if (!g->larger)
        return times(s, a, b);
    return a > 0 && b >= 0 && b <= a ? fs_study_percent(s, 1 - b / a) : "";
}

static const char *plural(const fs_study *s, size_t count, const char *word) {
    return fs_arena_printf(s->arena, "%s %s%s", fs_number_grouped((double)count), word,
                           count == 1 ? "" : "s");
}

typedef struct list {
    const fs_study *s;
    const char **sentence;
    size_t count;
} list;

static void say(list *l, const char *sentence) {
    if (sentence != NULL && l->count < 32)
        l->sentence[l->count++] = sentence;
}

/* ---- sentences ---- */

static const char *better_by(const fs_study *s, const fs_study_goal *g, double other) {
    double best = g->value[g->order[0]];
    const char *worse = worse_by(s, g, best, other);
    if (worse[0] == '\0')
        return NULL;
    bool ratio = strstr(worse, "times") != NULL;
    return fs_arena_printf(s->arena, "%s %s", worse, g->larger ? "less" : ratio ? "as much" : "more");
}

/* Feasible points without the figure cannot be ranked; that must be known of a best point. */
static const char *unranked(const fs_study *s, const fs_study_goal *g) {
    size_t count = s->feasible - g->feasible, endless = 0;
    const char *word = NULL;
    for (size_t p = 0; p < s->sweep->point_count; p++) {
        const fs_store_point *point = &s->sweep->points[p];
        const char *of = point->feasible ? fs_study_endless(point, g->figure) : NULL;
        endless += of != NULL;
        word = of != NULL ? of : word;
    }
    if (count == 0)
        return "";
    return fs_arena_printf(
        s->arena, " %s %s no such figure and %s not ranked%s.", plural(s, count, "feasible point"),
        count == 1 ? "has" : "have", count == 1 ? "is" : "are",
        endless < count ? ""
                        : fs_arena_printf(s->arena, ": it is \"%s\", which is %s than any number", word,
                                          g->larger ? "better" : "worse"));
}

static const char *best_sentence(const fs_study *s, size_t goal) {
    const fs_study_goal *g = &s->goal[goal];
    if (g->feasible == 0)
        return g->count == 0 ? fs_arena_printf(s->arena, "No point has a figure %s yet.", g->label)
               : s->feasible == 0
                   ? fs_arena_printf(s->arena, "%s.", fs_study_none(s))
                   : fs_arena_printf(s->arena, "No feasible point has a number for %s.", g->label);
    size_t best = g->order[0];
    const char *text = fs_arena_printf(s->arena, "Best %s: %s with %s", g->label,
                                       fs_study_value(s, goal, best), fs_study_settings(s, best));
    if (g->ties == g->feasible && g->feasible > 1)
        return fs_arena_printf(s->arena, "%s: all %s feasible points that have the figure have the same.%s",
                               text, fs_number_grouped((double)g->feasible), unranked(s, g));
    if (g->ties > 1)
        text = fs_arena_printf(s->arena, "%s (and %s equal to it)", text, plural(s, g->ties - 1, "point"));
    if (g->ties < g->feasible) {
        const char *next = better_by(s, g, g->value[g->order[g->ties]]);
        const char *middle = better_by(s, g, g->median);
        const char *last = better_by(s, g, g->value[g->order[g->feasible - 1]]);
        if (next != NULL && middle != NULL && last != NULL)
            text = g->feasible < 4
                       ? fs_arena_printf(s->arena, "%s. The next best has %s", text, next)
                       : fs_arena_printf(s->arena,
                                         "%s. The next best point has %s, the median of the %s feasible "
                                         "points %s, the worst %s",
                                         text, next, fs_number_grouped((double)g->feasible), middle, last);
    }
    return fs_arena_printf(s->arena, "%s.%s", text, unranked(s, g));
}

static const char *level_of(const fs_study_axis *axis, size_t level) {
    return axis->level[level].value;
}

/* " over 68 of 256 points" of the means of an axis; "" where they are over all points. */
static const char *over(const fs_study *s, size_t count) {
    const size_t all = s->sweep->point_count;
    return count == all ? ""
                        : fs_arena_printf(s->arena, " over %s of %s points", fs_number_grouped((double)count),
                                          fs_number_grouped((double)all));
}

const char *fs_study_never(const fs_study *s, size_t axis) {
    const fs_study_axis *a = &s->axis[axis];
    bool *has = FS_NEW(s->arena, bool, a->levels + 1);
    const char *values = "";
    size_t count = 0;
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (a->at[p] != FS_STUDY_NONE && s->sweep->points[p].feasible)
            has[a->at[p]] = true;
    for (size_t k = 0; k < a->levels; k++)
        if (!has[k]) {
            values = fs_arena_append(s->arena, values, " or ", "%s", a->level[k].value);
            count++;
        }
    return count == 0 || count == a->levels || a->levels == 0
               ? NULL
               : fs_arena_printf(s->arena, "No point with %s = %s is feasible", a->label, values);
}

/* What an axis does: what it changes alone, its means, what of the spread it explains. */
static const char *axis_sentence(const fs_study *s, size_t goal, size_t a, bool first) {
    const fs_study_goal *g = &s->goal[goal];
    const fs_study_axis *axis = &s->axis[a];
    const fs_study_effect *e = &g->effect[a];
    if (!fs_study_matters(e))
        return NULL;
    const char *worse = worse_by(s, g, e->mean[e->good].mean, e->mean[e->bad].mean);
    const char *never = fs_study_never(s, a), *alone = fs_study_alone(s, e),
               *explains = fs_study_explains(s, goal, a);
    const char *text = fs_arena_printf(
        s->arena, "%s%s%s %s%s%s%s", never == NULL ? "" : never, never == NULL ? "" : ". ", axis->label,
        first ? fs_arena_printf(s->arena, "matters most for %s", g->label) : "comes next",
        alone == NULL ? "" : ": all else equal it changes the figure by ", alone == NULL ? "" : alone,
        over(s, e->count));
    text = fs_arena_printf(s->arena, "%s. On average %s gives %s (the best) and %s gives %s%s%s", text,
                           level_of(axis, e->good), fs_study_number(s, e->mean[e->good].mean, g->unit),
                           level_of(axis, e->bad), fs_study_number(s, e->mean[e->bad].mean, g->unit),
                           worse[0] == '\0' ? "" : ", ",
                           worse[0] == '\0' ? ""
                                            : fs_arena_printf(s->arena, "%s %s", worse,
                                                              g->larger                        ? "less"
                                                              : strstr(worse, "times") != NULL ? "as much"
                                                                                               : "more"));
    return explains == NULL ? fs_arena_printf(s->arena, "%s.", text)
                            : fs_arena_printf(s->arena, "%s; its choice %s.", text, explains);
}

/* Values of an axis that are never feasible, where no sentence about its means has said so. */
static void say_never(list *l, size_t a, bool told) {
    const fs_study_effect *e = &l->s->goal[0].effect[a];
    const char *never = fs_study_never(l->s, a);
    if (never != NULL && !(told && fs_study_matters(e)))
        say(l, fs_arena_printf(l->s->arena, "%s.", never));
}

/* Axes that one may leave alone. */
static const char *idle_sentence(const fs_study *s, size_t goal) {
    const fs_study_goal *g = &s->goal[goal];
    const char *names = "", *fixed = "";
    double most = 0;
    size_t count = 0;
    for (size_t i = 0; i < s->choices; i++) {
        const fs_study_effect *e = &g->effect[g->rank[i]];
        if (e->groups == 0 || !(e->alone_most < 0.02))
            continue;
        names = fs_arena_append(s->arena, names, ", ", "%s", s->axis[g->rank[i]].label);
        most = e->alone_most > most ? e->alone_most : most;
        const char *by = fs_study_fixed(s, g->rank[i], !(e->alone_most > 0));
        if (by != NULL)
            fixed = fs_arena_append(s->arena, fixed, "; ", "%s", by);
        count++;
    }
    if (count == 0)
        return NULL;
    if (most <= 0)
        return fs_arena_printf(s->arena, "%s %s not matter for %s: with all else equal, nothing changes%s%s.",
                               names, count == 1 ? "does" : "do", g->label, fixed[0] == '\0' ? "" : ". ",
                               fixed);
    return fs_arena_printf(s->arena, "%s hardly %s for %s: with all else equal, at most %s.", names,
                           count == 1 ? "matters" : "matter", g->label, fs_study_percent(s, most));
}

static const char *interaction_sentence(const fs_study *s, size_t goal) {
    size_t count = 0, top = SIZE_MAX;
    const fs_study_pair *pair = fs_study_pairs(s, goal, &count);
    for (size_t i = 0; i < count; i++)
        if (!s->axis[pair[i].a].condition && !s->axis[pair[i].b].condition &&
            (top == SIZE_MAX || pair[i].interaction > pair[top].interaction))
            top = i;
    if (top == SIZE_MAX || pair[top].interaction < 0.03)
        return NULL;
    return fs_arena_printf(
        s->arena, "%s and %s must be chosen together: %s of the spread of %s comes from their combination.",
        s->axis[pair[top].a].label, s->axis[pair[top].b].label, fs_study_percent(s, pair[top].interaction),
        s->goal[goal].label);
}

typedef struct conditional {
    size_t axis;
    double with, without; /* what it changes alone */
} conditional;

static bool larger_with(const void *self, size_t a, size_t b) {
    const conditional *c = self;
    return c[a].with > c[b].with;
}

/* Axes that weigh at least twice as much behind the best choice of the most important one as behind its
 * worst. */
static const char *behind_sentence(const fs_study *s, size_t goal) {
    enum { MOST = 3 };
    const fs_study_goal *g = &s->goal[goal];
    size_t top = g->rank[0], count = 0, *order = FS_NEW(s->arena, size_t, s->axes + 1);
    const fs_study_effect *e = &g->effect[top];
    conditional *c = FS_NEW(s->arena, conditional, s->axes + 1);
    if (!fs_study_matters(e))
        return NULL;
    for (size_t a = 0; a < s->axes; a++) {
        const conditional one = {a, fs_study_alone_at(s, goal, a, top, e->good),
                                 fs_study_alone_at(s, goal, a, top, e->bad)};
        if (a != top && !s->axis[a].condition && one.with >= 0.03 && one.with >= 2 * one.without) {
            order[count] = count;
            c[count++] = one;
        }
    }
    if (count == 0)
        return NULL;
    fs_study_sort(s, order, count, larger_with, c);
    const char *text = fs_arena_printf(
        s->arena, "With %s = %s other choices weigh more, all else equal, than with %s:", s->axis[top].label,
        level_of(&s->axis[top], e->good), level_of(&s->axis[top], e->bad));
    for (size_t i = 0; i < count && i < MOST; i++)
        text = fs_arena_printf(s->arena, "%s%s %s %s instead of %s", text, i == 0 ? "" : ",",
                               s->axis[c[order[i]].axis].label, fs_study_percent(s, c[order[i]].with),
                               fs_study_percent(s, c[order[i]].without));
    return fs_arena_printf(s->arena, "%s (medians).", text);
}

/* "36 of them have payload = fp32, of 50 points with it", or nothing. */
static const char *common_words(const fs_study *s, fs_study_common common, size_t marked, const char *before,
                                const char *behind) {
    if (common.axis == FS_STUDY_NONE)
        return "";
    const char *what = fs_arena_printf(s->arena, "%s = %s", s->axis[common.axis].label,
                                       level_of(&s->axis[common.axis], common.level));
    bool both = common.axis2 != FS_STUDY_NONE;
    if (both)
        what = fs_arena_printf(s->arena, "%s and %s = %s", what, s->axis[common.axis2].label,
                               level_of(&s->axis[common.axis2], common.level2));
    const char *who = common.marked == marked
                          ? "all"
                          : fs_arena_printf(s->arena, "%s of them", fs_number_grouped((double)common.marked));
    const char *others = common.marked == common.all
                             ? fs_arena_printf(s->arena, "and no point with %s escapes", both ? "both" : "it")
                             : fs_arena_printf(s->arena, "as %s others do",
                                               fs_number_grouped((double)(common.all - common.marked)));
    return fs_arena_printf(s->arena, "%s%s %s %s, %s%s", before, who, common.marked == 1 ? "has" : "have",
                           what, others, behind);
}

/* Whether the same finished points break both. */
static bool alike(const fs_study *s, const fs_store_constraint *a, const fs_store_constraint *b) {
    for (size_t p = 0; p < s->sweep->point_count; p++) {
        const fs_store_point *point = &s->sweep->points[p];
        if (fs_study_done(point) && fs_store_keeps(point, a) != fs_store_keeps(point, b))
            return false;
    }
    return true;
}

/* Adds to the last sentence what breaks a constraint, and others that the same points break. */
static void say_broken(list *l, size_t c, bool *said) {
    const fs_study *s = l->s;
    const fs_store_constraint *constraint = &s->sweep->constraints[c];
    bool *marked = FS_NEW(s->arena, bool, s->sweep->point_count + 1);
    size_t without = 0, worst; /* without: points that lack the figure */
    for (size_t p = 0; p < s->sweep->point_count; p++) {
        const fs_store_point *point = &s->sweep->points[p];
        marked[p] = fs_study_done(point) && !fs_store_keeps(point, constraint);
        without += marked[p] && !fs_study_has(point, constraint->figure);
    }
    const char *names = fs_study_constraint(s, constraint),
               *wrong = fs_study_wrong(s, constraint, true, &worst);
    for (size_t k = c + 1; k < s->sweep->constraint_count; k++)
        if (s->broken[k] == s->broken[c] && !said[k] && alike(s, constraint, &s->sweep->constraints[k])) {
            names = fs_arena_printf(s->arena, "%s and %s", names,
                                    fs_study_constraint(s, &s->sweep->constraints[k]));
            said[k] = true;
        }
    const char *lack =
        without == 0 ? ""
                     : fs_arena_printf(s->arena, " (%s of them because the figure does not exist)",
                                       without == s->broken[c] ? "all" : fs_number_grouped((double)without));
    const char *text =
        fs_arena_printf(s->arena, "%s %s %s %s%s%s.", l->sentence[l->count - 1],
                        fs_number_grouped((double)s->broken[c]), s->broken[c] == 1 ? "breaks" : "break",
                        names, lack, common_words(s, fs_study_in_common(s, marked), s->broken[c], ": ", ""));
    l->sentence[l->count - 1] = wrong == NULL ? text
                                              : fs_arena_printf(s->arena, "%s At worst (%s) %s.", text,
                                                                fs_study_settings(s, worst), wrong);
}

static void say_infeasible(list *l) {
    const fs_study *s = l->s;
    if (s->feasible == s->done) {
        if (s->sweep->constraint_count > 0 && s->done > 0)
            say(l, fs_arena_printf(s->arena, "All %s keep the constraints.",
                                   plural(s, s->done, "finished point")));
        return;
    }
    say(l, fs_arena_printf(s->arena, "%s of %s finished points %s infeasible.",
                           fs_number_grouped((double)(s->done - s->feasible)),
                           fs_number_grouped((double)s->done), s->done - s->feasible == 1 ? "is" : "are"));
    bool *said = FS_NEW(s->arena, bool, s->sweep->constraint_count + 1);
    for (size_t c = 0; c < s->sweep->constraint_count; c++)
        if (s->broken[c] > 0 && !said[c])
            say_broken(l, c, said);
}

static void say_failed(list *l) {
    const fs_study *s = l->s;
    size_t count = 0;
    const fs_study_failure *f = fs_study_failures(s, &count);
    for (size_t i = 0; i < count && i < 3; i++) {
        int length = (int)strcspn(f[i].error, "\n");
        say(l, fs_arena_printf(s->arena, "%s failed: %.*s%s%s", plural(s, f[i].count, "point"),
                               length > 240 ? 240 : length, f[i].error,
                               length > 240                                  ? " ..."
                               : length > 0 && f[i].error[length - 1] == '.' ? ""
                                                                             : ".",
                               common_words(s, f[i].common, f[i].count, " Of these, ", ".")));
    }
    if (count > 3)
        say(l,
            fs_arena_printf(s->arena, "%s of errors more are listed below.", plural(s, count - 3, "kind")));
}

/* The front, and the bargain on it: what a twentieth of the first objective buys of the second. */
static const char *front_sentence(const fs_study *s, size_t a, size_t b) {
    const fs_study_goal *ga = &s->goal[a], *gb = &s->goal[b];
    size_t count = 0, *front = fs_study_front(s, a, b, &count);
    if (count == 0)
        return NULL;
    size_t first = front[0], last = front[count - 1], deal = FS_STUDY_NONE;
    if (gb->value[first] <= gb->value[last] && gb->value[first] >= gb->value[last])
        return fs_arena_printf(s->arena, "%s and %s do not compete: one point is best in both.", ga->label,
                               gb->label);
    double close = gb->larger ? gb->value[first] / gb->value[last] : gb->value[last] / gb->value[first];
    if (close > 0.99 && close <= 1)
        return fs_arena_printf(
            s->arena,
            "%s and %s hardly compete: the best point in the first is within %s of the best in "
            "the second.",
            ga->label, gb->label, fs_study_percent(s, 1 / close - 1));
    const char *text = fs_arena_printf(
        s->arena, "%s against %s: %s no other beats in both, from %s at %s to %s at %s", ga->label, gb->label,
        count == 1 ? "one point that"
                   : fs_arena_printf(s->arena, "%s points that", fs_number_grouped((double)count)),
        fs_study_value(s, a, first), fs_study_value(s, b, first), fs_study_value(s, a, last),
        fs_study_value(s, b, last));
    for (size_t i = 1; i < count && !ga->larger && !gb->larger; i++)
        if (ga->value[front[i]] <= 1.1 * ga->value[first] && gb->value[front[i]] < gb->value[first])
            deal = front[i];
    if (deal != FS_STUDY_NONE && gb->value[deal] < 0.98 * gb->value[first])
        return fs_arena_printf(s->arena, "%s. Giving up %s of the first saves %s of the second: %s.", text,
                               fs_study_percent(s, ga->value[deal] / ga->value[first] - 1),
                               fs_study_percent(s, 1 - gb->value[deal] / gb->value[first]),
                               fs_study_settings(s, deal));
    return fs_arena_printf(s->arena, "%s.", text);
}

const char **fs_study_words(const fs_study *s, size_t *count) {
    list l = {.s = s, .sentence = FS_NEW(s->arena, const char *, 40)};
    for (size_t i = 0; i < s->goals && i < 3; i++) {
        const fs_study_goal *g = &s->goal[i];
        const char *asked = fs_study_asked(s, i);
        say(&l, asked == NULL ? best_sentence(s, i) : fs_arena_printf(s->arena, "%s.", asked));
        say(&l, fs_study_baseline_words(s, i));
        say(&l, i == 0 ? fs_study_knee_words(s, i) : NULL);
        for (size_t a = 0; i == 0 && a < s->axes; a++)
            say_never(&l, g->rank[a], a < 2 && g->feasible > 2 && s->search == NULL);
        if (g->feasible < 3 ||
            s->search != NULL) /* the points of a search are no fair sample of their space */
            continue;
        if (s->choices > 0)
            say(&l, axis_sentence(s, i, g->rank[0], true));
        if (i == 0 && s->choices > 1)
            say(&l, axis_sentence(s, i, g->rank[1], false));
        if (i == 0) {
            say(&l, interaction_sentence(s, i));
            say(&l, s->choices > 1 ? behind_sentence(s, i) : NULL);
        }
        say(&l, idle_sentence(s, i));
    }
    for (size_t i = 0; i + 1 < s->goals && i < 2; i++)
        say(&l, front_sentence(s, 0, i + 1));
    say_infeasible(&l);
    say_failed(&l);
    if (s->open > 0)
        say(&l,
            fs_arena_printf(s->arena, "%s of %s not there yet: the sweep's command goes on with them.",
                            fs_number_grouped((double)s->open), plural(s, s->sweep->point_count, "point")));
    *count = l.count;
    return l.sentence;
}
