/* Recordings: what a run worked out, kept for runs that need only the rest (docs/recordings.md).
 *
 * One file: a prefix, the frames of all sections one after the other, a directory. Every section is cut into
 * frames of equal length (the last may be shorter), each a zstd frame with its content's checksum, so that
 * threads unpack them to where they are used. The directory is such a frame too; it repeats the prefix, so
 * that every byte of the file is checked by the time all sections are read. Numbers are little-endian as on
 * the hosts that foamsim runs on; the format's version is raised with every change of a section's layout.
 */
#pragma once

#include "sim/base/digest.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FS_RECORDING_FORMAT = 2, FS_RECORDING_NAME = 16, FS_RECORDING_SECTIONS = 64 };
#define FS_RECORDING_FRAME ((size_t)1 << 22) /* bytes of a frame before it is packed: 4 MiB */

typedef enum fs_recording_layer {
    FS_RECORDING_ITINERARY = 1, /* needs no geometry: the rays' paths */
    FS_RECORDING_ACTIVITY = 2,  /* needs no traffic: what every tile did in every iteration */
} fs_recording_layer;
const char *fs_recording_layer_name(fs_recording_layer layer); /* "itinerary", "activity" */

/* ---- writing: to a temporary name beside `path`, synced and renamed when it is whole ---- */

typedef struct fs_recording_writer fs_recording_writer;

/* key: of the layer's configuration; text: that key's text (sim/config/key.h), from which a reader tells what
 * differs. NULL with FS_IO when the file can't be made. */
fs_recording_writer *fs_recording_create(const char *path, fs_recording_layer layer, const char *key,
                                         const char *text, fs_error *err);
/* Adds a section of `bytes` bytes. A name of at most 15 letters, each once; at most FS_RECORDING_SECTIONS. */
fs_status fs_recording_add(fs_recording_writer *writer, const char *name, const void *data, size_t bytes,
                           fs_error *err);
/* The same from pieces of FS_RECORDING_FRAME bytes each, the last one shorter where bytes end. */
fs_status fs_recording_add_frames(fs_recording_writer *writer, const char *name, const void *const *frame,
                                  size_t bytes, fs_error *err);
/* Finishes the file; the writer is gone, whatever came of it. */
fs_status fs_recording_commit(fs_recording_writer *writer, fs_error *err);
/* Leaves nothing behind. NULL is allowed. */
void fs_recording_discard(fs_recording_writer *writer);

/* ---- reading ---- */

typedef struct fs_recording fs_recording;

/* Maps the file and checks prefix and directory. NULL with FS_INPUT for a file that is no recording, or one
 * of another format or model version; with FS_IO for one that can't be read, is cut off or damaged. */
fs_recording *fs_recording_open(const char *path, fs_error *err);
void fs_recording_close(fs_recording *recording); /* NULL is allowed */

/* Whether a file begins as a recording does: enough to tell one from an experiment. */
bool fs_recording_is(const char *path);

fs_recording_layer fs_recording_layer_of(const fs_recording *recording);
const char *fs_recording_path(const fs_recording *recording);
const char *fs_recording_key(const fs_recording *recording);
const char *fs_recording_text(const fs_recording *recording); /* of the key */

/* FS_INPUT that names the first parameter that differs, when the recording is not one of this key. text: of
 * the key, as fs_config_write_key gives it. */
fs_status fs_recording_match(const fs_recording *recording, const char *key, const char *text, fs_error *err);

/* Bytes of a section, SIZE_MAX when there is none of that name. */
size_t fs_recording_bytes(const fs_recording *recording, const char *name);
/* FS_IO unless the section exists with exactly `bytes` bytes. A packed section can claim any size, so this
 * is asked before memory is. */
fs_status fs_recording_expect(const fs_recording *recording, const char *name, size_t bytes, fs_error *err);
/* FS_IO: the file, that it is damaged, and what contradicts (printf rules). For readers whose numbers do not
 * fit though the checksums do. */
fs_status fs_recording_damaged(const fs_recording *recording, fs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Unpacks a section of exactly `bytes` bytes to `data`; OpenMP threads share the frames. FS_IO when it is not
 * there, of another size, or damaged. */
fs_status fs_recording_read(const fs_recording *recording, const char *name, void *data, size_t bytes,
                            fs_error *err);
/* The same to pieces of FS_RECORDING_FRAME bytes each. */
fs_status fs_recording_read_frames(const fs_recording *recording, const char *name, void *const *frame,
                                   size_t bytes, fs_error *err);
