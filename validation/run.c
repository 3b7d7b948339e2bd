/* Simulates what the cases ask for: every variant on every stand-in. */
#include "validation/private.h"

#include <math.h>
#include <string.h>

/* The point of each variant on each stand-in of its case. */
typedef struct variant_points {
    size_t *index; /* [standin_count] */
} variant_points;

static fs_status add_case(const fs_validation *v, const fs_validation_case *c, fs_point_list *list,
                          variant_points *points, fs_error *err) {
    for (size_t i = 0; i < c->variant_count; i++) {
        points[i].index = FS_NEW(v->arena, size_t, c->standin_count);
        for (size_t s = 0; s < c->standin_count; s++) {
            const char *label = fs_arena_printf(
                v->arena, "%s%s%s", c->name, c->variants[i].name[0] == '\0' ? "" : ", ", c->variants[i].name);
            if (fs_points_add(list, c->standins[s], &c->variants[i], NULL, 0, label, &points[i].index[s],
                              err))
                return err->status;
        }
    }
    return FS_OK;
}

/* The first line of a text. */
static const char *first_line(fs_arena *arena, const char *text) {
    return fs_arena_printf(arena, "%.*s", (int)strcspn(text, "\n"), text);
}

static void take_case(const fs_validation *v, fs_validation_case *c, const fs_point_list *list,
                      const variant_points *points) {
    for (size_t i = 0; i < c->variant_count; i++) {
        fs_variant *variant = &c->variants[i];
        const fs_store_point **found = FS_NEW(v->arena, const fs_store_point *, c->standin_count + 1);
        variant->points = found;
        for (size_t s = 0; s < c->standin_count; s++) {
            const fs_store_point *p = &list->points[points[i].index[s]];
            if (strcmp(p->status, "done") == 0)
                found[s] = p;
            else
                variant->failed =
                    fs_arena_printf(v->arena, "%s%s%s: %s", variant->failed == NULL ? "" : variant->failed,
                                    variant->failed == NULL ? "" : "\n", c->standins[s]->name,
                                    first_line(v->arena, p->error));
        }
    }
}

double fs_variant_value(const fs_variant *variant, size_t standin, const char *figure) {
    const fs_store_point *p = variant->points == NULL ? NULL : variant->points[standin];
    return p == NULL ? (double)NAN : fs_store_number_of(p, figure);
}

fs_status fs_validation_run(fs_validation *v, const fs_validation_options *options, fs_error *err) {
    fs_point_list *list = fs_points_create(v);
    variant_points **points = FS_NEW(v->arena, variant_points *, v->case_count);
    for (size_t i = 0; i < v->case_count; i++) {
        points[i] = FS_NEW(v->arena, variant_points, v->cases[i].variant_count);
        if (add_case(v, &v->cases[i], list, points[i], err))
            return err->status;
    }
    fs_sensitivities *sensitivities = NULL;
    if (options->sensitivity && fs_sensitivities_add(v, list, &sensitivities, err))
        return err->status;
    if (fs_points_run(list, "validation", options, err))
        return err->status;
    for (size_t i = 0; i < v->case_count; i++)
        take_case(v, &v->cases[i], list, points[i]);
    if (sensitivities != NULL)
        fs_sensitivities_take(v, sensitivities, list);
    return FS_OK;
}
