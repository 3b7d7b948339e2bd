/* Recorded traces and workloads of other tools: what their events mean, by small files written here and by the samples of
 * other tools where FOAMSIM_SHARED has them; chips and their edges by closed forms; a first-order model beside the flits. */
#include "sim/host/places.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <unistd.h>

static void must_hold(const char *text, const char *words) {
    assert_says(text, words);
}

/* An event of a trace of one chip. */
#define EVENT(type, more, stamp)                                                                             \
    "{\"proc\":\"BRISC\",\"sx\":1,\"sy\":1,\"type\":\"" type "\"," more "\"timestamp\":" stamp "}"
#define TO(noc, x, y, bytes) "\"noc\":\"NOC_" noc "\",\"dx\":" x ",\"dy\":" y ",\"num_bytes\":" bytes ","
#define ZONE                                                                                                 \
    "{\"proc\":\"BRISC\",\"zone\":\"BRISC-KERNEL\",\"zone_phase\":\"begin\",\"sx\":1,\"sy\":1,"              \
    "\"timestamp\":900000000000000000}"

/* A read of 3 links on the way of NOC_0, what is kept for reads and for writes apart, a multicast whose corners stand swapped on
 * the second network, a semaphore that is no transfer, marks that are none. */
TEST(events_mean_what_they_say) {
    cli_write(
        "t.json",
        "[" ZONE
        "," EVENT("READ", TO("0", "4", "1", "4096"), "900000000000000100") "," EVENT("WRITE_SET_STATE", TO("1", "1", "3", "0"), "900000000000000200") "," EVENT(
            "READ_SET_STATE", TO("0", "1", "9", "10000"),
            "900000000000000300") "," EVENT("WRITE_WITH_STATE", "\"noc\":\"NOC_1\",\"num_bytes\":64,",
                                            "900000000000000400") "," EVENT("READ_WITH_STATE",
                                                                            "\"noc\":\"NOC_0\",",
                                                                            "900000000000000500") "," EVENT("WRITE_MULTICAST",
                                                                                                            "\"noc\":\"NOC_1\",\"num_bytes\":64,\"mcast_start_x\":3,\"mcast_start_y\":2,\"mcast_end_x\":2,\"mcast_end_y\":2,",
                                                                                                            "900000000000000600") "," EVENT("SEMAPHORE_INC",
                                                                                                                                            TO("0",
                                                                                                                                               "2",
                                                                                                                                               "2",
                                                                                                                                               "0"),
                                                                                                                                            "900000000000000700") "," EVENT("WRITE_FLUSH",
                                                                                                                                                                            "",
                                                                                                                                                                            "900000000000000800") "," EVENT("FULL_BARRIER",
                                                                                                                                                                                                            "",
                                                                                                                                                                                                            "900000000000000900") "]");
    const cli_result r = cli("import", "t.json", "-o", "t.yaml", NULL);
    assert_int_equal(r.status, 0);
    must_hold(r.out, "machine    wormhole");
    must_hold(r.out, "packets    5"); /* 1, 1, 2 of 8,192 and 1,808 B, 1 */
    must_hold(r.out, "bytes      14,224");
    must_hold(r.out, "NOC_0      2 transfers"); /* (4,1) and (1,9) to (1,1): 7 round the ring, and 4 */
    must_hold(r.out, "14,096 B, 11 links passed");
    must_hold(
        r.out,
        "NOC_1      2 transfers, 2 packets, 128 B, 30 links passed"); /* 10 round the ring; a tree of 11 and 9 */
    must_hold(r.out, "near       WRITE_FLUSH");
    cli_must("run", "t.yaml", "--quiet", "--force", "--out", "t", NULL);
    assert_true(run_figure("t", "trace.packets") == 5);
    assert_true(run_figure("t", "trace.bytes") == 14224);
    assert_true(run_figure("t", "trace.recorded") == 900);
    assert_true(run_figure("t", "network.cycles") > 900);
}

/* Corners stand swapped on the second network alone: two tiles of row 2, over two links east and one south each, not all round the
 * ring. */
