/* Decoupled execution: queues, credits and messages. */
#include "models/ipu/decoupled_internal.h"

#include <stdlib.h>

/* ---- what is on its way ---- */

static void ring_create(due_ring *ring, uint32_t size, fs_arena *arena) {
    *ring = (due_ring){.item = FS_NEW(arena, due_rays, size), .size = size};
}

/* Takes off what is due by `now`. */
static uint32_t ring_fold(due_ring *ring, uint64_t now) {
    uint32_t rays = 0;
    while (ring->count > 0 && ring->item[ring->first].time <= now) {
        rays += ring->item[ring->first].rays;
        ring->first = ring->first + 1 == ring->size ? 0 : ring->first + 1;
        ring->count--;
    }
    return rays;
}

static uint64_t ring_next(const due_ring *ring) {
    return ring->count > 0 ? ring->item[ring->first].time : FS_NEVER;
}

/* Times never go back: a lane has one latency, and its messages and credits leave one after the other. */
static void ring_push(due_ring *ring, uint64_t time, uint32_t rays) {
    uint32_t next = ring->first + ring->count;
    next -= next >= ring->size ? ring->size : 0;
    due_rays *last = &ring->item[next > 0 ? next - 1 : ring->size - 1];
    if (ring->count > 0 && last->time == time) {
        last->rays += rays;
        return;
    }
    FS_ASSERT(ring->count < ring->size && (ring->count == 0 || last->time < time),
              "more is on its way on one lane than its latency allows");
    ring->item[next] = (due_rays){.time = time, .rays = rays};
    ring->count++;
}

/* Behind the others, without a time. Its place in the ring. */
static uint32_t ring_begin(due_ring *ring, uint64_t now, uint32_t rays) {
    uint32_t next = ring->first + ring->count;
    next -= next >= ring->size ? ring->size : 0;
    FS_ASSERT(ring->count < ring->size, "more is on its way on one lane than it has places");
    ring->item[next] = (due_rays){.time = FS_NEVER, .begun = now, .rays = rays};
    ring->count++;
    return next;
}

static uint32_t longest_latency_to(const fs_decoupled *d, uint32_t tile) {
    uint32_t longest = 0;
    for (uint32_t t = 0; t < d->device->tiles; t++) {
        uint32_t latency = fs_fabric_latency(d->fabric, t, tile);
        longest = latency > longest ? latency : longest;
    }
    return longest;
}

static uint32_t end_of(const fs_decoupled *d, uint32_t lane, bool out) {
    return out ? d->step->transfers[lane].src : d->step->transfers[lane].dst;
}

static uint32_t *start_of(const fs_decoupled *d, bool out, fs_arena *arena) {
    uint32_t *start = FS_NEW(arena, uint32_t, d->device->tiles + 1);
    for (uint32_t l = 0; l < d->lane_count; l++)
        start[end_of(d, l, out) + 1]++;
    for (uint32_t t = 0; t < d->device->tiles; t++)
        start[t + 1] += start[t];
    return start;
}

static uint32_t *lanes_of(const fs_decoupled *d, bool out, const uint32_t *start, fs_arena *arena) {
    uint32_t *lane = FS_NEW(arena, uint32_t, d->lane_count),
             *filled = fs_calloc(d->device->tiles, sizeof *filled);
    for (uint32_t l = 0; l < d->lane_count; l++)
        lane[start[end_of(d, l, out)] + filled[end_of(d, l, out)]++] = l;
    free(filled);
    return lane;
}

