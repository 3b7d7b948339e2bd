/* Cycles of a frame that do not depend on paths. */
#include "workloads/pathtrace/frame/frame.h"

#include <stdlib.h>

static uint64_t barrier(const fs_machine_params *m, uint32_t from, uint32_t to) {
    uint32_t skew = 0;
    for (uint32_t t = from; t < to; t++) {
        const uint32_t at = fs_sync_skew(&m->sync, &m->geometry, t);
        skew = at > skew ? at : skew;
    }
    return (uint64_t)m->sync.base + skew;
}

/* beside: another one, with which it shares a network; NULL: the first. */
static fs_status make_fabric(const fs_machine_params *m, const fs_pathtrace_layout *l, fs_fabric *beside,
                             fs_arena *arena, fs_pathtrace_moves *moves, fs_error *err) {
    fs_fabric_chip chip = fs_machine_fabric(m, l->tiles);
    chip.beside = beside;
    const fs_exchange_lanes lanes = {
        .transfers = moves->transfers, .count = moves->count, .sent_with = moves->sent_with, .whole = true};
    moves->fabric = fs_fabric_create(arena, &chip, &lanes, err);
    return moves->fabric == NULL ? err->status : FS_OK;
}

/* Barriers of a sample by the device's rule of local runs. */
static uint32_t barriers_of(const fs_pathtrace_moves *moves, uint32_t steps, bool merged) {
    uint32_t barriers = steps;
    for (uint32_t s = 0; merged && s + 1 < steps; s++)
        barriers -= moves[s].count == 0 && moves[s + 1].count == 0;
    return barriers;
}

/* What is exchanged after a step. Serial steps of a product all get the same. */
static fs_status make_moves(const fs_machine_params *m, const fs_pathtrace_layout *l,
                            const fs_pathtrace_steps *steps, uint32_t s, fs_fabric *beside, fs_arena *arena,
                            fs_pathtrace_moves *moves, fs_error *err) {
    const fs_pathtrace_step *step = &steps->step[s];
    uint32_t last = s; /* behind the step before this one that sends operands */
    if (step->operands == NULL && step->bytes == 0)
        return FS_OK;
    while (last > 0 && steps->step[last - 1].operands == NULL)
        last--;
    if (step->operands != NULL && last > 0 && steps->step[last - 1].operands == step->operands &&
        !steps->step[last - 1].inputs) {
        moves[s] = moves[last - 1];
        return FS_OK;
    }
    if (step->operands != NULL)
        moves[s] = fs_pathtrace_operands(l, step->operands, step->inputs, arena);
    else
        moves[s] = (fs_pathtrace_moves){.transfers = fs_pathtrace_ring(l, step->bytes, arena),
                                        .count = l->render_tiles};
    return moves[s].count > 0 ? make_fabric(m, l, beside, arena, &moves[s], err) : FS_OK;
}

static fs_status price_steps(const fs_machine_params *m, const fs_pathtrace_layout *l,
                             const fs_pathtrace_steps *steps, fs_arena *arena, fs_pathtrace_fixed *out,
                             fs_error *err) {
    uint32_t *counts = FS_NEW(arena, uint32_t, (size_t)l->workers * FS_MAX_EVENTS);
    out->step_moves = FS_NEW(arena, fs_pathtrace_moves, steps->count);
    for (uint32_t s = 0; s < steps->count; s++) {
        const fs_pathtrace_step *step = &steps->step[s];
        if (make_moves(m, l, steps, s, out->copy_moves.fabric, arena, out->step_moves, err))
            return err->status;
        if (step->program == NULL)
            continue;
        fs_priced_program priced;
        if (fs_program_price(step->program, &m->tile, &priced, err))
            return err->status;
        for (uint32_t w = 0; w < l->workers; w++)
            for (uint32_t e = 0; e < step->program->event_count; e++)
                counts[w * priced.width + e] = fs_pathtrace_step_count(step, e, w, l->workers);
        fs_tile_times times;
        fs_tile_times_closed(&priced, counts, &times);
        out->part[step->part] += times.cycles;
    }
    out->barriers = barriers_of(out->step_moves, steps->count, out->merged);
    return FS_OK;
}

