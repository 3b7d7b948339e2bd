#include "formats/fabric.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHANNELS = 64, CHIPS = 256, MOST_EDGES = 4096 };

/* An end of an edge: a channel of a chip. */
typedef struct end {
    uint32_t chip, channel;
    bool is;
} end;

typedef struct joint {
    fs_place from, to;
} joint;

/* Channels of a chip by the direction of its neighbour, a network of chips beside another. */
enum { PLANES = 16, DIRECTIONS = 4 };
static const char directions[] = "NESW"; /* the opposite of one is two further */

struct fs_joints {
    bool read, disabled, any; /* any: edges stand in the file */
    struct {
        bool is;
        uint32_t node;                      /* of a mesh of chips */
        int8_t channel[PLANES][DIRECTIONS]; /* -1: none, kept plus 1 */
    } chip[CHIPS];
    uint64_t rows, columns; /* of the mesh of chips; 0: not said */
    /* Over the edge; where what comes in goes on by. */
    end other[CHIPS][CHANNELS], onward[CHIPS][CHANNELS];
    struct {
        bool is;
        uint32_t x, y;
    } core[CHANNELS];
    joint *edge; /* [edges] those that sends took */
    uint32_t edges;
};

fs_joints *fs_joints_create(void) {
    return fs_calloc(1, sizeof(fs_joints));
}

void fs_joints_free(fs_joints *j) {
    if (j != NULL)
        free(j->edge);
    free(j);
}

bool fs_joints_known(const fs_joints *j) {
    return j->read;
}

uint32_t fs_joints_edge(fs_joints *j, fs_place from, fs_place to) {
    for (uint32_t i = 0; i < j->edges; i++) {
        const joint *e = &j->edge[i];
        if (memcmp(&e->from, &from, sizeof from) == 0 && memcmp(&e->to, &to, sizeof to) == 0)
            return i;
    }
    if (j->edges == MOST_EDGES)
        return FS_NO_EDGE;
    j->edge = fs_grow(j->edge, j->edges, sizeof *j->edge);
    j->edge[j->edges] = (joint){from, to};
    return j->edges++;
}

/* Where a channel's ethernet core lies; false: the file does not say. */
static bool core_of(const fs_joints *j, int64_t channel, uint32_t *x, uint32_t *y) {
    if (channel < 0 || channel >= CHANNELS || !j->core[channel].is)
        return false;
    *x = j->core[channel].x;
    *y = j->core[channel].y;
    return true;
}

/* ---- the file ---- */

/* One end to another, both ways. */
static bool join(fs_joints *t, fs_items *j, const uint64_t chip[2], const uint64_t channel[2]) {
    for (int i = 0; i < 2; i++) {
        end *e = &t->other[chip[i]][channel[i]];
        if (e->is && (e->chip != chip[1 - i] || e->channel != channel[1 - i]))
            return fs_items_wrong(j, "channel %" PRIu64 " of chip %" PRIu64 " has two edges", channel[i],
                                  chip[i]);
        *e = (end){(uint32_t)chip[1 - i], (uint32_t)channel[1 - i], true};
    }
    return true;
}

/* { local_device_id, local_eth_channel, remote_device_id, remote_eth_channel }, or the same by other names. */
static bool take_pair(fs_items *j, void *to) {
    typedef struct pair {
        int64_t chip[2], channel[2];
    } pair;
#define CHIP(name, i)                                                                                        \
    { .key = name, .at = offsetof(pair, chip[i]), .most = CHIPS - 1 }
#define CHANNEL(name, i)                                                                                     \
    { .key = name, .at = offsetof(pair, channel[i]), .most = CHANNELS - 1 }
    static const fs_items_key keys[] = {CHIP("local_device_id", 0),
                                        CHIP("device_id", 0),
                                        CHIP("src_device_id", 0),
                                        CHIP("remote_device_id", 1),
                                        CHIP("connected_device_id", 1),
                                        CHIP("dst_device_id", 1),
                                        CHANNEL("local_eth_channel", 0),
                                        CHANNEL("eth_channel", 0),
                                        CHANNEL("src_eth_channel", 0),
                                        CHANNEL("remote_eth_channel", 1),
                                        CHANNEL("connected_eth_channel", 1),
                                        CHANNEL("dst_eth_channel", 1)};
#undef CHIP
#undef CHANNEL
    pair p = {{-1, -1}, {-1, -1}};
    const int64_t *const value[] = {&p.chip[0], &p.chip[1], &p.channel[0], &p.channel[1]};
    if (!fs_items_object(j, "an object with two channels", keys, FS_COUNT(keys), &p, NULL))
        return false;
    for (size_t i = 0; i < FS_COUNT(value); i++)
        if (*value[i] < 0)
            return fs_items_wrong(j, "%s: expected a number, found none", keys[3 * i].key);
    return join(to, j, (uint64_t[]){(uint64_t)p.chip[0], (uint64_t)p.chip[1]},
                (uint64_t[]){(uint64_t)p.channel[0], (uint64_t)p.channel[1]});
}