void decoupled_lanes_create(fs_decoupled *d, fs_arena *arena) {
    const fs_transfer *transfers = d->step->transfers;
    d->lanes = FS_NEW(arena, lane_state, d->lane_count);
    d->queues = FS_NEW(arena, fs_decoupled_queue, d->lane_count);
    d->lane_totals = FS_NEW(arena, fs_decoupled_lane, d->lane_count);
    d->lane_slice = FS_NEW(arena, fs_decoupled_lane, d->lane_count);
    d->touched = FS_NEW(arena, uint32_t, d->lane_count);
    d->is_touched = FS_NEW(arena, bool, d->lane_count);
    d->out_start = start_of(d, true, arena);
    d->in_start = start_of(d, false, arena);
    d->out_lane = lanes_of(d, true, d->out_start, arena);
    d->in_lane = lanes_of(d, false, d->in_start, arena);
    for (uint32_t l = 0; l < d->lane_count; l++) {
        lane_state *lane = &d->lanes[l];
        const uint32_t capacity = d->setup.capacity[l];
        d->queues[l] = (fs_decoupled_queue){.room = capacity, .capacity = capacity};
        *lane = (lane_state){.ends = &d->queues[l],
                             .src = transfers[l].src,
                             .dst = transfers[l].dst,
                             .credits = capacity,
                             .stalled_since = FS_NEVER};
        lane->latency = fs_fabric_latency(d->fabric, lane->src, lane->dst);
        lane->credit_latency = fs_fabric_latency(d->fabric, lane->dst, lane->src);
        /* beside what is due in the next `latency` cycles, one message may wait for the receiver's port */
        uint32_t most = d->stepped ? capacity : lane->latency + 2, credits = lane->credit_latency + 2;
        ring_create(&lane->arriving, most < capacity ? most : capacity, arena);
        ring_create(&lane->returning, credits < capacity ? credits : capacity, arena);
    }
    d->window_span = longest_latency_to(d, d->source) + 1;
    d->window_due = FS_NEW(arena, uint32_t, d->window_span);
}

/* ---- the client's view ---- */

fs_decoupled_queue *fs_decoupled_queues(fs_decoupled *d) {
    return d->queues;
}

/* Rays of the in queue that have arrived by now. */
static void look_at(fs_decoupled *d, uint32_t lane) {
    lane_state *l = &d->lanes[lane];
    due_ring *ring = &l->arriving;
    for (uint32_t k = 0, at = ring->first; d->stepped && k < ring->count && ring->item[at].time <= d->now;
         k++) {
        const due_rays *due = &ring->item[at];
        d->totals.ray_cycles_messages += due->rays * (due->time - due->begun);
        if (d->client->arrived != NULL)
            d->client->arrived(d->client->self, lane, l->ends->waiting, due->rays, due->time - due->begun);
        l->ends->waiting += due->rays;
        at = at + 1 == ring->size ? 0 : at + 1;
    }
    const uint32_t rays = ring_fold(ring, d->now);
    l->ends->waiting += d->stepped ? 0 : rays;
}

bool decoupled_look(fs_decoupled *d, uint32_t tile) {
    uint32_t waiting = 0;
    for (uint32_t i = d->in_start[tile]; i < d->in_start[tile + 1]; i++) {
        look_at(d, d->in_lane[i]);
        waiting |= d->lanes[d->in_lane[i]].ends->waiting;
    }
    return waiting != 0;
}

/* Their credits go back to the source, which may be waiting for them. */
void fs_decoupled_take(fs_decoupled *d, uint32_t lane, uint32_t rays) {
    lane_state *l = &d->lanes[lane];
    FS_ASSERT(l->dst == d->caller->tile && rays <= l->ends->waiting, "lane %u holds %u rays, not %u", lane,
              l->ends->waiting, rays);
    if (rays == 0)
        return;
    l->ends->waiting -= rays;
    l->held -= rays;
    d->totals.rays_taken += rays;
    d->caller->rays += rays;
    uint64_t back = d->now + l->credit_latency;
    l->credits += ring_fold(&l->returning, d->now);
    ring_push(&l->returning, back, rays);
    decoupled_due(d, back);
    tile_state *source = &d->tiles[l->src];
    if (l->out > 0)
        decoupled_wake(d, source, back > source->send_end ? back : source->send_end);
}

/* ---- messages ---- */

static void touch(fs_decoupled *d, uint32_t lane) {
    if (d->is_touched[lane])
        return;
    d->is_touched[lane] = true;
    d->touched[d->touched_count++] = lane;
}

