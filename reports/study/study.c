/* Axes, objectives and main effects of a sweep. */
#include "reports/study/study_page.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

static void merge(size_t *item, size_t *spare, size_t count, fs_study_before *before, const void *self) {
    if (count < 2)
        return;
    size_t half = count / 2, a = 0, b = half;
    merge(item, spare, half, before, self);
    merge(item + half, spare, count - half, before, self);
    for (size_t i = 0; i < count; i++)
        spare[i] = a < half && (b == count || !before(self, item[b], item[a])) ? item[a++] : item[b++];
    memcpy(item, spare, count * sizeof *item);
}

void fs_study_sort(const fs_study *s, size_t *item, size_t count, fs_study_before *before, const void *self) {
    merge(item, FS_NEW(s->arena, size_t, count + 1), count, before, self);
}

bool fs_study_agree_but(const fs_study *s, size_t axis, size_t p, size_t q) {
    for (size_t a = 0; a < s->axes; a++) {
        size_t x = s->axis[a].at[p], y = s->axis[a].at[q];
        if (a != axis && x != y && x != FS_STUDY_NONE && y != FS_STUDY_NONE)
            return false;
    }
    return s->axis[axis].at[p] != FS_STUDY_NONE;
}

int fs_study_compare_but(const fs_study *s, size_t axis, size_t p, size_t q) {
    for (size_t a = 0; a < s->axes; a++)
        if (a != axis && s->axis[a].at[p] != s->axis[a].at[q])
            return s->axis[a].at[p] < s->axis[a].at[q] ? -1 : 1;
    return 0;
}

/* ---- axes ---- */

const char *fs_study_axis_label(fs_arena *arena, const char *name) {
    static const char common[] = "workload.";
    char *label = fs_arena_strdup(arena, ""), *rest = NULL;
    if (strcmp(name, "points") == 0) /* the named points of a sweep file */
        return "variant";
    for (char *key = strtok_r(fs_arena_strdup(arena, name), "+", &rest); key != NULL;
         key = strtok_r(NULL, "+", &rest)) {
        key += strspn(key, " ");
        if (strncmp(key, common, strlen(common)) == 0)
            key += strlen(common);
        label = fs_arena_append(arena, label, " + ", "%s", key);
    }
    return label;
}

static bool smaller_number(const void *self, size_t a, size_t b) {
    const fs_study_level *level = self;
    return level[a].number < level[b].number;
}

/* Numbers from small to large; at follows. */
static void sort_levels(const fs_study *s, fs_study_axis *axis) {
    size_t *order = FS_NEW(s->arena, size_t, axis->levels), *rank = FS_NEW(s->arena, size_t, axis->levels);
    fs_study_level *old = FS_NEW(s->arena, fs_study_level, axis->levels);
    memcpy(old, axis->level, axis->levels * sizeof *old);
    for (size_t i = 0; i < axis->levels; i++)
        order[i] = i;
    fs_study_sort(s, order, axis->levels, smaller_number, old);
    for (size_t i = 0; i < axis->levels; i++) {
        axis->level[i] = old[order[i]];
        rank[order[i]] = i;
        axis->numeric &= i == 0 || axis->level[i].number > axis->level[i - 1].number;
    }
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (axis->at[p] != FS_STUDY_NONE)
            axis->at[p] = rank[axis->at[p]];
    double low = axis->level[0].number, high = axis->level[axis->levels - 1].number;
    axis->wide = axis->numeric && low > 0 && high >= 8 * low && axis->levels > 2;
}

