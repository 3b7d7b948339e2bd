/* Activity: what every tile did in every iteration, without rays and without prices (ARCHITECTURE.md, "Three
 * layers").
 *
 * In bsp the rays never see the clock, so this follows from the traffic alone; clock, cost table, kernels,
 * exchange, sync and host price it (fs_activity_client as the client of a device, or price.c by the
 * thousand). Event counts lie in planes: one for each event and worker of the tiles that run one program,
 * [calls of these tiles, iteration by iteration, ascending tiles], 8 or 16 bits wide, left out where all are
 * 0. Larger counts have a second plane with their upper half.
 */
#pragma once

#include "models/energy/books.h"
#include "models/ipu/device.h"
#include "workloads/foam/books/books.h"
#include "workloads/foam/kernels/simulation.h"
#include "workloads/foam/record/recording.h"

/* One iteration. */
typedef struct fs_activity_iteration {
    fs_foam_step step;
    uint64_t written; /* pixels of the first frame so far */
    uint64_t bytes_to_host, bytes_to_device;
    uint32_t active; /* tiles */
    uint32_t visit;  /* the host came after it */
} fs_activity_iteration;

typedef struct fs_activity_plane {
    uint64_t at; /* byte in fs_activity.counts; a multiple of 64 */
    uint32_t group;
    uint8_t event, worker;
    uint8_t wide;  /* 16 bits each, else 8 */
    uint8_t shift; /* 16: upper halves */
} fs_activity_plane;

/* A lane at the end of the run. */
typedef struct fs_activity_lane {
    uint64_t rays, spilled, full, turned_away, used, stalled;
    uint32_t peak, capacity;
} fs_activity_lane;

/* What is reported of the pictures. */
typedef struct fs_activity_image {
    double psnr, psnr_float, ssim, cell_length, t_step;
    uint32_t exact, noted; /* noted: fp16 t is coarse here */
} fs_activity_image;

typedef struct fs_activity_end {
    uint64_t part_end[FS_PARTS];
    uint64_t fill_tracer[FS_FILL_BINS], fill_router[FS_FILL_BINS];
    fs_foam_totals totals;
    uint32_t complete, frames, width, height;
    fs_activity_image image;
} fs_activity_end;

typedef struct fs_activity {
    const char *unfinished; /* why the run failed at max_iterations, and nothing but `workers` follows; NULL:
                               it ended */
    uint32_t workers;       /* of a tile */
    uint32_t groups;        /* programs: fs_foam_programs numbers them by the overlay alone */
    uint64_t iterations;
    fs_activity_iteration *iteration; /* [iterations] */
    size_t actives, moves;
    uint32_t *active;         /* [actives] active tiles, iteration by iteration */
    uint32_t *held;           /* [actives] rays that each read */
    uint32_t *moved;          /* [moves] rays in each out lane of each of them; NULL: not loaded */
    uint64_t *calls;          /* [groups] */
    fs_activity_plane *plane; /* [planes], by group */
    size_t planes;
    size_t *plane_start;   /* [groups + 1] */
    unsigned char *counts; /* heap */
    size_t count_bytes;
    fs_activity_end end;
    fs_activity_lane *lane;              /* [lanes] */
    fs_lane_counts *lane_part[FS_PARTS]; /* [lanes] */
    uint64_t *frame;                     /* [3][frames] written, last_pixel, done */
    fs_pixel_hops *hops;                 /* [pixels] */
    uint8_t *rgb8;                       /* heap, [pixels][3]; these two NULL: not loaded */
    uint16_t *depth16;                   /* heap, [pixels] */
} fs_activity;

/* ---- recording (activity_record.c) ---- */

typedef struct fs_activity_recorder fs_activity_recorder;

/* programs: as the device runs them. */
fs_activity_recorder *fs_activity_recorder_create(const fs_overlay *overlay,
                                                  const fs_device_programs *programs, uint32_t workers);
void fs_activity_recorder_free(fs_activity_recorder *recorder); /* NULL is allowed */
/* A tile's kernel has run; any thread, different tiles at a time. counts: [workers][FS_MAX_EVENTS]. */
void fs_activity_count(fs_activity_recorder *recorder, uint32_t tile, const uint32_t *counts);
/* After the exchange of an iteration. occupied: [lanes] bytes of rays of payload_bytes each. */
void fs_activity_note(fs_activity_recorder *recorder, const fs_foam_simulation *sim, const uint32_t *active,
                      uint32_t active_count, const uint32_t *occupied, uint32_t payload_bytes);
/* After the host's decision; its visit may have read pixels. */
void fs_activity_visit(fs_activity_recorder *recorder, const fs_foam_simulation *sim,
                       const fs_host_visit *visit);
