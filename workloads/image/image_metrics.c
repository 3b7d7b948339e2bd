/* PSNR and SSIM. Sums run in a fixed order, so the bits do not depend on threads. */
#include "sim/base/alloc.h"
#include "sim/base/detmath.h"
#include "sim/base/host.h"
#include "workloads/image/image.h"

#include <stdlib.h>

uint8_t fs_colour8(float c) {
    float scaled = 255.0f * c + 0.5f;
    return scaled >= 255.0f ? 255 : scaled > 0.0f ? (uint8_t)scaled : 0;
}

void fs_image_rgb8(const float *rgb, uint64_t pixels, uint8_t *out) {
    for (uint64_t i = 0; i < 3 * pixels; i++)
        out[i] = fs_colour8(rgb[i]);
}

static double decibel(double peak, double error, double samples) {
    static const double ln10 = 0x1.26bb1bbb55516p1;
    if (!(error > 0.0))
        return __builtin_inf();
    return 10.0 / ln10 * fs_log(peak * peak * samples / error);
}

void fs_image_toned8(float (*colour)[3], uint64_t pixels, uint8_t *out) {
    for (uint64_t i = 0; i < 3 * pixels; i++) {
        const float x = colour[i / 3][i % 3];
        out[i] = fs_colour8(__builtin_sqrtf(x / (1.0f + x)));
    }
}

void fs_image_grey16(const uint32_t *number, uint64_t stride, uint64_t pixels, uint16_t *out) {
    uint32_t most = 1;
    for (uint64_t i = 0; i < pixels; i++)
        most = number[i * stride] > most ? number[i * stride] : most;
    for (uint64_t i = 0; i < pixels; i++)
        out[i] = (uint16_t)((uint64_t)number[i * stride] * 65535u / most);
}

double fs_psnr_rgb8(const uint8_t *a, const uint8_t *b, uint64_t pixels) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 3 * pixels; i++) {
        int64_t d = (int64_t)a[i] - b[i];
        sum += (uint64_t)(d * d);
    }
    return decibel(255.0, (double)sum, (double)(3 * pixels));
}

double fs_psnr_float(const float *a, const float *b, uint64_t pixels) {
    double sum = 0.0;
    for (uint64_t i = 0; i < 3 * pixels; i++) {
        double d = (double)a[i] - (double)b[i];
        sum += d * d;
    }
    return decibel(1.0, sum, (double)(3 * pixels));
}

/* ---- SSIM (Wang, Bovik, Sheikh, Simoncelli 2004) ---- */

enum { TAPS = 11, MAPS = 5, BAND = 32 };

typedef struct window {
    uint32_t columns, rows; /* at most TAPS; less in images that are smaller */
    double across[TAPS], down[TAPS];
} window;

static void gaussian(uint32_t taps, double *weight) {
    static const double sigma = 1.5;
    double sum = 0.0;
    for (uint32_t i = 0; i < taps; i++) {
        double x = (double)i - 0.5 * (double)(taps - 1);
        weight[i] = fs_exp(-x * x / (2.0 * sigma * sigma));
        sum += weight[i];
    }
    for (uint32_t i = 0; i < taps; i++)
        weight[i] /= sum;
}

static double luma(const uint8_t *rgb) { /* ITU-R BT.601 */
    return (0.299 * rgb[0] + 0.587 * rgb[1]) + 0.114 * rgb[2];
}

/* What a row is smoothed of, each map an array: a, b, a a, b b, a b. */
typedef struct maps {
    double *of[MAPS]; /* [columns of the map] */
} maps;

/* Sums run over the taps in their order for each window by itself, so windows side by side may be worked out
 * together: the same bits, with vectors or without. One text, compiled twice: see sum_band. */
typedef double quad __attribute__((vector_size(32), aligned(8)));
enum { TOGETHER = 16 };

#define TWICE static inline __attribute__((always_inline))

/* to[i]: the sum over the taps k of weight[k] from[k][i]. */
TWICE void add_weighted(const double *const *from, const double *weight, uint32_t taps, uint32_t count,
                        double *to) {
    for (uint32_t i = 0; i < count && count >= TOGETHER; i += TOGETHER) {
        const uint32_t place = i < count - TOGETHER ? i : count - TOGETHER; /* some are worked out again */
        quad a = {0}, b = {0}, c = {0}, d = {0};
        for (uint32_t k = 0; k < taps; k++) {
            const quad *at = (const quad *)(from[k] + place);
            a += weight[k] * at[0];
            b += weight[k] * at[1];
            c += weight[k] * at[2];
            d += weight[k] * at[3];
        }
        quad *out = (quad *)(to + place);
        out[0] = a;
        out[1] = b;
        out[2] = c;
        out[3] = d;
    }
    for (uint32_t i = 0; i < count && count < TOGETHER; i++) {
        double sum = 0.0;
        for (uint32_t k = 0; k < taps; k++)
            sum += weight[k] * from[k][i];
        to[i] = sum;
    }
}

