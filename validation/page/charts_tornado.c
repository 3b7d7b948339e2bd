/* How far each uncertain parameter moves the times of a case. */
#include "validation/page/charts.h"

#include <math.h>

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

void fs_validation_draw_tornado(fs_validation_sheet *p, const fs_validation_chart *chart) {
    const fs_validation_case *of = chart->of;
    const size_t count = of->sensitivity_count;
    const double aim = mend(of);
    fs_lever *lever = FS_NEW(p->arena, fs_lever, count);
    for (size_t i = 0; i < count; i++) {
        const fs_sensitivity *s = &of->sensitivities[i];
        lever[i] = (fs_lever){s->key, {s->low, s->high}, {s->at_low, s->at_high}};
    }
    fs_chart *out = fs_sheet_chart(p->sheet, chart->id,
                                   fs_arena_printf(p->arena, "%s: what the time depends on", of->title),
                                   "Change of the mean when one uncertain parameter takes the low (blue) or "
                                   "high (orange) end of its prior: a "
                                   "plane through all draws.");
    fs_panel *panel = fs_sheet_levers(p->sheet, out, "the time", lever, count, count);
    out->half = true;
    if (fabs(aim) < 4 * fs_lever_reach(&lever[0])) {
        panel->x.high = fmax(panel->x.high, 140 * fabs(aim));
        panel->x.low = -panel->x.high;
        fs_panel_mark(
            p->sheet, panel,
            (fs_chart_mark){
                .kind = FS_MARK_UP, .x = 100 * aim, .text = "would mend the mean error", .dash = 1});
    }
}
