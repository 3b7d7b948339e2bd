#include "tests/support/hostile/repack.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* docs/recordings.md: the sections of both layers of all workloads that are changed in tests. */
static const char *const names[] = {
    "facts",        "scene_digest",
    "shard_sizes",  "neighbour_start",
    "neighbours",   "rays",
    "legs",         "first",
    "first_second", "ends",
    "ends_second",  "reference_rgb",
    "iterations",   "active",
    "held",         "moved",
    "calls",        "planes",
    "counts",       "end",
    "lanes",        "lanes_injection",
    "lanes_steady", "lanes_drain",
    "frames",       "hops",
    "image",        "depth",
    "unfinished",   "reference_depth",
    "numbers",      "requests",
    "given",        "nearest",
    "shades",       "right",
    "widths",       "axis",
    "inner",        "sphere",
    "sphere root",  "disc",
    "diffuse",      "specular",
    "refractive",   "roulette",
    "escape",       "emission",
};

int repack_open(repack *r, const char *path, fs_error *err) {
    *r = (repack){.sections = 0};
    fs_recording *from = fs_recording_open(path, err);
    if (from == NULL)
        return -1;
    r->layer = fs_recording_layer_of(from);
    r->key = fs_strdup(fs_recording_key(from));
    r->text = fs_strdup(fs_recording_text(from));
    fs_status status = FS_OK;
    for (size_t n = 0; n < sizeof names / sizeof *names && status == FS_OK; n++) {
        const size_t bytes = fs_recording_bytes(from, names[n]);
        if (bytes == SIZE_MAX)
            continue;
        repack_section *s = &r->section[r->sections++];
        *s = (repack_section){.name = names[n], .bytes = bytes, .data = fs_calloc(bytes + 1, 1)};
        status = fs_recording_read(from, names[n], s->data, bytes, err);
    }
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
    if (status == FS_OK)
        return fs_recording_commit(w, err) ? -1 : 0;
    fs_recording_discard(w);
    return -1;
}
