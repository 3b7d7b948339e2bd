/* Recordings, read: prefix and directory are checked, sections unpacked by threads. */
#include "sim/base/alloc.h"
#include "sim/base/version.h"
#include "sim/config/key.h"
#include "sim/host/file.h"
#include "sim/results/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

struct fs_recording {
    char *path, *text;
    const unsigned char *file; /* mapped */
    size_t size;
    fs_recording_prefix prefix;
    char *directory; /* unpacked */
    const fs_recording_entry *entry;
    const uint64_t *packed; /* bytes of every frame, section by section */
    size_t packed_count;
};

fs_status fs_recording_damaged(const fs_recording *r, fs_error *err, const char *format, ...) {
    char what[512];
    FS_VARIADIC(args, format, vsnprintf(what, sizeof what, format, args));
    return fs_fail(err, FS_IO, "%s: a damaged recording: %s; record it again", r->path, what);
}

static fs_status map_file(fs_recording *r, fs_error *err) {
    struct stat info;
    int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &info) != 0) {
        const int reason = errno;
        if (fd >= 0)
            close(fd);
        return fs_fail(err, FS_IO, "%s: cannot read: %s", r->path, strerror(reason));
    }
    if (!S_ISREG(info.st_mode) || info.st_size == 0) {
        close(fd);
        return fs_fail(err, FS_INPUT, "%s: expected a recording of foamsim, found %s", r->path,
                       S_ISREG(info.st_mode) ? "an empty file" : "no file");
    }
    r->size = (size_t)info.st_size;
    void *at = mmap(NULL, r->size, PROT_READ, MAP_PRIVATE, fd, 0);
    const int reason = errno;
    close(fd);
    if (at == MAP_FAILED)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", r->path, strerror(reason));
    r->file = at;
    return FS_OK;
}

static fs_status check_prefix(fs_recording *r, fs_error *err) {
    fs_recording_prefix *p = &r->prefix;
    const size_t common = offsetof(fs_recording_prefix, model);
    if (r->size < common || memcmp(r->file, fs_recording_magic, sizeof fs_recording_magic) != 0)
        return fs_fail(err, FS_INPUT, "%s: expected a recording of foamsim, found another kind of file",
                       r->path);
    memcpy(p, r->file, r->size < sizeof *p ? r->size : sizeof *p);
    if (p->format != FS_RECORDING_FORMAT)
        return fs_fail(err, FS_INPUT,
                       "%s: a recording of format %u; this foamsim reads format %d: record it again", r->path,
                       p->format, FS_RECORDING_FORMAT);
    if (r->size < sizeof *p)
        return fs_recording_damaged(r, err, "it is cut off");
    if (p->model != FS_MODEL_VERSION)
        return fs_fail(err, FS_INPUT,
                       "%s: a recording of model version %u; this foamsim is model version %d and would give "
                       "other results: record it again",
                       r->path, p->model, FS_MODEL_VERSION);
    if (p->directory_at < sizeof *p || p->directory_at > r->size ||
        p->directory_bytes != r->size - p->directory_at)
        return fs_recording_damaged(r, err, "it does not end where its first bytes say");
    return FS_OK;
}

/* The directory's numbers describe this file: frames without gaps from the prefix to the directory. */
static fs_status check_directory(fs_recording *r, size_t bytes, fs_error *err) {
    fs_recording_prefix said;
    const size_t entries = (size_t)r->prefix.sections * sizeof(fs_recording_entry);
    if (r->prefix.sections > FS_RECORDING_SECTIONS || bytes < sizeof said + entries)
        return fs_recording_damaged(r, err, "its directory is too short");
    memcpy(&said, r->directory, sizeof said);
    said.directory_bytes = r->prefix.directory_bytes;
    if (memcmp(&said, &r->prefix, sizeof said) != 0)
        return fs_recording_damaged(r, err, "its first bytes are not what its directory says");
    r->entry = (const fs_recording_entry *)(r->directory + sizeof said);
    r->packed = (const uint64_t *)(r->directory + sizeof said + entries);
    r->packed_count = (bytes - sizeof said - entries) / sizeof *r->packed;
    uint64_t at = sizeof said;
    size_t frame = 0;
    for (uint32_t s = 0; s < r->prefix.sections; s++) {
        const fs_recording_entry *e = &r->entry[s];
        if (e->at != at || e->frames != fs_recording_frames(e->bytes) ||
            e->frames > r->packed_count - frame || memchr(e->name, 0, sizeof e->name) == NULL)
            return fs_recording_damaged(r, err, "its directory contradicts itself");
        for (uint64_t f = 0; f < e->frames; f++, frame++) {
            if (r->packed[frame] > r->prefix.directory_at - at)
                return fs_recording_damaged(r, err, "its directory contradicts itself");
            at += r->packed[frame];
        }
    }
    return at == r->prefix.directory_at && frame == r->packed_count
               ? FS_OK
               : fs_recording_damaged(r, err, "its directory contradicts itself");
}

static fs_status read_directory(fs_recording *r, fs_error *err) {
    const unsigned char *at = r->file + r->prefix.directory_at;
    const size_t packed = (size_t)r->prefix.directory_bytes;
    const unsigned long long bytes = ZSTD_getFrameContentSize(at, packed);
    const size_t most = sizeof(fs_recording_prefix) + FS_RECORDING_SECTIONS * sizeof(fs_recording_entry) +
                        r->size;                             /* a frame has a byte */
    if (bytes > (unsigned long long)most * sizeof(uint64_t)) /* errors are large numbers too */
        return fs_recording_damaged(r, err, "its directory is no packed frame");
    r->directory = fs_malloc((size_t)bytes + 1);
    if (ZSTD_decompress(r->directory, (size_t)bytes, at, packed) != (size_t)bytes)
        return fs_recording_damaged(r, err, "its directory fails its checksum");
    return check_directory(r, (size_t)bytes, err);
}