/* What a message of so many rays changes at once, whatever carries it. */
static void begin_message(fs_decoupled *d, tile_state *t, uint32_t lane, uint32_t rays) {
    lane_state *l = &d->lanes[lane];
    t->send_begin = d->now;
    t->sending = lane;
    t->queued -= rays;
    l->out -= rays;
    l->sending = rays;
    l->credits -= rays;
    l->held += rays;
    look_at(d, lane);
    touch(d, lane);
    fs_decoupled_lane *in_slice = &d->lane_slice[lane];
    in_slice->messages++;
    in_slice->rays += rays;
    in_slice->peak = l->held > in_slice->peak ? l->held : in_slice->peak;
}

/* ---- messages over a network ---- */

static void wake_network(fs_decoupled *d, uint64_t cycles) {
    if (!d->network_wakes)
        fs_kernel_wake(d->kernel, d->network, cycles);
    d->network_wakes = true;
}

/* The network has the message: it will say when the port is free, and when the rays arrive. */
static void hand_over(fs_decoupled *d, tile_state *t, uint32_t lane, uint32_t rays) {
    const fs_port_counters *c = &d->books->port_counters;
    lane_state *l = &d->lanes[lane];
    const uint32_t data = rays * d->setup.ray_bytes, bytes = fs_fabric_message(d->fabric, lane, data);
    begin_message(d, t, lane, rays);
    t->send_end = FS_NEVER;
    fs_fabric_offer(d->fabric, d->now, lane, data, ring_begin(&l->arriving, d->now, rays));
    fs_energy_move(&d->device->energy, &d->device->steps[0].routes, lane, bytes);
    c->bytes_out[t->tile] += bytes;
    c->bytes_in[l->dst] += bytes;
    d->client->sent(d->client->self, lane, rays, d->now, d->now);
    decoupled_due(d, d->now);
    wake_network(d, 0);
}

/* The last word of a tile's message has left it in this cycle. */
static void sent_over(fs_decoupled *d, uint32_t lane) {
    const lane_state *l = &d->lanes[lane];
    tile_state *t = &d->tiles[l->src];
    const fs_port_counters *c = &d->books->port_counters;
    const uint64_t cycles = fs_fabric_send_cycles(d->fabric, (uint64_t)l->sending * d->setup.ray_bytes);
    FS_ASSERT(t->sending == lane, "lane %u is not being sent", lane);
    t->send_end = d->now + 1;
    c->busy_out[t->tile] += cycles;
    c->busy_in[l->dst] += cycles;
    c->waiting_out[t->tile] += t->send_end - t->send_begin - cycles;
    if (t->queued > 0 || t->blocked)
        decoupled_wake(d, t, t->send_end);
}

void decoupled_network_wakes(void *self) {
    fs_decoupled *d = self;
    d->network_wakes = false;
    if (d->stopped_at != FS_NEVER)
        return;
    d->now = fs_kernel_now(d->kernel);
    FS_ASSERT(fs_fabric_next(d->fabric) == d->now, "a cycle of the network was left out");
    uint32_t count;
    const fs_fabric_event *e = fs_fabric_step(d->fabric, &count);
    for (uint32_t i = 0; i < count; i++) {
        lane_state *l = &d->lanes[e[i].transfer];
        tile_state *receiver = &d->tiles[l->dst];
        if (!e[i].arrived) {
            sent_over(d, e[i].transfer);
            continue;
        }
        l->arriving.item[e[i].tag].time = d->now;
        if (!receiver->computing)
            decoupled_wake(d, receiver, d->now);
    }
    if (fs_fabric_next(d->fabric) == UINT64_MAX)
        return;
    decoupled_due(d, d->now + 1);
    wake_network(d, 1);
}

/* ---- messages over ports ---- */

