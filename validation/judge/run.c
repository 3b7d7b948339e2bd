/* Simulates what the cases ask for: every variant on every stand-in. */
#include "validation/cases/quotient.h"
#include "validation/judge/private.h"

#include <math.h>
#include <string.h>

/* Adds the points of all variants of a case; *index [variants * standins]. */
static fs_status add_points(const fs_validation *v, const fs_validation_case *c, fs_case_points *list,
                            size_t **index, fs_error *err) {
    size_t *next = *index = FS_NEW(v->arena, size_t, c->variant_count * c->standin_count + 1);
    for (size_t i = 0; i < c->variant_count; i++) {
        const fs_variant *variant = &c->variants[i];
        const char *label =
            fs_arena_printf(v->arena, "%s%s%s", c->name, variant->name[0] == '\0' ? "" : ", ", variant->name);
        for (size_t s = 0; s < c->standin_count; s++)
            if (fs_case_points_add(list, c->standins[s], variant, NULL, 0, label, next++, err))
                return err->status;
    }
    return FS_OK;
}

/* The first line of a text. */
static const char *first_line(fs_arena *arena, const char *text) {
    return fs_arena_printf(arena, "%.*s", (int)strcspn(text, "\n"), text);
}

static void take_points(const fs_validation *v, fs_validation_case *c, const fs_case_points *list,
                        const size_t *index) {
    for (size_t i = 0; i < c->variant_count; i++) {
        fs_variant *variant = &c->variants[i];
        const fs_store_point **found = FS_NEW(v->arena, const fs_store_point *, c->standin_count + 1);
        variant->points = found;
        for (size_t s = 0; s < c->standin_count; s++) {
            const fs_store_point *p = &list->points[*index++];
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

static double number_of(void *self, const char *name) {
    const fs_store_point *const *point = self;
    return fs_store_number_of(*point, name);
}

double fs_case_point_value(const fs_paper *paper, const fs_store_point *p, const char *figure) {
    if (p != NULL && strcmp(p->status, "done") == 0)
        return fs_quotient_value(figure, number_of, &p);
    const fs_paper_figure *measured = fs_paper_measure(paper, figure);
    return measured == NULL ? (double)NAN : measured->more ? 0 : (double)INFINITY;
}

double fs_variant_value(const fs_validation_case *c, const fs_variant *variant, size_t standin,
                        const char *figure) {
    return variant->points == NULL ? (double)NAN
                                   : fs_case_point_value(c->paper, variant->points[standin], figure);
}

fs_status fs_validation_run(fs_validation *v, const fs_validation_options *options, fs_error *err) {
    fs_case_points *list = fs_case_points_create(v);
    size_t **index = FS_NEW(v->arena, size_t *, v->case_count + 1);
    fs_draws *draws = NULL;
    fs_leave_aside(v);
    for (size_t i = 0; i < v->case_count; i++)
        if (add_points(v, &v->cases[i], list, &index[i], err))
            return err->status;
    list->basic = true;
    if (fs_draws_check(v, index, err) || (!options->quick && fs_draws_add(v, list, &draws, err)) ||
        fs_case_points_run(list, "validation", options, err))
        return err->status;
    for (size_t i = 0; i < v->case_count; i++)
        take_points(v, &v->cases[i], list, index[i]);
    if (draws != NULL)
        fs_draws_take(v, draws, list);
    return FS_OK;
}
