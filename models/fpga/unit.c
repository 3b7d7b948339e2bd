/* The time of a place, interval by interval: at work, before a grant, before an answer. */
#include "models/fpga/engine_internal.h"

static inline fs_part_use *use_of(engine *e, uint32_t place) {
    return &e->results->unit[place / e->rays_of_unit];
}

/* The unit works for the place from `from` to `to`. */
static void works(engine *e, uint32_t place, uint64_t from, uint64_t to) {
    use_of(e, place)->busy += to - from;
    e->results->stage[FS_REQUEST_UNIT] += to - from;
    fs_series_add(e->results->series, FS_ENGINE_LINE_BUSY, from, to);
}

void unit_begin(engine *e, uint32_t place, uint64_t ray, uint64_t now) {
    engine_place *p = &e->place[place];
    traversal_begin(e, p, ray);
    p->raised = now + e->request;
    works(e, place, now, p->raised);
}

void unit_granted(engine *e, uint32_t place, uint64_t now) {
    engine_place *p = &e->place[place];
    const uint64_t waited = now - p->raised;
    fs_engine_results *r = e->results;
    p->granted = now;
    use_of(e, place)->output += waited;
    r->stage[p->access.items == 0 ? FS_REQUEST_SPILL : FS_REQUEST_GRANT] += waited;
    r->longest_wait = fs_most(r->longest_wait, waited);
    r->granted++;
    fs_series_add(r->series, FS_ENGINE_LINE_GRANT, p->raised, now);
}

void unit_tell(const engine *e, uint32_t place, uint64_t now) {
    const engine_place *p = &e->place[place];
    if (e->listener == NULL || e->listener->served == NULL)
        return;
    const fs_engine_span span = {.ray = p->ray,
                                 .request = p->at,
                                 .place = place,
                                 .leaf = p->access.leaf,
                                 .cached = p->cached,
                                 .raised = p->raised,
                                 .granted = p->granted,
                                 .first = p->first,
                                 .last = p->last,
                                 .answered = now};
    e->listener->served(e->listener->self, &span);
}

/* Spilled entries have moved: the request that waited for them follows. */
static void moved(engine *e, uint32_t place, uint64_t now) {
    engine_place *p = &e->place[place];
    e->results->stage[FS_REQUEST_SPILL] += now - p->granted;
    traversal_moved(e, p);
    p->raised = now + e->request;
    works(e, place, now, p->raised);
}

bool unit_answered(engine *e, uint32_t place, uint64_t now, uint64_t *end) {
    engine_place *p = &e->place[place];
    fs_engine_results *r = e->results;
    use_of(e, place)->input += now - p->granted;
    fs_series_add(r->series, FS_ENGINE_LINE_ANSWER, p->granted, now);
    if (p->access.items == 0) {
        moved(e, place, now);
        return true;
    }
    r->stage[FS_REQUEST_MEMORY] += p->first - p->granted;
    r->stage[FS_REQUEST_BUS] += p->last - p->first;
    r->stage[FS_REQUEST_PIPELINE] += now - p->last;
    unit_tell(e, place, now);
    uint64_t entries;
    const engine_next next = traversal_answer(e, p, &entries);
    *end = now + e->answer;
    if (next == ENGINE_ASKS)
        *end += entries * (uint64_t)e->machine->traversal.spill_cycles + e->request;
    works(e, place, now, *end);
    p->raised = *end;
    return next != ENGINE_ENDS;
}
