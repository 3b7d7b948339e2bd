/* An axis that changes nothing: whether it does, and what fixed it. */
#include "reports/study/study_private.h"
#include "sim/config/config.h"

#include <math.h>
#include <string.h>

static bool same_figure(const fs_store_figure *a, const fs_store_point *of) {
    const fs_store_figure *b = fs_store_figure_of(of, a->name);
    if (b == NULL)
        return false;
    if (a->text != NULL || b->text != NULL)
        return a->text != NULL && b->text != NULL && strcmp(a->text, b->text) == 0;
    return (isnan(a->number) && isnan(b->number)) || (a->number <= b->number && a->number >= b->number);
}

size_t fs_study_changed_by(const fs_study *s, size_t axis, size_t *pairs) {
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
