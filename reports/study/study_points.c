/* Points of a sweep that stand out: the best of some, a front, what failed, and what they have in common. */
#include "reports/study/study_page.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

bool fs_study_flag(const fs_study *s, const char *figure) {
    bool found = false;
    for (size_t p = 0; p < s->sweep->point_count; p++) {
        const fs_store_point *point = &s->sweep->points[p];
        const fs_store_figure *f = fs_store_figure_of(point, figure);
        if (f == NULL)
            continue;
        if (f->text != NULL || f->unit[0] != '\0' || !(f->number <= 0 || f->number >= 1) || f->number > 1)
            return false;
        found = true;
    }
    return found;
}

bool fs_study_has(const fs_store_point *point, const char *figure) {
    const fs_store_figure *f = fs_store_figure_of(point, figure);
    return f != NULL && (f->text != NULL || !isnan(f->number));
}

const char *fs_study_endless(const fs_store_point *point, const char *figure) {
    const fs_store_figure *f = fs_store_figure_of(point, figure);
    return f == NULL ? NULL : f->null_is;
}

size_t fs_study_best_at(const fs_study *s, size_t goal, size_t a, size_t level_a, size_t b, size_t level_b) {
    const fs_study_goal *g = &s->goal[goal];
    for (size_t i = 0; i < g->feasible; i++)
        if ((a == FS_STUDY_NONE || level_a == FS_STUDY_NONE || s->axis[a].at[g->order[i]] == level_a) &&
            (b == FS_STUDY_NONE || level_b == FS_STUDY_NONE || s->axis[b].at[g->order[i]] == level_b))
            return g->order[i];
    return FS_STUDY_NONE;
}

static bool lower_level(const void *self, size_t p, size_t q) {
    const fs_study_axis *axis = self;
    return axis->at[p] < axis->at[q];
}

size_t *fs_study_along(const fs_study *s, size_t point, size_t axis, size_t *count) {
    size_t *found = FS_NEW(s->arena, size_t, s->sweep->point_count + 1);
    *count = 0;
    for (size_t p = 0; p < s->sweep->point_count; p++)
        if (fs_study_agree_but(s, axis, p, point))
            found[(*count)++] = p;
    fs_study_sort(s, found, *count, lower_level, &s->axis[axis]);
    return found;
}

size_t *fs_study_front(const fs_study *s, size_t a, size_t b, size_t *count) {
    return fs_store_front(s->arena, s->sweep, &s->sweep->objectives[a], &s->sweep->objectives[b], NULL,
                          count);
}

/* ---- what points have in common ---- */

/* A second value that nearly all the marked points with the first have, and fewer of the others. */
static void narrow(const fs_study *s, const bool *marked, fs_study_common *best) {
    const fs_study_common first = *best;
    for (size_t a = 0; a < s->axes; a++)
        for (size_t k = 0; a != first.axis && k < s->axis[a].levels; k++) {
            size_t in = 0, have = 0;
            for (size_t p = 0; p < s->sweep->point_count; p++)
                if (s->axis[first.axis].at[p] == first.level && s->axis[a].at[p] == k) {
                    have++;
                    in += marked[p];
                }
            if (10 * in >= 9 * first.marked && have < best->all)
                *best = (fs_study_common){first.axis, first.level, a, k, in, have};
        }
}

fs_study_common fs_study_in_common(const fs_study *s, const bool *marked) {
    fs_study_common best = {FS_STUDY_NONE, FS_STUDY_NONE, FS_STUDY_NONE, FS_STUDY_NONE, 0, 0};
    double most = 0.5; /* how much more frequent a value must be among the marked */
    size_t points = s->sweep->point_count, all = 0;
    for (size_t p = 0; p < points; p++)
        all += marked[p];
    if (all < 2 || all == points)
        return best;
    for (size_t a = 0; a < s->axes; a++)
        for (size_t k = 0; k < s->axis[a].levels; k++) {
            size_t in = 0, have = s->axis[a].level[k].points;
            for (size_t p = 0; p < points; p++)
                in += marked[p] && s->axis[a].at[p] == k;
            double more = (double)in / (double)all - (double)(have - in) / (double)(points - all);
            if (more > most) {
                most = more;
                best = (fs_study_common){a, k, FS_STUDY_NONE, FS_STUDY_NONE, in, have};
            }
        }
    if (best.axis != FS_STUDY_NONE)
        narrow(s, marked, &best);
    return best;
}