static fs_study_axis study_axis(const fs_study *s, size_t place) {
    size_t points = s->sweep->point_count;
    fs_study_axis axis = {.name = s->sweep->axes[place],
                          .label = fs_study_axis_label(s->arena, s->sweep->axes[place]),
                          .level = FS_NEW(s->arena, fs_study_level, points + 1),
                          .at = FS_NEW(s->arena, size_t, points + 1),
                          .numeric = true,
                          .condition = s->sweep->conditions != NULL && s->sweep->conditions[place]};
    for (size_t p = 0; p < points; p++) {
        const fs_store_setting *set = &s->sweep->points[p].settings[place];
        axis.at[p] = FS_STUDY_NONE;
        if (set->value == NULL)
            continue;
        const size_t level = FS_PLACE(axis.level, axis.levels, value, set->value);
        if (level == axis.levels)
            axis.level[axis.levels++] = (fs_study_level){.value = set->value, .number = set->number};
        axis.level[level].points++;
        axis.at[p] = level;
        axis.numeric &= isfinite(set->number) != 0;
    }
    if (axis.numeric && axis.levels > 0)
        sort_levels(s, &axis);
    return axis;
}

/* ---- objectives ---- */

static bool better(const void *self, size_t a, size_t b) {
    const fs_study_goal *g = self;
    return g->larger ? g->value[a] > g->value[b] : g->value[a] < g->value[b];
}

bool fs_study_done(const fs_store_point *point) {
    return strcmp(point->status, "done") == 0;
}

static double figure_of(const fs_store_point *point, const char *name, const char **unit) {
    const fs_store_figure *f = fs_study_done(point) ? fs_store_figure_of(point, name) : NULL;
    if (f == NULL)
        return (double)NAN;
    *unit = f->unit;
    return isfinite(f->number) ? f->number : (double)NAN;
}

static const fs_stat_table *const *figures_of(const fs_study *s) {
    size_t count = 0;
    while (s->registry->figures[count] != NULL)
        count++;
    const fs_stat_table **all = FS_NEW(s->arena, const fs_stat_table *, count + 2);
    const fs_store_parameter *kind =
        s->sweep->point_count == 0 ? NULL : fs_store_parameter_of(&s->sweep->points[0], "workload.kind");
    const fs_workload *workload = kind == NULL ? NULL : fs_workload_find(s->registry, kind->value);
    const size_t own = workload != NULL && workload->stats != NULL;
    if (own)
        all[0] = workload->stats;
    memcpy(all + own, s->registry->figures, count * sizeof *all);
    return all;
}

static void study_goal(const fs_study *s, fs_study_goal *g, const fs_store_objective *objective) {
    size_t points = s->sweep->point_count;
    fs_stat row;
    const bool labelled = fs_stats_find_in(s->figures, objective->figure, &row) && row.label != NULL;
    *g = (fs_study_goal){.figure = objective->figure,
                         .label = labelled ? row.label : objective->figure,
                         .unit = "",
                         .larger = objective->larger,
                         .median = (double)NAN,
                         .value = FS_NEW(s->arena, double, points + 1),
                         .order = FS_NEW(s->arena, size_t, points + 1)};
    for (size_t p = 0; p < points; p++) {
        g->value[p] = figure_of(&s->sweep->points[p], g->figure, &g->unit);
        g->count += isnan(g->value[p]) ? 0 : 1;
        if (!isnan(g->value[p]) && s->sweep->points[p].feasible)
            g->order[g->feasible++] = p;
    }
    fs_study_sort(s, g->order, g->feasible, better, g);
    while (g->ties < g->feasible && g->value[g->order[g->ties]] <= g->value[g->order[0]] &&
           g->value[g->order[g->ties]] >= g->value[g->order[0]])
        g->ties++;
    if (g->feasible > 0)
        g->median = g->value[g->order[g->feasible / 2]];
}

/* ---- effects ---- */

static void add_to_mean(const fs_study_goal *g, fs_study_mean *m, size_t p) {
    double v = g->value[p];
    m->least = m->count == 0 || v < m->least ? v : m->least;
    m->most = m->count == 0 || v > m->most ? v : m->most;
    m->count++;
    m->mean += v; /* a sum until all are in */
}

static void best_of_levels(const fs_study *s, const fs_study_goal *g, size_t a, fs_study_effect *e) {
    for (size_t k = 0; k < s->axis[a].levels; k++)
        e->mean[k].best = FS_STUDY_NONE;
    for (size_t i = g->feasible; i-- > 0;) /* the best comes last */
        if (s->axis[a].at[g->order[i]] != FS_STUDY_NONE)
            e->mean[s->axis[a].at[g->order[i]]].best = g->order[i];
}

