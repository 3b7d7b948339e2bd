/* The exchange phase in events: a sender asks for a receiver, is granted (by the plan's clock in static mode,
 * by the receiver in dynamic mode), sends, ends; the last word arrives a latency later.
 *
 * All senders have lower process ids than all receivers: in a cycle every sender that can ask has asked
 * before a receiver grants, which gives the order (time of request, sender tile). */
#include "models/machine/device_event.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum sender_state { SENDER_RESTS, SENDER_OPENS, SENDER_ASKS, SENDER_SENDS } sender_state;

typedef struct request {
    uint64_t time; /* cycle in which it was asked */
    uint32_t sender, lane;
} request;

typedef struct receiver {
    fs_device *device;
    fs_process_id process;
    request *requests;  /* [lanes in] waiting to be granted, any order */
    uint64_t *arrivals; /* [lanes in] cycles in which last words are due, any order */
    uint32_t request_count, arrival_count;
    uint64_t busy_until; /* end of the transfer that it takes */
    bool granted;        /* to a sender that begins in this cycle */
} receiver;

typedef struct sender {
    fs_device *device;
    fs_process_id process;
    uint32_t tile;
    const uint32_t *lanes; /* [count] in the order of sending */
    uint32_t count, next;  /* next: the lane now asked for or sent */
    sender_state state;
    uint64_t since; /* cycle in which it came into its state */
} sender;

struct event_ports {
    sender *senders;     /* [tiles] */
    receiver *receivers; /* [tiles] */
    uint32_t *order;     /* [lanes] lanes of each sender in the order of sending */
    fs_process_id clock; /* ends an exchange in which nothing is sent */
    uint32_t in_flight;  /* transfers that have not arrived */
};

static event_ports *ports_of(const fs_device *d) {
    return event_state_of(d)->ports;
}

static const fs_lane *lane_of(const fs_device *d, uint32_t lane) {
    return &d->overlay->lanes[lane];
}

static uint32_t message(const fs_device *d, uint32_t lane) {
    return fs_exchange_message(d->exchange, lane, d->occupied ? d->occupied[lane] : 0);
}

static bool is_static(const fs_device *d) {
    return d->machine->exchange.mode == FS_EXCHANGE_STATIC;
}

/* Asks for the receiver of the next lane that has something to send. */
static void ask(sender *s) {
    fs_device *d = s->device;
    while (s->next < s->count && message(d, s->lanes[s->next]) == 0)
        s->next++;
    s->state = s->next < s->count ? SENDER_ASKS : SENDER_RESTS;
    s->since = fs_kernel_now(d->kernel);
    if (s->state == SENDER_RESTS)
        return;
    uint32_t lane = s->lanes[s->next];
    if (is_static(d)) {
        uint64_t start = d->phase_start + (uint64_t)d->machine->exchange.program_overhead +
                         fs_exchange_static_start(d->exchange, lane);
        fs_kernel_wake(d->kernel, s->process, start - s->since);
        return;
    }
    receiver *r = &ports_of(d)->receivers[lane_of(d, lane)->dst];
    r->requests[r->request_count++] = (request){s->since, s->tile, lane};
    fs_kernel_wake(d->kernel, r->process, 0);
}

static void begin_sending(sender *s) {
    fs_device *d = s->device;
    uint32_t lane = s->lanes[s->next], dst = lane_of(d, lane)->dst;
    receiver *r = &ports_of(d)->receivers[dst];
    uint64_t now = fs_kernel_now(d->kernel);
    uint64_t cycles = fs_exchange_port_cycles(d->exchange, message(d, lane));
    if (r->busy_until > now) {
        fs_device_fail(d, FS_BROKEN,
                       "lane %u of tile %u starts in cycle %llu, its receiver %u is busy until %llu", lane,
                       s->tile, (unsigned long long)now, dst, (unsigned long long)r->busy_until);
        return;
    }
    d->port_counters.waiting_out[s->tile] += now - s->since;
    r->granted = false;
    r->busy_until = now + cycles;
    s->state = SENDER_SENDS;
    s->since = now;
    fs_kernel_wake(d->kernel, s->process, cycles);
}

static void end_sending(sender *s) {
    fs_device *d = s->device;
    uint32_t lane = s->lanes[s->next++], dst = lane_of(d, lane)->dst, bytes = message(d, lane);
    receiver *r = &ports_of(d)->receivers[dst];
    uint64_t now = fs_kernel_now(d->kernel);
    d->port_counters.bytes_out[s->tile] += bytes;
    d->port_counters.bytes_in[dst] += bytes;
    d->port_counters.busy_out[s->tile] += now - s->since;
    d->port_counters.busy_in[dst] += now - s->since;
    r->arrivals[r->arrival_count++] = now + fs_exchange_latency(d->exchange, s->tile, dst);
    fs_kernel_wake(d->kernel, r->process, 0); /* its port is free, and a last word is on its way */
    ask(s);
}

static void sender_wakes(void *self) {
    sender *s = self;
    switch (s->state) {
    case SENDER_OPENS:
        ask(s);
        break;
    case SENDER_ASKS: /* granted */
        begin_sending(s);
        break;
    case SENDER_SENDS:
        end_sending(s);
        break;
    case SENDER_RESTS:
        FS_ASSERT(false, "the sender of tile %u was woken at rest", s->tile);
    }
}

