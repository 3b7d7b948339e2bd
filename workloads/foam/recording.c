#include "workloads/foam/recording.h"

#include "sim/config/key.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- which configuration ---- */

/* The file that was read last, since a scene is large and one configuration after the other names it. */
typedef struct file_memo {
    char *path;
    struct stat info;
    char hex[FS_DIGEST_HEX];
} file_memo;

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static const char *digest_of(void *self, const char *path) {
    file_memo *memo = self;
    struct stat info;
    fs_error ignored = {0}; /* whoever needs the file has said that it can't be read */
    if (stat(path, &info) != 0)
        return NULL;
    if (memo->path != NULL && strcmp(memo->path, path) == 0 && same_file(&memo->info, &info))
        return memo->hex;
    free(memo->path);
    memo->path = NULL;
    if (fs_digest_file(path, memo->hex, &ignored))
        return NULL;
    memo->path = fs_strdup(path);
    memo->info = info;
    return memo->hex;
}

/* The key of a layer and its text; the text is the caller's to free. */
static char *key_of(const fs_config *config, fs_recording_layer layer, char key[FS_DIGEST_HEX]) {
    const fs_key_layer touches = layer == FS_RECORDING_ITINERARY ? FS_TOUCHES_GEOMETRY : FS_TOUCHES_TRAFFIC;
    static _Thread_local file_memo memo; /* one path's worth of memory, for good */
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    FS_ASSERT(memory != NULL, "the host has no memory left");
    fs_config_write_key(config, touches, digest_of, &memo, memory);
    FS_ASSERT(fclose(memory) == 0, "the host has no memory left");
    fs_digest_memory(text, size, key);
    return text;
}

fs_recording_writer *fs_foam_recording_create(const char *path, fs_recording_layer layer,
                                              const fs_config *config, fs_error *err) {
    char key[FS_DIGEST_HEX], *text = key_of(config, layer, key);
    fs_recording_writer *writer = fs_recording_create(path, layer, key, text, err);
    free(text);
    return writer;
}

fs_status fs_foam_recording_match(const fs_recording *recording, const fs_config *config, fs_error *err) {
    char key[FS_DIGEST_HEX], *text = key_of(config, fs_recording_layer_of(recording), key);
    fs_status status = fs_recording_match(recording, key, text, err);
    free(text);
    return status;
}

fs_recording *fs_foam_recording_open(const char *path, const fs_config *config, fs_error *err) {
    fs_recording *recording = fs_recording_open(path, err);
    if (recording == NULL || fs_foam_recording_match(recording, config, err) == FS_OK)
        return recording;
    fs_recording_close(recording);
    return NULL;
}

/* ---- facts ---- */

fs_status fs_foam_recording_add_facts(fs_recording_writer *w, const fs_foam_facts *facts,
                                      const fs_partition *p, fs_error *err) {
    if (fs_recording_add(w, "facts", facts, sizeof *facts, err) ||
        fs_recording_add(w, "shard_sizes", p->size, p->shards * sizeof *p->size, err) ||
        fs_recording_add(w, "neighbour_start", p->neighbour_start,
                         (p->shards + 1) * sizeof *p->neighbour_start, err))
        return err->status;
    return fs_recording_add(w, "neighbours", p->neighbour,
                            p->neighbour_start[p->shards] * sizeof *p->neighbour, err);
}

fs_status fs_foam_recording_read_facts(const fs_recording *r, fs_arena *arena, fs_foam_facts *facts,
                                       fs_partition *p, fs_error *err) {
    if (fs_recording_read(r, "facts", facts, sizeof *facts, err))
        return err->status;
    const uint32_t shards = facts->shards;
    *p = (fs_partition){.shards = shards,
                        .size = FS_NEW(arena, fs_shard_size, shards),
                        .neighbour_start = FS_NEW(arena, uint32_t, shards + 1)};
    if (fs_recording_read(r, "shard_sizes", p->size, shards * sizeof *p->size, err) ||
        fs_recording_read(r, "neighbour_start", p->neighbour_start, (shards + 1) * sizeof *p->neighbour_start,
                          err))
        return err->status;
    p->neighbour = FS_NEW(arena, uint32_t, p->neighbour_start[shards]);
    return fs_recording_read(r, "neighbours", p->neighbour, p->neighbour_start[shards] * sizeof *p->neighbour,
                             err);
}