/* Means, spreads and the share of the sum of squares, of the points that are compared. */
static void study_means(const fs_study *s, const fs_study_goal *g, size_t a, fs_study_effect *e) {
    const fs_study_axis *axis = &s->axis[a];
    double sum = 0, total = 0, between = 0;
    size_t count = 0;
    e->mean = FS_NEW(s->arena, fs_study_mean, axis->levels);
    e->good = e->bad = FS_STUDY_NONE;
    best_of_levels(s, g, a, e);
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (e->compared[p]) {
            add_to_mean(g, &e->mean[axis->at[p]], p);
            sum += g->value[p];
            count++;
        }
    double all = count > 0 ? sum / (double)count : 0;
    for (size_t k = 0; k < axis->levels; k++) {
        fs_study_mean *m = &e->mean[k];
        if (m->count == 0)
            continue;
        m->mean /= (double)m->count;
        between += (double)m->count * (m->mean - all) * (m->mean - all);
        if (e->good == FS_STUDY_NONE ||
            (g->larger ? m->mean > e->mean[e->good].mean : m->mean < e->mean[e->good].mean))
            e->good = k;
        if (e->bad == FS_STUDY_NONE ||
            (g->larger ? m->mean < e->mean[e->bad].mean : m->mean > e->mean[e->bad].mean))
            e->bad = k;
    }
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (e->compared[p]) {
            fs_study_mean *m = &e->mean[axis->at[p]];
            total += (g->value[p] - all) * (g->value[p] - all);
            m->deviation += (g->value[p] - m->mean) * (g->value[p] - m->mean);
        }
    for (size_t k = 0; k < axis->levels; k++)
        e->mean[k].deviation =
            e->mean[k].count > 1 ? sqrt(e->mean[k].deviation / (double)(e->mean[k].count - 1)) : 0;
    e->share = total > 0 ? between / total : 0;
    e->share = e->share > 1 ? 1 : e->share;
}

typedef struct but {
    const fs_study *s;
    size_t axis;
} but;

static bool before_but(const void *self, size_t p, size_t q) {
    const but *b = self;
    return fs_study_compare_but(b->s, b->axis, p, q) < 0;
}

void fs_study_group(const fs_study *s, size_t axis, size_t *item, size_t count) {
    fs_study_sort(s, item, count, before_but, &(but){s, axis});
}

/* Means and spreads are of points that keep their constraints: a broken answer has no time. */
static bool counts(const fs_study *s, const fs_study_goal *g, size_t p) {
    return s->sweep->points[p].feasible && !isnan(g->value[p]);
}

/* Feasible points [*count] that have the axis and the figure, and a level of another axis (other:
 * FS_STUDY_NONE: any), group by group of those that differ in this axis only. */
static size_t *grouped(const fs_study *s, const fs_study_goal *g, size_t a, size_t other, size_t level,
                       size_t *count) {
    size_t *item = FS_NEW(s->arena, size_t, g->count + 1);
    *count = 0;
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (s->axis[a].at[p] != FS_STUDY_NONE && counts(s, g, p) &&
            (other == FS_STUDY_NONE || s->axis[other].at[p] == level))
            item[(*count)++] = p;
    fs_study_group(s, a, item, *count);
    return item;
}

static size_t group_end(const fs_study *s, size_t a, const size_t *item, size_t count, size_t begin) {
    size_t end = begin + 1;
    while (end < count && fs_study_compare_but(s, a, item[begin], item[end]) == 0)
        end++;
    return end;
}