TEST(a_rectangle_of_the_first_network_is_as_it_stands) {
    cli_write("m.json",
              "[" ZONE "," EVENT("WRITE_MULTICAST",
                                 "\"noc\":\"NOC_0\",\"num_bytes\":64,\"mcast_start_x\":2,\"mcast_start_y\":2,"
                                 "\"mcast_end_x\":3,\"mcast_end_y\":2,",
                                 "900000000000000100") "]");
    const cli_result r = cli("import", "m.json", "-o", "m.yaml", NULL);
    assert_int_equal(r.status, 0);
    must_hold(r.out, "bytes      64\n");
    must_hold(r.out, "NOC_0      1 transfer, 1 packet, 64 B, 4 links passed");
}

/* A wait of one event holds what was waited in the time to the next call: that comes as it was recorded, and not later by the wait
 * once more; one of two events is simulated, and the time behind its end is kept. */
TEST(a_wait_of_one_event_counts_once) {
    static const struct {
        const char *wait;
        double least, most;
    } cases[] = {{EVENT("FULL_BARRIER", "", "900000000000000400"), 2900, 3200},
                 {EVENT("READ_BARRIER_START", "", "900000000000000400") "," EVENT("READ_BARRIER_END", "",
                                                                                  "900000000000002900"),
                  700, 1200}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(text, sizeof text, "[%s,%s,%s,%s]", ZONE,
                 EVENT("READ", TO("0", "4", "1", "64"), "900000000000000200"), cases[i].wait,
                 EVENT("READ", TO("0", "4", "1", "64"), "900000000000003000"));
        cli_write("w.json", text);
        cli_must("run", "w.json", "--quiet", "--force", "--out", "w", NULL);
        if (run_figure("w", "stream.cycles") < cases[i].least ||
            run_figure("w", "stream.cycles") > cases[i].most)
            fail_msg("%zu: %g cycles", i, run_figure("w", "stream.cycles"));
    }
}

/* What is wrong is said with its place; nothing is written. */
/* A key that is passed over is said once, with how often it came. */
TEST(a_note_counts_how_often_it_came) {
    cli_write("v.json",
              "[" ZONE "," EVENT("READ", "\"vc\":1," TO("0", "1", "2", "8"), "900000000000000001") "," EVENT(
                  "READ", "\"vc\":2," TO("0", "1", "2", "8"), "900000000000000002") "]");
    must_hold(cli("import", "v.json", "-o", "v.yaml", NULL).out, "ignored    vc, line 1, 2 times:");
}

