#include "workloads/foam/kernels/framebuffer.h"

#include "workloads/foam/kernels/simulation_internal.h"

/* In one block: rays end in no order, and huge pages spare each of them five misses of the address
 * translation. */
static void create_planes(fs_framebuffer *fb, fs_arena *arena, size_t pixels) {
    const size_t hops = pixels * sizeof *fb->hops, rgb = 3 * pixels * sizeof *fb->rgb,
                 depth = pixels * sizeof *fb->depth, bytes = hops + rgb + depth + pixels * sizeof *fb->newest;
    char *block = fs_arena_alloc(arena, bytes, 1);
    fs_prefer_huge_pages(block, bytes);
    fb->hops = (fs_pixel_hops *)(void *)block;
    fb->rgb = (float *)(void *)(block + hops);
    fb->depth = (float *)(void *)(block + hops + rgb);
    fb->newest = (int32_t *)(void *)(block + hops + rgb + depth);
}

fs_framebuffer fs_framebuffer_cut(uint32_t width, uint32_t height, uint32_t tracers) {
    FS_ASSERT(tracers > 0, "an image without tracers to own it");
    uint32_t columns = 1, bits = 0;
    while ((1u << bits) < tracers)
        bits++;
    if ((1u << bits) == tracers) {
        columns = 1u << ((bits + 1) / 2);
    } else {
        while (columns * columns < tracers)
            columns++;
    }
    uint32_t rows =
        tracers / columns; /* whole rows only: a last, shorter one would leave pixels without an owner */
    return (fs_framebuffer){.width = width,
                            .height = height,
                            .tracers = tracers,
                            .columns = columns,
                            .rows = rows,
                            .slice_width = (width + columns - 1) / columns,
                            .slice_height = (height + rows - 1) / rows};
}

void fs_framebuffer_create(fs_framebuffer *fb, fs_arena *arena, uint32_t width, uint32_t height,
                           uint32_t tracers, uint32_t frames) {
    const size_t pixels = (size_t)width * height;
    *fb = fs_framebuffer_cut(width, height, tracers);
    fb->written = FS_NEW(arena, uint64_t, frames);
    fb->last_pixel = FS_NEW(arena, uint64_t, frames);
    fb->done = FS_NEW(arena, uint64_t, frames);
    fb->filled = FS_NEW(arena, uint64_t, 1);
    fb->frames = frames;
    create_planes(fb, arena, pixels);
    for (uint32_t f = 0; f < frames; f++)
        fb->last_pixel[f] = fb->done[f] = UINT64_MAX;
    for (size_t p = 0; p < pixels; p++) {
        fb->newest[p] = -1;
        fb->hops[p] = (fs_pixel_hops){-1, -1, -1, -1, -1, -1};
    }
}

uint64_t fs_framebuffer_slice_bytes(const fs_framebuffer *fb) {
    return (uint64_t)fb->slice_width * fb->slice_height * FS_PIXEL_BYTES;
}

static uint32_t byte_of(float channel) {
    const float x = 255.0f * channel;
    return x >= 255.0f ? 255 : x > 0.0f ? (uint32_t)x : 0;
}

/* Its grey value of 8 bits, weighted as in ITU-R BT.601 and rounded, is 0. */
static bool is_black(const fs_ray_state *state) {
    return 299 * byte_of(state->r) + 587 * byte_of(state->g) + 114 * byte_of(state->b) < 500;
}

static inline void put(const fs_framebuffer *fb, size_t pixel, const fs_ray_state *state) {
    fb->rgb[3 * pixel] = state->r;
    fb->rgb[3 * pixel + 1] = state->g;
    fb->rgb[3 * pixel + 2] = state->b;
    fb->depth[pixel] = state->depth;
}

/* Where ends are known: rgb and depth of the pixels written since the last call. Writing them in the order of
 * memory costs less than ray by ray. */
static void fill(const fs_framebuffer *fb) {
    if (fb->ends == NULL || *fb->filled == fb->written[0])
        return;
    for (size_t p = 0; p < (size_t)fb->width * fb->height; p++)
        if (fb->newest[p] >= 0)
            put(fb, p, &fb->ends[p]);
    *fb->filled = fb->written[0];
}

void fs_framebuffer_part(fs_framebuffer *fb, fs_arena *arena) {
    fb->came = FS_NEW(arena, uint8_t, (size_t)fb->frames * fb->width * fb->height);
}

/* A ray of a frame that has a picture of its own. */
static uint32_t write_own(fs_framebuffer *fb, size_t pixel, const fs_ray_state *state, uint32_t frame) {
    uint8_t *came = &fb->came[(size_t)frame * fb->width * fb->height + pixel];
    if (frame == 0)
        put(fb, pixel, state);
    if (*came != 0 || (fb->not_black && is_black(state)))
        return 0;
    *came = 1;
    if (frame == 0) {
        fb->newest[pixel] = 0;
        return 1;
    }
#pragma omp atomic
    fb->written[frame]++;
    return 0;
}

uint32_t fs_framebuffer_write(fs_framebuffer *fb, uint32_t x, uint32_t y, const fs_ray_state *state,
                              uint32_t frame) {
    size_t pixel = (size_t)y * fb->width + x;
    if (fb->came != NULL)
        return write_own(fb, pixel, state, frame);
    if (fb->ends == NULL)
        put(fb, pixel, state);
    const int32_t before = fb->newest[pixel];
    if (fb->not_black && is_black(state))
        return 0;
    if ((int32_t)frame <= before)
        return 0;
    for (uint32_t f = before < 0 ? 1 : (uint32_t)before + 1; f <= frame && f < fb->frames; f++) {
#pragma omp atomic
        fb->written[f]++;
    }
    fb->newest[pixel] = (int32_t)frame;
    return before < 0;
}

/* ---- of a simulation ---- */

const fs_framebuffer *fs_foam_simulation_framebuffer(const fs_foam_simulation *sim) {
    fill(&sim->framebuffer);
    return &sim->framebuffer;
}

float *fs_foam_simulation_frame(const fs_foam_simulation *sim, uint32_t frame) {
    const fs_framebuffer *fb = &sim->framebuffer;
    const size_t pixels = (size_t)fb->width * fb->height;
    float *rgb = fs_calloc(3 * pixels, sizeof *rgb);
    for (size_t p = 0; p < pixels; p++)
        if (fb->came[(size_t)frame * pixels + p] != 0) {
            const fs_ray_state *end = &sim->view[frame].end[p];
            rgb[3 * p] = end->r;
            rgb[3 * p + 1] = end->g;
            rgb[3 * p + 2] = end->b;
        }
    return rgb;
}

uint64_t fs_foam_simulation_written(const fs_foam_simulation *sim) {
    return sim->framebuffer.written[0];
}
