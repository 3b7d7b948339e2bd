/* SHA-256 (nettle), as lower-case hexadecimal text. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <nettle/sha2.h>
#include <stddef.h>

#define FS_DIGEST_HEX 65 /* 64 digits and the final 0 */

typedef struct fs_digest {
    struct sha256_ctx sha;
} fs_digest;

void fs_digest_begin(fs_digest *d);
void fs_digest_add(fs_digest *d, const void *data, size_t bytes);
void fs_digest_end(fs_digest *d, char hex[FS_DIGEST_HEX]);

void fs_digest_memory(const void *data, size_t bytes, char hex[FS_DIGEST_HEX]);
/* Of what was written to a stream into memory, which is closed and freed. */
void fs_digest_stream(fs_memory *memory, char hex[FS_DIGEST_HEX]);
/* FS_IO with path and reason if the file can't be read. */
fs_status fs_digest_file(const char *path, char hex[FS_DIGEST_HEX], fs_error *err);
