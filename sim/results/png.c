/* Pictures as PNG: colour with 8 bits, grey with 16; the same picture is the same file. */
#include "sim/base/alloc.h"
#include "sim/results/private.h"
#include "sim/results/results.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct writer {
    jmp_buf failed;
    char reason[128];
    int number; /* errno at the error: libpng says "Write Error" whatever kept a byte from the disk */
} writer;

static void on_error(png_structp png, png_const_charp text) {
    writer *w = png_get_error_ptr(png);
    w->number = errno;
    snprintf(w->reason, sizeof w->reason, "%s", text);
    longjmp(w->failed, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

/* One row as PNG wants it: 16-bit samples have their high byte first. */
static void fill_row(const fs_picture *p, uint32_t y, uint8_t *row) {
    size_t begin = (size_t)y * p->width;
    if (p->rgb != NULL) {
        memcpy(row, p->rgb + 3 * begin, 3 * (size_t)p->width);
        return;
    }
    for (size_t x = 0; x < p->width; x++) {
        row[2 * x] = (uint8_t)(p->grey[begin + x] >> 8);
        row[2 * x + 1] = (uint8_t)(p->grey[begin + x] & 255);
    }
}

/* Differences of neighbours, their runs, and their Huffman code: a sixth of the default's time for a tenth
 * more bytes, a search for longer matches finding little in rendered pictures. */
enum { BUFFER = 1 << 16 };

/* All that may jump; nothing here is needed after a jump. */
static void write_all(png_structp png, png_infop info, FILE *file, const fs_picture *p, uint8_t *row) {
    png_init_io(png, file);
    png_set_IHDR(png, info, p->width, p->height, p->rgb != NULL ? 8 : 16,
                 p->rgb != NULL ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_DEFAULT, PNG_FILTER_SUB);
    png_set_compression_level(png, 1);
    png_set_compression_strategy(png, Z_RLE);
    png_set_compression_buffer_size(png, BUFFER);
    png_write_info(png, info);
    for (uint32_t y = 0; y < p->height; y++) {
        fill_row(p, y, row);
        png_write_row(png, row);
    }
    png_write_end(png, NULL); /* no time stamp: the same picture is the same file */
}

fs_status fs_png_write(FILE *file, const char *path, const fs_picture *picture, fs_error *err) {
    writer w = {.reason = ""};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL) {
        png_destroy_write_struct(&png, NULL);
        return fs_fail(err, FS_MEMORY, "%s: libpng cannot start", path);
    }
    uint8_t *row = fs_malloc(3 * (size_t)picture->width);
    fs_status status = FS_OK;
    if (setjmp(w.failed) == 0)
        write_all(png, info, file, picture, row);
    else
        status =
            fs_fail(err, FS_IO, "%s: cannot write: %s", path, ferror(file) ? strerror(w.number) : w.reason);
    free(row);
    png_destroy_write_struct(&png, &info);
    return status;
}

fs_status fs_results_png(fs_results *results, const char *name, const fs_picture *picture, fs_error *err) {
    FILE *file = fs_results_create(results, name, NULL, NULL, 0, err);
    if (file == NULL)
        return FS_IO;
    fs_status status = fs_png_write(file, name, picture, err);
    fs_status closed = fs_results_close(results, file, err);
    return status ? status : closed;
}

fs_status fs_png_write_alone(const char *path, const fs_picture *picture, fs_error *err) {
    fs_aside aside;
    if (fs_aside_open(&aside, path, err))
        return err->status;
    if (fs_png_write(aside.file, path, picture, err)) {
        fs_aside_discard(&aside);
        return err->status;
    }
    return fs_aside_commit(&aside, FS_DURABLE, err);
}

enum { MOST_PIXELS = 1 << 28 }; /* beyond what a run renders: a damaged header, not a picture */

uint8_t *fs_png_read_rgb(const char *path, uint32_t *width, uint32_t *height, fs_error *err) {
    png_image in = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = NULL;
    bool whole = png_image_begin_read_from_file(&in, path) != 0;
    *width = in.width;
    *height = in.height;
    if (whole && (uint64_t)in.width * in.height > MOST_PIXELS)
        fs_fail(err, FS_INPUT, "%s: no PNG that can be read: too many pixels", path);
    else if (whole) {
        in.format = PNG_FORMAT_RGB;
        pixels = fs_calloc(PNG_IMAGE_SIZE(in) + 1, 1);
        whole = png_image_finish_read(&in, NULL, pixels, 0, NULL) != 0;
    }
    if (!whole) {
        fs_fail(err, FS_INPUT, "%s: no PNG that can be read: %s", path, in.message);
        free(pixels);
        pixels = NULL;
    }
    png_image_free(&in);
    return pixels;
}