/* A message of `rays` rays: holds the sender's port from now on, the receiver's when that is free. */
static void send_message(fs_decoupled *d, tile_state *t, uint32_t lane, uint32_t rays) {
    const fs_fabric *x = d->fabric;
    const fs_port_counters *c = &d->books->port_counters;
    lane_state *l = &d->lanes[lane];
    tile_state *receiver = &d->tiles[l->dst];
    uint64_t bytes = (uint64_t)d->device->machine->exchange.header + (uint64_t)rays * d->setup.ray_bytes;
    uint64_t cycles = fs_fabric_port_cycles(x, bytes);
    uint64_t start = receiver->receiver_at > d->now ? receiver->receiver_at : d->now, end = start + cycles;
    uint64_t arrival = end + l->latency;
    receiver->receiver_at = end;
    begin_message(d, t, lane, rays);
    t->send_end = end;
    ring_push(&l->arriving, arrival, rays);
    decoupled_due(d, arrival);
    d->totals.ray_cycles_messages += rays * (arrival - start);
    fs_energy_move(&d->device->energy, &d->device->steps[0].routes, lane, bytes);
    c->bytes_out[t->tile] += bytes;
    c->bytes_in[l->dst] += bytes;
    c->busy_out[t->tile] += cycles;
    c->busy_in[l->dst] += cycles;
    c->waiting_out[t->tile] += start - d->now;
    d->client->sent(d->client->self, lane, rays, start, arrival);
    if (!receiver->computing)
        decoupled_wake(d, receiver, arrival);
}

static void stall(fs_decoupled *d, uint32_t lane) {
    lane_state *l = &d->lanes[lane];
    touch(d, lane);
    if (l->stalled_since == FS_NEVER)
        l->stalled_since = d->now;
}

static void unstall(fs_decoupled *d, uint32_t lane) {
    lane_state *l = &d->lanes[lane];
    if (l->stalled_since != FS_NEVER)
        d->lane_slice[lane].stalled += d->now - l->stalled_since;
    l->stalled_since = FS_NEVER;
}

void decoupled_send(fs_decoupled *d, tile_state *t) {
    if (t->sending != UINT32_MAX) {
        if (t->send_end > d->now)
            return;
        lane_state *sent = &d->lanes[t->sending];
        sent->ends->room += sent->sending;
        sent->sending = 0;
        t->sending = UINT32_MAX;
    }
    if (t->queued == 0)
        return;
    const uint32_t first = d->out_start[t->tile], ports = d->out_start[t->tile + 1] - first;
    for (uint32_t i = 0; i < ports; i++) {
        uint32_t port = t->turn + i < ports ? t->turn + i : t->turn + i - ports;
        uint32_t lane = d->out_lane[first + port];
        lane_state *l = &d->lanes[lane];
        if (l->out == 0)
            continue;
        l->credits += ring_fold(&l->returning, d->now);
        if (l->credits == 0) {
            stall(d, lane);
            continue;
        }
        unstall(d, lane);
        t->turn = port + 1 < ports ? port + 1 : 0;
        const uint32_t rays = l->out < l->credits ? l->out : l->credits;
        if (d->stepped)
            hand_over(d, t, lane, rays);
        else
            send_message(d, t, lane, rays);
        return;
    }
}

uint64_t decoupled_send_next(fs_decoupled *d, const tile_state *t) {
    if (t->sending != UINT32_MAX)
        return t->queued > 0 || t->blocked ? t->send_end : FS_NEVER;
    if (t->queued == 0)
        return FS_NEVER;
    /* The port is free and rays wait: for credits, all of them. */
    uint64_t next = FS_NEVER;
    for (uint32_t i = d->out_start[t->tile]; i < d->out_start[t->tile + 1]; i++) {
        const lane_state *l = &d->lanes[d->out_lane[i]];
        uint64_t back = l->out > 0 ? ring_next(&l->returning) : FS_NEVER;
        next = back < next ? back : next;
    }
    return next;
}

uint64_t decoupled_next_arrival(const fs_decoupled *d, uint32_t tile) {
    uint64_t next = FS_NEVER;
    for (uint32_t i = d->in_start[tile]; i < d->in_start[tile + 1]; i++) {
        const uint64_t time = ring_next(&d->lanes[d->in_lane[i]].arriving);
        next = time < next ? time : next;
    }
    return next;
}

/* ---- the injection window ---- */

