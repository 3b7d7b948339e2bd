/* What is to be seen of a run: its picture, and what the pixels cost. Made by a run with all outputs; kept by
 * its recordings. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_PICTURE_H
#define FOAMSIM_WORKLOADS_PATHTRACE_PICTURE_H

#include "sim/results/recording.h"
#include "sim/results/results.h"
#include "workloads/pathtrace/trace.h"

typedef struct fs_pathtrace_picture {
    uint8_t *rgb;                  /* [pixels][3]; heap; NULL: none was made */
    fs_pathtrace_pixel_cost *cost; /* [pixels]; heap */
} fs_pathtrace_picture;

/* Room for pixels, zeros. */
void fs_pathtrace_picture_create(fs_pathtrace_picture *picture, uint64_t pixels);
void fs_pathtrace_picture_free(fs_pathtrace_picture *picture);
/* Colours above 1 are compressed (x / (1 + x) and a square root), so that a sun does not blind. */
void fs_pathtrace_picture_tone(fs_pathtrace_picture *picture, uint64_t pixels, float (*colour)[3]);

/* render.png, nodes.png, tests.png, segments.png. FS_IO. */
fs_status fs_pathtrace_picture_write(const fs_pathtrace_picture *picture, const fs_pathtrace_params *params,
                                     fs_results *results, fs_error *err);

/* Sections `lit`, `picture` and `costs`; none without a picture. */
fs_status fs_pathtrace_picture_add(fs_recording_writer *writer, const fs_pathtrace_picture *picture,
                                   const fs_pathtrace_params *params, fs_error *err);
/* FS_INPUT when the recorded run made no picture, or one that another network lights; FS_IO. */
fs_status fs_pathtrace_picture_read(const fs_recording *recording, const fs_pathtrace_params *params,
                                    fs_pathtrace_picture *picture, fs_error *err);

#endif