/* ---- failures ---- */

/* Equal but for numbers in their first lines: "4 tiles" and "16 tiles". */
static bool alike(const char *a, const char *b) {
    while (*a != '\0' && *b != '\0' && *a != '\n') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0123456789");
            b += strspn(b, "0123456789");
        } else if (*a++ != *b++)
            return false;
    }
    return (*a == '\0' || *a == '\n') && (*b == '\0' || *b == '\n');
}

static bool more_points(const void *self, size_t a, size_t b) {
    const fs_study_failure *f = self;
    return f[a].count > f[b].count;
}

fs_study_failure *fs_study_failures(const fs_study *s, size_t *count) {
    size_t points = s->sweep->point_count;
    fs_study_failure *kind = FS_NEW(s->arena, fs_study_failure, s->failed + 1), *sorted;
    *count = 0;
    for (size_t p = 0; p < points; p++) {
        const fs_store_point *point = &s->sweep->points[p];
        size_t k = 0;
        if (strcmp(point->status, "failed") != 0)
            continue;
        while (k < *count && !alike(kind[k].error, point->error))
            k++;
        if (k == *count)
            kind[(*count)++] =
                (fs_study_failure){.error = point->error, .point = FS_NEW(s->arena, size_t, s->failed)};
        kind[k].point[kind[k].count++] = p;
    }
    size_t *order = FS_NEW(s->arena, size_t, *count + 1);
    for (size_t k = 0; k < *count; k++) {
        bool *marked = FS_NEW(s->arena, bool, points + 1);
        for (size_t i = 0; i < kind[k].count; i++)
            marked[kind[k].point[i]] = true;
        kind[k].common = fs_study_in_common(s, marked);
        order[k] = k;
    }
    fs_study_sort(s, order, *count, more_points, kind);
    sorted = FS_NEW(s->arena, fs_study_failure, *count + 1);
    for (size_t k = 0; k < *count; k++)
        sorted[k] = kind[order[k]];
    return sorted;
}

/* ---- parameters that vary ---- */

/* The name is one of "a+b". */
static bool names_it(const char *axis, const char *name) {
    size_t length = strlen(name);
    for (const char *at = axis; (at = strstr(at, name)) != NULL; at += length)
        if ((at == axis || at[-1] == '+' || at[-1] == ' ') &&
            (at[length] == '\0' || at[length] == '+' || at[length] == ' '))
            return true;
    return false;
}

typedef struct varying {
    const char *name, *value;
    size_t points;
    bool varies;
} varying;

static bool in_more(const void *self, size_t a, size_t b) {
    const varying *v = self;
    return v[a].points > v[b].points;
}

const char **fs_study_varying(const fs_study *s, size_t *count) {
    size_t known = 0, room = 0, places = 0;
    for (size_t p = 0; p < s->sweep->point_count; p++)
        room += s->sweep->points[p].parameter_count;
    varying *v = FS_NEW(s->arena, varying, room + 1);
    for (size_t p = 0; p < s->sweep->point_count; p++) {
        const fs_store_point *point = &s->sweep->points[p];
        for (size_t i = 0, guess = 0; i < point->parameter_count; i++, guess++) {
            const fs_store_parameter *set = &point->parameters[i];
            const size_t k = guess < known && strcmp(v[guess].name, set->name) == 0
                                 ? guess
                                 : FS_PLACE(v, known, name, set->name);
            if (k == known)
                v[known++] = (varying){.name = set->name, .value = set->value};
            v[k].varies |= strcmp(v[k].value, set->value) != 0;
            v[k].points++;
            guess = k;
        }
    }
    const char **names = FS_NEW(s->arena, const char *, known + 1);
    size_t *order = FS_NEW(s->arena, size_t, known + 1);
    for (size_t k = 0; k < known; k++) {
        bool axis = !v[k].varies;
        for (size_t a = 0; a < s->sweep->axis_count && !axis; a++)
            axis = names_it(s->sweep->axes[a], v[k].name);
        if (!axis)
            order[places++] = k;
    }
    fs_study_sort(s, order, places, in_more, v);
    for (size_t i = 0; i < places; i++)
        names[i] = v[order[i]].name;
    *count = places;
    return names;
}
