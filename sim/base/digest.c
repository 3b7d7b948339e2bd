/* SHA-256 of memory and of files. */
#include "sim/base/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void fs_digest_begin(fs_digest *d) {
    sha256_init(&d->sha);
}

void fs_digest_add(fs_digest *d, const void *data, size_t bytes) {
    sha256_update(&d->sha, bytes, data);
}

void fs_digest_end(fs_digest *d, char hex[FS_DIGEST_HEX]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char raw[SHA256_DIGEST_SIZE];
    sha256_digest(&d->sha, sizeof raw, raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        hex[2 * i] = digits[raw[i] >> 4];
        hex[2 * i + 1] = digits[raw[i] & 15];
    }
    hex[2 * sizeof raw] = '\0';
}

void fs_digest_memory(const void *data, size_t bytes, char hex[FS_DIGEST_HEX]) {
    fs_digest d;
    fs_digest_begin(&d);
    fs_digest_add(&d, data, bytes);
    fs_digest_end(&d, hex);
}

void fs_digest_stream(fs_memory *memory, char hex[FS_DIGEST_HEX]) {
    fs_memory_close(memory);
    fs_digest_memory(memory->text, memory->bytes, hex);
    free(memory->text);
}

fs_status fs_digest_file(const char *path, char hex[FS_DIGEST_HEX], fs_error *err) {
    struct stat about; /* a pipe would be waited for */
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return fs_fail(err, FS_INPUT, "%s: cannot open: not a regular file", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fs_fail(err, FS_IO, "%s: cannot open: %s", path, strerror(errno));
    fs_digest d;
    fs_digest_begin(&d);
    unsigned char buffer[1 << 16];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
        fs_digest_add(&d, buffer, got);
    int failed = ferror(file);
    fclose(file);
    if (failed)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", path, strerror(errno));
    fs_digest_end(&d, hex);
    return FS_OK;
}
