#include "formats/fabric.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdarg.h>
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
    bool read, disabled;
    struct {
        bool is;
        uint32_t node;                      /* of a mesh of chips */
        int8_t channel[PLANES][DIRECTIONS]; /* -1: none, kept plus 1 */
    } chip[CHIPS];
    uint64_t rows, columns; /* of the mesh of chips; 0: not said */
    end *other, *onward;    /* [CHIPS][CHANNELS] over the edge; where what comes in goes on by */
    struct {
        bool is;
        uint32_t x, y;
    } core[CHANNELS];
    joint *edge; /* [edges] those that sends took */
    uint32_t edges;
};

fs_joints *fs_joints_create(void) {
    fs_joints *j = fs_calloc(1, sizeof *j);
    j->other = fs_calloc((size_t)CHIPS * CHANNELS, sizeof *j->other);
    j->onward = fs_calloc((size_t)CHIPS * CHANNELS, sizeof *j->onward);
    return j;
}

void fs_joints_free(fs_joints *j) {
    if (j == NULL)
        return;
    free(j->other);
    free(j->onward);
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

bool fs_joints_core(const fs_joints *j, int64_t channel, uint32_t *x, uint32_t *y) {
    if (channel < 0 || channel >= CHANNELS || !j->core[channel].is)
        return false;
    *x = j->core[channel].x;
    *y = j->core[channel].y;
    return true;
}

/* ---- the file ---- */

static end *at(end *ends, uint64_t chip, uint64_t channel) {
    return &ends[chip * CHANNELS + channel];
}

/* One end to another, both ways. */
static bool join(fs_joints *t, fs_items *j, const uint64_t chip[2], const uint64_t channel[2]) {
    for (int i = 0; i < 2; i++) {
        end *e = at(t->other, chip[i], channel[i]);
        if (e->is && (e->chip != chip[1 - i] || e->channel != channel[1 - i]))
            return fs_items_wrong(j, "channel %" PRIu64 " of chip %" PRIu64 " has two edges", channel[i],
                                  chip[i]);
        *e = (end){(uint32_t)chip[1 - i], (uint32_t)channel[1 - i], true};
    }
    return true;
}

/* { local_device_id, local_eth_channel, remote_device_id, remote_eth_channel }, or the same by other names. */
static bool take_pair(fs_joints *t, fs_items *j) {
    static const char *const keys[4][3] = {
        {"local_device_id", "device_id", "src_device_id"},
        {"remote_device_id", "connected_device_id", "dst_device_id"},
        {"local_eth_channel", "eth_channel", "src_eth_channel"},
        {"remote_eth_channel", "connected_eth_channel", "dst_eth_channel"}};
    uint64_t value[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "an object with two channels"))
        return false;
    const uint64_t line = fs_items_line(j), column = fs_items_column(j);
    fs_items_kind k;
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        size_t i = 0;
        while (i < 12 && !fs_items_is(j, keys[i / 3][i % 3]))
            i++;
        if (i == 12)
            fs_items_skip(j);
        else if (!fs_items_whole(j, 0, i / 3 < 2 ? CHIPS - 1 : CHANNELS - 1, &value[i / 3]))
            return false;
    }
    for (size_t i = 0; i < 4 && k == FS_ITEM_OBJECT_END; i++)
        if (value[i] == UINT64_MAX)
            return fs_items_wrong_at(j, line, column, "%s: expected a number, found none", keys[i][0]);
    return k == FS_ITEM_OBJECT_END && join(t, j, &value[0], &value[2]);
}

