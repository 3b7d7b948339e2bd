/* Published against simulated: a picture for each thing that the paper measures over and over, and one for
 * all else. */
#include "validation/page/pictures.h"

#include <math.h>

enum { KINDS = 4 }; /* of validation-scatter.gp: predicted, saturated, fitted on, structure */

static size_t kind_of(const fs_claim *c) {
    return c->use == FS_USE_CALIBRATE ? 2 : c->use == FS_USE_STRUCTURE ? 3 : c->saturated ? 1 : 0;
}

/* Whether it has a place on logarithmic axes, in the picture of a measure (NULL: of all that is measured but
 * once); other readings have none. */
static bool drawn(const fs_validation_case *of, const fs_claim *c, const fs_paper_figure *group) {
    return !of->left_aside && c->use != FS_USE_BEHAVIOUR && c->measured == group && c->published > 0 &&
           c->median > 0;
}

static size_t put_kind(fs_validation_drawing *d, fs_validation_picture *p, const fs_paper_figure *group,
                       size_t kind, fs_range *r) {
    size_t count = 0;
    fs_page_text_print(&d->text, "nan nan nan nan\n"); /* gnuplot counts blocks that hold something */
    for (size_t i = 0; i < d->v->case_count; i++)
        for (size_t j = 0; j < d->v->cases[i].claim_count; j++) {
            const fs_claim *c = &d->v->cases[i].claims[j];
            if (!drawn(&d->v->cases[i], c, group) || kind_of(c) != kind)
                continue;
            const double all[] = {c->published, c->median, c->low, c->high};
            for (size_t k = 0; k < 4; k++)
                fs_range_widen(r, all[k]);
            fs_page_text_print(&d->text, "%.9g %.9g %.9g %.9g\n", c->published, c->median,
                               c->low > 0 ? c->low : c->median, c->high > 0 ? c->high : c->median);
            fs_validation_add_place(p->data, c->published, c->median,
                                    fs_arena_printf(d->arena, "%s: %s%s%s", d->v->cases[i].title, c->name,
                                                    group == NULL && c->unit[0] != '\0' ? ", " : "",
                                                    group == NULL ? c->unit : ""),
                                    c);
            count++;
        }
    fs_page_text_print(&d->text, "\n\n");
    return count;
}

/* What the side above the diagonal means. */
static const char *caption_of(const fs_paper_figure *group) {
    return group == NULL || group->more
               ? "Dots: median over the stand-ins; bars: their range. On the diagonal both agree."
               : "Dots: median over the stand-ins; bars: their range. Above the diagonal the simulation is "
                 "slower than the paper.";
}

static fs_status write_group(fs_validation_drawing *d, const fs_paper_figure *group, fs_error *err) {
    fs_range r = {INFINITY, 0};
    char kinds[KINDS + 1] = "0000";
    const char *unit = "";
    size_t count = 0;
    for (size_t i = 0; i < d->v->case_count; i++)
        for (size_t j = 0; j < d->v->cases[i].claim_count; j++) {
            const fs_claim *c = &d->v->cases[i].claims[j];
            if (!drawn(&d->v->cases[i], c, group))
                continue;
            unit = group == NULL ? "" : c->unit;
            count++;
        }
    if (count == 0)
        return FS_OK;
    fs_validation_picture *p =
        fs_validation_new_picture(d, FS_PICTURE_SCATTER, "published", group == NULL ? "others" : group->name);
    p->data = fs_validation_places(unit);
    for (size_t kind = 0; kind < KINDS; kind++)
        if (put_kind(d, p, group, kind, &r) > 0)
            kinds[kind] = '1';
    if (fs_validation_save(d, p, "dat", err))
        return err->status;
    fs_validation_begin_script(d, p,
                               group == NULL ? "All other figures, each in its own unit"
                                             : fs_arena_printf(d->arena, "%s, published against simulated",
                                                               fs_words_capital(d->arena, group->name)),
                               caption_of(group));
    double space = r.high > 20 * r.low ? 1.6 : 1.08;
    fs_page_text_print(&d->text, "kinds = '%s'\naim = %.9g\nlow = %.9g\nhigh = %.9g\n", kinds,
                       d->v->paper->aim, r.low / space, r.high * space);
    fs_validation_put_text(d, "unit", unit);
    fs_validation_put_marks(d, "xy", r.low / space, r.high * space);
    fs_page_text_print(&d->text, "load 'validation-scatter.gp'\n");
    return fs_validation_save(d, p, "gp", err);
}

fs_status fs_validation_write_scatter(fs_validation_drawing *d, fs_error *err) {
    const fs_paper *paper = d->v->paper;
    for (size_t i = 0; i < paper->measure_count; i++)
        if (write_group(d, &paper->measures[i], err))
            return err->status;
    return write_group(d, NULL, err);
}
