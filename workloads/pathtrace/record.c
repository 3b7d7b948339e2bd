/* Writing and reading recordings. */
#include "workloads/pathtrace/record.h"

#include "sim/workload/recorded.h"

#include <inttypes.h>

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

/* ---- numbers ---- */

#define R               fs_pathtrace_recorded
#define PART(name, m)   FS_RECORDED(name, R, scene.m, 0, UINT32_MAX)
#define NUMBER(name, m) FS_RECORDED(name, R, paths.m, 0, 0)
static const fs_recorded_number numbers[] = {
    FS_RECORDED("nodes", R, scene.nodes, 1, UINT32_MAX),
    PART("levels", depth),
    PART("triangles", triangles),
    PART("vertices", vertices),
    PART("spheres", spheres),
    PART("discs", discs),
    PART("materials", materials),
    PART("degenerate triangles", degenerate),
    FS_RECORDED("bytes of a node", R, scene.node_bytes, 0, 4096),
    FS_RECORDED("normals", R, scene.normals, 0, 0),
    NUMBER("paths", count),
    NUMBER("segments", segments),
    NUMBER("hits", hits),
    NUMBER("paths that escaped", ended[FS_WALK_ESCAPED]),
    NUMBER("paths that stopped", ended[FS_WALK_STOPPED]),
    NUMBER("paths of full length", ended[FS_WALK_FULL]),
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* Checksums are right, but whose numbers are they? What was counted is what the paths did. */
static fs_status check_numbers(const fs_recording *rec, uint64_t paths, fs_pathtrace_recorded *r,
                               fs_error *err) {
    const fs_pathtrace_scene *s = &r->scene;
    fs_pathtrace_paths *p = &r->paths;
    fs_walk_counts_sum(&r->counts, 0, r->counts.rows, p->event);
    if (s->triangles + s->spheres + s->discs == 0)
        return fs_recording_damaged(rec, err, "a scene of %" PRIu64 " nodes, and of nothing", s->nodes);
    const uint64_t *ended = p->ended;
    if (p->count != paths || p->event[FS_WALK_END] != paths ||
        p->event[FS_WALK_ESCAPE] != ended[FS_WALK_ESCAPED] || p->event[FS_WALK_HIT] != p->hits ||
        p->event[FS_WALK_SEGMENT] != p->segments || ended[FS_WALK_STOPPED] > paths ||
        ended[FS_WALK_FULL] > paths ||
        ended[FS_WALK_ESCAPED] + ended[FS_WALK_STOPPED] + ended[FS_WALK_FULL] != paths)
        return fs_recording_damaged(
            rec, err, "%" PRIu64 " paths of %" PRIu64 " segments, and counts of %" PRIu64 " and %" PRIu64,
            p->count, p->segments, p->event[FS_WALK_END], p->event[FS_WALK_SEGMENT]);
    return FS_OK;
}

/* ---- files ---- */

fs_status fs_pathtrace_record(const char *path, fs_recording_layer layer, const fs_config *config,
                              const fs_pathtrace_recorded *recorded, fs_error *err) {
    fs_recording_writer *w = fs_recorded_create(path, layer, config, err);
    if (w == NULL)
        return err->status;
    fs_status added = fs_recorded_add_numbers(w, "numbers", numbers, NUMBERS, recorded, err);
    if (added == FS_OK)
        added = fs_walk_counts_add(w, &recorded->counts, err);
    if (added == FS_OK)
        added = fs_pathtrace_picture_add(w, &recorded->picture, fs_config_section(config, "workload"), err);
    return fs_recorded_end(w, added, err);
}

fs_status fs_pathtrace_read(const fs_recording *recording, const fs_config *config, bool picture,
                            fs_pathtrace_recorded *recorded, fs_error *err) {
    const fs_pathtrace_params *params = fs_config_section(config, "workload");
    const fs_pathtrace_layout l = fs_pathtrace_layout_of(params, fs_config_section(config, "machine"));
    const uint64_t drawn = (uint64_t)params->drawn;
    *recorded = (fs_pathtrace_recorded){.paths = {.count = 0}};
    if (fs_recorded_read_numbers(recording, "numbers", numbers, NUMBERS, recorded, err))
        return err->status;
    const uint64_t rows = fs_pathtrace_rows_kept(fs_recording_layer_of(recording), &l, drawn);
    if (fs_walk_counts_read(recording, rows, &recorded->counts, err) ||
        check_numbers(recording, l.pixels * drawn, recorded, err) ||
        (picture && fs_pathtrace_picture_read(recording, params, &recorded->picture, err))) {
        fs_pathtrace_recorded_free(recorded);
        return err->status;
    }
    return FS_OK;
}
