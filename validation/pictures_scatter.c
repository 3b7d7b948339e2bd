/* Published against simulated: times, iterations, and all that is neither. */
#include "validation/pictures.h"

#include <math.h>
#include <string.h>

enum { TIMES, ITERATIONS, OTHERS, GROUPS };
enum { KINDS = 4 }; /* of validation-scatter.gp: predicted, saturated, fitted on, structure */

static size_t group_of(const fs_claim *c) {
    return fs_claim_timed(c) ? TIMES : strcmp(c->unit, "iterations") == 0 ? ITERATIONS : OTHERS;
}

static size_t kind_of(const fs_claim *c) {
    return c->use == FS_USE_CALIBRATE ? 2 : c->use == FS_USE_STRUCTURE ? 3 : c->saturated ? 1 : 0;
}

/* Whether it has a place on logarithmic axes; other readings have none. */
static bool drawn(const fs_validation_case *of, const fs_claim *c, size_t group) {
    return !of->left_aside && c->use != FS_USE_BEHAVIOUR && group_of(c) == group && c->published > 0 &&
           c->median > 0;
}

static size_t put_kind(fs_validation_drawing *d, fs_validation_picture *p, size_t group, size_t kind,
                       fs_range *r) {
    size_t count = 0;
    fs_text_print(&d->text, "nan nan nan nan\n"); /* gnuplot counts blocks that hold something */
    for (size_t i = 0; i < d->v->case_count; i++)
        for (size_t j = 0; j < d->v->cases[i].claim_count; j++) {
            const fs_claim *c = &d->v->cases[i].claims[j];
            if (!drawn(&d->v->cases[i], c, group) || kind_of(c) != kind)
                continue;
            const double all[] = {c->published, c->median, c->low, c->high};
            for (size_t k = 0; k < 4; k++)
                fs_range_widen(r, all[k]);
            fs_text_print(&d->text, "%.9g %.9g %.9g %.9g\n", c->published, c->median,
                          c->low > 0 ? c->low : c->median, c->high > 0 ? c->high : c->median);
            fs_validation_add_place(p->data, c->published, c->median,
                                    fs_arena_printf(d->arena, "%s: %s%s%s", d->v->cases[i].title, c->name,
                                                    group == OTHERS && c->unit[0] != '\0' ? ", " : "",
                                                    group == OTHERS ? c->unit : ""),
                                    c);
            count++;
        }
    fs_text_print(&d->text, "\n\n");
    return count;
}

static fs_status write_group(fs_validation_drawing *d, size_t group, fs_error *err) {
    static const char *const word[GROUPS] = {"times", "iterations", "others"},
                             *const unit[GROUPS] = {"s", "iterations", ""},
                             *const title[GROUPS] = {"Times of a frame, published against simulated",
                                                     "Iterations of a frame, published against simulated",
                                                     "All other figures, each in its own unit"};
    fs_range r = {INFINITY, 0};
    char kinds[KINDS + 1] = "0000";
    size_t count = 0;
    for (size_t i = 0; i < d->v->case_count; i++)
        for (size_t j = 0; j < d->v->cases[i].claim_count; j++)
            count += drawn(&d->v->cases[i], &d->v->cases[i].claims[j], group) ? 1 : 0;
    if (count == 0)
        return FS_OK;
    fs_validation_picture *p = fs_validation_new_picture(d, FS_PICTURE_SCATTER, "published", word[group]);
    p->data = fs_validation_places(unit[group]);
    for (size_t kind = 0; kind < KINDS; kind++)
        if (put_kind(d, p, group, kind, &r) > 0)
            kinds[kind] = '1';
    if (fs_validation_save(d, p, "dat", err))
        return err->status;
    fs_validation_begin_script(d, p, title[group],
                               group == OTHERS ? "Dots: median over the stand-ins; bars: their range. On the "
                                                 "diagonal both agree."
                                               : "Dots: median over the stand-ins; bars: their range. Above "
                                                 "the diagonal the simulation is slower than the paper.");
    double space = r.high > 20 * r.low ? 1.6 : 1.08;
    fs_text_print(&d->text, "kinds = '%s'\nunit = '%s'\nlow = %.9g\nhigh = %.9g\n", kinds, unit[group],
                  r.low / space, r.high * space);
    fs_validation_put_marks(d, r.low / space, r.high * space);
    fs_text_print(&d->text, "load 'validation-scatter.gp'\n");
    return fs_validation_save(d, p, "gp", err);
}

fs_status fs_validation_write_scatter(fs_validation_drawing *d, fs_error *err) {
    for (size_t group = 0; group < GROUPS; group++)
        if (write_group(d, group, err))
            return err->status;
    return FS_OK;
}