typedef struct forwarding {
    int64_t chip;
    uint64_t channel[2];
} forwarding;

static bool take_two(fs_items *j, void *to) {
    return fs_items_wholes(j, "two channels, [0, 1]", CHANNELS - 1, to, 2);
}

/* { device_id, channels: [a, b] } */
static bool take_forwarding(fs_items *j, void *to) {
    static const fs_items_key keys[] = {{"device_id", offsetof(forwarding, chip), NULL, 0, CHIPS - 1},
                                        {"channels", offsetof(forwarding, channel), take_two, 0, 0}};
    fs_joints *t = to;
    forwarding f = {-1, {UINT64_MAX, UINT64_MAX}};
    if (!fs_items_object(j, "an object with device_id and channels", keys, FS_COUNT(keys), &f, NULL))
        return false;
    if (f.chip < 0 || f.channel[0] == UINT64_MAX)
        return fs_items_wrong(j, "expected device_id and channels, found one of them at most");
    for (int i = 0; i < 2; i++)
        t->onward[f.chip][f.channel[i]] = (end){(uint32_t)f.chip, (uint32_t)f.channel[1 - i], true};
    return true;
}

/* "0": [9, 0] */
static bool take_core(fs_items *j, void *to) {
    uint64_t channel, place[2];
    fs_joints *t = to;
    if (!fs_items_numbered(j, "a channel", CHANNELS - 1, &channel) ||
        !fs_items_wholes(j, "a place, [x, y]", 65535, place, 2))
        return false;
    t->core[channel].is = true;
    t->core[channel].x = (uint32_t)place[0];
    t->core[channel].y = (uint32_t)place[1];
    return true;
}

static bool take_cores(fs_items *j, void *to) {
    return fs_items_object(j, "an object with a place for each channel", NULL, 0, to, take_core);
}

/* Channels by plane and direction, as deep as they stand: { device_id, planes: [{ plane_id, ethernet_channels: { N: 0 } }] }. */
static bool take_planes(fs_joints *t, fs_items *j, fs_items_kind k, uint64_t chip, uint64_t plane) {
    for (; k == FS_ITEM_ARRAY && fs_items_more(j); plane++)
        if (!take_planes(t, j, fs_items_next(j), chip, plane))
            return false;
    if (k != FS_ITEM_OBJECT)
        return !fs_items_failed(j);
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        const char *text = fs_items_text(j), *found = strchr(directions, text[0]);
        uint64_t value;
        if (strstr(text, "device") != NULL) {
            if (!fs_items_whole(j, 0, CHIPS - 1, &chip))
                return false;
            plane = 0;
        } else if (strstr(text, "plane") != NULL && strstr(text, "id") != NULL) {
            if (!fs_items_whole(j, 0, PLANES - 1, &plane))
                return false;
        } else if (found != NULL && text[0] != '\0' && text[1] == '\0') {
            if (!fs_items_whole(j, 0, CHANNELS - 1, &value))
                return false;
            if (chip >= CHIPS || plane >= PLANES)
                return fs_items_wrong(j, "expected device_id before its channels, and at most %d planes",
                                      PLANES);
            t->chip[chip].channel[plane][found - directions] = (int8_t)(value + 1);
        } else {
            const fs_items_kind inner = fs_items_next(j);
            if (!take_planes(t, j, inner, chip, inner == FS_ITEM_ARRAY ? 0 : plane))
                return false;
        }
    }
    return k == FS_ITEM_OBJECT_END;
}

static bool take_routing_planes(fs_items *j, void *to) {
    ((fs_joints *)to)->any = true;
    return take_planes(to, j, fs_items_next(j), UINT64_MAX, 0);
}

static bool take_node_number(fs_items *j, void *to) {
    return fs_items_whole(j, 0, CHIPS - 1, to);
}

