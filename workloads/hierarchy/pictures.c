/* What the engine saw, what there is to see, and where the two differ. */
#include "workloads/hierarchy/run.h"

#include <stdlib.h>

enum { RGB = 3 };
static const uint8_t sky[RGB] = {24, 28, 40};       /* nothing was hit */
static const uint8_t other[RGB] = {220, 60, 40};    /* another triangle than the nearest */
static const uint8_t nothing[RGB] = {250, 200, 40}; /* a miss where a triangle is hit */

static void put(uint8_t *to, const uint8_t from[RGB]) {
    for (int c = 0; c < RGB; c++)
        to[c] = from[c];
}

static void put_shade(uint8_t *to, uint8_t shade) {
    if (shade == 0)
        put(to, sky);
    else
        to[0] = to[1] = to[2] = shade;
}

static fs_status write_seen(const fs_hierarchy_work *w, uint8_t *rgb, fs_results *results, fs_error *err) {
    for (uint32_t r = 0; r < w->walks.rays; r++)
        put_shade(rgb + (size_t)w->given[r] * RGB, w->shade[r]);
    return fs_results_png(results, "image.png", FS_PICTURE_RGB(rgb, w->width, w->height), err);
}

static fs_status write_right(const fs_hierarchy_work *w, uint8_t *rgb, fs_results *results, fs_error *err) {
    for (uint32_t i = 0; i < w->checked; i++)
        put_shade(rgb + (size_t)w->given[(size_t)i * w->step] * RGB, w->right[i]);
    return fs_results_png(results, "reference.png", FS_PICTURE_RGB(rgb, w->width, w->height), err);
}

/* Right hits in the background, half as bright. */
static fs_status write_wrong(const fs_hierarchy_work *w, uint8_t *rgb, fs_results *results, fs_error *err) {
    for (uint32_t i = 0; i < w->checked; i++) {
        const size_t ray = (size_t)i * w->step;
        uint8_t *to = rgb + (size_t)w->given[ray] * RGB;
        put_shade(to, w->right[i]);
        for (int c = 0; c < RGB; c++)
            to[c] = to[c] / 2;
        if (!fs_hierarchy_is_right(w, i))
            put(to, w->walks.end[ray].hit.triangle == FS_UNIT_WALK_MISS ? nothing : other);
    }
    return fs_results_png(results, "wrong.png", FS_PICTURE_RGB(rgb, w->width, w->height), err);
}

fs_status fs_hierarchy_pictures_write(const fs_hierarchy_work *w, fs_results *results, fs_error *err) {
    if (w->width == 0)
        return FS_OK;
    uint8_t *rgb = fs_calloc((size_t)w->width * w->height, RGB);
    fs_status status = write_seen(w, rgb, results, err);
    if (status == FS_OK && w->checked == w->walks.rays) {
        status = write_right(w, rgb, results, err);
        if (status == FS_OK)
            status = write_wrong(w, rgb, results, err);
    }
    free(rgb);
    return status;
}
