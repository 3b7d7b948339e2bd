/* Writing and reading recordings. */
#include "workloads/pathtrace/record.h"

#include "sim/base/alloc.h"
#include "sim/config/key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void fs_pathtrace_recorded_free(fs_pathtrace_recorded *recorded) {
    fs_walk_counts_free(&recorded->counts);
    fs_pathtrace_picture_free(&recorded->picture);
}

uint64_t fs_pathtrace_rows_of(const fs_pathtrace_layout *layout, uint64_t drawn) {
    return drawn * layout->render_tiles * layout->workers;
}

uint64_t fs_pathtrace_rows_kept(fs_recording_layer layer, const fs_pathtrace_layout *layout, uint64_t drawn) {
    return layer == FS_RECORDING_ITINERARY ? layout->pixels * drawn
                                           : layout->batches * fs_pathtrace_rows_of(layout, drawn);
}

/* ---- which configuration ---- */

static const char *digest_of(void *self, const char *path) {
    fs_error ignored = {0}; /* whoever needs the file has said that it can't be read */
    return fs_digest_file(path, self, &ignored) ? NULL : self;
}

/* The text is the caller's to free. */
static char *key_of(const fs_config *config, fs_recording_layer layer, char key[FS_DIGEST_HEX]) {
    char *text = NULL, hex[FS_DIGEST_HEX];
    size_t size = 0;
    FILE *memory = fs_memory_open(&text, &size);
    fs_config_write_key(config, layer == FS_RECORDING_ITINERARY ? FS_TOUCHES_GEOMETRY : FS_TOUCHES_TRAFFIC,
                        digest_of, hex, memory);
    fs_memory_close(memory, &text);
    fs_digest_memory(text, size, key);
    return text;
}

fs_status fs_pathtrace_match(const fs_recording *recording, const fs_config *config, fs_error *err) {
    char key[FS_DIGEST_HEX], *text = key_of(config, fs_recording_layer_of(recording), key);
    const fs_status status = fs_recording_match(recording, key, text, err);
    free(text);
    return status;
}

/* ---- numbers ---- */

enum {
    NODES,
    DEPTH,
    TRIANGLES,
    VERTICES,
    SPHERES,
    DISCS,
    MATERIALS,
    DEGENERATE,
    NODE_BYTES,
    NORMALS,
    COUNT,
    SEGMENTS,
    HITS,
    ESCAPED,
    STOPPED,
    FULL,
    NUMBERS
};

static void write_numbers(const fs_pathtrace_recorded *r, uint64_t number[NUMBERS]) {
    const fs_pathtrace_scene *s = &r->scene;
    const fs_pathtrace_paths *p = &r->paths;
    const uint64_t all[NUMBERS] = {[NODES] = s->nodes,
                                   [DEPTH] = s->depth,
                                   [TRIANGLES] = s->triangles,
                                   [VERTICES] = s->vertices,
                                   [SPHERES] = s->spheres,
                                   [DISCS] = s->discs,
                                   [MATERIALS] = s->materials,
                                   [DEGENERATE] = s->degenerate,
                                   [NODE_BYTES] = s->node_bytes,
                                   [NORMALS] = s->normals,
                                   [COUNT] = p->count,
                                   [SEGMENTS] = p->segments,
                                   [HITS] = p->hits,
                                   [ESCAPED] = p->ended[FS_WALK_ESCAPED],
                                   [STOPPED] = p->ended[FS_WALK_STOPPED],
                                   [FULL] = p->ended[FS_WALK_FULL]};
    for (int i = 0; i < NUMBERS; i++)
        number[i] = all[i];
}