/* "0": [0, 3]: mesh and node of a chip. */
static bool take_node(fs_items *j, void *to) {
    uint64_t chip, node = 0;
    fs_joints *t = to;
    if (!fs_items_numbered(j, "a device", CHIPS - 1, &chip) ||
        !fs_items_array(j, "mesh and node, [0, 1]", take_node_number, &node))
        return false;
    t->chip[chip].is = true;
    t->chip[chip].node = (uint32_t)node;
    return true;
}

static bool take_nodes(fs_items *j, void *to) {
    return fs_items_object(j, "an object with a node for each device", NULL, 0, to, take_node);
}

/* [{ mesh_id, shape: [2, 4] }], of which the first counts. */
static bool take_shape(fs_joints *t, fs_items *j, fs_items_kind k) {
    uint64_t size[2] = {0, 0};
    int sizes = 0;
    while (k == FS_ITEM_ARRAY && fs_items_more(j)) {
        const fs_items_kind inner = fs_items_next(j);
        if (!(inner == FS_ITEM_NUMBER && sizes < 2
                  ? fs_items_numbered(j, "chips of a mesh", CHIPS, &size[sizes++])
                  : take_shape(t, j, inner)))
            return false;
    }
    if (sizes == 2 && t->rows == 0) {
        t->rows = size[0];
        t->columns = size[1];
    }
    if (k != FS_ITEM_OBJECT)
        return !fs_items_failed(j);
    while ((k = fs_items_next(j)) == FS_ITEM_KEY)
        if (!take_shape(t, j, fs_items_next(j)))
            return false;
    return k == FS_ITEM_OBJECT_END;
}

static bool take_shapes(fs_items *j, void *to) {
    return take_shape(to, j, fs_items_next(j));
}

static bool take_config(fs_items *j, void *to) {
    char words[48];
    fs_joints *t = to;
    if (!fs_items_string(j, words, sizeof words))
        return false;
    t->disabled = strcmp(words, "DISABLED") == 0;
    return t->disabled || fs_begins(words, "FABRIC_") ||
           fs_items_wrong(j,
                          "fabric_config: expected FABRIC_1D, FABRIC_1D_RING, FABRIC_2D, FABRIC_2D_TORUS or "
                          "DISABLED, found \"%s\"",
                          words);
}

/* Edges of a mesh of chips: a chip's channel to the east and its neighbour's to the west, of one plane. What comes in goes
 * straight on; at a corner it turns. */
static bool join_mesh(fs_joints *t, fs_items *j) {
    static const int right[DIRECTIONS] = {0, 1, 0, -1}, down[DIRECTIONS] = {-1, 0, 1, 0};
    for (uint64_t a = 0; a < CHIPS && t->columns > 0; a++)
        for (uint64_t b = 0; b < CHIPS && t->chip[a].is; b++)
            for (int p = 0; p < PLANES * DIRECTIONS; p++) {
                const int d = p % DIRECTIONS, plane = p / DIRECTIONS, back = (d + 2) % DIRECTIONS;
                const uint64_t x = (t->chip[a].node % t->columns + t->columns + (uint64_t)right[d]) %
                                   t->columns,
                               y = (t->chip[a].node / t->columns + t->rows + (uint64_t)down[d]) %
                                   fs_most(1, t->rows);
                const int8_t out = t->chip[a].channel[plane][d], in = t->chip[b].channel[plane][back];
                if (a != b && t->chip[b].is && out > 0 && in > 0 && t->chip[b].node == y * t->columns + x &&
                    !join(t, j, (uint64_t[]){a, b}, (uint64_t[]){(uint64_t)out - 1, (uint64_t)in - 1}))
                    return false;
            }
    for (uint64_t a = 0; a < CHIPS; a++)
        for (int p = 0; p < PLANES; p++) {
            const int8_t *channel = t->chip[a].channel[p];
            for (int d = 0; d < DIRECTIONS; d++) {
                int on = (d + 2) % DIRECTIONS;
                for (int k = 0; k < DIRECTIONS && channel[on] == 0; k++)
                    on = k != d && channel[k] > 0 ? k : on;
                if (channel[d] > 0 && channel[on] > 0)
                    t->onward[a][channel[d] - 1] = (end){(uint32_t)a, (uint32_t)channel[on] - 1, true};
            }
        }
    return true;
}

static bool take_pairs(fs_items *j, void *to) {
    ((fs_joints *)to)->any = true;
    return fs_items_array(j, "an array", take_pair, to);
}

