/* What lies in the SRAM of every tile, and how many rays the lanes hold. */
#include "workloads/foam/kernels/layout.h"

#include "sim/base/arith.h"
#include "workloads/foam/march/march.h"

static fs_status lanes(const fs_overlay *overlay, uint32_t payload_bytes, fs_arena *arena,
                       fs_foam_layout *out, fs_error *err) {
    out->capacity = FS_NEW(arena, uint32_t, overlay->lane_count);
    out->transfers = FS_NEW(arena, fs_transfer, overlay->lane_count);
    for (uint32_t l = 0; l < overlay->lane_count; l++) {
        const fs_lane *lane = &overlay->lanes[l];
        out->capacity[l] = fs_overlay_places(overlay, l, payload_bytes);
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

uint32_t fs_foam_in_slots(const fs_overlay *overlay, const uint32_t *capacity, uint32_t tile) {
    uint32_t slots = 0;
    for (uint32_t i = overlay->in_start[tile]; i < overlay->in_start[tile + 1]; i++) {
        const uint32_t own = capacity[overlay->in_lane[i]];
        slots = overlay->shares_queues ? (uint32_t)fs_most(slots, own) : slots + own;
    }
    return slots;
}

/* What a tracer reads in one iteration may all end there, and the host comes between iterations only. */
static fs_status check_local(const fs_overlay *overlay, const fs_foam_layout *layout, uint64_t local_bytes,
                             fs_error *err) {
    for (uint32_t i = 0; local_bytes > 0 && i < overlay->tracers; i++) {
        const uint32_t tile = overlay->tracer_tile[i],
                       rays = fs_foam_in_slots(overlay, layout->capacity, tile);
        uint64_t needed = (uint64_t)rays * FS_LOCAL_RECORD_BYTES;
        if (needed > local_bytes)
            return fs_fail(
                err, FS_INPUT,
                "workload.local_buffer: expected at least %llu B (%u records of %d B), because so many rays "
                "may end on tile %u in one iteration; found room for %llu (hint: a larger buffer, or smaller "
                "lanes)",
                (unsigned long long)needed, rays, FS_LOCAL_RECORD_BYTES, tile,
                (unsigned long long)(local_bytes / FS_LOCAL_RECORD_BYTES));
    }
    return FS_OK;
}

/* What a tile holds beside its lanes. */
typedef enum holds {
    CODE,  /* with what goes with it: every tile */
    SHARD, /* cells of a shard and what is known of its neighbours */
    PIXELS /* of the framebuffer */
} holds;
typedef struct allocation {
    holds kind;
    const char *name;
    uint64_t bytes;
} allocation;
enum { MOST_FIXED = 8 };

/* Allocations of a tile of that role that do not depend on its lanes; their number. first: the tile is the
 * first owner of its shard, which keeps the shard's pixels. */
static uint32_t fixed(const fs_machine_params *machine, const fs_foam_layout_needs *needs, fs_role role,
                      uint32_t shard, bool first, allocation out[MOST_FIXED]) {
    uint32_t n = 0;
    out[n++] = (allocation){CODE, "code and stacks", fs_role_code_bytes(&needs->code, role)};
    out[n++] = (allocation){CODE, "vertex state", (uint64_t)machine->memory.vertex_state};
    if (needs->camera_bytes > 0)
        out[n++] = (allocation){CODE, "cameras in flight", needs->camera_bytes};
    if (role != FS_ROLE_TRACER)
        return n;
    const fs_shard_size *size = &needs->partition->size[shard];
    out[n++] = (allocation){SHARD, "shard cells", fs_shard_cell_bytes(size)};
    out[n++] = (allocation){SHARD, "neighbour cells", fs_shard_neighbour_bytes(size)};
    out[n++] = (allocation){SHARD, "adjacency", fs_shard_adjacency_bytes(size)};
    if (needs->degree > 0)
        out[n++] =
            (allocation){SHARD, "harmonics", fs_march_store_bytes(needs->degree, needs->store, size->cells)};
    if (needs->slice_bytes > 0 && first)
        out[n++] = (allocation){PIXELS, "framebuffer slice", needs->slice_bytes};
    if (needs->local_bytes > 0)
        out[n++] = (allocation){PIXELS, "local framebuffer", needs->local_bytes};
    return n;
}

static uint64_t left(const fs_machine_params *machine, const fs_foam_layout_needs *needs, fs_role role,
                     uint32_t shard) {
    allocation taken[MOST_FIXED];
    uint64_t size = (uint64_t)(fs_machine_sram(machine, role) - machine->memory.reserved), used = 0;
    for (uint32_t i = 0, n = fixed(machine, needs, role, shard, true, taken); i < n; i++)
        used += taken[i].bytes;
    return used < size ? size - used : 0;
}

void fs_foam_layout_site(const fs_machine_params *machine, const fs_foam_layout_needs *needs, fs_arena *arena,
                         fs_overlay_site *out) {
    const fs_partition *p = needs->partition;
    uint64_t *tracer = FS_NEW(arena, uint64_t, p->shards);
    /* All that comes in may end here, and the host comes before the local buffer can't take it: lanes that
     * bring as much as the buffer holds would bring the host in every iteration, so they bring half. */
    const uint64_t records = needs->local_bytes / FS_LOCAL_RECORD_BYTES,
                   useful = needs->local_bytes > 0 ? 2 * (records / 2) * needs->payload_bytes : UINT64_MAX;
    for (uint32_t s = 0; s < p->shards; s++) {
        tracer[s] = left(machine, needs, FS_ROLE_TRACER, s);
        tracer[s] = tracer[s] < useful ? tracer[s] : useful;
    }
    out->free_tracer = tracer;
    out->free_router = left(machine, needs, FS_ROLE_ROUTER, 0);
    out->free_generator = left(machine, needs, FS_ROLE_GENERATOR, 0);
    out->routing_code = (uint64_t)needs->code.router;
    out->neighbour_start = p->neighbour_start;
    out->neighbour = p->neighbour;
}

/* Exchange code and both ends of a tile's lanes; returns the bytes of the code. */
static uint64_t add_lanes(const fs_machine_params *machine, const fs_overlay *overlay, uint32_t tile,
                          const fs_foam_layout *layout, fs_ledger *ledger) {
    uint64_t in = 0, out = 0;
    uint32_t messages = 0;
    for (uint32_t i = overlay->in_start[tile]; i < overlay->in_start[tile + 1]; i++, messages++)
        in += layout->transfers[overlay->in_lane[i]].bytes;
    for (uint32_t i = overlay->out_start[tile]; i < overlay->out_start[tile + 1]; i++, messages++)
        out += layout->transfers[overlay->out_lane[i]].bytes;
    if (overlay->shares_queues && overlay->role[tile] == FS_ROLE_TRACER)
        in = out = fs_overlay_queue(overlay, tile);
    const uint64_t code = messages * (uint64_t)machine->memory.exchange_code_per_message;
    fs_ledger_add(ledger, tile, "exchange code", code);
    fs_ledger_add(ledger, tile, "in lanes", in);
    fs_ledger_add(ledger, tile, "out lanes", out);
    return code;
}

/* What of a tile's bytes is data that RF section 5.2 itemises. */
static void note_data(fs_role role, const allocation *a, uint32_t count, uint64_t lanes,
                      fs_foam_layout *layout) {
    uint64_t shard = 0, all = lanes;
    if (role == FS_ROLE_ROUTER)
        layout->router_lanes = fs_most(layout->router_lanes, lanes);
    if (role != FS_ROLE_TRACER)
        return;
    for (uint32_t i = 0; i < count; i++) {
        all += a[i].kind == CODE ? 0 : a[i].bytes;
        shard += a[i].kind == SHARD ? a[i].bytes : 0;
    }
    layout->tracer_data = fs_most(layout->tracer_data, all);
    layout->shard_data = fs_most(layout->shard_data, shard);
    layout->tracer_lanes = fs_most(layout->tracer_lanes, lanes);
    layout->slice = fs_most(layout->slice, all - lanes - shard);
}

static void add_tile(const fs_machine_params *machine, const fs_overlay *overlay,
                     const fs_foam_layout_needs *needs, uint32_t tile, fs_foam_layout *layout) {
    fs_ledger *ledger = layout->ledger;
    const uint32_t shard = overlay->shard_of_tile[tile];
    const bool first = overlay->tracer_of_tile[tile] == shard;
    allocation a[MOST_FIXED];
    const uint32_t n = fixed(machine, needs, (fs_role)overlay->role[tile], shard, first, a);
    for (uint32_t i = 0; i < n; i++)
        if (a[i].kind == CODE)
            fs_ledger_add(ledger, tile, a[i].name, a[i].bytes);
    const uint64_t before = fs_ledger_used(ledger, tile);
    const uint64_t code = add_lanes(machine, overlay, tile, layout, ledger);
    note_data((fs_role)overlay->role[tile], a, n, fs_ledger_used(ledger, tile) - before - code, layout);
    for (uint32_t i = 0; i < n; i++)
        if (a[i].kind != CODE)
            fs_ledger_add(ledger, tile, a[i].name, a[i].bytes);
    if (overlay->role[tile] == FS_ROLE_TRACER && overlay->route_start[tile] >= 0)
        fs_ledger_add(ledger, tile, "routing code", (uint64_t)needs->code.router);
    if (overlay->role[tile] == FS_ROLE_GENERATOR)
        fs_ledger_add(ledger, tile, "backlog ring", (uint64_t)overlay->generator_ring * needs->payload_bytes);
}

/* Cells that a scene cut like this one may have: the tracer with the least room for more has room beside what is no
 * shard of its own, at the bytes that its shard takes for a cell. degree, store: of the harmonics. */
static uint64_t cells_that_fit(const fs_machine_params *machine, const fs_overlay *overlay,
                               const fs_foam_layout_needs *needs, const fs_ledger *ledger, uint32_t degree) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < overlay->tracers; i++) {
        const uint32_t tile = overlay->tracer_tile[i], shard = overlay->shard_of_tile[tile];
        const fs_shard_size *size = &needs->partition->size[shard];
        const uint64_t plain = fs_shard_bytes(size),
                       held = plain + fs_march_store_bytes(needs->degree, needs->store, size->cells),
                       wanted = plain + fs_march_store_bytes(degree, needs->store, size->cells),
                       room = (uint64_t)(fs_ledger_sram(ledger, tile) - machine->memory.reserved) + held,
                       used = fs_ledger_used(ledger, tile);
        if (size->cells == 0)
            continue;
        const uint64_t cells = room > used ? (room - used) * size->cells / wanted : 0;
        least = cells < least ? cells : least;
    }
    return least == UINT64_MAX ? 0 : least * needs->partition->shards;
}