TEST(what_is_wrong_has_its_place) {
    static const struct {
        const char *text, *told;
    } wrong[] = {
        {"{\"phases\": 3, \"proc\": 1}", "x.json:1:12: expected an array of phases, found 3"},
        {"[" ZONE ",\n" EVENT("WRITE_", "\"noc\":\"NOC_0\",\"dx\":1,\"dy\":2,", "1") "]",
         "x.json:2:1: event 2 (BRISC of 1,1 on chip 0): num_bytes: WRITE_: expected bytes, found none"},
        {"[" ZONE ",\n" EVENT("READ", TO("2", "1", "2", "8"), "1") "]",
         "machine.exchange.noc.planes of at least 3"},
        {"[" ZONE ",\n" EVENT("READ", TO("0", "10", "2", "8"), "1") "]",
         "expected a place of the network, columns 0 ... 9, rows 0 ... 11, found 10,2"},
        {"[" ZONE ",\n" EVENT("READ_WITH_STATE", TO("0", "1", "2", "8"), "1") "]",
         "expected a ..._SET_STATE of this processor"},
        {"[" ZONE ",\n" EVENT("JUMP", "", "1") "]", "type: \"JUMP\" is no event that foamsim knows"},
        {"[" ZONE ",\n" EVENT("READ", TO("0", "1", "2", "8"), "1.5") "]",
         "expected a whole number, 0 ... 9223372036854775807, found 1.5"},
        {"[" ZONE ",\n" EVENT("READ", TO("0", "1", "2", "8"), "1"),
         "x.json:2:101: expected a comma or ], found the end of the file"},
        {"[" ZONE ",\n" EVENT("FABRIC_UNICAST_WRITE",
                              "\"fabric_send\":{\"eth_chan\":0,\"hops\":1}," TO("0", "1", "2", "8"), "1") "]",
         "topology.json: cannot open"},
        {"[" ZONE ",\n" EVENT("FABRIC_UNICAST_WRITE",
                              "\"fabric_send\":{\"path\":[{\"device\":0,\"segment_start_x\":1,"
                              "\"segment_start_y\":1,\"segment_end_x\":3}]}," TO("0", "1", "2", "8"),
                              "1") "]",
         "expected segment_end_x and segment_end_y of a segment, found one of them"},
        {"[" ZONE ",\n" EVENT("FABRIC_UNICAST_WRITE",
                              "\"fabric_send\":{\"path\":[{\"device\":0,\"segment_start_x\":1,"
                              "\"segment_start_y\":1,\"segment_end_x\":3,\"segment_end_y\":1}]}," TO(
                                  "0", "1", "2", "9000000000000000000"),
                              "1") "]",
         "num_bytes: FABRIC_UNICAST_WRITE: expected 1 ... 1099511627776 bytes, found 9000000000000000000"},
        {"proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle,ex,ey,chip\nB,1,1,READ,NOC_0,,2,2,64,1,,,4294967296\n",
         "x.json:2:30: chip: expected a number, 0 ... 255, found \"4294967296\""},
        {"{\"phases\": [{\"transfers\": [{\"packet_size\": 0}]}]}",
         "expected a whole number, 1 ... 4294967295, found 0"},
        {"{\"phases\": [{\"transfers\": [{\"packet_size\": 1, \"num_packets\": 1, \"src_x\": 1, \"src_y\": "
         "1, \"dst_x\": 2, \"dst_y\": 2}]}]}",
         "transfer 1: noc_type: expected one, found none"},
        {"{\"phases\": [{\"transfers\": [{\"noc_type\": \"NOC_2\"}]}]}",
         "noc_type: expected NOC_0 or NOC_1, found \"NOC_2\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cli_write("x.json", wrong[i].text);
        const cli_result r = cli("import", "x.json", "--machine", "wormhole", "-o", "never.yaml", NULL);
        if (r.status != 2)
            fail_msg("%zu: status %d: %s%s", i, r.status, r.out, r.err);
        must_hold(r.err, wrong[i].told);
        assert_int_not_equal(access("never.yaml", F_OK), 0);
    }
}

/* Letters of a key that would turn a terminal's colours; a file's name that YAML would read otherwise; a text of YAML that is longer than any of JSON may be. */
TEST(texts_of_others_stay_plain) {
    cli_write("c.json", "[" ZONE "," EVENT("READ", "\"\\u001b[31m\":1," TO("0", "1", "2", "8"), "1") "]");
    const cli_result r = cli("import", "c.json", "-o", "c.yaml", NULL);
    must_hold(r.out, "?[31m");
    assert_null(strchr(r.out, '\x1b'));
    cli_write("a: \"b\".json", "[" ZONE "," EVENT("READ", TO("0", "1", "2", "8"), "900000000000000001") "]");
    cli_must("import", "a: \"b\".json", "-o", "c.yaml", NULL);
    cli_must("run", "c.yaml", "--quiet", "--force", "--out", "c", NULL);
    char *text = test_keep(malloc(40000));
    const int head = snprintf(text, 40000, "phases:\n  - transfers:\n      - noc_type: ");
    memset(text + head, 'x', 33000);
    snprintf(text + head + 33000, 2, "\n");
    cli_write("c.yaml", text);
    must_hold(cli("import", "c.yaml", NULL).err,
              "c.yaml:3:19: expected a text of at most 32768 bytes, found a longer one");
}

#define CORES "\"eth_chan_to_coord\": { \"0\": [3, 0], \"1\": [0, 0] } }\n"
#define ON    "\"forwarding_channel_pairs\": [ { \"device_id\": 1, \"channels\": [ 0, 1 ] } ], "

/* A processor at one end of a line of three chips: a send goes over two edges, by its closed form, whichever of its three forms
 * the file has that joins them. */
TEST(edges_take_their_time) {
    enum { BYTES = 1088, ROUTER = 4 };
    static const char *const topologies[] = {
        "// three chips\n{ \"inter_device_channel_pairs\": [ { \"local_device_id\": 0, "
        "\"local_eth_channel\": 0, "
        "\"remote_device_id\": 1, \"remote_eth_channel\": 1 }, { \"local_device_id\": 1, "
        "\"local_eth_channel\": 0, "
        "\"remote_device_id\": 2, \"remote_eth_channel\": 1 } ], " ON CORES,
        "{ \"eth_channel_info\": [ { \"device_id\": 0, \"eth_channel\": 0, \"connected_device_id\": 1, "
        "\"connected_eth_channel\": 1 }, { \"device_id\": 1, \"eth_channel\": 0, \"connected_device_id\": 2, "
        "\"connected_eth_channel\": 1 } ], " ON CORES,
        "/* a mesh of one row */ { \"fabric_config\": \"FABRIC_1D\", \"mesh_shapes\": [ { \"mesh_id\": 0, "
        "\"shape\": [1, 3] } ], \"routing_planes\": [ { \"device_id\": 0, \"planes\": [ { \"E\": 0 } ] }, { "
        "\"device_id\": 1, \"planes\": [ { \"E\": 0, \"W\": 1 } ] }, { \"device_id\": 2, \"planes\": [ { "
        "\"W\": 1 } ] } ], "
        "\"device_id_to_fabric_node_id\": { \"0\": [0, 0], \"1\": [0, 1], \"2\": [0, 2] }, " CORES};
    cli_write("c.csv", "proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle,ex,ey,chip,channel,hops\n"
                       "B,1,0,FABRIC_UNICAST_WRITE,NOC_0,0,2,0,1088,0,,,0,0,2\n");
    cli_write("c.yaml",
              "machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: "
              "mesh, size: [4, 1], vcs: 4, buffer: 128, width: 32 B, packet: 4096 B } } }\n"
              "workload: { kind: fabric, file: c.csv, edge: { pace: 8 B/cycle, latency: 300 cycles, each: "
              "0.5 } }\n");
    /* 35 flits over 3, 4 and 3 routers; an edge 300 + 544 cycles, more than the 136 that it is held */
    const double leg = 34 + 2, all = 3 * leg + ROUTER * (3 + 4 + 3) + 2 * (300 + BYTES / 2);
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        cli_write("topology.json", topologies[i]);
        cli_must("run", "c.yaml", "--quiet", "--force", "--out", "c", NULL);
        assert_true(fabs(run_figure("c", "network.cycles") - all) <= 4);
        assert_true(run_figure("c", "trace.sends") == 1 && run_figure("c", "trace.send_hops") == 2);
    }
    cli_write("topology.json",
              "{ \"routing_planes\": [], \"mesh_shapes\": [ { \"shape\": [ 2, -4 ] } ], " CORES);
    must_hold(cli("run", "c.yaml", "--force", NULL).err, "expected chips of a mesh, 0 ... 256, found \"-4\"");
    cli_write("topology.json", "{ \"fabric_config\": \"DISABLED\", " CORES);
    const cli_result r = cli("run", "c.yaml", "--force", NULL);
    assert_int_equal(r.status, 2);
    must_hold(r.err, "fabric_config DISABLED");
}

