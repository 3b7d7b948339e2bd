/* Pictures in few bytes: pages and documents hold them with a palette of 256 colours. */
#include "reports/page/page_file.h"
#include "sim/host/file.h"
#include "sim/results/results.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, SLOTS = 1024 };

/* RGB pixels [count] to places in `palette` (MOST of them): how many colours there are, 0 when too many. */
static size_t to_palette(const uint8_t *pixel, size_t count, uint8_t *index, uint8_t *palette) {
    uint32_t key[SLOTS];
    int16_t place[SLOTS];
    size_t colours = 0;
    memset(place, -1, sizeof place);
    for (size_t i = 0; i < count; i++) {
        uint32_t colour = 0;
        memcpy(&colour, pixel + 3 * i, 3);
        size_t slot = colour * 2654435761U >> 22;
        while (place[slot] >= 0 && key[slot] != colour)
            slot = (slot + 1) % SLOTS;
        if (place[slot] < 0) {
            if (colours == MOST)
                return 0;
            key[slot] = colour;
            place[slot] = (int16_t)colours;
            memcpy(palette + 3 * colours++, pixel + 3 * i, 3);
        }
        index[i] = (uint8_t)place[slot];
    }
    return colours;
}

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

/* rgb [width * height] as a PNG of 256 colours, [*size]; NULL where libpng cannot. Owner: caller, free(). */
static char *pack(const uint8_t *rgb, uint32_t width, uint32_t height, size_t *size) {
    uint8_t palette[3 * MOST] = {0}, *index = fs_malloc((size_t)width * height + 1);
    png_image out = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB_COLORMAP};
    size_t colours = to_palette(rgb, (size_t)width * height, index, palette);
    if (colours == 0)
        colours = nearest_colours(rgb, (size_t)width * height, index, palette);
    out.colormap_entries = (png_uint_32)colours;
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(out);
    char *packed = fs_malloc(room);
    if (!png_image_write_to_memory(&out, packed, &room, 0, index, 0, palette)) {
        free(packed);
        packed = NULL;
    }
    *size = room;
    png_image_free(&out);
    free(index);
    return packed;
}

fs_status fs_page_shrink_png(const char *from, const char *to, fs_error *err) {
    uint32_t width, height;
    size_t size = 0;
    uint8_t *rgb = fs_png_read_rgb(from, &width, &height, err);
    if (rgb == NULL) /* a picture of this program's own */
        return err->status = FS_IO;
    char *packed = pack(rgb, width, height, &size);
    const fs_status status = packed != NULL ? fs_file_write(to, packed, size, FS_LIGHT, err)
                                            : fs_fail(err, FS_IO, "%s: cannot be packed", to);
    free(rgb);
    free(packed);
    return status;
}

/* Means of step x step pixels in place of them; width and height follow. */
static void reduce(uint8_t *rgb, uint32_t *width, uint32_t *height, uint32_t step) {
    const uint32_t across = *width / step, down = *height / step;
    for (uint32_t y = 0; y < down; y++)
        for (uint32_t x = 0; x < across; x++)
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t sum = 0;
                for (uint32_t j = 0; j < step; j++)
                    for (uint32_t i = 0; i < step; i++)
                        sum += rgb[3 * ((size_t)(y * step + j) * *width + x * step + i) + c];
                rgb[3 * ((size_t)y * across + x) + c] = (uint8_t)(sum / (step * step));
            }
    *width = across;
    *height = down;
}

char *fs_page_small_png(const char *path, size_t light, uint64_t dots, size_t *bytes, bool *reduced,
                        fs_error *err) {
    char *file = fs_page_read(path, bytes, err);
    *reduced = false;
    if (file == NULL || *bytes <= light)
        return file;
    fs_error ignored = {.status = FS_OK};
    uint32_t width, height, step = 1;
    uint8_t *rgb =
        fs_png_read_rgb(path, &width, &height, &ignored); /* what is none for libpng is the browser's */
    if (rgb == NULL)
        return file;
    while ((uint64_t)(width / step) * (height / step) > dots)
        step++;
    if (step > 1)
        reduce(rgb, &width, &height, step);
    size_t size = 0;
    char *packed = pack(rgb, width, height, &size);
    free(rgb);
    if (packed == NULL || size >= *bytes) {
        free(packed);
        return file;
    }
    free(file);
    *bytes = size;
    *reduced = true;
    return packed;
}
