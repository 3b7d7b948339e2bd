/* Published against simulated: a chart for each thing that the paper measures over and over, and one for
 * all else. */
#include "sim/base/detmath.h"
#include "validation/page/charts.h"

#include <math.h>

/* Predicted, saturated, fitted on, structure. */
enum { KINDS = 4 };

static size_t kind_of(const fs_claim *c) {
    return c->use == FS_USE_CALIBRATE ? 2 : c->use == FS_USE_STRUCTURE ? 3 : c->saturated ? 1 : 0;
}

/* Whether it has a place on logarithmic axes, in the picture of a measure (NULL: of all that is measured but
 * once); other readings have none. */
static bool drawn(const fs_validation_case *of, const fs_claim *c, const fs_paper_figure *group) {
    return !of->left_aside && c->use != FS_USE_BEHAVIOUR && c->measured == group && c->published > 0 &&
           c->median > 0;
}

/* Calls for each figure in the picture of a measure. */
static void for_each(fs_validation_sheet *p, const fs_paper_figure *group,
                     void (*call)(fs_validation_sheet *p, const fs_claim *c, void *self), void *self) {
    for (size_t i = 0; i < p->v->case_count; i++)
        for (size_t j = 0; j < p->v->cases[i].claim_count; j++)
            if (drawn(&p->v->cases[i], &p->v->cases[i].claims[j], group))
                call(p, &p->v->cases[i].claims[j], self);
}

static void count_one(fs_validation_sheet *p, const fs_claim *c, void *self) {
    (void)p;
    (void)c;
    ++*(size_t *)self;
}

void fs_validation_list_scatter(fs_validation_sheet *p) {
    const fs_paper *paper = p->v->paper;
    for (size_t i = 0; i <= paper->measure_count; i++) { /* the last: all others */
        const fs_paper_figure *group = i < paper->measure_count ? &paper->measures[i] : NULL;
        size_t count = 0;
        for_each(p, group, count_one, &count);
        if (count > 0)
            fs_validation_list(p, (fs_validation_chart){.kind = FS_VALIDATION_SCATTER, .measure = group},
                               "published", group == NULL ? "others" : group->name);
    }
}

typedef struct scatter {
    fs_claim_marks kind[KINDS];
    fs_range range;
    const char *unit;
} scatter;

static void add(fs_validation_sheet *p, const fs_claim *c, void *self) {
    scatter *q = self;
    const double all[] = {c->published, c->median, c->low, c->high};
    for (size_t k = 0; k < 4; k++)
        fs_range_widen(&q->range, all[k]);
    q->unit = c->unit;
    fs_validation_mark(p, &q->kind[kind_of(c)], c, c->published, c->median);
}

/* What is aimed at around the diagonal, as far as the panel goes, and the diagonal. */
static void put_aim(fs_validation_sheet *p, fs_panel *panel) {
    enum { PLACES = 65 }; /* straight between them */
    const double aim = p->v->paper->aim, low = panel->x.low, high = panel->x.high;
    double *x = FS_NEW(p->arena, double, PLACES), *from = FS_NEW(p->arena, double, PLACES),
           *to = FS_NEW(p->arena, double, PLACES);
    for (size_t i = 0; i < PLACES; i++) {
        x[i] = low * fs_pow(high / low, (double)i / (PLACES - 1));
        from[i] = fmin(fmax((1 - aim) * x[i], low), high);
        to[i] = fmin(fmax((1 + aim) * x[i], low), high);
    }
    fs_chart_series *band =
        fs_panel_series(p->sheet, panel, FS_DRAW_BAND,
                        fs_arena_printf(p->arena, "within %s", fs_words_share(p->arena, aim)), NULL);
    band->colour = "faint";
    band->x = fs_values_reals(p->sheet, x, PLACES);
    band->low = fs_values_reals(p->sheet, from, PLACES);
    band->high = fs_values_reals(p->sheet, to, PLACES);
    fs_chart_series *equal = fs_panel_series(p->sheet, panel, FS_DRAW_LINE, "equal", NULL);
    equal->colour = "faint";
    equal->x = equal->y = band->x;
}

/* What the side above the diagonal means. */
static const char *caption_of(const fs_paper_figure *group) {
    return group == NULL || group->more
               ? "Dots: median; bars: four fifths of the draws. On the diagonal both agree."
               : "Dots: median; bars: four fifths of the draws. Above the diagonal the simulation is slower "
                 "than the paper.";
}

void fs_validation_draw_scatter(fs_validation_sheet *p, const fs_validation_chart *chart) {
    static const char *const name[KINDS] = {"predicted", "lanes saturate", "calibration", "structure"},
                             *const colour[KINDS] = {"series-0", "series-1", "series-2", "series-7"};
    const fs_paper_figure *group = chart->measure;
    scatter q = {.range = {INFINITY, 0}};
    for (size_t k = 0; k < KINDS; k++)
        q.kind[k] = fs_validation_marks(p);
    for_each(p, group, add, &q);
    const double space = q.range.high > 20 * q.range.low ? 1.6 : 1.08;
    const char *unit = group == NULL || q.unit[0] == '\0' ? "" : fs_arena_printf(p->arena, ", %s", q.unit);
    fs_chart *out =
        fs_sheet_chart(p->sheet, chart->id,
                       group == NULL ? "All other figures, each in its own unit"
                                     : fs_arena_printf(p->arena, "%s, published against simulated",
                                                       fs_words_capital(p->arena, group->name)),
                       caption_of(group));
    fs_panel *panel = fs_chart_panel(p->sheet, out, NULL);
    out->half = true;
    panel->tall = 392;
    panel->x = (fs_axis){.label = fs_arena_printf(p->arena, "published%s", unit),
                         .low = q.range.low / space,
                         .high = q.range.high * space,
                         .log = true};
    panel->y = panel->x;
    panel->y.label = fs_arena_printf(p->arena, "simulated%s", unit);
    put_aim(p, panel);
    for (size_t k = 0; k < KINDS; k++) {
        fs_validation_bars(p, panel, &q.kind[k], colour[k]);
        fs_chart_series *dots = fs_validation_dots(p, panel, &q.kind[k], name[k], colour[k]);
        if (dots != NULL)
            dots->form = (unsigned)k;
    }
}