/* One image row, smoothed along x: a value of each map for each whole window. */
TWICE void smooth_row(const uint8_t *a, const uint8_t *b, const window *w, uint32_t width, const maps *row,
                      const maps *out) {
    const uint32_t windows = width - w->columns + 1;
    for (uint32_t i = 0; i < width; i++) {
        const double x = luma(a + 3 * (size_t)i), y = luma(b + 3 * (size_t)i);
        row->of[0][i] = x;
        row->of[1][i] = y;
        row->of[2][i] = x * x;
        row->of[3][i] = y * y;
        row->of[4][i] = x * y;
    }
    for (int m = 0; m < MAPS; m++) {
        const double *from[TAPS];
        for (uint32_t k = 0; k < w->columns; k++)
            from[k] = row->of[m] + k;
        add_weighted(from, w->across, w->columns, windows, out->of[m]);
    }
}

TWICE double similarity(const maps *mean, uint32_t i) {
    static const double c1 = (0.01 * 255.0) * (0.01 * 255.0), c2 = (0.03 * 255.0) * (0.03 * 255.0);
    double x = mean->of[0][i], y = mean->of[1][i];
    double xx = mean->of[2][i] - x * x, yy = mean->of[3][i] - y * y, xy = mean->of[4][i] - x * y;
    return ((2.0 * x * y + c1) * (2.0 * xy + c2)) / ((x * x + y * y + c1) * (xx + yy + c2));
}

/* Sum over the windows of a row of them; smooth: [w->rows] from their first image row on. */
TWICE double sum_windows(const maps *smooth, const window *w, uint32_t windows, const maps *mean) {
    double sum = 0.0;
    for (int m = 0; m < MAPS; m++) {
        const double *from[TAPS];
        for (uint32_t k = 0; k < w->rows; k++)
            from[k] = smooth[k].of[m];
        add_weighted(from, w->down, w->rows, windows, mean->of[m]);
    }
    for (uint32_t i = 0; i < windows; i++)
        sum += similarity(mean, i);
    return sum;
}

static double *place_maps(maps *m, uint32_t columns, double *memory) {
    for (int i = 0; i < MAPS; i++, memory += columns)
        m->of[i] = memory;
    return memory;
}

/* Rows of windows [begin, end), end - begin <= BAND: what they need stays in the nearer caches. */
TWICE void sum_rows(const uint8_t *a, const uint8_t *b, const window *w, uint32_t width, uint32_t begin,
                    uint32_t end, double *row_sum) {
    maps row, mean, smooth[BAND + TAPS];
    double *memory = fs_malloc((size_t)MAPS * width * (BAND + TAPS + 2) * sizeof *memory);
    double *next = place_maps(&mean, width, place_maps(&row, width, memory));
    for (uint32_t j = begin; j < end + w->rows - 1; j++) {
        next = place_maps(&smooth[j - begin], width, next);
        smooth_row(a + 3 * (size_t)j * width, b + 3 * (size_t)j * width, w, width, &row, &smooth[j - begin]);
    }
    for (uint32_t j = begin; j < end; j++)
        row_sum[j] = sum_windows(&smooth[j - begin], w, width - w->columns + 1, &mean);
    free(memory);
}

typedef void band_sum(const uint8_t *a, const uint8_t *b, const window *w, uint32_t width, uint32_t begin,
                      uint32_t end, double *row_sum);

static void sum_band(const uint8_t *a, const uint8_t *b, const window *w, uint32_t width, uint32_t begin,
                     uint32_t end, double *row_sum) {
    sum_rows(a, b, w, width, begin, end, row_sum);
}

#if defined(__x86_64__)
__attribute__((target("avx2")))
#endif
static void
sum_band_avx2(const uint8_t *a, const uint8_t *b, const window *w, uint32_t width, uint32_t begin,
              uint32_t end, double *row_sum) {
    sum_rows(a, b, w, width, begin, end, row_sum);
}

double fs_ssim_rgb8(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height) {
    window w = {.columns = width < TAPS ? width : TAPS, .rows = height < TAPS ? height : TAPS};
    gaussian(w.columns, w.across);
    gaussian(w.rows, w.down);
    uint32_t across = width - w.columns + 1, down = height - w.rows + 1;
    double *row_sum = fs_malloc(down * sizeof *row_sum);
    band_sum *const sum_up = fs_host_has_avx2() ? sum_band_avx2 : sum_band;
#pragma omp parallel for schedule(static)
    for (uint32_t j = 0; j < down; j += BAND)
        sum_up(a, b, &w, width, j, j + BAND < down ? j + BAND : down, row_sum);
    double sum = 0.0;
    for (uint32_t j = 0; j < down; j++)
        sum += row_sum[j];
    free(row_sum);
    return sum / ((double)across * (double)down);
}
