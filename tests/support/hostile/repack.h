/* A recording taken apart, changed and packed again: its checksums are right, whatever its numbers say. */
#pragma once

#include "sim/results/recording.h"

#include <stddef.h>
#include <stdint.h>

typedef struct repack_section {
    char name[FS_RECORDING_NAME];
    size_t bytes;
    void *data;   /* heap */
    size_t zeros; /* 4 MiB frames of zeros in place of all that; 0: none */
} repack_section;

typedef struct repack {
    fs_recording_layer layer;
    char *key, *text; /* heap */
    repack_section section[FS_RECORDING_SECTIONS];
    size_t sections;
    uint32_t format; /* as the file has it; of another one the sections are taken as they are */
} repack;

/* Every section of a recording but `text`; 0, or -1 with err when it can't be read. A recording of an older
 * format, which an older foamsim left, is changed on the disk to this one's number, and written with its
 * own. */
int repack_open(repack *r, const char *path, fs_error *err);
void repack_free(repack *r);

/* The section of that name; NULL: there is none. */
repack_section *repack_find(repack *r, const char *name);
/* Its bytes: the content is cut, or goes on in zeros. */
void repack_resize(repack_section *s, size_t bytes);
/* Writes it to `path`; 0, or -1 with err. */
int repack_write(const repack *r, const char *path, fs_error *err);
