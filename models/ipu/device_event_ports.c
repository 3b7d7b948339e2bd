/* The exchange phase in events: a sender asks for a receiver, is granted (by the plan's clock in static mode,
 * by the receiver in dynamic mode), sends, ends; the last word arrives a latency later.
 *
 * All senders have lower process ids than all receivers: in a cycle every sender that can ask has asked
 * before a receiver grants, which gives the order (time of request, sender tile). */
#include "models/ipu/device_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum sender_state { SENDER_RESTS, SENDER_OPENS, SENDER_ASKS, SENDER_SENDS } sender_state;

typedef struct request {
    uint64_t time; /* cycle in which it was asked */
    uint32_t sender, lane;
} request;

typedef struct receiver {
    fs_device *device;
    fs_branch *branch;
    fs_process_id process;
    request *requests;  /* [lanes in] waiting to be granted, any order */
    uint64_t *arrivals; /* [lanes in] cycles in which last words are due, any order */
    uint32_t request_count, arrival_count;
    uint64_t busy_until; /* end of the transfer that it takes */
    bool granted;        /* to a sender that begins in this cycle */
} receiver;

typedef struct sender {
    fs_device *device;
    fs_branch *branch;
    fs_process_id process;
    uint32_t tile;
    const uint32_t *lanes; /* [count] of the step, in the order of sending; NULL: from `first` on */
    uint32_t first;
    uint32_t count, next; /* next: the transfer now asked for or sent */
    sender_state state;
    uint64_t since; /* cycle in which it came into its state */
} sender;

/* Messages of a step by sender, in the order of sending: of each its first transfer. */
typedef struct send_order {
    uint32_t *first; /* [tiles + 1] */
    uint32_t *lane;  /* [messages] */
    uint32_t *next;  /* [transfers] the next transfer of the message; 0: none */
} send_order;

struct event_ports {
    sender *senders;     /* [tiles] */
    receiver *receivers; /* [tiles] */
    send_order *order;   /* [steps] */
};

static event_ports *ports_of(const fs_device *d) {
    return event_state_of(d)->ports;
}

static uint32_t dst_of(const fs_branch *b, uint32_t lane) {
    const fs_step *s = b->step;
    return s->plan->rotation > 0 ? fs_exchange_rotated(b->device->tiles, s->plan->rotation, lane).dst
                                 : s->transfers[lane].dst;
}

/* The next transfer that is sent with this one; 0: none. */
static uint32_t next_of(const fs_branch *b, uint32_t lane) {
    const uint32_t *next = ports_of(b->device)->order[b->step->number].next;
    return next != NULL ? next[lane] : 0;
}

static uint32_t lane_of(const sender *s) {
    return s->lanes != NULL ? s->lanes[s->next] : s->first + s->next;
}

static uint32_t message(const fs_branch *b, uint32_t lane) {
    const fs_step *s = b->step;
    return fs_fabric_message(s->fabric, lane, s->held ? s->held[lane] : 0);
}

static bool is_static(const fs_device *d) {
    return fs_fabric_plans(&d->machine->exchange);
}

/* Cycles of the supervisor's program of each round, and of links to other chips. */
static uint64_t supervisor(const fs_branch *b) {
    return b->rounds * (uint64_t)b->device->machine->exchange.program_overhead + b->step->plan->beyond;
}

/* Asks for the receiver of the next transfer that has something to send. */
static void ask(sender *s) {
    fs_device *d = s->device;
    while (s->next < s->count && message(s->branch, lane_of(s)) == 0)
        s->next++;
    s->state = s->next < s->count ? SENDER_ASKS : SENDER_RESTS;
    s->since = fs_kernel_now(d->kernel);
    if (s->state == SENDER_RESTS)
        return;
    uint32_t lane = lane_of(s);
    if (is_static(d)) {
        uint64_t start = s->branch->phase_start + supervisor(s->branch) +
                         fs_fabric_static_start(s->branch->step->fabric, lane);
        fs_kernel_wake(d->kernel, s->process, start - s->since);
        return;
    }
    receiver *r = &ports_of(d)->receivers[dst_of(s->branch, lane)];
    r->requests[r->request_count++] = (request){s->since, s->tile, lane};
    fs_kernel_wake(d->kernel, r->process, 0);
}

