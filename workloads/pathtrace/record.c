/* Writing and reading recordings. */
#include "workloads/pathtrace/record.h"

#include "sim/base/arith.h"

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
/* Checksums are right, but whose numbers are they? What was counted is what the paths did. */
static void check_numbers(fs_recorded *f, uint64_t paths, fs_pathtrace_recorded *r) {
    const fs_pathtrace_scene *s = &r->scene;
    fs_pathtrace_paths *p = &r->paths;
    fs_walk_counts_sum(&r->counts, 0, r->counts.rows, p->event);
    if (s->triangles + s->spheres + s->discs == 0)
        fs_recorded_wrong(f, "a scene of %" PRIu64 " nodes, and of nothing", s->nodes);
    const uint64_t *ended = p->ended;
    if (p->count != paths || p->event[FS_WALK_END] != paths ||
        p->event[FS_WALK_ESCAPE] != ended[FS_WALK_ESCAPED] || p->event[FS_WALK_HIT] != p->hits ||
        p->event[FS_WALK_SEGMENT] != p->segments || ended[FS_WALK_STOPPED] > paths ||
        ended[FS_WALK_FULL] > paths ||
        ended[FS_WALK_ESCAPED] + ended[FS_WALK_STOPPED] + ended[FS_WALK_FULL] != paths)
        fs_recorded_wrong(f,
                          "%" PRIu64 " paths of %" PRIu64 " segments, and counts of %" PRIu64 " and %" PRIu64,
                          p->count, p->segments, p->event[FS_WALK_END], p->event[FS_WALK_SEGMENT]);
}

/* ---- files ---- */

typedef struct content {
    fs_pathtrace_recorded *recorded;
    const fs_pathtrace_params *params;
    uint64_t rows, paths;
    bool picture;
} content;

static void sections(fs_recorded *f, void *self) {
    const content *c = self;
    fs_recorded_numbers(f, "numbers", numbers, FS_COUNT(numbers), c->recorded);
    fs_walk_counts_sections(f, c->rows, &c->recorded->counts);
    if (fs_recorded_reads(f))
        check_numbers(f, c->paths, c->recorded);
    if (c->picture)
        fs_pathtrace_picture_sections(f, c->params, &c->recorded->picture);
}

static content content_of(fs_recording_layer layer, const fs_config *config, bool picture,
                          fs_pathtrace_recorded *recorded) {
    const fs_pathtrace_params *params = fs_config_section(config, "workload");
    const fs_pathtrace_layout l = fs_pathtrace_layout_of(params, fs_config_section(config, "machine"));
    const uint64_t drawn = (uint64_t)params->drawn;
    return (content){.recorded = recorded,
                     .params = params,
                     .rows = fs_pathtrace_rows_kept(layer, &l, drawn),
                     .paths = l.pixels * drawn,
                     .picture = picture};
}

fs_status fs_pathtrace_record(const char *path, fs_recording_layer layer, const fs_config *config,
                              fs_pathtrace_recorded *recorded, fs_error *err) {
    content c = content_of(layer, config, recorded->picture.rgb != NULL, recorded);
    return fs_recorded_write(path, layer, config, sections, &c, err);
}

fs_status fs_pathtrace_read(const fs_recording *recording, const fs_config *config, bool picture,
                            fs_pathtrace_recorded *recorded, fs_error *err) {
    content c = content_of(fs_recording_layer_of(recording), config, picture, recorded);
    *recorded = (fs_pathtrace_recorded){.paths = {.count = 0}};
    if (fs_recorded_read(recording, NULL, sections, &c, err))
        fs_pathtrace_recorded_free(recorded);
    return err->status;
}
