/* Multicasts on a network (workloads/packets/calls/agents.h) against closed forms: the reservation's round trip, the
 * data on the tree, the answers; flits of each link of the tree, once; two senders one after another. */
#include "sim/base/alloc.h"
#include "tests/support/network.h"
#include "tests/support/test.h"
#include "workloads/packets/calls/agents.h"

enum {
    WIDTH = 8,
    HEIGHT = 6,
    NODES = WIDTH * HEIGHT,
    HEADER = 1,
    FLIT = 32,
    PACKET = 256,
    CALL = 84,
    KINDS = 2
};

typedef struct scene {
    fs_arena *arena;
    fs_carrier_plane plane;
    uint64_t left[2];
    fs_call call;
} scene;

static scene make(int one_way) {
    const int64_t topology = one_way != 0 ? FS_NOC_TORUS : FS_NOC_MESH,
                  way = one_way > 0 ? FS_NOC_UPWARDS : FS_NOC_DOWNWARDS;
    fs_error err = {0};
    scene s = {.arena = fs_arena_create()};
    s.plane.graph =
        make_network(s.arena, (fs_noc_options){.topology = topology, .way = way, .link = 3}, "8 6");
    const fs_noc_params params = {.channels = 8, .buffer = 16, .kinds = KINDS, .arena = s.arena};
    s.plane.channels = params.channels / KINDS;
    s.plane.net = fs_noc_net_create(s.plane.graph, &params, &err);
    assert_non_null(s.plane.net);
    return s;
}

static bool next_call(void *self, uint32_t agent, fs_call *call) {
    scene *s = self;
    if (s->left[agent] == 0)
        return false;
    s->left[agent]--;
    *call = s->call;
    return true;
}

static const fs_group *group_of(scene *s, const uint32_t *nodes, uint32_t count) {
    fs_group *group = fs_arena_alloc(s->arena, 1, sizeof *group + count * sizeof *nodes);
    group->members = count;
    memcpy(group->node, nodes, count * sizeof *nodes);
    return group;
}

static fs_agents *run(scene *s, const uint32_t *nodes, uint32_t count) {
    const fs_agent_costs costs = {
        .carrier = {.width = FLIT, .packet = PACKET, .header = HEADER}, .issue = 1, .other = 1, .call = CALL};
    fs_agents *a = fs_agents_create(&s->plane, 1, nodes, count, &costs, next_call, s);
    fs_agents_run(a, 1000000);
    assert_true(fs_agents_done(a));
    fs_error err = {0};
    assert_int_equal(fs_noc_check(s->plane.net, &err), FS_OK);
    return a;
}

static uint64_t alone(const scene *s, uint32_t from, uint32_t to, uint32_t flits) {
    const fs_noc_params params = {.channels = s->plane.channels, .buffer = FS_NOC_MOST_DEPTH};
    return fs_noc_alone(s->plane.graph, &params, from, to, 0, flits);
}

/* What arrives is answered in the cycle behind. */
static uint64_t round_trip(const scene *s, uint32_t from, uint32_t to, uint32_t flits) {
    return alone(s, from, to, flits) + 1 + alone(s, to, from, 1);
}

/* One receiver: there and back empty; the data there, the answer back; the way to the program. Of packets of
 * several, a reservation each, when the flits of the one before have left. */
TEST(one_receiver_takes_a_round_trip_and_a_write) {
    for (int way = 0; way <= 1; way++)
        for (uint32_t packets = 1; packets <= 3; packets++)
            for (uint32_t to = 1; to < NODES; to += 5) {
                scene s = make(way);
                const uint32_t from = 0, flits = HEADER + PACKET / FLIT;
                s.left[0] = 1;
                s.call = (fs_call){.kind = FS_CALL_MULTICAST,
                                   .bytes = (uint64_t)packets * PACKET,
                                   .group = group_of(&s, &to, 1)};
                fs_agents *a = run(&s, &from, 1);
                const uint64_t first = (round_trip(&s, from, to, 1) + 1 + flits) * (packets - 1);
                const uint64_t last = round_trip(&s, from, to, 1) + 1 + round_trip(&s, from, to, flits);
                assert_int_equal(fs_agents_end(a), first + last + CALL);
                assert_int_equal(fs_carrier_moved(fs_agents_carrier(a)), packets * PACKET);
                fs_agents_free(a);
                fs_arena_free(s.arena);
            }
}

/* From a corner of a mesh to a rectangle: w - 1 links along the row, h - 1 down each column. */
TEST(a_tree_has_each_link_once) {
    enum { W = 5, H = 4 };
    scene s = make(0);
    uint32_t group[W * H], from = 0, links = 0, outs = 0;
    for (uint32_t i = 0; i < W * H; i++)
        group[i] = i / W * WIDTH + i % W;
    s.left[0] = 2;
    s.call = (fs_call){.kind = FS_CALL_MULTICAST, .bytes = 100, .group = group_of(&s, group, W * H)};
    fs_agents *a = run(&s, &from, 1);
    const uint64_t flits = 2 * (HEADER + 4), *copied = fs_carrier_copied(fs_agents_carrier(a), 0);
    for (uint32_t l = 0; l < s.plane.graph->links + s.plane.graph->ends; l++) {
        assert_true(copied[l] == 0 || copied[l] == flits);
        *(l < s.plane.graph->links ? &links : &outs) += copied[l] > 0;
    }
    assert_int_equal(links, W - 1 + W * (H - 1));
    assert_int_equal(outs, W * H);
    fs_agents_free(a);
    fs_arena_free(s.arena);
}

/* The second sender reserves when the first one's flits have left: later by the first one's reservation and flits. */
TEST(two_senders_hold_no_tree_together) {
    const uint32_t from[] = {0, NODES - 1}, to = WIDTH + 1, flits = HEADER + PACKET / FLIT;
    scene s = make(0);
    s.left[0] = s.left[1] = 1;
    s.call = (fs_call){.kind = FS_CALL_MULTICAST, .bytes = PACKET, .group = group_of(&s, &to, 1)};
    fs_agents *a = run(&s, from, 2);
    const uint64_t first = round_trip(&s, from[0], to, 1) + 1 + flits;
    const uint64_t second = round_trip(&s, from[1], to, 1) + 1 + round_trip(&s, from[1], to, flits);
    assert_int_equal(fs_agents_end(a), first + second + CALL);
    fs_agents_free(a);
    fs_arena_free(s.arena);
}

RUN_TESTS(NULL, NULL)