static bool take_forwardings(fs_items *j, void *to) {
    return fs_items_array(j, "an array", take_forwarding, to);
}

static bool take_topology(fs_joints *t, fs_items *j) {
    static const fs_items_key keys[] = {{.key = "inter_device_channel_pairs", .take = take_pairs},
                                        {.key = "eth_channel_info", .take = take_pairs},
                                        {.key = "forwarding_channel_pairs", .take = take_forwardings},
                                        {.key = "eth_chan_to_coord", .take = take_cores},
                                        {.key = "fabric_config", .take = take_config},
                                        {.key = "routing_planes", .take = take_routing_planes},
                                        {.key = "device_id_to_fabric_node_id", .take = take_nodes},
                                        {.key = "mesh_shapes", .take = take_shapes}};
    if (!fs_items_object(j, "a topology, an object", keys, FS_COUNT(keys), t, NULL))
        return false;
    return t->any || t->disabled
               ? join_mesh(t, j)
               : fs_items_wrong(
                     j,
                     "expected inter_device_channel_pairs, eth_channel_info or routing_planes, found none");
}

fs_status fs_joints_read(fs_joints *t, const char *path, fs_error *err) {
    fs_bytes *bytes = fs_bytes_open(path, err);
    if (bytes == NULL)
        return err->status;
    fs_items *j = fs_items_of(bytes, true);
    t->read = take_topology(t, j) && fs_items_next(j) == FS_ITEM_END;
    fs_items_finish(j, err);
    fs_bytes_close(bytes, err);
    if (!t->read && err->status == FS_OK)
        fs_fail(err, FS_INPUT, "%s: no topology", path);
    return err->status;
}

/* ---- ways ---- */

__attribute__((format(printf, 2, 3))) static const char *say(char words[256], const char *format, ...) {
    FS_VARIADIC(args, format, vsnprintf(words, 256, format, args));
    return words;
}

const char *fs_joints_walk(fs_joints *t, const fs_marked *v, int64_t channel, uint64_t hops, uint64_t takes,
                           char words[256]) {
    fs_place from = {(uint32_t)(v->chip < 0 ? 0 : v->chip), (uint32_t)v->sx, (uint32_t)v->sy},
             out = {.chip = from.chip};
    uint32_t parent = 0;
    if (v->dx < 0 || v->dy < 0)
        return "dx, dy: expected a goal, found none";
    if (t->disabled)
        return "the topology says fabric_config DISABLED: no chip can be sent to";
    for (uint64_t hop = 0; hop < hops; hop++) {
        if (out.chip >= CHIPS || channel < 0 || channel >= CHANNELS || !t->other[out.chip][channel].is)
            return say(words, "channel %" PRId64 " of chip %u has no edge in the topology", channel,
                       out.chip);
        const end in = t->other[out.chip][channel];
        fs_place to = {.chip = in.chip};
        if (!core_of(t, channel, &out.x, &out.y) || !core_of(t, in.channel, &to.x, &to.y))
            return say(words, "channel %" PRId64 " has no place in eth_chan_to_coord", channel);
        const uint32_t edge = fs_joints_edge(t, out, to);
        const fs_recorded_leg leg = {.from = from,
                                     .to = out,
                                     .plane = hop == 0 && v->plane > 0 ? (uint32_t)v->plane : 0,
                                     .edge = edge,
                                     .parent = parent};
        parent = v->send->legs;
        if (edge == FS_NO_EDGE || !fs_events_add_leg(v->send, leg))
            return say(words, "expected a way of at most %d legs", FS_EVENT_LEGS);
        from = to;
        if (hop + takes >= hops) {
            const fs_recorded_leg last = {.from = to,
                                          .to = {to.chip, (uint32_t)v->dx, (uint32_t)v->dy},
                                          .edge = FS_NO_EDGE,
                                          .parent = parent};
            if (!fs_events_add_leg(v->send, last))
                return say(words, "expected a way of at most %d legs", FS_EVENT_LEGS);
        }
        const end *on = &t->onward[in.chip][in.channel];
        if (hop + 1 < hops && !on->is)
            return say(words, "%" PRIu64 " hops go beyond chip %u, where the line ends behind %" PRIu64, hops,
                       in.chip, hop + 1);
        channel = on->channel;
        out = (fs_place){.chip = in.chip};
    }
    return NULL;
}