static fs_status price_reading(const fs_machine_params *m, fs_pathtrace_fixed *out, fs_error *err) {
    uint32_t counts[FS_MAX_WORKERS * FS_MAX_EVENTS] = {[FS_PATHTRACE_READ_SCENE] = 1};
    fs_priced_program priced;
    fs_tile_times times;
    if (fs_program_price(&fs_pathtrace_read_scene, &m->tile, &priced, err))
        return err->status;
    fs_tile_times_closed(&priced, counts, &times);
    out->read = times.cycles;
    return FS_OK;
}

static void price_streams(const fs_machine_params *m, const fs_pathtrace_layout *l, fs_pathtrace_fixed *out) {
    const fs_remote_buffer buffer = fs_pathtrace_buffer(l);
    const uint32_t chips = (uint32_t)m->chips;
    const uint64_t host = fs_host_transfer_cycles(&m->host, m->clock, l->batch * l->ray);
    out->load = fs_remote_cycles(&m->remote, buffer, 1, chips, m->clock);
    out->save = out->load > host ? out->load : host;
    out->both = fs_remote_cycles(&m->remote, buffer, 2, chips, m->clock);
    out->both = out->both > host ? out->both : host;
    out->stream = barrier(m, 0, l->io_tiles) + out->overhead;
}

fs_status fs_pathtrace_fixed_of(const fs_machine_params *machine, const fs_pathtrace_params *params,
                                const fs_pathtrace_layout *layout, const fs_pathtrace_steps *steps,
                                const fs_program *walk, fs_pathtrace_sizes sizes, fs_arena *arena,
                                fs_pathtrace_fixed *out, fs_error *err) {
    const fs_machine_params *m = machine;
    *out = (fs_pathtrace_fixed){.render_tiles = layout->render_tiles,
                                .workers = layout->workers,
                                .each = params->nif.layers > 0,
                                .drawn = (uint64_t)params->drawn,
                                .samples = (uint64_t)params->samples,
                                .sync = barrier(m, layout->io_tiles, layout->tiles),
                                .overhead = (uint64_t)m->exchange.program_overhead,
                                .steps = steps->count,
                                .merged = m->sync.local == FS_SYNC_LOCAL_MERGED};
    fs_pathtrace_moves *copies = &out->copy_moves;
    copies->transfers = fs_pathtrace_copies(layout, arena, &copies->count);
    if (fs_program_price(walk, &m->tile, &out->walk, err) || price_reading(m, out, err) ||
        make_fabric(m, layout, NULL, arena, copies, err) || price_steps(m, layout, steps, arena, out, err))
        return err->status;
    price_streams(m, layout, out);
    out->copies = barrier(m, 0, layout->tiles) + out->overhead;
    const uint64_t call = (uint64_t)m->sync.external + fs_host_launch_cycles(&m->host, m->clock);
    out->upload = call + fs_host_transfer_cycles(&m->host, m->clock, sizes.scene + sizes.weights) +
                  fs_fabric_broadcast(copies->fabric, 0, sizes.scene);
    out->launches = m->host.fused ? 0 : (uint64_t)m->host.programs * call;
    return m->exchange.kind == FS_FABRIC_NOC ? FS_OK : fs_pathtrace_fixed_plan(out, NULL, err);
}

static uint32_t add_fabrics(const fs_pathtrace_fixed *f, fs_fabric **out) {
    uint32_t count = 0;
    out[count++] = f->copy_moves.fabric;
    for (uint32_t s = 0; s < f->steps; s++)
        if (f->step_moves[s].count > 0)
            out[count++] = f->step_moves[s].fabric;
    return count;
}

fs_status fs_pathtrace_fixed_plan(fs_pathtrace_fixed *f, const fs_pathtrace_fixed *earlier, fs_error *err) {
    if (f->planned)
        return FS_OK;
    const uint32_t before = earlier != NULL ? earlier->steps + 1 : 0;
    fs_fabric **fabric = fs_malloc((before + f->steps + 1) * sizeof *fabric);
    const uint32_t first = earlier != NULL ? add_fabrics(earlier, fabric) : 0,
                   count = first + add_fabrics(f, fabric + first);
    f->planned = fs_fabric_plan(fabric, count, err) == FS_OK;
    for (uint32_t i = first + 1; i < count && f->planned; i++)
        f->arrivals += fs_fabric_plan_of(fabric[i]).arrival;
    f->copies += f->planned ? fs_fabric_plan_of(fabric[first]).arrival : 0;
    free(fabric);
    return err->status;
}
