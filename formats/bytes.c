#include "formats/bytes.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/host/file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

enum { ROOM = 4 * FS_BYTES_AHEAD, MAGIC = 6 };

struct fs_bytes {
    const char *name;
    FILE *file;
    struct archive *archive; /* of a packed file */
    const uint8_t *begin;    /* of what is there */
    size_t at, size;         /* of it: gone by, there */
    uint64_t before;         /* bytes before `begin` */
    bool ended;
    fs_error err;
    uint8_t buffer[];
};

/* Packings, by the first bytes of a file. `open` undoes one in this process, or says ARCHIVE_WARN. */
static const struct packing {
    const char *magic, *name, *by;
    size_t bytes;
    int (*open)(struct archive *archive);
} packings[] = {
    {"\x1f\x8b", "gzip", "gzip -dk", 2, archive_read_support_filter_gzip},
    {"BZh", "bzip2", "bzip2 -dk", 3, archive_read_support_filter_bzip2},
    {"\xfd"
     "7zXZ",
     "xz", "xz -dk", 5, archive_read_support_filter_xz},
    {"\x28\xb5\x2f\xfd", "zstd", "zstd -dk", 4, archive_read_support_filter_zstd},
};

static fs_status unpack(fs_bytes *b, const struct packing *p) {
    struct archive_entry *entry;
    b->archive = archive_read_new();
    if (b->archive == NULL)
        fs_no_memory();
    if (p->open(b->archive) != ARCHIVE_OK) /* it would start a program */
        return fs_fail(&b->err, FS_INPUT, "%s is packed by %s: unpack it first (%s %s)", b->name, p->name,
                       p->by, b->name);
    archive_read_support_format_raw(b->archive);
    archive_read_support_format_empty(b->archive);
    int status = archive_read_open_FILE(b->archive, b->file);
    if (status == ARCHIVE_OK)
        status = archive_read_next_header(b->archive, &entry);
    b->ended = status == ARCHIVE_EOF;
    if (status != ARCHIVE_OK && !b->ended)
        return fs_fail(&b->err, FS_INPUT, "%s: packed by %s, and damaged: %s", b->name, p->name,
                       archive_error_string(b->archive));
    return FS_OK;
}

fs_bytes *fs_bytes_open(const char *path, fs_error *err) {
    FILE *file = fs_file_regular(path);
    uint8_t magic[MAGIC];
    if (file == NULL)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: cannot open: %s", path, fs_file_reason());
    fs_bytes *b = fs_calloc(1, sizeof *b + ROOM);
    *b = (fs_bytes){.name = fs_strdup(path), .file = file, .begin = b->buffer};
    const size_t there = fread(magic, 1, sizeof magic, file);
    rewind(file);
    for (size_t i = 0; i < FS_COUNT(packings); i++)
        if (there >= packings[i].bytes && memcmp(magic, packings[i].magic, packings[i].bytes) == 0)
            unpack(b, &packings[i]);
    if (b->err.status == FS_OK)
        return b;
    fs_bytes_close(b, err);
    return NULL;
}

fs_status fs_bytes_close(fs_bytes *b, fs_error *err) {
    if (b == NULL)
        return FS_OK;
    const fs_status status = b->err.status == FS_OK ? FS_OK : fs_fail(err, b->err.status, "%s", b->err.text);
    if (b->archive != NULL)
        archive_read_free(b->archive);
    if (b->file != NULL)
        fclose(b->file);
    free((char *)b->name);
    free(b);
    return status;
}

/* Some more bytes behind those that are there. */
static void fill(fs_bytes *b) {
    memmove(b->buffer, b->buffer + b->at, b->size - b->at);
    b->before += b->at;
    b->size -= b->at;
    b->at = 0;
    if (b->archive == NULL) {
        const size_t got = fread(b->buffer + b->size, 1, ROOM - b->size, b->file);
        b->ended = got == 0;
        b->size += got;
        if (ferror(b->file))
            fs_fail(&b->err, FS_IO, "%s: cannot be read: %s", b->name, strerror(errno));
        return;
    }
    const la_ssize_t got = archive_read_data(b->archive, b->buffer + b->size, ROOM - b->size);
    b->ended = got <= 0;
    b->size += got > 0 ? (size_t)got : 0;
    if (got < 0)
        fs_fail(&b->err, FS_INPUT, "%s: packed, and damaged at byte %llu: %s", b->name,
                (unsigned long long)(b->before + b->size), archive_error_string(b->archive));
}

size_t fs_bytes_peek(fs_bytes *b, size_t want, const uint8_t **at) {
    FS_ASSERT(want <= FS_BYTES_AHEAD, "looked too far ahead");
    while (b->size - b->at < want && !b->ended)
        fill(b);
    *at = b->begin + b->at;
    return b->size - b->at;
}

void fs_bytes_skip(fs_bytes *b, size_t count) {
    FS_ASSERT(count <= b->size - b->at, "went past what was looked at");
    b->at += count;
}

uint64_t fs_bytes_place(const fs_bytes *b) {
    return b->before + b->at;
}

const char *fs_bytes_name(const fs_bytes *b) {
    return b->name;
}