/* A receiver takes the message; false: it takes another one, which ends the run. */
static bool take(sender *s, uint32_t lane, uint64_t now, uint64_t cycles) {
    fs_device *d = s->device;
    const uint32_t dst = dst_of(s->branch, lane);
    receiver *r = &ports_of(d)->receivers[dst];
    if (r->busy_until > now) {
        fs_device_fail(d, FS_BROKEN,
                       "lane %u of tile %u starts in cycle %llu, its receiver %u is busy until %llu", lane,
                       s->tile, (unsigned long long)now, dst, (unsigned long long)r->busy_until);
        return false;
    }
    r->granted = false;
    r->busy_until = now + cycles;
    return true;
}

static void begin_sending(sender *s) {
    fs_device *d = s->device;
    const uint32_t lead = lane_of(s);
    uint64_t now = fs_kernel_now(d->kernel);
    uint64_t cycles = fs_fabric_transfer_cycles(s->branch->step->fabric, lead, message(s->branch, lead));
    uint32_t lane = lead;
    do {
        if (!take(s, lane, now, cycles))
            return;
        lane = next_of(s->branch, lane);
    } while (lane != 0);
    d->books.port_counters.waiting_out[s->tile] += s->branch->weight * (now - s->since);
    s->state = SENDER_SENDS;
    s->since = now;
    fs_kernel_wake(d->kernel, s->process, cycles);
}

/* A receiver's port is free, and a last word is on its way. */
static void received(sender *s, uint32_t lane, uint64_t now) {
    fs_device *d = s->device;
    const uint32_t dst = dst_of(s->branch, lane);
    const uint64_t weight = s->branch->weight;
    receiver *r = &ports_of(d)->receivers[dst];
    d->books.port_counters.bytes_in[dst] += weight * message(s->branch, lane);
    d->books.port_counters.busy_in[dst] += weight * (now - s->since);
    r->arrivals[r->arrival_count++] = now + fs_fabric_latency(s->branch->step->fabric, s->tile, dst);
    fs_kernel_wake(d->kernel, r->process, 0);
}

