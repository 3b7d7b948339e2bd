#include "workloads/foam/layout.h"

static fs_status lanes(const fs_overlay *overlay, uint32_t payload_bytes, fs_arena *arena, fs_layout *out,
                       fs_error *err) {
    out->capacity = FS_NEW(arena, uint32_t, overlay->lane_count);
    out->transfers = FS_NEW(arena, fs_transfer, overlay->lane_count);
    for (uint32_t l = 0; l < overlay->lane_count; l++) {
        const fs_lane *lane = &overlay->lanes[l];
        out->capacity[l] = fs_lane_capacity(lane, payload_bytes);
        out->transfers[l] =
            (fs_transfer){.src = lane->src, .dst = lane->dst, .bytes = out->capacity[l] * payload_bytes};
        if (out->capacity[l] == 0)
            return fs_fail(
                err, FS_INPUT,
                "lane %u (tile %u to tile %u): its buffers of %u and %u bytes hold no ray of %u bytes", l,
                lane->src, lane->dst, lane->src_share, lane->dst_share, payload_bytes);
    }
    return FS_OK;
}

/* What a tracer reads in one iteration may all end there, and the host comes between iterations only. */
static fs_status check_local(const fs_overlay *overlay, const fs_layout *layout, uint64_t local_bytes,
                             fs_error *err) {
    for (uint32_t l = 0; local_bytes > 0 && l < overlay->lane_count; l++) {
        uint64_t needed = (uint64_t)layout->capacity[l] * FS_LOCAL_RECORD_BYTES;
        if (overlay->role[overlay->lanes[l].dst] == FS_ROLE_TRACER && needed > local_bytes)
            return fs_fail(
                err, FS_INPUT,
                "workload.local_buffer: expected at least %llu B (%u records of %d B), because so many rays "
                "may end on tile %u in one iteration; found room for %llu",
                (unsigned long long)needed, layout->capacity[l], FS_LOCAL_RECORD_BYTES, overlay->lanes[l].dst,
                (unsigned long long)(local_bytes / FS_LOCAL_RECORD_BYTES));
    }
    return FS_OK;
}

/* Allocations that every role has: code, state, exchange code, and both ends of its lanes. */
static void common(const fs_machine_params *machine, const fs_overlay *overlay, uint32_t tile,
                   const fs_layout *layout, fs_ledger *ledger) {
    const int64_t code[FS_ROLE_COUNT] = {[FS_ROLE_TRACER] = machine->memory.code_tracer,
                                         [FS_ROLE_ROUTER] = machine->memory.code_router,
                                         [FS_ROLE_GENERATOR] = machine->memory.code_generator};
    uint64_t in = 0, out = 0;
    uint32_t messages = 0;
    for (uint32_t i = overlay->in_start[tile]; i < overlay->in_start[tile + 1]; i++, messages++)
        in += layout->transfers[overlay->in_lane[i]].bytes;
    for (uint32_t i = overlay->out_start[tile]; i < overlay->out_start[tile + 1]; i++, messages++)
        out += layout->transfers[overlay->out_lane[i]].bytes;
    fs_ledger_add(ledger, tile, "code and stacks", (uint64_t)code[overlay->role[tile]]);
    fs_ledger_add(ledger, tile, "vertex state", (uint64_t)machine->memory.vertex_state);
    fs_ledger_add(ledger, tile, "exchange code",
                  messages * (uint64_t)machine->memory.exchange_code_per_message);
    fs_ledger_add(ledger, tile, "in lanes", in);
    fs_ledger_add(ledger, tile, "out lanes", out);
}

static void tracer(const fs_layout_needs *needs, uint32_t tile, uint32_t shard, fs_ledger *ledger) {
    const fs_shard_size *size = &needs->partition->size[shard];
    fs_ledger_add(ledger, tile, "shard cells", fs_shard_cell_bytes(size));
    fs_ledger_add(ledger, tile, "neighbour cells", fs_shard_neighbour_bytes(size));
    fs_ledger_add(ledger, tile, "adjacency", fs_shard_adjacency_bytes(size));
    if (needs->slice_bytes > 0)
        fs_ledger_add(ledger, tile, "framebuffer slice", needs->slice_bytes);
    if (needs->local_bytes > 0)
        fs_ledger_add(ledger, tile, "local framebuffer", needs->local_bytes);
}

const char *fs_layout_role(void *overlay, uint32_t tile) {
    return fs_role_names[((const fs_overlay *)overlay)->role[tile]];
}

fs_status fs_layout_make(const fs_machine_params *machine, const fs_overlay *overlay,
                         const fs_layout_needs *needs, fs_arena *arena, fs_layout *out, fs_error *err) {
    if (lanes(overlay, needs->payload_bytes, arena, out, err) ||
        check_local(overlay, out, needs->local_bytes, err))
        return err->status;
    out->ledger = fs_ledger_create(arena, overlay->tiles, &machine->memory);
    for (uint32_t tile = 0; tile < overlay->tiles; tile++) {
        if (overlay->role[tile] == FS_ROLE_SPARE)
            continue;
        common(machine, overlay, tile, out, out->ledger);
        if (overlay->role[tile] == FS_ROLE_TRACER)
            tracer(needs, tile, overlay->shard_of_tile[tile], out->ledger);
        if (overlay->role[tile] == FS_ROLE_GENERATOR)
            fs_ledger_add(out->ledger, tile, "backlog ring",
                          (uint64_t)overlay->generator_ring * needs->payload_bytes);
    }
    fs_overlay *self = (fs_overlay *)(uintptr_t)overlay; /* the callback's self is not const; it only reads */
    return fs_ledger_check(out->ledger, fs_layout_role, self, err);
}
