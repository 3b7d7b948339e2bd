/* The bytes of a file of another tool, read once from front to end in a buffer of fixed size: a file may be larger than
 * the memory. What is packed by gzip, bzip2, xz or zstd is unpacked as it is read.
 *
 *     fs_bytes *b = fs_bytes_open(path, err);
 *     while (fs_bytes_peek(b, 21, &at) >= 21) {
 *         take(at);
 *         fs_bytes_skip(b, 21);
 *     }
 *     status = fs_bytes_close(b, err); // what went wrong on the way is said here
 */
#pragma once

#include "sim/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { FS_BYTES_AHEAD = 64 << 10 }; /* bytes that can be looked at ahead, at most */

typedef struct fs_bytes fs_bytes;

/* FS_INPUT, with the path in front: no regular file, or one whose packing cannot be undone. Closed by fs_bytes_close. */
fs_bytes *fs_bytes_open(const char *path, fs_error *err);
/* FS_INPUT: a packed file that is cut or damaged; FS_IO. NULL is allowed. */
fs_status fs_bytes_close(fs_bytes *bytes, fs_error *err);

/* What comes next: at least `want` bytes (at most FS_BYTES_AHEAD), or all that is left. Returns how many stand at *at, until
 * the next call. */
size_t fs_bytes_peek(fs_bytes *bytes, size_t want, const uint8_t **at);
/* Goes on by `count` of the bytes that were looked at. */
void fs_bytes_skip(fs_bytes *bytes, size_t count);

uint64_t fs_bytes_place(const fs_bytes *bytes); /* bytes gone by, unpacked */
const char *fs_bytes_name(const fs_bytes *bytes);