/* { device_id, channels: [a, b] } */
static bool take_forwarding(fs_joints *t, fs_items *j) {
    uint64_t chip = UINT64_MAX, channel[2] = {UINT64_MAX, UINT64_MAX};
    fs_items_kind k;
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "an object with device_id and channels"))
        return false;
    const uint64_t line = fs_items_line(j), column = fs_items_column(j);
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        if (fs_items_is(j, "device_id")) {
            if (!fs_items_whole(j, 0, CHIPS - 1, &chip))
                return false;
        } else if (fs_items_is(j, "channels")) {
            if (!fs_items_expect(j, FS_ITEM_ARRAY, "two channels, [0, 1]"))
                return false;
            for (int i = 0; i < 2; i++)
                if (!fs_items_whole(j, 0, CHANNELS - 1, &channel[i]))
                    return false;
            if (!fs_items_expect(j, FS_ITEM_ARRAY_END, "two channels, [0, 1]"))
                return false;
        } else {
            fs_items_skip(j);
        }
    }
    if (k != FS_ITEM_OBJECT_END)
        return false;
    if (chip == UINT64_MAX || channel[0] == UINT64_MAX)
        return fs_items_wrong_at(j, line, column,
                                 "expected device_id and channels, found one of them at most");
    *at(t->onward, chip, channel[0]) = (end){(uint32_t)chip, (uint32_t)channel[1], true};
    *at(t->onward, chip, channel[1]) = (end){(uint32_t)chip, (uint32_t)channel[0], true};
    return true;
}

/* { "0": [9, 0], ... } */
static bool take_cores(fs_joints *t, fs_items *j) {
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "an object with a place for each channel"))
        return false;
    fs_items_kind k;
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        char *rest;
        const unsigned long channel = strtoul(fs_items_text(j), &rest, 10);
        uint64_t x, y;
        if (*rest != '\0' || rest == fs_items_text(j) || channel >= CHANNELS)
            return fs_items_wrong(j, "expected a channel, 0 ... %d, found \"%.40s\"", CHANNELS - 1,
                                  fs_items_text(j));
        if (!fs_items_expect(j, FS_ITEM_ARRAY, "a place, [x, y]") || !fs_items_whole(j, 0, 65535, &x) ||
            !fs_items_whole(j, 0, 65535, &y) || !fs_items_expect(j, FS_ITEM_ARRAY_END, "a place, [x, y]"))
            return false;
        t->core[channel].is = true;
        t->core[channel].x = (uint32_t)x;
        t->core[channel].y = (uint32_t)y;
    }
    return k == FS_ITEM_OBJECT_END;
}

/* Items of an array, one by one. */
static bool take_array(fs_joints *t, fs_items *j, bool (*take)(fs_joints *t, fs_items *j)) {
    if (!fs_items_expect(j, FS_ITEM_ARRAY, "an array"))
        return false;
    while (fs_items_more(j))
        if (!take(t, j))
            return false;
    return !fs_items_failed(j);
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

static bool take_routing_planes(fs_joints *t, fs_items *j) {
    return take_planes(t, j, fs_items_next(j), UINT64_MAX, 0);
}

/* { "0": [0, 3], ... }: mesh and node of each chip. */
static bool take_nodes(fs_joints *t, fs_items *j) {
    fs_items_kind k;
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "an object with a node for each device"))
        return false;
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        char *rest;
        const unsigned long chip = strtoul(fs_items_text(j), &rest, 10);
        uint64_t node = 0;
        if (*rest != '\0' || rest == fs_items_text(j) || chip >= CHIPS)
            return fs_items_wrong(j, "expected a device, 0 ... %d, found \"%.40s\"", CHIPS - 1,
                                  fs_items_text(j));
        if (!fs_items_expect(j, FS_ITEM_ARRAY, "mesh and node, [0, 1]"))
            return false;
        while (fs_items_more(j))
            if (!fs_items_whole(j, 0, CHIPS - 1, &node))
                return false;
        t->chip[chip].is = true;
        t->chip[chip].node = (uint32_t)node;
    }
    return k == FS_ITEM_OBJECT_END;
}

/* [{ mesh_id, shape: [2, 4] }], of which the first counts. */
static bool take_shape(fs_joints *t, fs_items *j, fs_items_kind k) {
    uint64_t size[2] = {0, 0};
    int sizes = 0;
    while (k == FS_ITEM_ARRAY && fs_items_more(j)) {
        const fs_items_kind inner = fs_items_next(j);
        if (inner == FS_ITEM_NUMBER && sizes < 2)
            size[sizes++] = strtoull(fs_items_text(j), NULL, 10);
        else if (!take_shape(t, j, inner))
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

static bool take_shapes(fs_joints *t, fs_items *j) {
    return take_shape(t, j, fs_items_next(j));
}

static bool take_config(fs_joints *t, fs_items *j) {
    char words[48];
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
                    *at(t->onward, a, (uint64_t)channel[d] - 1) =
                        (end){(uint32_t)a, (uint32_t)channel[on] - 1, true};
            }
        }
    return true;
}

