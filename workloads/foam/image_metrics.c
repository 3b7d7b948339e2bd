/* PSNR and SSIM. Sums run in a fixed order, so the bits do not depend on threads. */
#include "sim/base/alloc.h"
#include "sim/base/detmath.h"
#include "workloads/foam/reference.h"

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

enum { TAPS = 11, MAPS = 5 };

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

/* One image row, smoothed along x: means of a, b, a a, b b, a b for each whole window. */
static void smooth_row(const uint8_t *a, const uint8_t *b, const window *w, uint32_t windows, double *out) {
    for (uint32_t i = 0; i < windows; i++) {
        double mean[MAPS] = {0};
        for (uint32_t k = 0; k < w->columns; k++) {
            double x = luma(a + 3 * (size_t)(i + k)), y = luma(b + 3 * (size_t)(i + k)), g = w->across[k];
            mean[0] += g * x;
            mean[1] += g * y;
            mean[2] += g * (x * x);
            mean[3] += g * (y * y);
            mean[4] += g * (x * y);
        }
        for (int m = 0; m < MAPS; m++)
            out[(size_t)MAPS * i + (size_t)m] = mean[m];
    }
}

static double similarity(const double mean[MAPS]) {
    static const double c1 = (0.01 * 255.0) * (0.01 * 255.0), c2 = (0.03 * 255.0) * (0.03 * 255.0);
    double x = mean[0], y = mean[1];
    double xx = mean[2] - x * x, yy = mean[3] - y * y, xy = mean[4] - x * y;
    return ((2.0 * x * y + c1) * (2.0 * xy + c2)) / ((x * x + y * y + c1) * (xx + yy + c2));
}

/* Sum over the windows whose first row is `row`. */
static double sum_windows(const double *smooth, const window *w, uint32_t windows, uint32_t row) {
    double sum = 0.0;
    size_t stride = (size_t)MAPS * windows;
    for (uint32_t i = 0; i < windows; i++) {
        double mean[MAPS] = {0};
        for (uint32_t k = 0; k < w->rows; k++)
            for (int m = 0; m < MAPS; m++)
                mean[m] += w->down[k] * smooth[(row + k) * stride + (size_t)MAPS * i + (size_t)m];
        sum += similarity(mean);
    }
    return sum;
}

double fs_ssim_rgb8(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height) {
    window w = {.columns = width < TAPS ? width : TAPS, .rows = height < TAPS ? height : TAPS};
    gaussian(w.columns, w.across);
    gaussian(w.rows, w.down);
    uint32_t across = width - w.columns + 1, down = height - w.rows + 1;
    double *smooth = fs_malloc((size_t)MAPS * across * height * sizeof *smooth);
    double *row_sum = fs_malloc(down * sizeof *row_sum);
#pragma omp parallel for schedule(static)
    for (uint32_t j = 0; j < height; j++)
        smooth_row(a + 3 * (size_t)j * width, b + 3 * (size_t)j * width, &w, across,
                   smooth + (size_t)MAPS * across * j);
#pragma omp parallel for schedule(static)
    for (uint32_t j = 0; j < down; j++)
        row_sum[j] = sum_windows(smooth, &w, across, j);
    double sum = 0.0;
    for (uint32_t j = 0; j < down; j++)
        sum += row_sum[j];
    free(smooth);
    free(row_sum);
    return sum / ((double)across * (double)down);
}