/* Checksums are right, but whose numbers are they? What was counted is what the paths did. */
static fs_status take_numbers(const fs_recording *rec, const uint64_t number[NUMBERS], uint64_t paths,
                              fs_pathtrace_recorded *r, fs_error *err) {
    fs_pathtrace_paths *p = &r->paths;
    r->scene = (fs_pathtrace_scene){.nodes = number[NODES],
                                    .depth = number[DEPTH],
                                    .triangles = number[TRIANGLES],
                                    .vertices = number[VERTICES],
                                    .spheres = number[SPHERES],
                                    .discs = number[DISCS],
                                    .materials = number[MATERIALS],
                                    .degenerate = number[DEGENERATE],
                                    .node_bytes = number[NODE_BYTES],
                                    .normals = number[NORMALS] != 0};
    *p = (fs_pathtrace_paths){.count = number[COUNT],
                              .segments = number[SEGMENTS],
                              .hits = number[HITS],
                              .ended = {number[ESCAPED], number[STOPPED], number[FULL]}};
    fs_walk_counts_sum(&r->counts, p->event);
    for (int i = 0; i < NODE_BYTES; i++)
        if (number[i] > UINT32_MAX)
            return fs_recording_damaged(rec, err, "a scene of %" PRIu64 " parts", number[i]);
    if (number[NODES] == 0 || number[NODE_BYTES] > 4096 || number[NORMALS] > 1 ||
        number[TRIANGLES] + number[SPHERES] + number[DISCS] == 0)
        return fs_recording_damaged(rec, err, "a scene of %" PRIu64 " nodes of %" PRIu64 " bytes",
                                    number[NODES], number[NODE_BYTES]);
    if (p->count != paths || p->event[FS_WALK_END] != paths || p->event[FS_WALK_ESCAPE] != number[ESCAPED] ||
        p->event[FS_WALK_HIT] != p->hits || p->event[FS_WALK_SEGMENT] != p->segments ||
        number[STOPPED] > paths || number[FULL] > paths ||
        number[ESCAPED] + number[STOPPED] + number[FULL] != paths)
        return fs_recording_damaged(
            rec, err, "%" PRIu64 " paths of %" PRIu64 " segments, and counts of %" PRIu64 " and %" PRIu64,
            p->count, p->segments, p->event[FS_WALK_END], p->event[FS_WALK_SEGMENT]);
    return FS_OK;
}

/* ---- files ---- */

fs_status fs_pathtrace_record(const char *path, fs_recording_layer layer, const fs_config *config,
                              const fs_pathtrace_recorded *recorded, fs_error *err) {
    uint64_t number[NUMBERS];
    char key[FS_DIGEST_HEX], *text = key_of(config, layer, key);
    fs_recording_writer *w = fs_recording_create(path, layer, key, text, err);
    free(text);
    if (w == NULL)
        return err->status;
    write_numbers(recorded, number);
    if (fs_recording_add(w, "numbers", number, sizeof number, err) == FS_OK &&
        fs_walk_counts_add(w, &recorded->counts, err) == FS_OK &&
        fs_pathtrace_picture_add(w, &recorded->picture, fs_config_section(config, "workload"), err) == FS_OK)
        return fs_recording_commit(w, err);
    fs_recording_discard(w);
    return err->status;
}

fs_status fs_pathtrace_read(const fs_recording *recording, const fs_config *config, bool picture,
                            fs_pathtrace_recorded *recorded, fs_error *err) {
    const fs_pathtrace_params *params = fs_config_section(config, "workload");
    const fs_pathtrace_layout l = fs_pathtrace_layout_of(params, fs_config_section(config, "machine"));
    const uint64_t drawn = (uint64_t)params->drawn;
    uint64_t number[NUMBERS];
    *recorded = (fs_pathtrace_recorded){.paths = {.count = 0}};
    if (fs_pathtrace_match(recording, config, err) ||
        fs_recording_read(recording, "numbers", number, sizeof number, err))
        return err->status;
    const uint64_t rows = fs_pathtrace_rows_kept(fs_recording_layer_of(recording), &l, drawn);
    if (fs_walk_counts_read(recording, rows, &recorded->counts, err) ||
        take_numbers(recording, number, l.pixels * drawn, recorded, err) ||
        (picture && fs_pathtrace_picture_read(recording, params, &recorded->picture, err))) {
        fs_pathtrace_recorded_free(recorded);
        return err->status;
    }
    return FS_OK;
}
