/* An overlay out of a file: its tiles placed, its lanes joined. */
#include "models/overlay/kinds/kinds.h"

#include "models/overlay/kinds/file_text.h"

#include <inttypes.h>

#define FS_ROWS_OF fs_file_params
#define BUFFER(member, doc, ...)                                                                             \
    FS_INT(member, BYTES, "auto", 0, 1e9, doc, TRAFFIC, .from = {__VA_ARGS__}, .word = "auto")
#define AUTO " for its lanes, shared equally among them; 0 B: what is left; auto: the paper's "

static const fs_param rows[] = {
    FS_PATH(file, NULL, "YAML file with tiles, lanes and routes (docs/overlays-file.md)", TRAFFIC),
    FS_ENUM(dispatch, "hash", fs_dispatch_names,
            "how a tile picks one of several lanes: by the ray's pixel, in turn, or the one that got fewest "
            "rays so far in this iteration",
            TRAFFIC),
    BUFFER(router_buffer, "SRAM of a router" AUTO "576,000 B, where they are right (docs/overlays.md)",
           "ipu.md 7; RF section 5.5", 'P'),
    BUFFER(tracer_buffer, "SRAM of a tracer" AUTO "115,200 B, where they are right (docs/overlays.md)",
           "ipu.md 7; RF section 5.5", 'P'),
    BUFFER(generator_buffer,
           "SRAM of the generator" AUTO "115,200 B, where they are right (docs/overlays.md)", "ipu.md 7",
           'R'),
    FS_INT(generator_ring, NONE, "5760", 0, 1e9, "rays that the generator's backlog ring holds", TRAFFIC,
           .from = {"ipu.md 7, generator schedule", 'R'}),
};

const fs_param_table fs_overlay_file_table =
    FS_PARAM_TABLE("overlay/file", "a user's own overlay, from a YAML file", rows, sizeof(fs_file_params));

/* Reads all but the routes, which need ports. */
static fs_status read_text(fs_file_text *text, const fs_overlay_site *site, fs_error *err) {
    static const char *const keys[] = {"tiles", "lanes", "routes", NULL};
    const fs_yaml *y = text->yaml;
    if (y->root != NULL && fs_yaml_mapping(y, y->root, keys))
        fs_overlay_file_read_tiles(text);
    if (fs_yaml_good(y) && text->tracers != site->shards)
        fs_yaml_wrong(y, y->root,
                      "tiles: the workload has %" PRIu32 " shards; expected as many tracers, found %" PRIu32,
                      site->shards, text->tracers);
    if (fs_yaml_good(y))
        fs_overlay_file_read_lanes(text);
    return fs_yaml_finish(y, err);
}

static void place(fs_plan *plan, const fs_file_text *text, const fs_plan_generator *generator) {
    fs_overlay *o = plan->overlay;
    FS_ASSERT(text->role != NULL && text->level != NULL && text->table != NULL, "tiles that nobody has read");
    for (uint32_t i = 0; i < text->tracers; i++) {
        const uint32_t tile = text->tracer_tile[i];
        o->tracer_tile[i] = tile;
        o->tracer_of_tile[tile] = o->shard_of_tile[tile] = i;
    }
    fs_overlay_plan_generate(plan, text->generator_tile, generator, text->levels);
    for (uint32_t t = 0; t < o->tiles; t++) {
        o->role[t] = text->role[t];
        o->level[t] = text->level[t];
        if (text->table[t])
            fs_overlay_plan_table_at(plan, t);
    }
}

static void join(fs_plan *plan, const fs_file_text *text) {
    fs_overlay *o = plan->overlay;
    for (uint32_t i = 0; i < text->pair_count; i++) {
        const fs_file_pair *pair = &text->pairs[i];
        fs_overlay_plan_join(plan, pair->a, pair->b);
        for (uint32_t l = o->lane_count - 2; l < o->lane_count; l++)
            o->lanes[l].src_share = o->lanes[l].dst_share = pair->share;
    }
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_file_params *p = params;
    fs_file_text text = {.yaml = fs_yaml_open(arena, p->file),
                         .arena = arena,
                         .tiles = fs_machine_tiles(site->machine),
                         .payload_bytes = site->payload_bytes};
    if (read_text(&text, site, err))
        return err->status;
    const fs_plan_generator generator = {
        .buffer = p->generator_buffer, .ring = p->generator_ring, .chips = FS_PLACED_FILLED};
    const fs_plan_buffers buffers = {p->tracer_buffer, p->router_buffer, p->generator_buffer};
    fs_plan file = fs_overlay_plan_begin("file", site, text.pair_count, arena, out);
    out->dispatch = (fs_dispatch)p->dispatch;
    place(&file, &text, &generator);
    join(&file, &text);
    if (fs_overlay_plan_finish(&file, &buffers, err))
        return err->status;
    fs_overlay_file_read_routes(&text, out);
    if (fs_yaml_finish(text.yaml, err))
        return err->status;
    fs_error found = {0};
    if (fs_overlay_check(out, &found))
        return fs_fail(err, FS_INPUT, "%s: %s", fs_mark_text(arena, text.yaml->root->mark), found.text);
    return FS_OK;
}

const fs_overlay_kind fs_overlay_file = {
    .abi = FS_OVERLAY_ABI,
    .name = "file",
    .summary = "a user's own network from a YAML file: tiles, lanes, routes (docs/overlays-file.md)",
    .table = &fs_overlay_file_table,
    .plan = plan,
};
