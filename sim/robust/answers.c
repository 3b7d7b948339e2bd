/* What came out where: figures of a price into the values, from a result or from the store. */
#include "sim/results/results.h"
#include "sim/robust/private.h"

#include <math.h>
#include <string.h>

json_t *fs_robust_figures(const fs_robust *r, const json_t *summary) {
    const fs_store_sweep *s = r->sweep;
    json_t *all = json_object();
    for (size_t i = 0; i < s->objective_count + s->constraint_count; i++) {
        const json_t *value = fs_results_json_get(summary, fs_store_wanted(s, i));
        if (value != NULL)
            json_object_set(all, fs_store_wanted(s, i), (json_t *)(uintptr_t)value); /* only counted */
    }
    return all;
}

bool fs_robust_has_all(const fs_robust *r, const json_t *figures) {
    for (size_t i = 0; i < r->sweep->objective_count + r->sweep->constraint_count; i++)
        if (json_object_get(figures, fs_store_wanted(r->sweep, i)) == NULL)
            return false;
    return true;
}

static fs_store_figure stored(const fs_robust *r, const json_t *figures, const char *name) {
    const json_t *value = json_object_get(figures, name);
    fs_store_figure f = {.name = name, .unit = "", .number = (double)NAN, .text = json_string_value(value)};
    fs_stat row;
    if (json_is_number(value))
        f.number = json_number_value(value);
    else if (json_is_boolean(value))
        f.number = json_is_true(value) ? 1 : 0;
    else if (json_is_null(value) && fs_stats_find_in(r->registry->figures, name, &row))
        f.null_is = row.null_is;
    return f;
}

static bool keeps_all(const fs_robust *r, const json_t *figures) {
    const fs_store_sweep *sweep = r->sweep;
    for (size_t c = 0; c < sweep->constraint_count; c++) {
        const fs_store_constraint *constraint = &sweep->constraints[c];
        const fs_store_figure figure = stored(r, figures, constraint->figure);
        const fs_store_point point = {.figures = &figure, .figure_count = 1};
        if (json_object_get(figures, constraint->figure) == NULL || !fs_store_keeps(&point, constraint))
            return false;
    }
    return true;
}

void fs_robust_note(const fs_robust *r, const json_t *figures, size_t place) {
    if (!keeps_all(r, figures))
        return; /* stays NAN */
    for (size_t g = 0; g < r->sweep->objective_count; g++)
        r->value[g][place] = stored(r, figures, r->sweep->objectives[g].figure).number;
}

bool fs_robust_is_known(const fs_robust *r, const json_t *figures, const fs_store_point *point) {
    for (size_t i = 0; i < r->sweep->objective_count + r->sweep->constraint_count; i++) {
        const fs_store_figure now = stored(r, figures, fs_store_wanted(r->sweep, i)),
                              *then = fs_store_figure_of(point, now.name);
        if (json_object_get(figures, now.name) == NULL || then == NULL ||
            (now.text == NULL) != (then->text == NULL) ||
            (now.text != NULL && strcmp(now.text, then->text) != 0) ||
            isnan(now.number) != isnan(then->number) || (!isnan(now.number) && now.number != then->number))
            return false;
    }
    return true;
}
