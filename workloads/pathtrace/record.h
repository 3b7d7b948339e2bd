/* Recordings. An itinerary holds what every drawn path counted, so that pixels are dealt anew to tiles,
 * workers and batches without a path being walked; activity holds what every worker counted in every drawn
 * sample, so that other networks, machines, samples and memories are priced. */
#pragma once

#include "sim/results/results.h"
#include "sim/workload/recorded.h"
#include "sim/workload/workload.h"
#include "workloads/paths/walk/counts.h"
#include "workloads/pathtrace/setup.h"
#include "workloads/pathtrace/trace.h"

/* What is to be seen of a run: its picture, and what the pixels cost. Made by a run with all outputs; kept by
 * its recordings. */
typedef struct fs_pathtrace_picture {
    uint8_t *rgb;                  /* [pixels][3]; heap; NULL: none was made */
    fs_pathtrace_pixel_cost *cost; /* [pixels]; heap */
} fs_pathtrace_picture;

/* Room for pixels, zeros. */
void fs_pathtrace_picture_create(fs_pathtrace_picture *picture, uint64_t pixels);
void fs_pathtrace_picture_free(fs_pathtrace_picture *picture);

/* render.png, nodes.png, tests.png, segments.png. FS_IO. */
fs_status fs_pathtrace_picture_write(const fs_pathtrace_picture *picture, const fs_pathtrace_params *params,
                                     fs_results *results, fs_error *err);

/* Sections `lit`, `picture` and `costs`. Reading gives heap; FS_INPUT when the recorded run made no picture, or one that another
 * network lights. */
void fs_pathtrace_picture_sections(fs_recorded *file, const fs_pathtrace_params *params,
                                   fs_pathtrace_picture *picture);

/* Everything of a recording. */
typedef struct fs_pathtrace_recorded {
    fs_pathtrace_scene scene;
    fs_pathtrace_paths paths;
    fs_walk_counts counts; /* itinerary: row pixel * n + sample; activity: [batches][n][workers] */
    fs_pathtrace_picture picture;
} fs_pathtrace_recorded;

void fs_pathtrace_recorded_free(fs_pathtrace_recorded *recorded);
/* Rows of the counts: workers of all rendering tiles in a batch's n samples; and of all that a layer keeps. */
uint64_t fs_pathtrace_rows_of(const fs_pathtrace_layout *layout, uint64_t drawn);
uint64_t fs_pathtrace_rows_kept(fs_recording_layer layer, const fs_pathtrace_layout *layout, uint64_t drawn);

/* FS_IO. */
fs_status fs_pathtrace_record(const char *path, fs_recording_layer layer, const fs_config *config,
                              fs_pathtrace_recorded *recorded, fs_error *err);

/* Reads all of a recording that matches the configuration (heap), the picture if it is wanted. FS_IO for a
 * damaged one. */
fs_status fs_pathtrace_read(const fs_recording *recording, const fs_config *config, bool picture,
                            fs_pathtrace_recorded *recorded, fs_error *err);

extern const fs_workload_prices fs_pathtrace_prices; /* price.c */