/* Where an edge is held for longer than its latency, the last byte comes when it is let go; sends wait for those before them. A send by
 * start and range goes to the chips from the first to the last. */
TEST(edges_are_held_by_what_they_carry) {
    static const char head[] = "proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle,ex,ey,chip,channel,hops\n"
                               "B,1,0,FABRIC_UNICAST_WRITE,NOC_0,0,2,0,1088,0,,,0,0,1\n",
                      line[] = ",1,0,FABRIC_UNICAST_WRITE,NOC_0,0,2,0,1088,0,,,0,0,1\n",
                      send[] = "[{\"proc\":\"B\",\"sx\":1,\"sy\":0,\"type\":\"FABRIC_MULTICAST_WRITE\","
                               "\"noc\":\"NOC_0\",\"dx\":2,\"dy\":0,"
                               "\"num_bytes\":1088,\"fabric_send\":{\"eth_chan\":0,\"start_distance\":1,"
                               "\"range\":2},\"timestamp\":0}]";
    const double way =
        2 * (34 + 2) + 4 * (3 + 3) + 136; /* 35 flits over 3 routers, twice; 1,088 B at 8 a cycle */
    char text[512];
    cli_write("topology.json",
              "{ \"inter_device_channel_pairs\": [ { \"local_device_id\": 0, \"local_eth_channel\": 0, "
              "\"remote_device_id\": 1, \"remote_eth_channel\": 1 }, { \"local_device_id\": 1, "
              "\"local_eth_channel\": 0, \"remote_device_id\": 2, \"remote_eth_channel\": 1 } ], " ON CORES);
    cli_write("h.csv", head);
    cli_must("run", "c.yaml", "--quiet", "--force", "--out", "h", "--set", "workload.file=h.csv", "--set",
             "workload.edge={latency: 10 cycles, each: 0}", NULL);
    assert_true(fabs(run_figure("h", "network.cycles") - way) <= 4);
    snprintf(text, sizeof text, "%sC%sD%s", head, line, line);
    cli_write("h.csv", text);
    cli_must("run", "c.yaml", "--quiet", "--force", "--out", "h", "--set", "workload.file=h.csv", "--set",
             "workload.edge={latency: 10 cycles, each: 0}", NULL);
    assert_true(fabs(run_figure("h", "trace.edge_share") * run_figure("h", "network.cycles") - 3 * 136) <= 4);
    assert_true(fabs(run_figure("h", "network.cycles") - (way + 2 * 136)) <= 4);
    cli_write("s.json", send);
    cli_must("run", "c.yaml", "--quiet", "--force", "--out", "h", "--set", "workload.file=s.json", NULL);
    assert_true(run_figure("h", "trace.sends") == 1 && run_figure("h", "trace.send_hops") == 2);
}

