#include "tests/support/hostile/repack.h"

#include "sim/base/alloc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* docs/recordings.md, "The file": where the prefix and a section's entry have these. */
enum {
    FORMAT_AT = 8,
    SECTIONS_AT = 20,
    DIRECTORY_AT = 24,
    DIRECTORY_BYTES_AT = 32,
    PREFIX = 112,
    ENTRY = 40
};
enum { MOST = 1 << 26 };

static void must(bool well, const char *path) {
    if (!well) {
        fprintf(stderr, "%s: no recording to be taken apart\n", path);
        abort();
    }
}

/* A file as it lies: what its directory begins with has numbers of the prefix once more, and a checksum. */
typedef struct raw {
    unsigned char *bytes, *directory;
    size_t size, directory_bytes;
    uint64_t at; /* of the directory */
} raw;

static void raw_read(raw *r, const char *path) {
    FILE *file = fopen(path, "rb");
    *r = (raw){.bytes = fs_malloc(MOST), .directory = fs_malloc(MOST)};
    must(file != NULL, path);
    r->size = fread(r->bytes, 1, MOST, file);
    fclose(file);
    must(r->size >= PREFIX, path);
    memcpy(&r->at, r->bytes + DIRECTORY_AT, sizeof r->at);
    must(r->at < r->size, path);
    r->directory_bytes = ZSTD_decompress(r->directory, MOST, r->bytes + r->at, r->size - r->at);
    must(!ZSTD_isError(r->directory_bytes) && r->directory_bytes >= PREFIX, path);
}

static void raw_free(raw *r) {
    free(r->bytes);
    free(r->directory);
}

static uint32_t format_of(const raw *r) {
    uint32_t format;
    memcpy(&format, r->bytes + FORMAT_AT, sizeof format);
    return format;
}

static void raw_write(raw *r, const char *path, uint32_t format) {
    unsigned char *packed = fs_malloc(MOST);
    FILE *file = fopen(path, "wb");
    memcpy(r->directory + FORMAT_AT, &format, sizeof format);
    memcpy(r->bytes + FORMAT_AT, &format, sizeof format);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    const uint64_t size = ZSTD_compress2(context, packed, MOST, r->directory, r->directory_bytes);
    ZSTD_freeCCtx(context);
    must(file != NULL && !ZSTD_isError(size), path);
    memcpy(r->bytes + DIRECTORY_BYTES_AT, &size, sizeof size);
    must(fwrite(r->bytes, 1, r->at, file) == r->at && fwrite(packed, 1, size, file) == size &&
             fclose(file) == 0,
         path);
    free(packed);
}

static void set_format(const char *path, uint32_t format) {
    raw r;
    raw_read(&r, path);
    if (format_of(&r) != format)
        raw_write(&r, path, format);
    raw_free(&r);
}

/* Adds a section as it stands in the file. */
static fs_status take(repack *r, const fs_recording *from, const unsigned char *name, fs_error *err) {
    repack_section *s = &r->section[r->sections];
    memcpy(s->name, name, sizeof s->name);
    s->name[sizeof s->name - 1] = '\0';
    if (strcmp(s->name, "text") == 0) /* repack_write writes it with the key */
        return FS_OK;
    s->bytes = fs_recording_bytes(from, s->name);
    s->data = fs_calloc(s->bytes + 1, 1);
    s->zeros = 0;
    r->sections++;
    return fs_recording_read(from, s->name, s->data, s->bytes, err);
}

int repack_open(repack *r, const char *path, fs_error *err) {
    raw file;
    uint32_t sections;
    raw_read(&file, path);
    *r = (repack){.format = format_of(&file)};
    if (r->format != FS_RECORDING_FORMAT)
        raw_write(&file, path, FS_RECORDING_FORMAT);
    fs_recording *from = fs_recording_open(path, err);
    if (from == NULL) {
        raw_free(&file);
        return -1;
    }
    r->layer = fs_recording_layer_of(from);
    r->key = fs_strdup(fs_recording_key(from));
    r->text = fs_strdup(fs_recording_text(from));
    memcpy(&sections, file.bytes + SECTIONS_AT, sizeof sections);
    fs_status status = FS_OK;
    for (uint32_t n = 0; n < sections && status == FS_OK; n++)
        status = take(r, from, file.directory + PREFIX + (size_t)n * ENTRY, err);
    raw_free(&file);
    fs_recording_close(from);
    if (status == FS_OK)
        return 0;
    repack_free(r);
    return -1;
}

void repack_free(repack *r) {
    for (size_t s = 0; s < r->sections; s++)
        free(r->section[s].data);
    free(r->key);
    free(r->text);
    *r = (repack){.sections = 0};
}

repack_section *repack_find(repack *r, const char *name) {
    for (size_t s = 0; s < r->sections; s++)
        if (strcmp(r->section[s].name, name) == 0)
            return &r->section[s];
    return NULL;
}

void repack_resize(repack_section *s, size_t bytes) {
    s->data = fs_realloc(s->data, bytes + 1);
    if (bytes > s->bytes)
        memset((char *)s->data + s->bytes, 0, bytes - s->bytes);
    s->bytes = bytes;
}

static fs_status add_zeros(fs_recording_writer *w, const repack_section *s, fs_error *err) {
    void *zero = fs_calloc(FS_RECORDING_FRAME, 1);
    const void **frame = fs_calloc(s->zeros, sizeof *frame);
    for (size_t f = 0; f < s->zeros; f++)
        frame[f] = zero;
    fs_status status = fs_recording_add_frames(w, s->name, frame, s->zeros * FS_RECORDING_FRAME, err);
    free(frame);
    free(zero);
    return status;
}

int repack_write(const repack *r, const char *path, fs_error *err) {
    fs_recording_writer *w = fs_recording_create(path, r->layer, r->key, r->text, err);
    if (w == NULL)
        return -1;
    fs_status status = FS_OK;
    for (size_t i = 0; i < r->sections && status == FS_OK; i++) {
        const repack_section *s = &r->section[i];
        status = s->zeros > 0 ? add_zeros(w, s, err) : fs_recording_add(w, s->name, s->data, s->bytes, err);
    }
    if (status == FS_OK && fs_recording_commit(w, err))
        return -1;
    if (status == FS_OK) {
        if (r->format != FS_RECORDING_FORMAT)
            set_format(path, r->format);
        return 0;
    }
    fs_recording_discard(w);
    return -1;
}