/* After the ledger's own words: what would fit. */
static fs_status refuse(const fs_foam_layout *layout, uint64_t at_degree_0, const fs_foam_layout_needs *needs,
                        fs_error *err) {
    uint64_t cells = 0;
    for (uint32_t s = 0; s < needs->partition->shards; s++)
        cells += needs->partition->size[s].cells;
    if (needs->degree == 0)
        return err->status;
    return fs_fail_also(
        err, err->status,
        "workload.harmonics: degree %u in %s; expected at most about %llu cells cut like these "
        "(%llu with one colour a cell), found %llu",
        needs->degree, fs_march_store_names[needs->store], (unsigned long long)layout->cells_fit,
        (unsigned long long)at_degree_0, (unsigned long long)cells);
}

/* Role of a tile as the ledger names it; self is the overlay. */
static const char *role_of(const void *overlay, uint32_t tile) {
    return fs_role_names[((const fs_overlay *)overlay)->role[tile]];
}

fs_status fs_foam_layout_make(const fs_machine_params *machine, const fs_overlay *overlay,
                              const fs_foam_layout_needs *needs, fs_arena *arena, fs_foam_layout *out,
                              fs_error *err) {
    if (lanes(overlay, needs->payload_bytes, arena, out, err))
        return err->status;
    out->router_lanes = out->tracer_data = out->shard_data = out->tracer_lanes = out->slice = 0;
    out->harmonics = 0;
    for (uint32_t s = 0; s < needs->partition->shards; s++)
        out->harmonics = fs_most(out->harmonics, fs_march_store_bytes(needs->degree, needs->store,
                                                                      needs->partition->size[s].cells));
    out->ledger = fs_ledger_create(arena, overlay->tiles, &machine->memory);
    for (uint32_t tile = 0; tile < overlay->tiles; tile++)
        fs_ledger_size(out->ledger, tile, fs_machine_sram(machine, overlay->role[tile]));
    for (uint32_t tile = 0; tile < overlay->tiles; tile++)
        if (overlay->role[tile] != FS_ROLE_SPARE)
            add_tile(machine, overlay, needs, tile, out);
    out->cells_fit = cells_that_fit(machine, overlay, needs, out->ledger, needs->degree);
    if (fs_ledger_check(out->ledger, role_of, overlay, err))
        return refuse(out, cells_that_fit(machine, overlay, needs, out->ledger, 0), needs, err);
    return check_local(overlay, out, needs->local_bytes, err);
}
