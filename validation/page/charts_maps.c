/* Maps of a stand-in: how often each pixel's ray was handled, as the paper's file lists them, up to 255 as in
 * the first paper's Figures 14, 22 and 23. */
#include "reports/read/run_folder.h"
#include "validation/page/charts.h"

#include <math.h>
#include <string.h>

enum { SATURATED = 255 }; /* RF Appendix D: values encoded in 0 to 255, with saturation at 255 */

/* What the paper's map of that scene says of its mean; NAN: nothing. */
static double published_mean(const fs_validation *v, const fs_standin *standin, const char *figure) {
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t s = 0; s < v->cases[i].standin_count; s++)
            for (size_t j = 0; v->cases[i].standins[s] == standin && j < v->cases[i].claim_count; j++)
                if (strcmp(v->cases[i].claims[j].figure, figure) == 0)
                    return v->cases[i].claims[j].published;
    return NAN;
}

/* The value below which 99.5 % of the pixels lie: where colours stop. */
static unsigned colour_end(const int64_t *value, size_t all) {
    size_t count[SATURATED + 1] = {0}, below = 0;
    unsigned end = 0;
    for (size_t i = 0; i < all; i++)
        count[value[i]]++;
    while (end < SATURATED && (below += count[end]) < all - all / 200)
        end++;
    return end > 0 ? end : 1;
}

/* Of a stand-in whose run is there, the first of its ensemble. */
void fs_validation_list_maps(fs_validation_sheet *p) {
    const fs_validation *v = p->v;
    for (size_t i = 0; i < v->standin_count; i++) {
        bool first = v->standins[i].run != NULL;
        for (size_t j = 0; j < i; j++)
            first = first && !(v->standins[j].run != NULL &&
                               strcmp(v->standins[j].ensemble, v->standins[i].ensemble) == 0);
        for (size_t m = 0; m < v->paper->pixel_count && first; m++)
            fs_validation_list(p,
                               (fs_validation_chart){.kind = FS_VALIDATION_MAP,
                                                     .standin = &v->standins[i],
                                                     .map = &v->paper->pixels[m]},
                               v->standins[i].name, v->paper->pixels[m].column);
    }
}

static void draw(fs_validation_sheet *p, const fs_validation_chart *chart, const fs_folder *run,
                 const int64_t *visits, size_t width, size_t pixels) {
    int64_t *shown = FS_NEW(p->arena, int64_t, pixels); /* 0: no ray came through */
    size_t over = 0;
    for (size_t i = 0; i < pixels; i++) {
        over += visits[i] > SATURATED;
        shown[i] = visits[i] > SATURATED ? SATURATED : visits[i] < 0 ? 0 : visits[i];
    }
    const double published = published_mean(p->v, chart->standin, chart->map->figure),
                 mean = fs_folder_number(run, chart->map->figure);
    fs_chart *drawn = fs_sheet_chart(
        p->sheet, chart->id,
        fs_arena_printf(p->arena, "%s: %s %s a ray%s", chart->standin->name, fs_words_number(p->arena, mean),
                        chart->map->name,
                        isnan(published) ? ""
                                         : fs_arena_printf(p->arena, " (published mean %s)",
                                                           fs_words_number(p->arena, published))),
        fs_arena_printf(
            p->arena,
            "Visits of each pixel's ray before it ends, cut at %d as in the paper: %s. Colours "
            "stop at the 99.5th percentile.",
            SATURATED,
            over == 0 ? "no pixel is above"
                      : fs_arena_printf(p->arena, "%s above", fs_words_count(p->arena, over, "pixel"))));
    fs_panel *panel = fs_chart_panel(p->sheet, drawn, NULL);
    drawn->half = true;
    panel->note = fs_arena_printf(p->arena, "mean %s", fs_words_number(p->arena, mean));
    panel->tall = 320;
    panel->flat = (double)pixels / (double)width / (double)width;
    panel->y.down = true;
    panel->colour = (fs_axis){.label = "visits", .low = 0, .high = colour_end(shown, pixels)};
    fs_chart_series *q = fs_panel_series(p->sheet, panel, FS_DRAW_MATRIX, "visits", NULL);
    q->cols = width;
    q->rows = pixels / width;
    q->value = fs_values_whole(p->sheet, shown, pixels, 1);
}

fs_status fs_validation_draw_map(fs_validation_sheet *p, const fs_validation_chart *chart, fs_error *err) {
    fs_folder *run = fs_folder_open(chart->standin->run, NULL, err);
    const fs_csv *hops = run == NULL ? NULL : fs_folder_table(run, "hops.csv", err);
    const int64_t *visits = hops == NULL ? NULL : fs_csv_ints(hops, chart->map->column, err);
    const int64_t *x = visits == NULL ? NULL : fs_csv_ints(hops, "x", err);
    const size_t rows = x == NULL ? 0 : fs_csv_rows(hops), width = rows == 0 ? 0 : (size_t)x[rows - 1] + 1;
    if (x != NULL && (width == 0 || rows % width != 0))
        fs_fail(err, FS_INPUT, "%s/hops.csv: %zu rows are no whole picture", fs_folder_path(run), rows);
    else if (x != NULL)
        draw(p, chart, run, visits, width, rows);
    fs_folder_close(run);
    return err->status;
}