/* A workload is the same as JSON and as YAML; what its author measured is a figure beside the run's. */
TEST(workloads_are_the_same_as_yaml) {
    cli_write("w.json",
              "{\"golden_result\": {\"cycles\": 450}, \"phases\": [{\"transfers\": [{\"packet_size\": 256, "
              "\"num_packets\": 3, \"src_x\": 0, \"src_y\": 1, \"dst_x\": 3, \"dst_y\": 4, \"noc_type\": "
              "\"NOC_1\", \"phase_cycle_offset\": 112}]}]}");
    cli_write(
        "w.yaml",
        "golden_result: { cycles: 450 }\nphases:\n  - transfers:\n      - packet_size: 256\n        "
        "num_packets: 3\n"
        "        src_x: 0\n        src_y: 1\n        dst_x: 3\n        dst_y: 4\n        noc_type: NOC_1\n"
        "        phase_cycle_offset: 112\n");
    cli_must("run", "w.json", "--quiet", "--force", "--out", "j", NULL);
    cli_must("run", "w.yaml", "--quiet", "--force", "--out", "y", NULL);
    assert_true(run_figure("j", "network.cycles") == run_figure("y", "network.cycles"));
    assert_true(run_figure("y", "trace.bytes") == 768 && run_figure("y", "trace.hops") == 16);
    assert_true(run_figure("y", "trace.published") == 450);
    /* the first-order time counts from the first transfer on */
    cli_write("z.yaml", "phases:\n  - transfers:\n      - { packet_size: 256, num_packets: 3, src_x: 0, "
                        "src_y: 1, dst_x: 3, dst_y: 4, noc_type: NOC_1 }\n");
    cli_must("run", "z.yaml", "--quiet", "--force", "--out", "z", NULL);
    assert_true(run_figure("z", "trace.first_order") > 0 &&
                run_figure("y", "trace.first_order") == run_figure("z", "trace.first_order"));
    /* three packets of 9 flits, one after another, over 17 routers: 9 cycles each */
    assert_true(run_figure("y", "network.cycles") >= 112 + 9 * 17 &&
                run_figure("y", "network.cycles") < 112 + 9 * 17 + 3 * 9 + 8);
}

