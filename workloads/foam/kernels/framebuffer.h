/* The distributed framebuffer and what is kept for each pixel.
 *
 * Screen: the image is cut into 2^ceil(n/2) columns x 2^floor(n/2) rows of slices for 2^n tracers, slice
 * sizes rounded up; slice (column, row) belongs to tracer row * columns + column (ipu.md 7: 32 x 32 slices
 * of 20 x 15 at VGA). For other numbers of tracers the columns are the ceiling of the square root and the
 * rows follow. A pixel is 8 bytes: RGBA8 and an f32 depth (ipu.md 7). Local: a tile's own records of 12 bytes
 * (pixel x and y, RGBA8, depth).
 */
#pragma once

#include "sim/base/alloc.h"
#include "workloads/foam/march/march.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_PIXEL_BYTES = 8, FS_LOCAL_RECORD_BYTES = 12 };

typedef struct fs_pixel_hops {            /* of the first frame's ray; all -1 while it is not written */
    int32_t tracer_visits, router_visits; /* before termination */
    int32_t misrouted;                    /* in its whole life */
    int32_t delivery_hops;  /* lanes from the finishing tracer to the pixel's owner; 0: local framebuffer */
    int32_t alive, waiting; /* iterations */
} fs_pixel_hops;

typedef struct fs_framebuffer {
    uint32_t width, height, tracers;
    uint32_t columns, rows;             /* of slices */
    uint32_t slice_width, slice_height; /* pixels */
    float *rgb;                         /* [height][width][3] as finished rays brought it */
    float *depth;                       /* [height][width] */
    const fs_ray_state *ends; /* [height][width] what each pixel's rays bring, whichever comes; else NULL */
    uint64_t *filled;         /* pixels written when rgb and depth were last filled from ends */
    int32_t *newest;          /* [height][width] newest frame written to the pixel, -1: none */
    fs_pixel_hops *hops;      /* [height][width] */
    uint64_t *written;        /* [frames] pixels written by that frame or a later one */
    uint64_t *last_pixel; /* [frames] iteration in which its last pixel was written; UINT64_MAX: not yet */
    uint64_t *done;       /* [frames] iterations run at the visit that called it done; UINT64_MAX: not yet */
    uint8_t
        *came; /* [frames][height][width] of a path: the frame's ray has come, and `written` counts its own
                      alone; rgb, depth and newest are the first frame's. NULL: one picture for all frames */
    uint32_t frames; /* counted */
    bool not_black;  /* black pixels do not count as written */
} fs_framebuffer;

/* The slices of an image alone: no plane of it, which a large one fills a host's memory with. */
fs_framebuffer fs_framebuffer_cut(uint32_t width, uint32_t height, uint32_t tracers);
void fs_framebuffer_create(fs_framebuffer *fb, fs_arena *arena, uint32_t width, uint32_t height,
                           uint32_t tracers, uint32_t frames);
/* Frames have pictures of their own. */
void fs_framebuffer_part(fs_framebuffer *fb, fs_arena *arena);
uint64_t fs_framebuffer_slice_bytes(const fs_framebuffer *fb);

/* Shard whose tracer owns the pixel. */
static inline uint32_t fs_framebuffer_owner(const fs_framebuffer *fb, uint32_t x, uint32_t y) {
    return y / fb->slice_height * fb->columns + x / fb->slice_width;
}

/* Stores a finished ray. Different pixels from different threads at a time. 1 when it is the first of its
 * pixel that counts, which the caller adds to written[0]; later frames are counted here. */
uint32_t fs_framebuffer_write(fs_framebuffer *fb, uint32_t x, uint32_t y, const fs_ray_state *state,
                              uint32_t frame);
