/* Recordings, written: sections packed in frames by threads, a directory at the end. */
#include "sim/base/alloc.h"
#include "sim/base/version.h"
#include "sim/results/private.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Reading is what has to be fast. Legs are short and alike and zstd takes longer over them than the tiles
 * that use them: 58 MB of a VGA frame unpack in 77 ms at level 1 (8 MB), in 28 ms at level -100 (38 MB), in
 * 20 ms at level -300 (47 MB). Activity is read once for many points. */
enum { LEVEL_ITINERARY = -300, LEVEL_ACTIVITY = 1, AT_A_TIME = 16 };

struct fs_recording_writer {
    fs_aside aside;
    uint64_t at;
    fs_recording_prefix prefix;
    fs_recording_entry entry[FS_RECORDING_SECTIONS];
    uint64_t *packed; /* [packed_count] bytes of every frame so far */
    size_t packed_count;
};

const char *fs_recording_layer_name(fs_recording_layer layer) {
    return layer == FS_RECORDING_ITINERARY  ? "itinerary"
           : layer == FS_RECORDING_ACTIVITY ? "activity"
                                            : "unknown";
}

static void writer_free(fs_recording_writer *w) {
    free(w->packed);
    free(w);
}

static fs_status fail_write(const fs_recording_writer *w, fs_error *err) {
    return fs_fail(err, FS_IO, "%s: cannot write: %s", w->aside.path, strerror(errno));
}

static fs_status put(fs_recording_writer *w, const void *data, size_t bytes, fs_error *err) {
    if (fwrite(data, 1, bytes, w->aside.file) != bytes)
        return fail_write(w, err);
    w->at += bytes;
    return FS_OK;
}

fs_recording_writer *fs_recording_create(const char *path, fs_recording_layer layer, const char *key,
                                         const char *text, fs_error *err) {
    if (fs_dir_make_above(path, err))
        return NULL;
    fs_recording_writer *w = fs_calloc(1, sizeof *w);
    fs_aside_clear(path); /* a killed run's may be large */
    if (fs_aside_open(&w->aside, path, err)) {
        writer_free(w);
        return NULL;
    }
    w->prefix = (fs_recording_prefix){
        .format = FS_RECORDING_FORMAT, .model = FS_MODEL_VERSION, .layer = (uint32_t)layer};
    memcpy(w->prefix.magic, fs_recording_magic, sizeof w->prefix.magic);
    FS_ASSERT(strlen(key) == FS_DIGEST_HEX - 1, "a key of %zu letters", strlen(key));
    memcpy(w->prefix.key, key, FS_DIGEST_HEX - 1);
    if (put(w, &w->prefix, sizeof w->prefix, err) || fs_recording_add(w, "text", text, strlen(text), err)) {
        fs_recording_discard(w);
        return NULL;
    }
    return w;
}

/* One frame, packed with its checksum; NULL when there is no memory. */
static void *pack(const fs_recording_writer *w, const void *data, size_t bytes, size_t *packed) {
    const int level = w->prefix.layer == FS_RECORDING_ITINERARY ? LEVEL_ITINERARY : LEVEL_ACTIVITY;
    const size_t room = ZSTD_compressBound(bytes);
    void *out = malloc(room);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context != NULL && out != NULL) {
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
        *packed = ZSTD_compress2(context, out, room, data, bytes);
    }
    const bool failed = context == NULL || out == NULL || ZSTD_isError(*packed);
    ZSTD_freeCCtx(context);
    if (failed) {
        free(out);
        return NULL;
    }
    return out;
}

static fs_status put_packed(fs_recording_writer *w, const void *packed, size_t bytes, fs_error *err) {
    if (packed == NULL)
        return fs_fail(err, FS_MEMORY, "%s: no memory to pack a frame", w->aside.path);
    w->packed = fs_grow(w->packed, w->packed_count, sizeof *w->packed);
    w->packed[w->packed_count++] = bytes;
    return put(w, packed, bytes, err);
}

static fs_status add(fs_recording_writer *w, const char *name, const void *const *frame, const char *data,
                     size_t bytes, fs_error *err) {
    FS_ASSERT(w->prefix.sections < FS_RECORDING_SECTIONS && strlen(name) < FS_RECORDING_NAME,
              "section %s has no room", name);
    fs_recording_entry *e = &w->entry[w->prefix.sections++];
    *e = (fs_recording_entry){.at = w->at, .bytes = bytes, .frames = fs_recording_frames(bytes)};
    memcpy(e->name, name, strlen(name));
    fs_status status = FS_OK;
    for (size_t first = 0; first < e->frames && status == FS_OK; first += AT_A_TIME) {
        const size_t count = e->frames - first < AT_A_TIME ? (size_t)(e->frames - first) : AT_A_TIME;
        void *packed[AT_A_TIME];
        size_t size[AT_A_TIME] = {0};
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
        for (size_t i = 0; i < count; i++) {
            const size_t f = first + i;
            packed[i] = pack(w, frame != NULL ? frame[f] : data + f * FS_RECORDING_FRAME,
                             fs_recording_frame_bytes(bytes, f), &size[i]);
        }
        for (size_t i = 0; i < count; i++) {
            if (status == FS_OK)
                status = put_packed(w, packed[i], size[i], err);
            free(packed[i]);
        }
    }
    return status;
}

fs_status fs_recording_add(fs_recording_writer *w, const char *name, const void *data, size_t bytes,
                           fs_error *err) {
    return add(w, name, NULL, data, bytes, err);
}

fs_status fs_recording_add_frames(fs_recording_writer *w, const char *name, const void *const *frame,
                                  size_t bytes, fs_error *err) {
    return add(w, name, frame, NULL, bytes, err);
}

/* The directory behind the sections, and the prefix that says where it is. */
static fs_status write_directory(fs_recording_writer *w, fs_error *err) {
    const size_t entries = w->prefix.sections * sizeof *w->entry,
                 lengths = w->packed_count * sizeof *w->packed, bytes = sizeof w->prefix + entries + lengths;
    char *directory = fs_malloc(bytes);
    size_t packed_bytes = 0;
    w->prefix.directory_at = w->at;
    memcpy(directory, &w->prefix, sizeof w->prefix);
    memcpy(directory + sizeof w->prefix, w->entry, entries);
    memcpy(directory + sizeof w->prefix + entries, w->packed, lengths);
    void *packed = pack(w, directory, bytes, &packed_bytes);
    free(directory);
    if (packed == NULL)
        return fs_fail(err, FS_MEMORY, "%s: no memory to pack the directory", w->aside.path);
    w->prefix.directory_bytes = packed_bytes;
    fs_status status = put(w, packed, packed_bytes, err);
    free(packed);
    if (status)
        return status;
    if (fseek(w->aside.file, 0, SEEK_SET) != 0)
        return fail_write(w, err);
    return put(w, &w->prefix, sizeof w->prefix, err);
}

fs_status fs_recording_commit(fs_recording_writer *w, fs_error *err) {
    if (write_directory(w, err)) {
        fs_recording_discard(w);
        return err->status;
    }
    fs_status status = fs_aside_commit(&w->aside, FS_DURABLE, err);
    writer_free(w);
    return status;
}

void fs_recording_discard(fs_recording_writer *w) {
    if (w == NULL)
        return;
    fs_aside_discard(&w->aside);
    writer_free(w);
}
