/* The overlay of a run: what tiles have left for lanes, the plan, replicas of busy shards. */
#include "workloads/foam/foam_overlay.h"

#include "workloads/foam/kernels/framebuffer.h"

static fs_foam_layout_needs layout_needs(const fs_foam_ground *g) {
    const bool local = g->params->framebuffer == FS_FRAMEBUFFER_LOCAL;
    fs_framebuffer slices; /* only its geometry is wanted */
    fs_arena *scratch = fs_arena_create();
    fs_framebuffer_create(&slices, scratch, g->camera->width, g->camera->height, g->partition->shards, 1);
    fs_foam_layout_needs needs = {.partition = g->partition,
                                  .payload_bytes = g->payload->bytes,
                                  .slice_bytes = local ? 0 : fs_framebuffer_slice_bytes(&slices),
                                  .local_bytes = local ? (uint64_t)g->params->local_buffer : 0,
                                  .code = g->params->kernels.code};
    fs_arena_free(scratch);
    return needs;
}

static fs_status replicate(const fs_foam_ground *g, const char *key, const uint32_t *shard, size_t count,
                           int64_t owners, fs_arena *arena, fs_overlay *overlay, fs_error *err) {
    fs_error why = {0};
    if (fs_overlay_replicate(overlay, shard, count, (uint32_t)owners, arena, &why))
        return fs_fail(err, why.status, "%s: %s", fs_config_where(g->config, "workload", key), why.text);
    return FS_OK;
}

/* Further owners for the shards that the experiment names, and for the camera's; where it is both, the larger
 * number holds. */
static fs_status add_replicas(const fs_foam_ground *g, uint32_t camera_shard, fs_arena *arena,
                              fs_overlay *overlay, fs_error *err) {
    const fs_foam_params *p = g->params;
    const size_t named = p->replicas_given ? p->replicas.count : 0;
    uint32_t *shard = FS_NEW(arena, uint32_t, named + 1), count = 0;
    int64_t camera_owners = p->camera_owners;
    bool both = false;
    for (size_t i = 0; i < named; i++) {
        const uint32_t s = (uint32_t)p->replicas.item[i];
        if (s == camera_shard && both)
            return fs_fail(err, FS_INPUT, "%s: replicas: expected different shards, found %u twice",
                           fs_config_where(g->config, "workload", "replicas.shards"), s);
        if (s == camera_shard && camera_owners > 1) {
            camera_owners = p->owners > camera_owners ? p->owners : camera_owners;
            both = true;
        } else {
            shard[count++] = s;
        }
    }
    if (replicate(g, "replicas.shards", shard, count, p->owners, arena, overlay, err))
        return err->status;
    return replicate(g, "replicas.camera", &camera_shard, 1, camera_owners, arena, overlay, err);
}

fs_status fs_foam_overlay_make(const fs_foam_ground *g, fs_arena *arena, fs_overlay *overlay,
                               fs_foam_layout *layout, fs_error *err) {
    fs_overlay_site site = {.config = g->config,
                            .machine = g->machine,
                            .shards = g->partition->shards,
                            .payload_bytes = g->payload->bytes,
                            .entry = g->entry,
                            .entries = g->cameras};
    const fs_foam_layout_needs needs = layout_needs(g);
    fs_foam_layout_site(g->machine, &needs, arena, &site);
    if (fs_overlay_plan(&site, arena, overlay, err) || add_replicas(g, g->entry[0], arena, overlay, err) ||
        fs_overlay_check_longest(overlay, &overlay->longest, err))
        return err->status;
    return fs_foam_layout_make(g->machine, overlay, &needs, arena, layout, err);
}