/* After the run, with closed books and all figures of the image in `end`: what was recorded, whose lists are the recorder's, the
 * books' and the arena's. fs_activity_free leaves rgb8 and depth16 alone, once they are NULL. */
void fs_activity_close(const fs_activity_recorder *recorder, const fs_foam_books *books,
                       const fs_activity_image *image, fs_arena *arena, fs_activity *out);

/* ---- recordings (activity_file.c) ---- */

/* Which of the large parts are wanted; written are all. */
typedef struct fs_activity_wants {
    bool moved, pictures;
} fs_activity_wants;

/* Sections of a recording. setup: of the run that is recorded or replayed; damaged is what does not fit it or other numbers.
 * Reading gives lists of the file's arena but for the heap blocks, which fs_activity_free frees. Of a run that failed at
 * max_iterations there is but `unfinished`: whoever replays it fails with the same words, since no price would have ended it sooner. */
void fs_activity_sections(fs_recorded *file, const fs_foam_setup *setup, fs_activity_wants wants,
                          fs_activity *activity);
void fs_activity_free(fs_activity *activity);

/* ---- replaying (activity.c) ---- */

/* A simulation that moves no rays: its step, tiles, lanes and pixels are what the activity says. */
fs_foam_simulation *fs_activity_shell(const fs_activity *activity, const fs_foam_setup *setup,
                                      fs_arena *arena);
/* Where a replay is. */
typedef struct fs_activity_cursor {
    const fs_activity *activity;
    fs_foam_simulation *shell;
    uint64_t iteration;
    size_t active, moved; /* of the iteration, in the activity's lists */
    uint64_t *call;       /* [groups] the next one */
    uint64_t *call_of;    /* [tiles] of the active tiles of the iteration */
    const fs_overlay *overlay;
    const uint8_t *group_of; /* [tiles] 1 + group */
    uint32_t generator_workers, payload_bytes;
    bool sums;          /* the shell does not show the rays that tiles hold: nobody asks */
    uint32_t *occupied; /* [lanes] */
} fs_activity_cursor;
void fs_activity_begin(fs_activity_cursor *cursor, const fs_activity *activity, fs_foam_simulation *shell,
                       const fs_device_programs *programs, const fs_foam_setup *setup, fs_arena *arena);
/* The three calls of a device's client. counts and done: as in fs_count_sink; done NULL: only the shell
 * moves on. */
void fs_activity_compute(fs_activity_cursor *cursor, const fs_count_sink *sink, const uint32_t **active,
                         uint32_t *active_count);
void fs_activity_exchange(fs_activity_cursor *cursor, const uint32_t **occupied);
void fs_activity_decide(fs_activity_cursor *cursor, fs_host_visit *visit, bool *stop);
/* Closed books: what the run's own would say of lanes and parts. */
void fs_activity_close_books(const fs_activity *activity, fs_foam_books *books);

/* The counts of one call, shared out among the generator's workers where it is one. out: [workers]
 * [FS_MAX_EVENTS], zero. */
void fs_activity_call(const fs_activity_cursor *cursor, uint32_t tile, uint64_t call, uint32_t *out);

/* Cycles of all calls of the tiles that run one program, from planes of counts. */
/* largest: [planes] largest count of each plane of the activity (fs_price_largest). cycles: [calls of the
 * group]. False, with nothing written, where 32 bits may not hold a call's cycles. What
 * fs_tile_times_closed gives, eight calls at a time where the processor can. */
bool fs_price_calls(const fs_activity *activity, const uint16_t *largest, uint32_t group,
                    const fs_priced_program *program, uint32_t *cycles);
/* Heap: free(). */
uint16_t *fs_price_largest(const fs_activity *activity);

/* What a recorded activity counts in all, iteration by iteration: whatever prices it gets. */
enum { FS_SUM_ROW = 1 + FS_MAX_EVENTS };

typedef struct fs_activity_sums {
    uint32_t groups;
    uint64_t *row; /* [iterations][groups][FS_SUM_ROW] calls of a program, and what all of them counted */
    uint32_t
        *call; /* [actives] the call of each active tile: place among those of all groups, group by group */
    /* [iterations] over the exchange when it is dynamic, headers left out: messages and bytes with their
     * ways; NULL: the moves were not read. */
    fs_moved *message, *payload;
} fs_activity_sums;

/* transfers: [lanes] of the overlay. Memory from the arena. */
void fs_activity_sums_make(const fs_activity *activity, const fs_overlay *overlay,
                           const fs_device_programs *programs, const fs_geometry_params *geometry,
                           uint32_t payload_bytes, fs_arena *arena, fs_activity_sums *out);
