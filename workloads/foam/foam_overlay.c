/* The overlay of a run: what tiles have left for lanes, the plan, replicas of busy shards. */
#include "workloads/foam/foam_run.h"

static fs_foam_layout_needs layout_needs(const fs_foam_run *r) {
    const bool local = r->params->framebuffer == FS_FRAMEBUFFER_LOCAL;
    const fs_framebuffer slices =
        fs_framebuffer_cut(r->camera[0].width, r->camera[0].height, r->partition.shards);
    const int64_t flight = r->pictures->path.in_flight > 0 ? r->pictures->path.in_flight : 1;
    return (fs_foam_layout_needs){.partition = &r->partition,
                                  .payload_bytes = r->payload.bytes,
                                  .slice_bytes =
                                      local ? 0 : (uint64_t)flight * fs_framebuffer_slice_bytes(&slices),
                                  .camera_bytes = (uint64_t)(flight - 1) * FS_CAMERA_BYTES,
                                  .local_bytes = local ? (uint64_t)r->params->local_buffer : 0,
                                  .degree = (uint32_t)r->params->kernels.harmonics,
                                  .store = r->params->kernels.store,
                                  .code = r->params->kernels.code};
}

static fs_status replicate(fs_foam_run *r, const char *key, const uint32_t *shard, size_t count,
                           int64_t owners, fs_error *err) {
    fs_error why = {0};
    if (fs_overlay_replicate(&r->overlay, shard, count, (uint32_t)owners, r->of.run.arena, &why))
        return fs_fail(err, why.status, "%s: %s", fs_config_where(r->of.run.config, "workload", key),
                       why.text);
    return FS_OK;
}

/* Further owners for the shards that the experiment names, and for the camera's; where it is both, the larger
 * number holds. */
static fs_status add_replicas(fs_foam_run *r, fs_error *err) {
    const fs_foam_params *p = r->params;
    const size_t named = p->replicas_given ? p->replicas.count : 0;
    const uint32_t camera_shard = r->facts.entry[0];
    uint32_t *shard = FS_NEW(r->of.run.arena, uint32_t, named + 1), count = 0;
    int64_t camera_owners = p->camera_owners;
    bool both = false;
    for (size_t i = 0; i < named; i++) {
        const uint32_t s = (uint32_t)p->replicas.item[i];
        if (s == camera_shard && both)
            return fs_fail(err, FS_INPUT, "%s: replicas: expected different shards, found %u twice",
                           fs_config_where(r->of.run.config, "workload", "replicas.shards"), s);
        if (s == camera_shard && camera_owners > 1) {
            camera_owners = p->owners > camera_owners ? p->owners : camera_owners;
            both = true;
        } else {
            shard[count++] = s;
        }
    }
    if (replicate(r, "replicas.shards", shard, count, p->owners, err))
        return err->status;
    return replicate(r, "replicas.camera", &camera_shard, 1, camera_owners, err);
}

fs_status fs_foam_make_overlay(fs_foam_run *r, fs_error *err) {
    fs_arena *arena = r->of.run.arena;
    fs_overlay_site site = {.config = r->of.run.config,
                            .machine = r->of.machine,
                            .shards = r->partition.shards,
                            .payload_bytes = r->payload.bytes,
                            .entry = r->facts.entry,
                            .entries = r->cameras};
    const fs_foam_layout_needs needs = layout_needs(r);
    fs_foam_layout_site(r->of.machine, &needs, arena, &site);
    if (fs_overlay_plan(&site, arena, &r->overlay, err) || add_replicas(r, err) ||
        fs_overlay_check_longest(&r->overlay, &r->overlay.longest, err) ||
        fs_foam_layout_make(r->of.machine, &r->overlay, &needs, arena, &r->layout, err))
        return err->status;
    r->of.ledger = r->layout.ledger;
    r->of.labels = fs_overlay_labels(&r->overlay);
    return FS_OK;
}
