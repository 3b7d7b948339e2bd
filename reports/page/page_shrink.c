/* gnuplot writes 32-bit colour; a plot does with 256, so pages and documents hold it as a PNG with a palette. */
#include "reports/page/page.h"
#include "reports/page/page_file.h"
#include "sim/base/alloc.h"
#include "sim/host/file.h"

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

/* ---- files ---- */

/* Five bits of each channel: what pixels are counted by. */
enum { KEYS = 1 << 15 };

static unsigned key_of(const uint8_t *rgb) {
    return (unsigned)(rgb[0] >> 3) << 10 | (unsigned)(rgb[1] >> 3) << 5 | (unsigned)(rgb[2] >> 3);
}

static unsigned distance(unsigned a, unsigned b) {
    unsigned sum = 0;
    for (unsigned shift = 0; shift < 15; shift += 5) {
        int d = (int)(a >> shift & 31) - (int)(b >> shift & 31);
        sum += (unsigned)(d * d);
    }
    return sum;
}

typedef struct seen {
    uint32_t count, key;
    uint32_t sum[3]; /* of its pixels, by channel */
} seen;

/* The most frequent first; of equally many, in an order that is spread over all colours. */
static int by_count(const void *a, const void *b) {
    const seen *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    uint32_t a_place = x->key * 20077 % KEYS, b_place = y->key * 20077 % KEYS; /* odd: each its own */
    return (a_place > b_place) - (a_place < b_place);
}

/* The most frequent colours of rgb [count] to `palette` (RGB), and for each pixel the nearest one: how many. */
static size_t nearest_colours(const uint8_t *rgb, size_t count, uint8_t *index, uint8_t *palette) {
    seen *s = fs_calloc(KEYS, sizeof *s);
    uint8_t *place = fs_calloc(KEYS, 1);
    size_t colours = 0;
    for (size_t i = 0; i < count; i++) {
        seen *k = &s[key_of(rgb + 3 * i)];
        k->count++;
        for (size_t c = 0; c < 3; c++)
            k->sum[c] += rgb[3 * i + c];
    }
    for (unsigned k = 0; k < KEYS; k++)
        s[k].key = k;
    qsort(s, KEYS, sizeof *s, by_count);
    for (size_t k = 0; k < KEYS && s[k].count > 0; k++) {
        size_t best = k;
        if (k < MOST) {
            for (size_t c = 0; c < 3; c++)
                palette[3 * k + c] = (uint8_t)((s[k].sum[c] + s[k].count / 2) / s[k].count);
            colours++;
        } else {
            best = 0;
            for (size_t i = 1; i < MOST; i++)
                if (distance(s[i].key, s[k].key) < distance(s[best].key, s[k].key))
                    best = i;
        }
        place[s[k].key] = (uint8_t)best;
    }
    for (size_t i = 0; i < count; i++)
        index[i] = place[key_of(rgb + 3 * i)];
    free(s);
    free(place);
    return colours;
}

fs_status fs_page_shrink_png(const char *from, const char *to, fs_error *err) {
    png_image in = {.version = PNG_IMAGE_VERSION}, out = {.version = PNG_IMAGE_VERSION};
    uint8_t palette[3 * MOST] = {0};
    if (!png_image_begin_read_from_file(&in, from))
        return fs_fail(err, FS_IO, "%s: cannot read: %s", from, in.message);
    in.format = PNG_FORMAT_RGB;
    uint8_t *rgb = fs_malloc(PNG_IMAGE_SIZE(in)), *index = fs_malloc((size_t)in.width * in.height);
    fs_status status = FS_OK;
    if (!png_image_finish_read(&in, NULL, rgb, 0, NULL))
        status = fs_fail(err, FS_IO, "%s: cannot read: %s", from, in.message);
    else {
        out.width = in.width;
        out.height = in.height;
        out.format = PNG_FORMAT_RGB_COLORMAP;
        out.colormap_entries =
            (png_uint_32)nearest_colours(rgb, (size_t)in.width * in.height, index, palette);
        png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(out);
        char *packed = fs_malloc(size);
        status = png_image_write_to_memory(&out, packed, &size, 0, index, 0, palette)
                     ? fs_file_write(to, packed, size, FS_LIGHT, err)
                     : fs_fail(err, FS_IO, "%s: cannot pack: %s", to, out.message);
        free(packed);
    }
    png_image_free(&in);
    png_image_free(&out);
    free(rgb);
    free(index);
    return status;
}
