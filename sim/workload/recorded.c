/* Keys of recordings, and their numbers. */
#include "sim/workload/recorded.h"

#include "sim/base/alloc.h"
#include "sim/config/key.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- of which configuration ---- */

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
    fs_memory memory;
    fs_config_write_key(config, touches, digest_of, memo, fs_memory_open(&memory));
    fs_memory_close(&memory);
    fs_digest_memory(memory.text, memory.bytes, key);
    return memory.text;
}

fs_recording_writer *fs_recorded_create(const char *path, fs_recording_layer layer, const fs_config *config,
                                        fs_error *err) {
    fs_file_memo memo = {.path = ""};
    char key[FS_DIGEST_HEX], *text = key_of(config, layer, &memo, key);
    fs_recording_writer *writer = fs_recording_create(path, layer, key, text, err);
    free(text);
    return writer;
}

fs_status fs_recorded_end(fs_recording_writer *writer, fs_status added, fs_error *err) {
    if (added == FS_OK)
        return fs_recording_commit(writer, err);
    fs_recording_discard(writer);
    return added;
}

fs_status fs_recorded_match(const fs_recording *recording, const fs_config *config, fs_file_memo *memo,
                            fs_error *err) {
    char key[FS_DIGEST_HEX], *text = key_of(config, fs_recording_layer_of(recording), memo, key);
    const fs_status status = fs_recording_match(recording, key, text, err);
    free(text);
    return status;
}

fs_status fs_recorded_expect(const fs_recording *recording, fs_recording_layer layer, fs_error *err) {
    const fs_recording_layer found = fs_recording_layer_of(recording);
    return found == layer ? FS_OK
                          : fs_fail(err, FS_INPUT, "%s: expected an %s recording, found an %s recording",
                                    fs_recording_path(recording), fs_recording_layer_name(layer),
                                    fs_recording_layer_name(found));
}

/* ---- sections ---- */

fs_status fs_recorded_add(fs_recording_writer *writer, const fs_recorded_section *rows, size_t count,
                          fs_error *err) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].name != NULL && fs_recording_add(writer, rows[i].name, rows[i].data, rows[i].bytes, err))
            return err->status;
    return FS_OK;
}

fs_status fs_recorded_read(const fs_recording *recording, const fs_recorded_section *rows, size_t count,
                           fs_error *err) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].name != NULL &&
            fs_recording_read(recording, rows[i].name, rows[i].data, rows[i].bytes, err))
            return err->status;
    return FS_OK;
}

fs_status fs_recorded_take(const fs_recording *recording, const char *section, size_t count, size_t size,
                           fs_arena *arena, void **out, fs_error *err) {
    if (fs_recording_expect(recording, section, count * size, err))
        return err->status;
    *out = arena != NULL ? fs_arena_alloc(arena, count, size) : fs_malloc(count * size);
    return fs_recording_read(recording, section, *out, count * size, err);
}

/* ---- numbers ---- */

static uint64_t number_of(const fs_recorded_number *row, const void *values) {
    const char *at = (const char *)values + row->offset;
    return row->size == sizeof(uint64_t)   ? *(const uint64_t *)at
           : row->size == sizeof(uint32_t) ? *(const uint32_t *)at
                                           : *(const bool *)at;
}

static void set_number(const fs_recorded_number *row, void *values, uint64_t number) {
    char *at = (char *)values + row->offset;
    if (row->size == sizeof(uint64_t))
        *(uint64_t *)at = number;
    else if (row->size == sizeof(uint32_t))
        *(uint32_t *)at = (uint32_t)number;
    else
        *(bool *)at = number != 0;
}

static uint64_t most_of(const fs_recorded_number *row) {
    return row->most > 0                   ? row->most
           : row->size == sizeof(uint64_t) ? UINT64_MAX
           : row->size == sizeof(uint32_t) ? UINT32_MAX
                                           : 1;
}

fs_status fs_recorded_add_numbers(fs_recording_writer *writer, const char *section,
                                  const fs_recorded_number *rows, size_t count, const void *values,
                                  fs_error *err) {
    uint64_t *number = fs_malloc(count * sizeof *number);
    for (size_t i = 0; i < count; i++)
        number[i] = number_of(&rows[i], values);
    const fs_status status = fs_recording_add(writer, section, number, count * sizeof *number, err);
    free(number);
    return status;
}

fs_status fs_recorded_read_numbers(const fs_recording *recording, const char *section,
                                   const fs_recorded_number *rows, size_t count, void *values,
                                   fs_error *err) {
    uint64_t *number = fs_malloc(count * sizeof *number);
    fs_status status = fs_recording_read(recording, section, number, count * sizeof *number, err);
    for (size_t i = 0; i < count && status == FS_OK; i++) {
        if (number[i] < rows[i].least || number[i] > most_of(&rows[i]))
            status = fs_recording_damaged(recording, err, "its %s speak of %" PRIu64 " %s", section,
                                          number[i], rows[i].name);
        else
            set_number(&rows[i], values, number[i]);
    }
    free(number);
    return status;
}