static bool take_pairs(fs_joints *t, fs_items *j) {
    return take_array(t, j, take_pair);
}

static bool take_forwardings(fs_joints *t, fs_items *j) {
    return take_array(t, j, take_forwarding);
}

static bool take_topology(fs_joints *t, fs_items *j) {
    static const struct {
        const char *key;
        bool (*take)(fs_joints *t, fs_items *j);
    } keys[] = {{"inter_device_channel_pairs", take_pairs},
                {"eth_channel_info", take_pairs},
                {"forwarding_channel_pairs", take_forwardings},
                {"eth_chan_to_coord", take_cores},
                {"fabric_config", take_config},
                {"routing_planes", take_routing_planes},
                {"device_id_to_fabric_node_id", take_nodes},
                {"mesh_shapes", take_shapes}};
    bool any = false;
    fs_items_kind k;
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "a topology, an object"))
        return false;
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        size_t i = 0;
        while (i < FS_COUNT(keys) && !fs_items_is(j, keys[i].key))
            i++;
        if (i == FS_COUNT(keys))
            fs_items_skip(j);
        else if (!keys[i].take(t, j))
            return false;
        any = any || i < FS_COUNT(keys);
    }
    if (k != FS_ITEM_OBJECT_END)
        return false;
    return any ? join_mesh(t, j)
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

static const char *say(char words[256], const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *say(char words[256], const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(words, 256, format, args);
    va_end(args);
    return words;
}

static bool add_leg(fs_event_send *send, fs_recorded_leg leg) {
    if (send->legs == FS_EVENT_LEGS)
        return false;
    send->leg[send->legs++] = leg;
    return true;
}

const char *fs_joints_walk(fs_joints *t, fs_place from, uint32_t plane, int64_t channel, uint64_t hops,
                           uint64_t takes, int64_t x, int64_t y, fs_event_send *send, char words[256]) {
    fs_place out = {.chip = from.chip};
    uint32_t parent = 0;
    if (t->disabled)
        return "the topology says fabric_config DISABLED: no chip can be sent to";
    for (uint64_t hop = 0; hop < hops; hop++) {
        if (out.chip >= CHIPS || channel < 0 || channel >= CHANNELS ||
            !at(t->other, out.chip, (uint64_t)channel)->is)
            return say(words, "channel %" PRId64 " of chip %u has no edge in the topology", channel,
                       out.chip);
        const end in = *at(t->other, out.chip, (uint64_t)channel);
        fs_place to = {.chip = in.chip};
        if (!fs_joints_core(t, channel, &out.x, &out.y) || !fs_joints_core(t, in.channel, &to.x, &to.y))
            return say(words, "channel %" PRId64 " has no place in eth_chan_to_coord", channel);
        const uint32_t edge = fs_joints_edge(t, out, to);
        const fs_recorded_leg leg = {
            .from = from, .to = out, .plane = hop == 0 ? plane : 0, .edge = edge, .parent = parent};
        parent = send->legs;
        if (edge == FS_NO_EDGE || !add_leg(send, leg))
            return say(words, "expected a way of at most %d legs", FS_EVENT_LEGS);
        from = to;
        if (hop + takes >= hops) {
            const fs_recorded_leg last = {
                .from = to, .to = {to.chip, (uint32_t)x, (uint32_t)y}, .edge = FS_NO_EDGE, .parent = parent};
            if (!add_leg(send, last))
                return say(words, "expected a way of at most %d legs", FS_EVENT_LEGS);
        }
        const end *on = at(t->onward, in.chip, in.channel);
        if (hop + 1 < hops && !on->is)
            return say(words, "%" PRIu64 " hops go beyond chip %u, where the line ends behind %" PRIu64, hops,
                       in.chip, hop + 1);
        channel = on->channel;
        out = (fs_place){.chip = in.chip};
    }
    return NULL;
}