static void end_sending(sender *s) {
    fs_device *d = s->device;
    const uint64_t weight = s->branch->weight, now = fs_kernel_now(d->kernel);
    uint32_t lane = lane_of(s);
    s->next++;
    d->books.port_counters.bytes_out[s->tile] += weight * message(s->branch, lane);
    d->books.port_counters.busy_out[s->tile] += weight * (now - s->since);
    do {
        received(s, lane, now);
        lane = next_of(s->branch, lane);
    } while (lane != 0);
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
        if (--event_branch_of(r->branch)->in_flight == 0)
            fs_branch_phase_done(r->branch);
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

/* Nothing is sent: the supervisor's program of each round passes. */
static void pass(fs_branch *b, uint64_t cycles) {
    fs_kernel_wake(b->device->kernel, b->process, cycles);
}

/* Where each sender's messages begin, where the round brings them. */
static void order_round(const fs_branch *b, const send_order *order) {
    const fs_step *s = b->step;
    const uint32_t tiles = b->device->tiles;
    memset(order->first, 0, (tiles + 1) * sizeof *order->first);
    for (uint32_t i = 0; i < s->transfer_count; i++)
        order->first[s->transfers[i].src + 1]++;
    for (uint32_t t = 0; t < tiles; t++)
        order->first[t + 1] += order->first[t];
}

static void open_ports(fs_branch *b, uint64_t overhead) {
    const fs_device *d = b->device;
    event_ports *p = ports_of(d);
    const send_order *order = &p->order[b->step->number];
    if (b->step->plan->most_transfers > 0)
        order_round(b, order);
    for (uint32_t i = 0; i < b->tile_count; i++) {
        const uint32_t t = b->tiles[i];
        sender *s = &p->senders[t];
        p->receivers[t].busy_until = 0;
        p->receivers[t].branch = s->branch = b;
        s->lanes = order->lane != NULL ? order->lane + order->first[t] : NULL;
        s->first = order->first[t];
        s->count = order->first[t + 1] - order->first[t];
        s->next = 0;
        s->state = SENDER_OPENS;
        if (s->count > 0)
            fs_kernel_wake(d->kernel, s->process, overhead);
    }
}

void event_ports_exchange(fs_branch *b) {
    const fs_step *s = b->step;
    if (fs_fabric_is_stepped(s->fabric) && !fs_step_is_local(s->plan)) {
        if (fs_fabric_is_planned(s->fabric)) /* its messages went flit by flit when it was planned */
            pass(b, fs_phase_exchange_cycles(b));
        else
            event_network_exchange(b);
        return;
    }
    event_branch *eb = event_branch_of(b);
    eb->in_flight = 0;
    for (uint32_t lane = 0; lane < s->transfer_count; lane++)
        eb->in_flight += message(b, lane) > 0;
    if (eb->in_flight == 0)
        pass(b, supervisor(b));
    else
        open_ports(b, supervisor(b));
}

/* ---- elaboration ---- */

typedef struct planned_lane {
    uint32_t src;
    uint64_t start;
    uint32_t lane;
} planned_lane;

static int by_start(const void *pa, const void *pb) {
    const planned_lane *a = pa, *b = pb;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->lane < b->lane ? -1 : 1;
}

/* A static plan orders a sender's messages by their starts; otherwise they go by their numbers. */
static void order_step(const fs_device *d, const fs_step *s, send_order *out, fs_arena *arena) {
    const uint32_t count = s->plan->transfer_count;
    if (s->plan->most_transfers > 0 || s->plan->rotation > 0) {
        out->first = FS_NEW(arena, uint32_t, d->tiles + 1);
        for (uint32_t t = 0; t <= d->tiles && s->plan->rotation > 0; t++)
            out->first[t] = t * (d->tiles - 1);
        return;
    }
    planned_lane *plan = fs_malloc((count + 1) * sizeof *plan);
    uint32_t *last = fs_malloc((count + 1) * sizeof *last), messages = 0;
    out->first = FS_NEW(arena, uint32_t, d->tiles + 1);
    out->next = FS_NEW(arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t lead = fs_fabric_sent_with(s->fabric, i), src = s->plan->transfers[i].src;
        if (lead != i)
            out->next[last[lead]] = i;
        last[lead] = i;
        if (lead != i)
            continue;
        plan[messages++] = (planned_lane){src, is_static(d) ? fs_fabric_static_start(s->fabric, i) : 0, i};
        out->first[src + 1]++;
    }
    for (uint32_t t = 0; t < d->tiles; t++)
        out->first[t + 1] += out->first[t];
    qsort(plan, messages, sizeof *plan, by_start);
    out->lane = FS_NEW(arena, uint32_t, messages);
    for (uint32_t i = 0; i < messages; i++)
        out->lane[i] = plan[i].lane;
    free(plan);
    free(last);
}

/* [tiles] the most transfers that a step sends to it. */
static uint32_t *most_received(const fs_device *d, fs_arena *arena) {
    uint32_t *most = FS_NEW(arena, uint32_t, d->tiles), *received = fs_malloc(d->tiles * sizeof *received);
    for (uint32_t s = 0; s < d->step_count; s++) {
        const fs_device_step *plan = d->steps[s].plan;
        const uint32_t all =
            plan->most_transfers > 0 || plan->rotation > 0 ? d->tiles - 1 : 0; /* no pair twice */
        for (uint32_t t = 0; t < d->tiles; t++)
            most[t] = all > most[t] ? all : most[t];
        memset(received, 0, d->tiles * sizeof *received);
        for (uint32_t i = 0; i < plan->transfer_count; i++) {
            const uint32_t dst = plan->transfers[i].dst, now = ++received[dst];
            most[dst] = now > most[dst] ? now : most[dst];
        }
    }
    free(received);
    return most;
}

event_ports *event_ports_create(fs_device *d, fs_arena *arena) {
    event_ports *p = FS_NEW(arena, event_ports, 1);
    p->senders = FS_NEW(arena, sender, d->tiles);
    p->receivers = FS_NEW(arena, receiver, d->tiles);
    p->order = FS_NEW(arena, send_order, d->step_count);
    for (uint32_t s = 0; s < d->step_count; s++)
        order_step(d, &d->steps[s], &p->order[s], arena);
    const uint32_t *most = most_received(d, arena);
    for (uint32_t t = 0; t < d->tiles; t++) {
        p->senders[t] = (sender){.device = d, .tile = t};
        p->receivers[t] = (receiver){.device = d,
                                     .requests = FS_NEW(arena, request, most[t]),
                                     .arrivals = FS_NEW(arena, uint64_t, most[t])};
    }
    return p;
}

void event_ports_elaborate(fs_device *d) {
    event_ports *p = ports_of(d);
    char name[64];
    event_network_elaborate(d);
    for (uint32_t t = 0; t < d->tiles; t++) {
        snprintf(name, sizeof name, "tile%u_send", t);
        p->senders[t].process = fs_kernel_process(d->kernel, name, sender_wakes, &p->senders[t]);
    }
    for (uint32_t t = 0; t < d->tiles; t++) {
        snprintf(name, sizeof name, "tile%u_receive", t);
        p->receivers[t].process = fs_kernel_process(d->kernel, name, receiver_wakes, &p->receivers[t]);
    }
}
