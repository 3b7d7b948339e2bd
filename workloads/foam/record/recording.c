/* Recordings of the foam: of which configuration, and the facts of its scene. */
#include "workloads/foam/record/recording.h"
#include "sim/base/alloc.h"

#include "sim/config/key.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- which configuration ---- */

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static const char *digest_of(void *self, const char *path) {
    fs_file_memo *memo = self;
    struct stat info;
    fs_error ignored = {0}; /* whoever needs the file has said that it can't be read */
    if (stat(path, &info) != 0)
        return NULL;
    if (strcmp(memo->path, path) == 0 && same_file(&memo->info, &info))
        return memo->hex;
    memo->path[0] = '\0';
    if (fs_digest_file(path, memo->hex, &ignored))
        return NULL;
    if (strlen(path) < sizeof memo->path)
        strcpy(memo->path, path);
    memo->info = info;
    return memo->hex;
}

/* The key of a layer and its text; the text is the caller's to free. */
static char *key_of(const fs_config *config, fs_recording_layer layer, fs_file_memo *memo,
                    char key[FS_DIGEST_HEX]) {
    const fs_key_layer touches = layer == FS_RECORDING_ITINERARY ? FS_TOUCHES_GEOMETRY : FS_TOUCHES_TRAFFIC;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = fs_memory_open(&text, &size);
    fs_config_write_key(config, touches, digest_of, memo, memory);
    fs_memory_close(memory, &text);
    fs_digest_memory(text, size, key);
    return text;
}

fs_recording_writer *fs_foam_recording_create(const char *path, fs_recording_layer layer,
                                              const fs_config *config, fs_error *err) {
    fs_file_memo memo = {.path = ""};
    char key[FS_DIGEST_HEX], *text = key_of(config, layer, &memo, key);
    fs_recording_writer *writer = fs_recording_create(path, layer, key, text, err);
    free(text);
    return writer;
}

fs_status fs_foam_recording_match(const fs_recording *recording, const fs_config *config, fs_file_memo *memo,
                                  fs_error *err) {
    char key[FS_DIGEST_HEX], *text = key_of(config, fs_recording_layer_of(recording), memo, key);
    fs_status status = fs_recording_match(recording, key, text, err);
    free(text);
    return status;
}

fs_recording *fs_foam_recording_open(const char *path, const fs_config *config, fs_error *err) {
    fs_file_memo memo = {.path = ""};
    fs_recording *recording = fs_recording_open(path, err);
    if (recording == NULL || fs_foam_recording_match(recording, config, &memo, err) == FS_OK)
        return recording;
    fs_recording_close(recording);
    return NULL;
}

/* ---- facts ---- */

/* The numbers of the facts as they stand in the file, so that no padding and no order of members does. */
enum { FACT_CELLS, FACT_FACES, FACT_SHARDS, FACT_CAMERAS, FACT_ENTRY, FACT_NUMBERS = FACT_ENTRY + FS_POSES };

fs_status fs_foam_recording_add_facts(fs_recording_writer *w, const fs_foam_facts *facts,
                                      const fs_partition *p, fs_error *err) {
    uint64_t number[FACT_NUMBERS] = {[FACT_CELLS] = facts->cells,
                                     [FACT_FACES] = facts->faces,
                                     [FACT_SHARDS] = facts->shards,
                                     [FACT_CAMERAS] = facts->cameras};
    for (int i = 0; i < FS_POSES; i++)
        number[FACT_ENTRY + i] = facts->entry[i];
    if (fs_recording_add(w, "facts", number, sizeof number, err) ||
        fs_recording_add(w, "scene_digest", facts->digest, FS_DIGEST_HEX - 1, err) ||
        fs_recording_add(w, "shard_sizes", p->size, p->shards * sizeof *p->size, err) ||
        fs_recording_add(w, "neighbour_start", p->neighbour_start,
                         (p->shards + 1) * sizeof *p->neighbour_start, err))
        return err->status;
    return fs_recording_add(w, "neighbours", p->neighbour,
                            p->neighbour_start[p->shards] * sizeof *p->neighbour, err);
}

static bool is_digest(const char *text) {
    return strspn(text, "0123456789abcdef") == FS_DIGEST_HEX - 1;
}

