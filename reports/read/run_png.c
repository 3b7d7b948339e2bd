/* Pictures of a run folder. */
#include "reports/read/run_private.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

enum { MOST_PIXELS = 1 << 28 }; /* beyond what a run renders: a damaged header, not a picture */

/* What must outlive a longjmp out of libpng. */
typedef struct reader {
    FILE *file;
    png_structp png;
    png_infop info;
    char *reason; /* of the heap: what libpng said */
    uint8_t *pixels;
    png_bytep *rows;
    uint32_t width, height;
} reader;

static void on_error(png_structp png, png_const_charp text) {
    reader *r = png_get_error_ptr(png);
    free(r->reason);
    r->reason = fs_strdup(text);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png, (void)text;
}

/* Reads the picture whole; false when r->reason says why not. `depth`: 8 gives RGB, 16 raw grey values in the
 * host's order. */
static bool read_picture(reader *r, int depth) {
    if (setjmp(png_jmpbuf(r->png)))
        return false;
    png_init_io(r->png, r->file);
    png_set_user_limits(r->png, MOST_PIXELS, MOST_PIXELS);
    png_read_info(r->png, r->info);
    r->width = png_get_image_width(r->png, r->info);
    r->height = png_get_image_height(r->png, r->info);
    int bits = png_get_bit_depth(r->png, r->info), colour = png_get_color_type(r->png, r->info);
    if ((uint64_t)r->width * r->height > MOST_PIXELS)
        png_error(r->png, "too many pixels");
    if (depth == 16) {
        if (bits != 16 || colour != PNG_COLOR_TYPE_GRAY)
            png_error(r->png, "expected 16-bit grey");
        const uint16_t one = 1;
        if (*(const uint8_t *)&one == 1)
            png_set_swap(r->png);
    } else {
        png_set_expand(r->png);
        png_set_scale_16(r->png);
        png_set_strip_alpha(r->png);
        png_set_gray_to_rgb(r->png);
    }
    png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    size_t pitch = (size_t)r->width * (depth == 16 ? 2 : 3);
    if (png_get_rowbytes(r->png, r->info) != pitch)
        png_error(r->png, "an unexpected kind of PNG");
    r->pixels = fs_calloc((size_t)r->height * pitch + 1, 1);
    r->rows = fs_calloc(r->height + (size_t)1, sizeof *r->rows);
    for (uint32_t y = 0; y < r->height; y++)
        r->rows[y] = r->pixels + y * pitch;
    png_read_image(r->png, r->rows);
    png_read_end(r->png, NULL);
    return true;
}

static uint8_t *read_png(const fs_folder *folder, const char *file, int depth, uint32_t *width,
                         uint32_t *height, fs_error *err) {
    const char *path = fs_folder_file(folder, file);
    reader *r = fs_calloc(1, sizeof *r); /* not on the stack: longjmp may leave its changes undone there */
    r->file = fopen(path, "rb");
    bool whole = false;
    if (r->file == NULL)
        fs_fail(err, FS_INPUT, "%s: cannot read: %s", path, strerror(errno));
    else {
        r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, on_error, on_warning);
        r->info = r->png == NULL ? NULL : png_create_info_struct(r->png);
        whole = r->info != NULL && read_picture(r, depth);
        if (!whole)
            fs_fail(err, FS_INPUT, "%s: no PNG that can be read: %s", path,
                    r->reason != NULL ? r->reason : "libpng cannot begin");
        png_destroy_read_struct(&r->png, &r->info, NULL);
        fclose(r->file);
    }
    uint8_t *pixels = whole ? r->pixels : NULL;
    *width = r->width;
    *height = r->height;
    if (!whole)
        free(r->pixels);
    free(r->rows);
    free(r->reason);
    free(r);
    return pixels;
}

uint8_t *fs_folder_png_rgb(const fs_folder *folder, const char *file, uint32_t *width, uint32_t *height,
                           fs_error *err) {
    return read_png(folder, file, 8, width, height, err);
}

uint16_t *fs_folder_png_grey16(const fs_folder *folder, const char *file, uint32_t *width, uint32_t *height,
                               fs_error *err) {
    return (uint16_t *)(void *)read_png(folder, file, 16, width, height, err);
}
