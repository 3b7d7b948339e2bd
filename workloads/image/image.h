/* Pictures as numbers: 8-bit colours of a float image, how far two images are apart, depth as grey. */
#pragma once

#include <stdint.h>

/* 8-bit colour of a pixel: trunc(clamp(255 c + 0.5, 0, 255)). */
uint8_t fs_colour8(float c);
void fs_image_rgb8(const float *rgb, uint64_t pixels, uint8_t *out);
/* Colours above 1 are compressed first (x / (1 + x) and a square root), so that a sun does not blind. */
void fs_image_toned8(float (*colour)[3], uint64_t pixels, uint8_t *out);
/* Numbers as 16-bit grey for a PNG: black is 0, white the greatest. number: every stride-th counts. */
void fs_image_grey16(const uint32_t *number, uint64_t stride, uint64_t pixels, uint16_t *out);

/* Quality of an image against the reference. PSNR in dB: infinity when equal. SSIM: luma (BT.601), 11x11
 * Gaussian window of sigma 1.5, K1 0.01, K2 0.03, range 255, mean over whole windows (an image smaller than
 * the window has one window, cut to its size). */
double fs_psnr_rgb8(const uint8_t *a, const uint8_t *b, uint64_t pixels);
double fs_psnr_float(const float *a, const float *b, uint64_t pixels);
double fs_ssim_rgb8(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height);

/* Depth as 16-bit grey for a PNG: near is bright, 0 (never) is black, scaled to the 1st ... 99th percentile;
 * the scale is returned. */
void fs_depth_grey16(const float *depth, uint32_t width, uint32_t height, uint16_t *out, float *near,
                     float *far);