static void fold_window(fs_decoupled *d) {
    /* nothing lies further ahead of the last look than the longest latency */
    uint64_t last = d->window_folded + d->window_span - 1;
    last = last < d->now ? last : d->now;
    for (uint64_t c = d->window_folded + 1; c <= last; c++) {
        uint32_t *due = &d->window_due[c % d->window_span];
        d->outstanding -= *due;
        *due = 0;
    }
    d->window_folded = d->now;
}

void decoupled_window_return(fs_decoupled *d, uint32_t tile, uint32_t rays) {
    uint64_t back = d->now + fs_fabric_latency(d->fabric, tile, d->source);
    d->in_flight -= rays;
    fold_window(d);
    if (back == d->now)
        d->outstanding -= rays;
    else
        d->window_due[back % d->window_span] += rays;
    decoupled_due(d, back);
    tile_state *source = &d->tiles[d->source];
    if (!source->computing && source->blocked)
        decoupled_wake(d, source, back);
}

uint64_t decoupled_window_next(fs_decoupled *d) {
    fold_window(d);
    for (uint64_t c = d->now + 1; c < d->now + d->window_span; c++)
        if (d->window_due[c % d->window_span] > 0)
            return c;
    return FS_NEVER;
}

uint32_t fs_decoupled_allowance(fs_decoupled *d) {
    fold_window(d);
    return d->window - d->outstanding;
}

void fs_decoupled_inject(fs_decoupled *d) {
    FS_ASSERT(d->outstanding < d->window, "a ray beyond the window of %u", d->window);
    d->outstanding++;
    d->caller->rays++;
    d->in_flight++;
    d->most_in_flight = d->in_flight > d->most_in_flight ? d->in_flight : d->most_in_flight;
}

/* ---- books ---- */

void decoupled_book_stalls(fs_decoupled *d) {
    for (uint32_t i = 0; i < d->touched_count; i++) {
        const uint32_t l = d->touched[i];
        fs_decoupled_lane *slice = &d->lane_slice[l], *all = &d->lane_totals[l];
        lane_state *lane = &d->lanes[l];
        if (lane->stalled_since != FS_NEVER) {
            slice->stalled += d->now - lane->stalled_since;
            lane->stalled_since = d->now;
        }
        slice->peak = lane->held > slice->peak ? lane->held : slice->peak;
        all->rays += slice->rays;
        all->messages += slice->messages;
        all->stalled += slice->stalled;
        all->peak = slice->peak > all->peak ? slice->peak : all->peak;
        d->totals.messages += slice->messages;
        d->totals.cycles_stalled += slice->stalled;
    }
}

void decoupled_next_lanes(fs_decoupled *d) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->touched_count; i++) {
        const uint32_t l = d->touched[i];
        const lane_state *lane = &d->lanes[l];
        d->lane_slice[l] = (fs_decoupled_lane){.peak = lane->held};
        d->is_touched[l] = lane->held > 0 || lane->stalled_since != FS_NEVER;
        if (d->is_touched[l])
            d->touched[kept++] = l;
    }
    d->touched_count = kept;
}

fs_status decoupled_check_lanes(fs_decoupled *d, fs_error *err) {
    for (uint32_t l = 0; l < d->lane_count; l++) {
        lane_state *lane = &d->lanes[l];
        uint32_t back = lane->credits;
        for (uint32_t i = 0; i < lane->returning.count; i++)
            back += lane->returning.item[(lane->returning.first + i) % lane->returning.size].rays;
        const fs_decoupled_queue *ends = lane->ends;
        uint32_t there = ends->waiting;
        for (uint32_t i = 0; i < lane->arriving.count; i++)
            there += lane->arriving.item[(lane->arriving.first + i) % lane->arriving.size].rays;
        if (back + lane->held != ends->capacity || there != lane->held ||
            ends->room + lane->out + lane->sending + ends->promised != ends->capacity)
            return fs_fail(err, FS_BROKEN,
                           "lane %u of %u places: %u credits, %u rays in its in queue, %u in its out queue",
                           l, ends->capacity, back, lane->held, fs_decoupled_queued(ends));
    }
    return FS_OK;
}