static fs_status read_text(fs_recording *r, fs_error *err) {
    const size_t bytes = fs_recording_bytes(r, "text");
    if (bytes == SIZE_MAX || bytes > FS_RECORDING_FRAME)
        return fs_recording_damaged(r, err, "it does not say what it is a recording of");
    r->text = fs_calloc(bytes + 1, 1);
    return fs_recording_read(r, "text", r->text, bytes, err);
}

fs_recording *fs_recording_open(const char *path, fs_error *err) {
    fs_recording *r = fs_calloc(1, sizeof *r);
    r->path = fs_strdup(path);
    if (map_file(r, err) || check_prefix(r, err) || read_directory(r, err) || read_text(r, err)) {
        fs_recording_close(r);
        return NULL;
    }
    return r;
}

void fs_recording_close(fs_recording *r) {
    if (r == NULL)
        return;
    if (r->file != NULL)
        munmap((void *)(uintptr_t)r->file, r->size);
    free(r->directory);
    free(r->text);
    free(r->path);
    free(r);
}

bool fs_recording_is(const char *path) {
    char first[sizeof fs_recording_magic];
    FILE *file = fs_file_regular(path);
    const bool is = file != NULL && fread(first, sizeof first, 1, file) == 1 &&
                    memcmp(first, fs_recording_magic, sizeof first) == 0;
    if (file != NULL)
        fclose(file);
    return is;
}

fs_recording_layer fs_recording_layer_of(const fs_recording *r) {
    return (fs_recording_layer)r->prefix.layer;
}
const char *fs_recording_path(const fs_recording *r) {
    return r->path;
}

const char *fs_recording_key(const fs_recording *r) {
    return r->prefix.key;
}
const char *fs_recording_text(const fs_recording *r) {
    return r->text;
}

fs_status fs_recording_match(const fs_recording *r, const char *key, const char *text, fs_error *err) {
    if (strcmp(key, r->prefix.key) == 0)
        return FS_OK;
    fs_arena *arena = fs_arena_create();
    const char *what = fs_key_difference(arena, r->text, "there", text, "here");
    fs_status status = fs_fail(err, FS_INPUT, "%s: an %s recording of another %s: %s", r->path,
                               fs_recording_layer_name(fs_recording_layer_of(r)),
                               fs_recording_layer_of(r) == FS_RECORDING_ITINERARY ? "geometry" : "traffic",
                               what[0] != '\0' ? what : "the keys differ");
    fs_arena_free(arena);
    return status;
}

/* The section of that name, and the number of its first frame among all. */
static const fs_recording_entry *find(const fs_recording *r, const char *name, size_t *first) {
    *first = 0;
    for (uint32_t s = 0; s < r->prefix.sections; s++) {
        if (strcmp(r->entry[s].name, name) == 0)
            return &r->entry[s];
        *first += (size_t)r->entry[s].frames;
    }
    return NULL;
}

size_t fs_recording_bytes(const fs_recording *r, const char *name) {
    size_t first;
    const fs_recording_entry *e = find(r, name, &first);
    return e == NULL ? SIZE_MAX : (size_t)e->bytes;
}

fs_status fs_recording_expect(const fs_recording *r, const char *name, size_t bytes, fs_error *err) {
    const size_t found = fs_recording_bytes(r, name);
    if (found == SIZE_MAX)
        return fs_recording_damaged(r, err, "section %s is missing", name);
    if (found != bytes)
        return fs_recording_damaged(r, err, "section %s has %zu bytes, the rest needs %zu", name, found,
                                    bytes);
    return FS_OK;
}

static bool unpack(ZSTD_DCtx *context, const unsigned char *from, size_t packed, void *to, size_t bytes) {
    return context != NULL && ZSTD_decompressDCtx(context, to, bytes, from, packed) == bytes;
}

static fs_status read_section(const fs_recording *r, const char *name, void *const *frame, char *data,
                              size_t bytes, fs_error *err) {
    size_t first;
    const fs_recording_entry *e = find(r, name, &first);
    if (fs_recording_expect(r, name, bytes, err))
        return err->status;
    const size_t frames = (size_t)e->frames;
    const unsigned char **at = fs_malloc((frames + 1) * sizeof *at);
    at[0] = r->file + e->at;
    for (size_t f = 0; f < frames; f++)
        at[f + 1] = at[f] + r->packed[first + f];
    bool whole = true;
#pragma omp parallel if (frames > 1)
    {
        ZSTD_DCtx *context = ZSTD_createDCtx();
#pragma omp for schedule(dynamic, 1) reduction(&& : whole)
        for (size_t f = 0; f < frames; f++)
            whole = unpack(context, at[f], (size_t)(at[f + 1] - at[f]),
                           frame != NULL ? frame[f] : data + f * FS_RECORDING_FRAME,
                           fs_recording_frame_bytes(bytes, f)) &&
                    whole;
        ZSTD_freeDCtx(context);
    }
    free(at);
    return whole ? FS_OK : fs_recording_damaged(r, err, "section %s fails its checksum", name);
}

fs_status fs_recording_read(const fs_recording *r, const char *name, void *data, size_t bytes,
                            fs_error *err) {
    return read_section(r, name, NULL, data, bytes, err);
}

fs_status fs_recording_read_frames(const fs_recording *r, const char *name, void *const *frame, size_t bytes,
                                   fs_error *err) {
    return read_section(r, name, frame, NULL, bytes, err);
}