/* Worst over best - 1 of each group of at least two [*groups], ascending. */
static double *ranges_of(const fs_study *s, const fs_study_goal *g, size_t a, const size_t *item,
                         size_t count, size_t *groups) {
    double *range = FS_NEW(s->arena, double, count + 1);
    *groups = 0;
    for (size_t i = 0, end; i < count; i = end) {
        double low = g->value[item[i]], high = low;
        end = group_end(s, a, item, count, i);
        for (size_t k = i + 1; k < end; k++) {
            double v = g->value[item[k]];
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
        if (end - i > 1 && low > 0)
            range[(*groups)++] = high / low - 1;
    }
    qsort(range, *groups, sizeof *range, fs_by_real);
    return range;
}

double fs_study_alone_at(const fs_study *s, size_t goal, size_t axis, size_t other, size_t level) {
    size_t count = 0, groups = 0;
    const size_t *item = grouped(s, &s->goal[goal], axis, other, level, &count);
    const double *range = ranges_of(s, &s->goal[goal], axis, item, count, &groups);
    return groups == 0 ? (double)NAN : range[groups / 2];
}

/* What the axis changes alone, and which points are compared. */
static void study_groups(const fs_study *s, const fs_study_goal *g, size_t a, fs_study_effect *e) {
    size_t count = 0, whole = 0, levels = 0;
    size_t *item = grouped(s, g, a, FS_STUDY_NONE, 0, &count);
    bool *has = FS_NEW(s->arena, bool, s->axis[a].levels + 1);
    for (size_t i = 0; i < count; i++) {
        levels += !has[s->axis[a].at[item[i]]];
        has[s->axis[a].at[item[i]]] = true;
    }
    e->compared = FS_NEW(s->arena, bool, s->sweep->point_count + 1);
    for (size_t i = 0, end; i < count; i = end) { /* whole groups alone, where some are */
        end = group_end(s, a, item, count, i);
        for (size_t k = i; k < end && levels > 1 && end - i == levels; k++)
            item[whole++] = item[k];
    }
    e->count = whole > 0 ? whole : count;
    e->whole = e->count == g->feasible;
    for (size_t i = 0; i < e->count; i++)
        e->compared[item[i]] = true;
    const double *range = ranges_of(s, g, a, item, e->count, &e->groups);
    e->alone_median = e->groups == 0 ? (double)NAN : range[e->groups / 2];
    e->alone_most = e->groups == 0 ? (double)NAN : range[e->groups - 1];
}

typedef struct ranking {
    const fs_study_axis *axis;
    const fs_study_effect *effect;
} ranking;

/* By effect: shares of two axes may be of different points. */
static bool weighs_more(const void *self, size_t a, size_t b) {
    const ranking *of = self;
    const fs_study_effect *x = &of->effect[a], *y = &of->effect[b];
    if (of->axis[a].condition != of->axis[b].condition)
        return !of->axis[a].condition;
    if (x->groups == 0 || y->groups == 0)
        return x->groups > 0 || (y->groups == 0 && x->share > y->share);
    return x->alone_median > y->alone_median ||
           (x->alone_median >= y->alone_median && x->alone_most > y->alone_most);
}

static void study_effects(const fs_study *s, fs_study_goal *g) {
    g->effect = FS_NEW(s->arena, fs_study_effect, s->axes + 1);
    g->rank = FS_NEW(s->arena, size_t, s->axes + 1);
    for (size_t a = 0; a < s->axes; a++) {
        study_groups(s, g, a, &g->effect[a]);
        study_means(s, g, a, &g->effect[a]);
        g->rank[a] = a;
    }
    fs_study_sort(s, g->rank, s->axes, weighs_more, &(ranking){s->axis, g->effect});
}

/* ---- pairs ---- */

/* Part of the sum of squares, over the feasible points that have both axes, that the means of equal levels of the
 * chosen axes explain. */
static double share_of(const fs_study *s, size_t goal, size_t a, size_t b, bool by_a, bool by_b) {
    const fs_study_goal *g = &s->goal[goal];
    const fs_study_axis *x = &s->axis[a], *y = &s->axis[b];
    size_t cells = x->levels * y->levels, count = 0, *n = FS_NEW(s->arena, size_t, cells + 1);
    double *cell = FS_NEW(s->arena, double, cells + 1), sum = 0, total = 0, between = 0;
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (x->at[p] != FS_STUDY_NONE && y->at[p] != FS_STUDY_NONE && counts(s, g, p)) {
            size_t k = (by_a ? x->at[p] : 0) * y->levels + (by_b ? y->at[p] : 0);
            cell[k] += g->value[p];
            n[k]++;
            sum += g->value[p];
            count++;
        }
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (x->at[p] != FS_STUDY_NONE && y->at[p] != FS_STUDY_NONE && counts(s, g, p)) {
            double d = g->value[p] - sum / (double)count;
            total += d * d;
        }
    for (size_t k = 0; k < cells; k++)
        if (n[k] > 0) {
            double d = cell[k] / (double)n[k] - sum / (double)count;
            between += (double)n[k] * d * d;
        }
    return total <= 0 ? 0 : between > total ? 1 : between / total;
}

double fs_study_pair_share(const fs_study *s, size_t goal, size_t a, size_t b) {
    return share_of(s, goal, a, b, true, true);
}

static bool larger_pair(const void *self, size_t a, size_t b) {
    const fs_study_pair *pair = self;
    return pair[a].share > pair[b].share;
}

fs_study_pair *fs_study_pairs(const fs_study *s, size_t goal, size_t *count) {
    const fs_study_goal *g = &s->goal[goal];
    fs_study_pair *pair = FS_NEW(s->arena, fs_study_pair, s->axes * s->axes + 1), *sorted;
    size_t *order = FS_NEW(s->arena, size_t, s->axes * s->axes + 1);
    *count = 0;
    for (size_t i = 0; i < s->axes; i++)
        for (size_t k = i + 1; k < s->axes; k++) {
            size_t a = g->rank[i], b = g->rank[k];
            double both = fs_study_pair_share(s, goal, a, b);
            double more = both - share_of(s, goal, a, b, true, false) - share_of(s, goal, a, b, false, true);
            order[*count] = *count;
            pair[(*count)++] = (fs_study_pair){a, b, both, more > 0 ? more : 0};
        }
    fs_study_sort(s, order, *count, larger_pair, pair);
    sorted = FS_NEW(s->arena, fs_study_pair, *count + 1);
    for (size_t i = 0; i < *count; i++)
        sorted[i] = pair[order[i]];
    return sorted;
}

/* ---- all of it ---- */

fs_study *fs_study_of(const fs_store_sweep *sweep, const fs_registry *registry, fs_arena *arena) {
    fs_study *s = FS_NEW(arena, fs_study, 1);
    s->sweep = sweep;
    s->registry = registry;
    s->arena = arena;
    s->figures = figures_of(s);
    s->axis = FS_NEW(arena, fs_study_axis, sweep->axis_count + 1);
    s->axis_of = FS_NEW(arena, size_t, sweep->axis_count + 1);
    for (size_t i = 0; i < sweep->axis_count; i++) {
        fs_study_axis axis = study_axis(s, i);
        if (axis.levels < 2)
            continue;
        s->axis_of[s->axes] = i;
        s->choices += !axis.condition;
        s->axis[s->axes++] = axis;
    }
    s->broken = FS_NEW(arena, size_t, sweep->constraint_count + 1);
    for (size_t p = 0; p < sweep->point_count; p++) {
        const fs_store_point *point = &sweep->points[p];
        bool done = fs_study_done(point), failed = strcmp(point->status, "failed") == 0;
        s->done += done;
        s->failed += failed;
        s->open += !done && !failed;
        s->feasible += done && point->feasible;
        for (size_t c = 0; done && c < sweep->constraint_count; c++)
            s->broken[c] += !fs_store_keeps(point, &sweep->constraints[c]);
    }
    s->baseline = FS_STUDY_NONE;
    for (size_t p = 0; p < sweep->point_count && sweep->base != NULL; p++)
        if (strcmp(sweep->points[p].key, sweep->base) == 0 && fs_study_done(&sweep->points[p]))
            s->baseline = p;
    s->goals = sweep->objective_count;
    s->goal = FS_NEW(arena, fs_study_goal, s->goals + 1);
    for (size_t i = 0; i < s->goals; i++) {
        study_goal(s, &s->goal[i], &sweep->objectives[i]);
        study_effects(s, &s->goal[i]);
    }
    return s;
}
