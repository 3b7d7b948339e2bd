/* Shared by the files of sim/results only. */
#pragma once

#include "sim/base/error.h"
#include "sim/host/file.h"
#include "sim/results/results.h"

#include "sim/results/recording.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

fs_status fs_png_write(FILE *file, const char *path, const fs_picture *picture, fs_error *err);

/* ---- the bytes of a recording ---- */

static const char fs_recording_magic[8] = {'F', 'S', 'R', 'E', 'C', '\r', '\n', '\x1a'};

/* The first bytes of the file. What comes after `format` is of that version. */
typedef struct fs_recording_prefix {
    char magic[8];
    uint32_t format, model;
    uint32_t layer, sections;
    uint64_t directory_at, directory_bytes; /* where the packed directory lies; it ends the file */
    char key[FS_DIGEST_HEX + 7];            /* zeros after its 64 digits */
} fs_recording_prefix;
_Static_assert(sizeof(fs_recording_prefix) == 112, "no padding in the file");

/* The directory: the prefix with directory_bytes 0, then the sections, then the packed bytes of every frame,
 * section by section. */
typedef struct fs_recording_entry {
    char name[FS_RECORDING_NAME];
    uint64_t at;     /* of its first frame in the file */
    uint64_t bytes;  /* unpacked */
    uint64_t frames; /* bytes / FS_RECORDING_FRAME, rounded up */
} fs_recording_entry;

static inline size_t fs_recording_frames(uint64_t bytes) {
    return (size_t)((bytes + FS_RECORDING_FRAME - 1) / FS_RECORDING_FRAME);
}
static inline size_t fs_recording_frame_bytes(uint64_t bytes, size_t frame) {
    const uint64_t left = bytes - (uint64_t)frame * FS_RECORDING_FRAME;
    return left < FS_RECORDING_FRAME ? (size_t)left : FS_RECORDING_FRAME;
}
