/* How far each uncertain parameter moves the times of a case. */
#include "validation/page/charts.h"

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

/* What a parameter does at one end: a bar from 0, with the value that it has there. */
static void put_end(fs_validation_sheet *p, fs_panel *panel, const fs_sensitivity *const *order, size_t count,
                    bool high) {
    double *row = FS_NEW(p->arena, double, count), *from = FS_NEW(p->arena, double, count),
           *to = FS_NEW(p->arena, double, count);
    const char **text = FS_NEW(p->arena, const char *, count), **name = FS_NEW(p->arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        const fs_sensitivity *s = order[i];
        row[i] = (double)i;
        from[i] = 0;
        to[i] = 100 * (high ? s->at_high : s->at_low);
        text[i] = high ? s->high : s->low;
        name[i] = fs_arena_printf(p->arena, "%s: %s to %s", s->key, s->low, s->high);
    }
    fs_chart_series *q = fs_panel_series(p->sheet, panel, FS_DRAW_SPANS,
                                         high ? "time at the high value" : "time at the low value", "%");
    q->colour = high ? "series-1" : "series-5";
    q->y = fs_values_reals(p->sheet, row, count);
    q->low = fs_values_reals(p->sheet, from, count);
    q->high = fs_values_reals(p->sheet, to, count);
    q->texts = fs_values_words(p->sheet, text, count);
    q->names = fs_values_words(p->sheet, name, count);
}

void fs_validation_draw_tornado(fs_validation_sheet *p, const fs_validation_chart *chart) {
    const fs_validation_case *of = chart->of;
    const size_t count = of->sensitivity_count;
    const fs_sensitivity **order = FS_NEW(p->arena, const fs_sensitivity *, count);
    const char **key = FS_NEW(p->arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        order[i] = &of->sensitivities[i];
    qsort(order, count, sizeof *order, by_span);
    for (size_t i = 0; i < count; i++)
        key[i] = order[i]->key;
    double reach = span(order[0]), aim = mend(of);
    if (fabs(aim) < 4 * reach && fabs(aim) > reach)
        reach = fabs(aim);
    reach = reach > 0 ? 140 * reach : 1;
    fs_chart *out = fs_sheet_chart(
        p->sheet, chart->id, fs_arena_printf(p->arena, "%s: what the time depends on", of->title),
        "Change of the mean time when one uncertain parameter takes the low (blue) or high (orange) "
        "end of its stated range.");
    fs_panel *panel = fs_chart_panel(p->sheet, out, NULL);
    out->half = true;
    panel->tall = 30 * (double)count;
    panel->x = (fs_axis){.label = "change of the time, %", .low = -reach, .high = reach};
    panel->y = (fs_axis){.label = "parameter",
                         .low = -0.5,
                         .high = (double)count - 0.5,
                         .names = fs_values_words(p->sheet, key, count),
                         .down = true};
    put_end(p, panel, order, count, false);
    put_end(p, panel, order, count, true);
    fs_panel_mark(p->sheet, panel, (fs_chart_mark){.kind = FS_MARK_UP, .x = 0, .colour = "ink"});
    if (!isnan(aim) && 100 * fabs(aim) < reach)
        fs_panel_mark(
            p->sheet, panel,
            (fs_chart_mark){
                .kind = FS_MARK_UP, .x = 100 * aim, .text = "would mend the mean error", .dash = 1});
}
