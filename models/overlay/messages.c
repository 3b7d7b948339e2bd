/* Packets in queues of lanes: lists in one pool. */
#include "models/overlay/messages.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct packet {
    uint32_t message;
    uint32_t bytes;
    uint32_t choice; /* which of equal lanes it takes */
    uint32_t next;   /* in its list */
} packet;

typedef struct list {
    uint32_t first, last, count;
} list;

typedef struct message {
    uint32_t to; /* tracer */
    uint32_t packets_left;
    uint64_t tag;
    uint32_t next; /* in the list of free ones */
} message;

struct fs_messages {
    const fs_overlay *overlay;
    fs_messages_setup setup;
    packet *packet;   /* [setup.packets] */
    message *message; /* [setup.messages] */
    uint32_t free_packet, free_message, under_way;
    list *queue, *in;   /* [lanes] at the source; what the last exchange brought */
    uint32_t *capacity; /* [lanes] packets */
    uint32_t *bytes;    /* [lanes] moved by the last exchange */
    uint32_t *handled;  /* [tiles] */
    bool computed;      /* since the last exchange */
    uint64_t iteration;
};

static void put(fs_messages *m, list *l, uint32_t p) {
    m->packet[p].next = NONE;
    if (l->count++ == 0)
        l->first = p;
    else
        m->packet[l->last].next = p;
    l->last = p;
}

static uint32_t take(fs_messages *m, list *l) {
    const uint32_t p = l->first;
    l->first = m->packet[p].next;
    l->count--;
    return p;
}

fs_messages *fs_messages_create(fs_arena *arena, const fs_overlay *overlay, const fs_messages_setup *setup,
                                fs_error *err) {
    FS_ASSERT(setup->packet_bytes > 0 && setup->packet_bytes % 4 == 0, "packets of whole words");
    fs_messages *m = FS_NEW(arena, fs_messages, 1);
    *m = (fs_messages){.overlay = overlay, .setup = *setup};
    m->capacity = FS_NEW(arena, uint32_t, overlay->lane_count + 1);
    for (uint32_t l = 0; l < overlay->lane_count; l++) {
        const fs_lane *lane = &overlay->lanes[l];
        m->capacity[l] = fs_lane_capacity(lane, setup->packet_bytes);
        if (m->capacity[l] > 0)
            continue;
        fs_fail(err, FS_INPUT,
                "lane %u (tile %u to tile %u): its buffers of %u and %u bytes hold no packet of %u bytes", l,
                lane->src, lane->dst, lane->src_share, lane->dst_share, setup->packet_bytes);
        return NULL;
    }
    m->packet = FS_NEW(arena, packet, setup->packets + 1);
    m->message = FS_NEW(arena, message, setup->messages + 1);
    for (uint32_t p = 0; p < setup->packets; p++)
        m->packet[p].next = p + 1 < setup->packets ? p + 1 : NONE;
    for (uint32_t i = 0; i < setup->messages; i++)
        m->message[i].next = i + 1 < setup->messages ? i + 1 : NONE;
    m->free_packet = setup->packets > 0 ? 0 : NONE;
    m->free_message = setup->messages > 0 ? 0 : NONE;
    m->queue = FS_NEW(arena, list, overlay->lane_count + 1);
    m->in = FS_NEW(arena, list, overlay->lane_count + 1);
    m->bytes = FS_NEW(arena, uint32_t, overlay->lane_count + 1);
    m->handled = FS_NEW(arena, uint32_t, overlay->tiles);
    return m;
}

/* The packet joins the queue of its next lane at `tile`. A tracer without routes has one way out per choice. */
static void forward(fs_messages *m, uint32_t tile, uint32_t p) {
    const fs_overlay *o = m->overlay;
    const uint32_t ports = fs_overlay_out_degree(o, tile);
    uint32_t port = 0, choices = ports;
    if (o->route_start[tile] != FS_NO_ROUTE) {
        port = o->route[o->route_start[tile] + m->message[m->packet[p].message].to];
        choices = o->lanes[o->out_lane[o->out_start[tile] + port]].choices;
    }
    if (choices > 1)
        port += m->packet[p].choice % choices;
    put(m, &m->queue[o->out_lane[o->out_start[tile] + port]], p);
}

