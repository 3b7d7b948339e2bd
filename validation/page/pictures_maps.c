/* Maps of a stand-in: how often each pixel's ray was handled, as the paper's file lists them, up to 255 as in
 * the first paper's Figures 14, 22 and 23; and its rendered image. */
#include "reports/read/run_folder.h"
#include "validation/page/pictures.h"

#include "sim/results/results.h"

#include <math.h>
#include <stdlib.h>
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
static unsigned colour_end(const fs_validation_picture *p) {
    size_t count[SATURATED + 1] = {0}, all = p->width * p->height, below = 0;
    unsigned end = 0;
    for (size_t i = 0; i < all; i++)
        count[p->values[i]]++;
    while (end < SATURATED && (below += count[end]) < all - all / 200)
        end++;
    return end > 0 ? end : 1;
}

static void put_matrix(fs_validation_drawing *d, fs_validation_picture *p, const int64_t *visits) {
    p->values = fs_malloc(p->width * p->height);
    for (size_t i = 0; i < p->width * p->height; i++) {
        int64_t shown = visits[i] > SATURATED ? SATURATED : visits[i];
        p->values[i] = shown < 0 ? 0 : (uint8_t)shown; /* 0: no ray came through */
        fs_page_text_print(&d->text, i % p->width + 1 == p->width ? "%d\n" : "%d ", (int)shown);
    }
}

static fs_status write_map(fs_validation_drawing *d, const fs_standin *s, const fs_folder *run,
                           const fs_csv *hops, const fs_paper_map *m, fs_error *err) {
    const int64_t *visits = fs_csv_ints(hops, m->column, err);
    const int64_t *x = visits == NULL ? NULL : fs_csv_ints(hops, "x", err);
    size_t rows = fs_csv_rows(hops);
    if (x == NULL)
        return err->status;
    fs_validation_picture *p = fs_validation_new_picture(d, FS_PICTURE_MAP, s->name, m->column);
    p->standin = s;
    p->width = rows == 0 ? 0 : (size_t)x[rows - 1] + 1;
    p->height = p->width == 0 ? 0 : rows / p->width;
    if (p->width == 0 || p->width * p->height != rows)
        return fs_fail(err, FS_INPUT, "%s/hops.csv: %zu rows are no whole picture", fs_folder_path(run),
                       rows);
    put_matrix(d, p, visits);
    if (fs_validation_save(d, p, "map", err))
        return err->status;
    double published = published_mean(d->v, s, m->figure), mean = fs_folder_number(run, m->figure);
    size_t over = 0;
    for (size_t i = 0; i < rows; i++)
        over += visits[i] > SATURATED ? 1 : 0;
    fs_validation_begin_script(
        d, p,
        fs_arena_printf(d->arena, "%s: %s %s a ray%s", s->name, fs_words_number(d->arena, mean), m->name,
                        isnan(published) ? ""
                                         : fs_arena_printf(d->arena, " (published mean %s)",
                                                           fs_words_number(d->arena, published))),
        fs_arena_printf(
            d->arena,
            "Visits of each pixel's ray before it ends, cut at %d as in the paper: %s. Colours stop "
            "at the 99.5th percentile.",
            SATURATED,
            over == 0 ? "no pixel is above"
                      : fs_arena_printf(d->arena, "%s above", fs_words_count(d->arena, over, "pixel"))));
    fs_page_text_print(
        &d->text,
        "width = %zu\nheight = %zu\nsides = 1\nwidest = 320\narray source = ['%s']\n"
        "array name = [%s]\narray unit = ['visits']\narray low = [0]\narray high = [%u]\n"
        "array note = [%s]\nload 'pixelmaps.gp'\n",
        p->width, p->height, p->name, fs_plot_quoted(d->arena, m->name), colour_end(p),
        fs_plot_quoted(d->arena, fs_arena_printf(d->arena, "mean %s", fs_words_number(d->arena, mean))));
    return fs_validation_save(d, p, "gp", err);
}

static fs_status write_standin(fs_validation_drawing *d, const fs_standin *s, fs_error *err) {
    const fs_paper *paper = d->v->paper;
    fs_folder *run = fs_folder_open(s->run, NULL, err);
    const fs_csv *hops = run == NULL ? NULL : fs_folder_table(run, "hops.csv", err);
    for (size_t i = 0; hops != NULL && i < paper->pixel_count && err->status == FS_OK; i++)
        write_map(d, s, run, hops, &paper->pixels[i], err);
    fs_folder_close(run);
    return err->status;
}

fs_status fs_validation_write_maps(fs_validation_drawing *d, fs_error *err) {
    const fs_validation *v = d->v;
    for (size_t i = 0; i < v->standin_count; i++) {
        bool first = v->standins[i].run != NULL; /* of its ensemble */
        for (size_t j = 0; j < i; j++)
            first = first && !(v->standins[j].run != NULL &&
                               strcmp(v->standins[j].ensemble, v->standins[i].ensemble) == 0);
        if (first && v->paper->pixel_count > 0 && write_standin(d, &v->standins[i], err))
            return err->status;
    }
    return FS_OK;
}

/* ---- images ---- */

fs_status fs_validation_thumbnail(const fs_standin *standin, uint32_t width, const char *path,
                                  fs_error *err) {
    uint32_t from_width = 0, from_height = 0;
    fs_folder *run = fs_folder_open(standin->run, NULL, err);
    uint8_t *from = run == NULL ? NULL : fs_folder_png_rgb(run, "image.png", &from_width, &from_height, err);
    fs_folder_close(run);
    if (from == NULL)
        return err->status;
    uint32_t block = 1; /* pixels across and down that become one */
    while (from_width / block > width && block < from_height)
        block++;
    FS_ASSERT(block > 0 && block < 1 << 15, "a picture of %u x %u pixels", from_width, from_height);
    uint32_t to_width = from_width / block, to_height = from_height / block;
    uint8_t *to = fs_malloc((size_t)3 * to_width * to_height + 1);
    for (uint32_t y = 0; y < to_height; y++)
        for (uint32_t x = 0; x < 3 * to_width; x++) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < block * block; i++)
                sum += from[((size_t)(y * block + i / block) * from_width + x / 3 * block + i % block) * 3 +
                            x % 3];
            to[(size_t)3 * to_width * y + x] = (uint8_t)(sum / (block * block));
        }
    fs_status status = fs_png_write_alone(path, FS_PICTURE_RGB(to, to_width, to_height), err);
    free(to);
    free(from);
    return status;
}