/* What is read is asked for by a flit, and comes in packets of the file's size: 27 flits over 17 routers, one over 7 back. */
TEST(reads_have_packets_of_their_size) {
    cli_write("q.json",
              "{\"phases\": [{\"transfers\": [{\"packet_size\": 256, \"num_packets\": 3, \"src_x\": 0, "
              "\"src_y\": 1, "
              "\"dst_x\": 3, \"dst_y\": 4, \"noc_type\": \"NOC_1\", \"noc_event_type\": \"READ\"}]}]}");
    cli_must("run", "q.json", "--quiet", "--force", "--out", "q", NULL);
    assert_true(run_figure("q", "trace.packets") == 3 && run_figure("q", "network.flit_hops") == 27 * 17 + 7);
}

/* 17 tiles send to one reader and one of them along row 3, where a stream goes: all at once, or one after another. */
static void write_starts(const char *path, int apart) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "{\"phases\": [{\"transfers\": [\n");
    for (int i = 0; i < 17; i++) {
        static const int rows[] = {4, 5, 7, 8};
        fprintf(out,
                "{\"packet_size\": 8192, \"num_packets\": 2, \"src_x\": %d, \"src_y\": %d, \"dst_x\": 7, "
                "\"dst_y\": 9, "
                "\"noc_type\": \"NOC_0\", \"phase_cycle_offset\": %d, \"noc_event_type\": \"READ\"},\n",
                i == 0 ? 3 : (i - 1) % 4 + 1, i == 0 ? 3 : rows[(i - 1) / 4], i * apart);
    }
    fprintf(out, "{\"packet_size\": 8192, \"num_packets\": 40, \"src_x\": 2, \"src_y\": 3, \"dst_x\": 8, "
                 "\"dst_y\": 3, \"noc_type\": \"NOC_0\", \"noc_event_type\": \"READ\"}]}]}\n");
    assert_int_equal(fclose(out), 0);
}

TEST(flits_and_a_first_order_part) {
    write_starts("a.json", 0);
    write_starts("b.json", 800);
    cli_must("run", "a.json", "--quiet", "--force", "--out", "a", NULL);
    cli_must("run", "b.json", "--quiet", "--force", "--out", "b", NULL);
    /* of another implementation of the same rule: network_on_chip.md 4 */
    assert_true(fabs(run_figure("a", "trace.first_order") - 16316) < 2 &&
                fabs(run_figure("b", "trace.first_order") - 13384) < 2);
    assert_true(fabs(run_figure("a", "network.cycles") / 11508 - 1) < 0.02 &&
                fabs(run_figure("b", "network.cycles") / 13586 - 1) < 0.02);
    size_t size;
    char *text = file_read("a/findings.json", &size);
    must_hold(text, "Row 3 stands with no channel for ");
    must_hold(text, "held by packets to (7,9)");
    /* with four times the buffer the sources are throttled less, and it is slower */
    cli_must("run", "a.json", "--quiet", "--force", "--out", "c", "--set", "machine.exchange.noc.buffer=64",
             NULL);
    const cli_result r = cli("compare", "a", "c", NULL);
    must_hold(r.out, "A larger buffer, 64 against 32, costs 11");
    must_hold(r.out, "arbitration takes more");
}

/* ---- samples ---- */

typedef struct sample {
    const char *file;
    int64_t packets, bytes, hops, sends, send_hops;
    double recorded, off; /* cycles; within which the run is */
} sample;

