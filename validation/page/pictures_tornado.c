/* How far each uncertain parameter moves the times of a case. */
#include "validation/page/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double span(const fs_sensitivity *s) {
    double low = fabs(s->at_low), high = fabs(s->at_high);
    return isnan(low) ? high : isnan(high) || low > high ? low : high;
}

/* The widest first; ties by name. */
static int by_span(const void *a, const void *b) {
    const fs_sensitivity *x = *(const fs_sensitivity *const *)a, *y = *(const fs_sensitivity *const *)b;
    if (span(x) < span(y) || span(x) > span(y))
        return span(x) < span(y) ? 1 : -1;
    return strcmp(x->key, y->key);
}

/* The change that would take the case's mean error away: the mean of published / simulated - 1. NAN: no time. */
static double mend(const fs_validation_case *of) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < of->claim_count; i++) {
        const fs_claim *c = &of->claims[i];
        if (c->measured == NULL || !c->measured->priced || c->use == FS_USE_BEHAVIOUR || !(c->median > 0))
            continue;
        sum += c->published / c->median - 1;
        count += 1;
    }
    return count > 0 ? sum / count : (double)NAN;
}

/* A word for a data file: quotes would end it. */
static const char *word(fs_arena *arena, const char *text) {
    char *out = fs_arena_strdup(arena, text);
    for (char *c = out; *c != '\0'; c++)
        if (*c == '"' || *c == '\\')
            *c = '\'';
    return out;
}

static void add_row(fs_validation_picture *p, size_t row, double at, const char *label, double low,
                    double high) {
    json_t *layers = json_object_get(p->data, "layers");
    const double value[] = {low, high};
    json_array_append_new(json_object_get(p->data, "x"), json_real(at));
    json_array_append_new(json_object_get(p->data, "y"), json_integer((json_int_t)row));
    json_array_append_new(json_object_get(p->data, "labels"), json_string(label));
    for (size_t i = 0; i < 2; i++)
        json_array_append_new(json_object_get(json_array_get(layers, i), "values"),
                              isnan(value[i]) ? json_string("none") : json_real(value[i]));
}

static fs_status write_case(fs_validation_drawing *d, const fs_validation_case *of, fs_error *err) {
    size_t count = of->sensitivity_count;
    const fs_sensitivity **order = FS_NEW(d->arena, const fs_sensitivity *, count);
    for (size_t i = 0; i < count; i++)
        order[i] = &of->sensitivities[i];
    qsort(order, count, sizeof *order, by_span);
    fs_validation_picture *p = fs_validation_new_picture(d, FS_PICTURE_TORNADO, of->name, "tornado");
    p->of = of;
    p->data = json_pack("{s:[], s:[], s:[], s:[{s:s, s:s, s:[], s:s}, {s:s, s:s, s:[], s:s}]}", "x", "y",
                        "labels", "layers", "what", "time at the low value", "unit", "%", "values", "none",
                        "none", "what", "time at the high value", "unit", "%", "values", "none", "none");
    double reach = span(order[0]), aim = mend(of);
    for (size_t i = 0; i < count; i++) {
        const fs_sensitivity *s = order[i];
        fs_page_text_print(&d->text, "%zu %.9g %.9g %s %s\n", i, 100 * s->at_low, 100 * s->at_high,
                           fs_plot_cell(d->arena, word(d->arena, s->low)),
                           fs_plot_cell(d->arena, word(d->arena, s->high)));
        add_row(p, i, 0, fs_arena_printf(d->arena, "%s: %s to %s", s->key, s->low, s->high), 100 * s->at_low,
                100 * s->at_high);
    }
    if (fs_validation_save(d, p, "dat", err))
        return err->status;
    fs_validation_begin_script(
        d, p, fs_arena_printf(d->arena, "%s: what the time depends on", of->title),
        "Change of the mean time when one uncertain parameter takes the low (blue) or high (orange) "
        "end of its stated range.");
    if (fabs(aim) < 4 * reach && fabs(aim) > reach)
        reach = fabs(aim);
    p->half[0] = reach > 0 ? 140 * reach : 1;
    p->half[1] = 0.5;
    fs_page_text_print(&d->text, "rows = %zu\nreach = %.9g\nmend = %s\nset ytics noenhanced (", count,
                       p->half[0], isnan(aim) ? "NaN" : fs_arena_printf(d->arena, "%.9g", 100 * aim));
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&d->text, "%s%s %zu", i > 0 ? ", " : "",
                           fs_plot_quoted_format(d->arena, fs_plot_cut(d->arena, order[i]->key, 34)), i);
    fs_page_text_print(&d->text, ")\nload 'validation-tornado.gp'\n");
    return fs_validation_save(d, p, "gp", err);
}

fs_status fs_validation_write_tornados(fs_validation_drawing *d, fs_error *err) {
    for (size_t i = 0; i < d->v->case_count; i++)
        if (d->v->cases[i].sensitivity_count > 0 && write_case(d, &d->v->cases[i], err))
            return err->status;
    return FS_OK;
}