fs_status fs_messages_post(fs_messages *m, uint32_t from, uint32_t to, uint64_t bytes, uint64_t tag,
                           fs_error *err) {
    const fs_overlay *o = m->overlay;
    FS_ASSERT(bytes > 0 && from < o->tracers && to < o->tracers && from != to,
              "a message between two tracers");
    const uint64_t packets = (bytes + m->setup.packet_bytes - 1) / m->setup.packet_bytes;
    if (m->free_message == NONE)
        return fs_fail(err, FS_RUN, "more than %u messages are on their way", m->setup.messages);
    const uint32_t number = m->free_message, tile = o->tracer_tile[from];
    message *post = &m->message[number];
    m->free_message = post->next;
    *post = (message){.to = to, .packets_left = (uint32_t)packets, .tag = tag};
    m->under_way++;
    if (!m->computed) { /* the first of an iteration without a compute phase before it */
        memset(m->handled, 0, o->tiles * sizeof *m->handled);
        m->computed = true;
    }
    for (uint64_t i = 0; i < packets; i++) {
        const uint32_t p = m->free_packet;
        if (p == NONE)
            return fs_fail(err, FS_RUN, "more than %u packets are on their way", m->setup.packets);
        m->free_packet = m->packet[p].next;
        const uint64_t rest = bytes - i * m->setup.packet_bytes;
        m->packet[p] = (packet){.message = number,
                                .bytes = rest < m->setup.packet_bytes ? (uint32_t)(rest + 3) / 4 * 4
                                                                      : m->setup.packet_bytes,
                                .choice = number + (uint32_t)i};
        m->handled[tile]++;
        forward(m, tile, p);
    }
    return FS_OK;
}

/* The packet is where it wants to go. */
static void end_packet(fs_messages *m, uint32_t p) {
    const uint32_t number = m->packet[p].message;
    message *of = &m->message[number];
    m->packet[p].next = m->free_packet;
    m->free_packet = p;
    if (--of->packets_left > 0)
        return;
    m->under_way--;
    of->next = m->free_message;
    m->free_message = number;
    if (m->setup.arrived != NULL)
        m->setup.arrived(m->setup.self, of->tag, m->iteration);
}

void fs_messages_compute(fs_messages *m) {
    const fs_overlay *o = m->overlay;
    memset(m->handled, 0, o->tiles * sizeof *m->handled);
    m->computed = true;
    for (uint32_t tile = 0; tile < o->tiles; tile++)
        for (uint32_t i = o->in_start[tile]; i < o->in_start[tile + 1]; i++) {
            list *in = &m->in[o->in_lane[i]];
            while (in->count > 0) {
                const uint32_t p = take(m, in);
                m->handled[tile]++;
                if (o->tracer_of_tile[tile] == m->message[m->packet[p].message].to)
                    end_packet(m, p);
                else
                    forward(m, tile, p);
            }
        }
}

const uint32_t *fs_messages_handled(const fs_messages *m) {
    return m->handled;
}

const uint32_t *fs_messages_exchange(fs_messages *m) {
    m->computed = false;
    m->iteration++;
    for (uint32_t l = 0; l < m->overlay->lane_count; l++) {
        m->bytes[l] = 0;
        for (uint32_t n = 0; n < m->capacity[l] && m->queue[l].count > 0; n++) {
            const uint32_t p = take(m, &m->queue[l]);
            m->bytes[l] += m->packet[p].bytes;
            put(m, &m->in[l], p);
        }
    }
    return m->bytes;
}

bool fs_messages_quiet(const fs_messages *m) {
    return m->under_way == 0;
}

uint64_t fs_messages_iteration(const fs_messages *m) {
    return m->iteration;
}
