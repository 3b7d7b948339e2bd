/* The ray of a place: its list of requests, its queue, and where entries stand that no register holds. */
#include "models/fpga/engine_internal.h"

#include <inttypes.h>

static void ask(engine *e, engine_place *p) {
    const fs_engine_request *r = &e->itinerary->request[p->at];
    p->access = (engine_access){.address = r->address, .bytes = r->bytes, .items = r->items, .leaf = r->leaf};
}

void traversal_begin(engine *e, engine_place *p, uint64_t ray) {
    *p = (engine_place){.ray = ray, .at = e->itinerary->first[ray], .end = e->itinerary->first[ray + 1]};
    ask(e, p);
}

static void count(fs_engine_results *r, const engine_place *p, const fs_engine_request *request) {
    r->requests++;
    r->nodes += !request->leaf;
    r->leaves += request->leaf;
    r->bytes += request->bytes;
    r->inserted += request->inserted;
    r->lost += request->lost;
    r->peak = fs_most(r->peak, p->held);
    r->occupancy[p->held < FS_ENGINE_OCCUPANCIES ? p->held : FS_ENGINE_OCCUPANCIES - 1]++;
}

/* Entries that find all registers taken go behind them. */
static uint64_t spill(engine *e, engine_place *p) {
    const uint64_t queue = (uint64_t)e->machine->traversal.queue;
    const uint64_t out = p->registers > queue ? p->registers - queue : 0;
    p->registers -= out;
    p->spilled += out;
    e->results->spilled += out;
    if (p->spilled > (uint64_t)e->machine->traversal.spill_entries && !e->failed) {
        fs_fail(e->err, FS_INPUT,
                "%s: ray %" PRIu64 " has %" PRIu64
                " entries behind its queue; expected room for them, found %" PRId64,
                engine_where(e, "machine", "traversal.spill_entries"), p->ray, p->spilled,
                e->machine->traversal.spill_entries);
        e->failed = true;
    }
    return out;
}

/* Empty registers are filled with the nearest of those behind them. */
static uint64_t refill(engine *e, engine_place *p) {
    if (p->registers > 0 || p->spilled == 0)
        return 0;
    const uint64_t queue = (uint64_t)e->machine->traversal.queue,
                   in = p->spilled < queue ? p->spilled : queue;
    p->registers = in;
    p->spilled -= in;
    e->results->refilled += in;
    return in;
}

static void end(engine *e, const engine_place *p) {
    e->results->left += p->held;
    e->results->lossy_rays += p->lost > 0;
    e->results->hits += e->itinerary->hit[p->ray];
    e->results->rays++;
}

/* Entries of the place's queue to or from the board's memory, behind the tree. */
static void ask_spilled(engine *e, engine_place *p, uint64_t moved, bool write) {
    const uint64_t entry = (uint64_t)e->machine->traversal.entry,
                   room = (uint64_t)e->machine->traversal.spill_entries * entry;
    p->access = (engine_access){.address = e->itinerary->tree_bytes + (uint64_t)(p - e->place) * room,
                                .bytes = (uint32_t)(moved * entry),
                                .write = write};
    e->results->spill_accesses++;
}

engine_next traversal_answer(engine *e, engine_place *p, uint64_t *moved) {
    const fs_engine_request *r = &e->itinerary->request[p->at];
    p->held += (uint64_t)r->inserted - r->lost;
    p->lost += r->lost;
    count(e->results, p, r);
    *moved = 0;
    p->at++;
    if (p->at == p->end) {
        end(e, p);
        return ENGINE_ENDS;
    }
    uint64_t out = 0;
    if (e->machine->traversal.spill != FS_SPILL_NONE) {
        p->registers += r->inserted;
        out = spill(e, p);
        *moved = out + refill(e, p);
        p->registers--;
    }
    p->held--;
    e->results->extracted++;
    if (e->machine->traversal.spill == FS_SPILL_DRAM && *moved > 0) {
        ask_spilled(e, p, *moved, out > 0);
        *moved = 0;
        return ENGINE_SPILLS;
    }
    ask(e, p);
    return ENGINE_ASKS;
}

void traversal_moved(engine *e, engine_place *p) {
    ask(e, p);
}