TEST(samples_read_as_their_table_says) {
    static const sample samples[] = {
        {"2x2_BLOCK_TO_2x4_BLOCK.json", 128, 524288, 480, 0, 0, 3922, 0.15},
        {"1x2_BLOCK_TO_4x8_BLOCK.json", 128, 524288, 1136, 0, 0, 7131, 0.15},
        {"DRAM_TO_2x4_HEIGHT.json", 256, 524288, 2806, 0, 0, 5066, 0.15},
        {"ring-4dev/all_gather_combined.json", 184, 174848, 1014, 80, 120, NAN, 0},
        {"ring-4dev/noc_trace_dev0_AllGatherAsync_ID1.json", 46, 43712, 221, 21, 31, NAN, 0},
        {"line-8dev/all_gather_combined.json", 192, 90624, 1560, 70, 280, NAN, 0},
        {"line-8dev/noc_trace_dev1_AllGatherAsync_ID3.json", 26, 11392, 260, 10, 35, NAN, 0},
        {"example_workload.json", 5, 9088, 54, 0, 0, NAN, 0},
        {"multicast_small.json", 5, 320, 5, 0, 0, 700, 0.5},
    };
    const char *shared = getenv("FOAMSIM_SHARED");
    char path[4096];
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const sample *s = &samples[i];
        snprintf(path, sizeof path, "%s/formats/npe/%s", shared == NULL ? "../shared" : shared, s->file);
        if (access(path, R_OK) != 0) {
            print_message("%s is not there: skipped (FOAMSIM_SHARED names the folder)\n", path);
            continue;
        }
        cli_must("run", path, "--quiet", "--force", "--out", "s", NULL);
        if (run_figure("s", "trace.packets") != (double)s->packets ||
            run_figure("s", "trace.bytes") != (double)s->bytes ||
            run_figure("s", "trace.hops") != (double)s->hops)
            fail_msg("%s: %g packets, %g B, %g links", s->file, run_figure("s", "trace.packets"),
                     run_figure("s", "trace.bytes"), run_figure("s", "trace.hops"));
        if (s->sends > 0)
            assert_true(run_figure("s", "trace.sends") == (double)s->sends &&
                        run_figure("s", "trace.send_hops") == (double)s->send_hops);
        if (s->recorded > 0) {
            assert_true(run_figure("s", "trace.recorded") == s->recorded);
            assert_true(fabs(run_figure("s", "network.cycles") / s->recorded - 1) < s->off);
        }
    }
}

/* What was predicted and committed is what comes out. */
TEST(predictions_stay) {
    static const struct {
        const char *name, *file, *figure, *chip;
    } cases[] = {{"time, blocks 2x2 to 2x4", "2x2_BLOCK_TO_2x4_BLOCK.csv", "stream.cycles", NULL},
                 {"time, DRAM to 2x4", "DRAM_TO_2x4_HEIGHT.csv", "stream.cycles", NULL},
                 {"line chip 3", "all-gather-line-8.csv", "trace.reads_cycles", "workload.trace.chip=3"},
                 {"ring chip 2", "all-gather-ring-4.csv", "trace.reads_cycles", "workload.trace.chip=2"}};
    char path[4096], folder[4096];
    snprintf(folder, sizeof folder, "%s/validation/predictions", fs_configs_dir());
    struct table t = table_read(folder, "noc-chips.csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t row = 0;
        while (row < t.rows && strcmp(table_text(&t, row, "figure"), cases[i].name) != 0)
            row++;
        assert_true(row < t.rows);
        snprintf(path, sizeof path, "%s/validation/traces/%s", fs_configs_dir(), cases[i].file);
        cli_must("run", path, "--quiet", "--force", "--out", "p", "--set", "workload.trace.processor=NCRISC",
                 "--set", cases[i].chip == NULL ? "run.seed=1" : cases[i].chip, NULL);
        assert_true(run_figure("p", cases[i].figure) == strtod(table_text(&t, row, "predicted"), NULL));
    }
}

RUN_TESTS(cli_enter, cli_leave)
