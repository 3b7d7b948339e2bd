/* Keys of recordings, their sections and what these must hold to. */
#include "sim/workload/recorded.h"

#include "sim/config/key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- of which configuration ---- */

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

const char *fs_recorded_digest(void *self, const fs_param *row, const char *path) {
    fs_file_memo *memo = self;
    struct stat info;
    fs_error ignored = {0}; /* whoever needs the file has said that it can't be read */
    if (stat(path, &info) != 0)
        return NULL;
    if (strcmp(memo->path, path) == 0 && same_file(&memo->info, &info))
        return memo->hex;
    memo->path[0] = '\0';
    if (fs_key_digest(row, path, memo->hex, &ignored))
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
    fs_config_write_key(config, touches, fs_recorded_digest, memo, fs_memory_open(&memory));
    fs_memory_close(&memory);
    fs_digest_memory(memory.text, memory.bytes, key);
    return memory.text;
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

static void add_experiment(fs_recorded *file, const fs_config *config) {
    fs_memory text;
    fs_config_write_resolved(config, fs_memory_open(&text), NULL, NULL);
    fs_memory_close(&text);
    fs_recording_add(file->writer, FS_RECORDED_EXPERIMENT, text.text, text.bytes, file->err);
    free(text.text);
}

fs_status fs_recorded_write(const char *path, fs_recording_layer layer, const fs_config *config,
                            fs_recorded_sections sections, void *self, fs_error *err) {
    fs_file_memo memo = {.path = ""};
    char key[FS_DIGEST_HEX], *text = key_of(config, layer, &memo, key);
    fs_recorded file = {.writer = fs_recording_create(path, layer, key, text, err), .err = err};
    free(text);
    if (file.writer == NULL)
        return err->status;
    if (layer == FS_RECORDING_ACTIVITY)
        add_experiment(&file, config);
    sections(&file, self);
    if (err->status == FS_OK)
        return fs_recording_commit(file.writer, err);
    fs_recording_discard(file.writer);
    return err->status;
}

fs_status fs_recorded_read(const fs_recording *recording, fs_arena *arena, fs_recorded_sections sections,
                           void *self, fs_error *err) {
    sections(&(fs_recorded){.recording = recording, .arena = arena, .err = err}, self);
    return err->status;
}

bool fs_recorded_reads(const fs_recorded *f) {
    return f->recording != NULL && f->err->status == FS_OK;
}

void fs_recorded_wrong(fs_recorded *f, const char *format, ...) {
    char what[512];
    FS_VARIADIC(args, format, vsnprintf(what, sizeof what, format, args));
    fs_recording_damaged(f->recording, f->err, "%s", what);
}

void fs_recorded_bytes(fs_recorded *f, const char *section, void *data, size_t bytes) {
    if (section == NULL || f->err->status != FS_OK)
        return;
    if (f->writer != NULL)
        fs_recording_add(f->writer, section, data, bytes, f->err);
    else
        fs_recording_read(f->recording, section, data, bytes, f->err);
}

void fs_recorded_list(fs_recorded *f, const char *section, void **list, uint64_t count, size_t size) {
    if (section != NULL && fs_recorded_reads(f)) {
        if (count > SIZE_MAX / size)
            fs_recorded_wrong(f, "section %s has %" PRIu64 " items", section, count);
        else if (fs_recording_expect(f->recording, section, count * size, f->err) == FS_OK)
            *list = f->arena != NULL ? fs_arena_alloc(f->arena, count, size) : fs_malloc(count * size);
    }
    fs_recorded_bytes(f, section, *list, count * size);
}

void fs_recorded_count(fs_recorded *f, const char *section, size_t size, uint64_t most, uint64_t *count) {
    if (!fs_recorded_reads(f))
        return;
    const size_t bytes = fs_recording_bytes(f->recording, section);
    *count = bytes / size;
    if (bytes == SIZE_MAX || bytes % size != 0)
        fs_recorded_wrong(f, "section %s is %s", section, bytes == SIZE_MAX ? "missing" : "cut");
    else if (*count > most)
        fs_recorded_wrong(f, "section %s has %" PRIu64 " items, at most %" PRIu64 " are possible", section,
                          *count, most);
}

void fs_recorded_starts(fs_recorded *f, const char *section, uint64_t **first, uint64_t count,
                        uint64_t total) {
    fs_recorded heap = {.writer = f->writer, .recording = f->recording, .err = f->err};
    uint32_t *items = NULL;
    if (f->writer != NULL) {
        items = fs_malloc(count * sizeof *items);
        for (uint64_t i = 0; i < count; i++)
            items[i] = (uint32_t)((*first)[i + 1] - (*first)[i]);
    }
    FS_RECORDED_LIST(&heap, section, &items, count);
    if (fs_recorded_reads(f)) {
        uint64_t *start =
            f->arena != NULL ? FS_NEW(f->arena, uint64_t, count + 1) : fs_calloc(count + 1, sizeof *start);
        *first = start;
        for (uint64_t i = 0; items != NULL && i < count; i++)
            start[i + 1] = start[i] + items[i];
        if (start[count] != total)
            fs_recorded_wrong(f, "section %s is of %" PRIu64 " items, its numbers say %" PRIu64, section,
                              start[count], total);
    }
    free(items);
}

/* ---- rules ---- */

static uint64_t number_of(const fs_recorded_number *row, const void *values) {
    const char *at = (const char *)values + row->offset;
    switch (row->size) {
    case sizeof(uint64_t):
        return *(const uint64_t *)(const void *)at;
    case sizeof(uint32_t):
        return *(const uint32_t *)(const void *)at;
    case sizeof(uint16_t):
        return *(const uint16_t *)(const void *)at;
    default:
        return *(const uint8_t *)at; /* a bool's bytes may be any */
    }
}

static void set_number(const fs_recorded_number *row, void *values, uint64_t number) {
    char *at = (char *)values + row->offset;
    if (row->size == sizeof(uint64_t))
        *(uint64_t *)(void *)at = number;
    else if (row->size == sizeof(uint32_t))
        *(uint32_t *)(void *)at = (uint32_t)number;
    else
        *(bool *)at = number != 0;
}

static uint64_t most_of(const fs_recorded_number *row) {
    return row->most > 0                   ? row->most
           : row->size == sizeof(uint64_t) ? UINT64_MAX
           : row->size == sizeof(uint32_t) ? UINT32_MAX
                                           : 1;
}

void fs_recorded_numbers(fs_recorded *f, const char *section, const fs_recorded_number *rows, size_t count,
                         void *values) {
    uint64_t *number = fs_malloc(count * sizeof *number);
    for (size_t i = 0; i < count && f->writer != NULL; i++)
        number[i] = number_of(&rows[i], values);
    fs_recorded_bytes(f, section, number, count * sizeof *number);
    for (size_t i = 0; i < count && fs_recorded_reads(f); i++)
        if (number[i] < rows[i].least || number[i] > most_of(&rows[i]))
            fs_recorded_wrong(f, "its %s speak of %" PRIu64 " %s", section, number[i], rows[i].name);
        else
            set_number(&rows[i], values, number[i]);
    free(number);
}

void fs_recorded_hold(fs_recorded *f, const char *section, const void *items, uint64_t count, size_t size,
                      const fs_recorded_number *row) {
    uint64_t least = row->least;
    for (uint64_t i = 0; i < count && fs_recorded_reads(f); i++) {
        const bool first = i == 0 && row->order == FS_ORDER_STARTS,
                   last = i + 1 == count && row->order == FS_ORDER_STARTS;
        const uint64_t number = number_of(row, (const char *)items + i * size),
                       from = last ? row->most : least, to = first ? 0 : row->most;
        if (number < from || number > to)
            fs_recorded_wrong(f,
                              "item %" PRIu64 " of its %s: %s %" PRIu64 ", expected %" PRIu64 " to %" PRIu64,
                              i, section, row->name, number, from, to);
        if (row->order != FS_ORDER_ANY)
            least = number + (row->order == FS_ORDER_CLIMBS);
    }
}