/* The earliest request wins, the lowest sender at equal times. */
static void grant(receiver *r, uint64_t now) {
    if (r->granted || r->busy_until > now || r->request_count == 0)
        return;
    uint32_t best = 0;
    for (uint32_t i = 1; i < r->request_count; i++) {
        const request *a = &r->requests[i], *b = &r->requests[best];
        if (a->time < b->time || (a->time == b->time && a->sender < b->sender))
            best = i;
    }
    fs_device *d = r->device;
    fs_process_id process = ports_of(d)->senders[r->requests[best].sender].process;
    r->requests[best] = r->requests[--r->request_count];
    r->granted = true;
    fs_kernel_wake(d->kernel, process, 0);
}

static void take_arrivals(receiver *r, uint64_t now) {
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < r->arrival_count;) {
        if (r->arrivals[i] > now) {
            next = r->arrivals[i] < next ? r->arrivals[i] : next;
            i++;
            continue;
        }
        r->arrivals[i] = r->arrivals[--r->arrival_count];
        if (--ports_of(r->device)->in_flight == 0)
            fs_device_phase_done(r->device);
    }
    if (next != UINT64_MAX)
        fs_kernel_wake(r->device->kernel, r->process, next - now);
}

static void receiver_wakes(void *self) {
    receiver *r = self;
    uint64_t now = fs_kernel_now(r->device->kernel);
    grant(r, now);
    take_arrivals(r, now);
}

/* The supervisors' program between two steps has passed and nothing is sent. */
static void clock_wakes(void *self) {
    fs_device_phase_done(self);
}

void event_ports_exchange(fs_device *d) {
    event_ports *p = ports_of(d);
    uint64_t overhead = (uint64_t)d->machine->exchange.program_overhead;
    p->in_flight = 0;
    for (uint32_t lane = 0; lane < d->overlay->lane_count; lane++)
        p->in_flight += message(d, lane) > 0;
    if (p->in_flight == 0) {
        fs_kernel_wake(d->kernel, p->clock, overhead);
        return;
    }
    for (uint32_t t = 0; t < d->tiles; t++) {
        sender *s = &p->senders[t];
        p->receivers[t].busy_until = 0;
        s->next = 0;
        s->state = SENDER_OPENS;
        if (s->count > 0)
            fs_kernel_wake(d->kernel, s->process, overhead);
    }
}

typedef struct planned_lane {
    uint64_t start;
    uint32_t lane;
} planned_lane;

static int by_start(const void *pa, const void *pb) {
    const planned_lane *a = pa, *b = pb;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->lane < b->lane ? -1 : 1;
}

/* A static plan orders a sender's lanes by their starts; otherwise they go in port order. */
static void order_lanes(const fs_device *d, uint32_t *order) {
    const fs_overlay *o = d->overlay;
    planned_lane *plan = fs_malloc(o->lane_count * sizeof *plan);
    for (uint32_t t = 0; t < d->tiles; t++) {
        uint32_t first = o->out_start[t], count = o->out_start[t + 1] - first;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t lane = o->out_lane[first + i];
            plan[i] = (planned_lane){is_static(d) ? fs_exchange_static_start(d->exchange, lane) : 0, lane};
        }
        qsort(plan, count, sizeof *plan, by_start);
        for (uint32_t i = 0; i < count; i++)
            order[first + i] = plan[i].lane;
    }
    free(plan);
}

event_ports *event_ports_create(fs_device *d, fs_arena *arena) {
    const fs_overlay *o = d->overlay;
    event_ports *p = FS_NEW(arena, event_ports, 1);
    p->senders = FS_NEW(arena, sender, d->tiles);
    p->receivers = FS_NEW(arena, receiver, d->tiles);
    p->order = FS_NEW(arena, uint32_t, o->lane_count);
    request *requests = FS_NEW(arena, request, o->lane_count);
    uint64_t *arrivals = FS_NEW(arena, uint64_t, o->lane_count);
    order_lanes(d, p->order);
    for (uint32_t t = 0; t < d->tiles; t++) {
        p->senders[t] = (sender){.device = d,
                                 .tile = t,
                                 .lanes = &p->order[o->out_start[t]],
                                 .count = o->out_start[t + 1] - o->out_start[t]};
        p->receivers[t] = (receiver){
            .device = d, .requests = &requests[o->in_start[t]], .arrivals = &arrivals[o->in_start[t]]};
    }
    return p;
}

void event_ports_elaborate(fs_device *d) {
    event_ports *p = ports_of(d);
    char name[64];
    p->clock = fs_kernel_process(d->kernel, "exchange", clock_wakes, d);
    for (uint32_t t = 0; t < d->tiles; t++) {
        snprintf(name, sizeof name, "tile%u_send", t);
        p->senders[t].process = fs_kernel_process(d->kernel, name, sender_wakes, &p->senders[t]);
    }
    for (uint32_t t = 0; t < d->tiles; t++) {
        snprintf(name, sizeof name, "tile%u_receive", t);
        p->receivers[t].process = fs_kernel_process(d->kernel, name, receiver_wakes, &p->receivers[t]);
    }
}
