/* gnuplot embeds heatmaps as 32-bit colour; their palette has at most 256, so a page holds them as a PNG with
 * a palette. */
#include "reports/page.h"
#include "reports/page_file.h"
#include "sim/base/alloc.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, SLOTS = 1024 };

static uint8_t *from_base64(const char *text, size_t length, size_t *bytes) {
    uint8_t *out = fs_malloc(length / 4 * 3 + 3);
    uint32_t bits = 0;
    int held = 0;
    *bytes = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        uint32_t digit = c >= 'A' && c <= 'Z'   ? (uint32_t)(c - 'A')
                         : c >= 'a' && c <= 'z' ? (uint32_t)(c - 'a') + 26
                         : c >= '0' && c <= '9' ? (uint32_t)(c - '0') + 52
                         : c == '+'             ? 62
                         : c == '/'             ? 63
                                                : 64;
        if (digit == 64) /* padding, a line end */
            continue;
        bits = bits << 6 | digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out[(*bytes)++] = (uint8_t)(bits >> held);
        }
    }
    return out;
}

/* Pixels [count] (RGBA) to places in `palette` (RGBA, MOST of them): how many colours there are, 0 when too
 * many. */
static size_t to_palette(const uint8_t *rgba, size_t count, uint8_t *index, uint8_t *palette) {
    uint32_t key[SLOTS];
    int16_t place[SLOTS];
    size_t colours = 0;
    memset(place, -1, sizeof place);
    for (size_t i = 0; i < count; i++) {
        uint32_t colour;
        memcpy(&colour, rgba + 4 * i, 4);
        size_t slot = colour * 2654435761U >> 22;
        while (place[slot] >= 0 && key[slot] != colour)
            slot = (slot + 1) % SLOTS;
        if (place[slot] < 0) {
            if (colours == MOST)
                return 0;
            key[slot] = colour;
            place[slot] = (int16_t)colours;
            memcpy(palette + 4 * colours++, rgba + 4 * i, 4);
        }
        index[i] = (uint8_t)place[slot];
    }
    return colours;
}

char *fs_page_shrink(const char *base64, size_t length) {
    size_t bytes = 0;
    uint8_t *file = from_base64(base64, length, &bytes), palette[4 * MOST];
    png_image in = {.version = PNG_IMAGE_VERSION}, out = {.version = PNG_IMAGE_VERSION};
    uint8_t *rgba = NULL, *index = NULL, *packed = NULL;
    char *text = NULL;
    if (png_image_begin_read_from_memory(&in, file, bytes)) {
        in.format = PNG_FORMAT_RGBA;
        size_t count = (size_t)in.width * in.height, colours = 0;
        rgba = fs_malloc(PNG_IMAGE_SIZE(in));
        index = fs_malloc(count);
        if (png_image_finish_read(&in, NULL, rgba, 0, NULL))
            colours = to_palette(rgba, count, index, palette);
        out.width = in.width;
        out.height = in.height;
        out.format = PNG_FORMAT_RGBA_COLORMAP;
        out.colormap_entries = (png_uint_32)colours;
        png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(out);
        packed = fs_malloc(size);
        if (colours > 0 && png_image_write_to_memory(&out, packed, &size, 0, index, 0, palette) &&
            size < bytes) {
            text = fs_malloc(4 * ((size + 2) / 3) + 1);
            fs_page_base64(packed, size, text);
        }
    }
    png_image_free(&in);
    png_image_free(&out);
    free(file);
    free(rgba);
    free(index);
    free(packed);
    return text;
}