static fs_status check_facts(const fs_recording *r, const uint64_t number[FACT_NUMBERS], const char *digest,
                             const fs_foam_expected *expected, fs_error *err) {
    if (number[FACT_SHARDS] != expected->shards)
        return fs_recording_damaged(r, err, "its facts speak of %llu shards, its key of %u",
                                    (unsigned long long)number[FACT_SHARDS], expected->shards);
    if (number[FACT_CAMERAS] != expected->cameras)
        return fs_recording_damaged(r, err, "its facts speak of %llu cameras, its key of %u",
                                    (unsigned long long)number[FACT_CAMERAS], expected->cameras);
    for (uint32_t c = 0; c < expected->cameras; c++)
        if (number[FACT_ENTRY + c] >= expected->shards)
            return fs_recording_damaged(r, err, "camera %u stands in shard %llu, of %u shards", c + 1,
                                        (unsigned long long)number[FACT_ENTRY + c], expected->shards);
    if (!is_digest(digest))
        return fs_recording_damaged(r, err, "its scene's digest is no SHA-256");
    return FS_OK;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Lists of neighbours: ascending, of other shards, and each of two says so of the other. */
static fs_status check_neighbours(const fs_recording *r, const fs_partition *p, fs_error *err) {
    const uint32_t *start = p->neighbour_start;
    for (uint32_t s = 0; s < p->shards; s++)
        for (uint32_t i = start[s]; i < start[s + 1]; i++) {
            const uint32_t other = p->neighbour[i];
            if (other >= p->shards || other == s || (i > start[s] && other <= p->neighbour[i - 1]))
                return fs_recording_damaged(r, err,
                                            "the neighbours of shard %u are no ascending list of others", s);
            if (bsearch(&s, p->neighbour + start[other], start[other + 1] - start[other], sizeof s,
                        by_number) == NULL)
                return fs_recording_damaged(
                    r, err, "shard %u is next to shard %u, but not the other way round", s, other);
        }
    return FS_OK;
}

static fs_status read_neighbours(const fs_recording *r, fs_arena *arena, fs_partition *p, fs_error *err) {
    uint32_t *start = FS_NEW(arena, uint32_t, p->shards + 1);
    p->neighbour_start = start;
    if (fs_recording_read(r, "neighbour_start", start, (p->shards + 1) * sizeof *start, err))
        return err->status;
    bool ascending = start[0] == 0;
    for (uint32_t s = 0; s < p->shards; s++)
        ascending = ascending && start[s] <= start[s + 1];
    if (!ascending)
        return fs_recording_damaged(r, err, "its lists of neighbours do not follow each other");
    const size_t bytes = start[p->shards] * sizeof *p->neighbour;
    if (fs_recording_expect(r, "neighbours", bytes, err))
        return err->status;
    p->neighbour = FS_NEW(arena, uint32_t, start[p->shards]);
    if (fs_recording_read(r, "neighbours", p->neighbour, bytes, err))
        return err->status;
    return check_neighbours(r, p, err);
}

fs_status fs_foam_recording_read_facts(const fs_recording *r, const fs_foam_expected *expected,
                                       fs_arena *arena, fs_foam_facts *facts, fs_partition *p,
                                       fs_error *err) {
    uint64_t number[FACT_NUMBERS];
    *facts = (fs_foam_facts){.digest = ""};
    if (fs_recording_read(r, "facts", number, sizeof number, err) ||
        fs_recording_read(r, "scene_digest", facts->digest, FS_DIGEST_HEX - 1, err) ||
        check_facts(r, number, facts->digest, expected, err))
        return err->status;
    facts->cells = number[FACT_CELLS];
    facts->faces = number[FACT_FACES];
    facts->shards = expected->shards;
    facts->cameras = expected->cameras;
    for (uint32_t c = 0; c < expected->cameras; c++)
        facts->entry[c] = (uint32_t)number[FACT_ENTRY + c];
    const size_t sizes = facts->shards * sizeof *p->size;
    if (fs_recording_expect(r, "shard_sizes", sizes, err))
        return err->status;
    *p = (fs_partition){.shards = facts->shards, .size = FS_NEW(arena, fs_shard_size, facts->shards)};
    return fs_recording_read(r, "shard_sizes", p->size, sizes, err) ? err->status
                                                                    : read_neighbours(r, arena, p, err);
}
