/* The rows of the fabric workload. */
#include "formats/format.h"
#include "workloads/packets/packets.h"
#include "workloads/packets/run.h"

#define FS_ROWS_OF fs_packets_params
#define FLOWS      "workload.source=open|closed"

static const char *const networks[] = {[FS_PACKETS_WHOLE] = "fabric", [FS_PACKETS_RESERVE] = "reserve", NULL};

static const char *const sources[] = {
    [FS_PACKETS_OPEN] = "open",     [FS_PACKETS_STREAM] = "stream", [FS_PACKETS_TRACE] = "trace",
    [FS_PACKETS_CLOSED] = "closed", [FS_PACKETS_TASKS] = "tasks",   NULL};
static const char *const ops[] = {
    [FS_PACKETS_WRITE] = "write", [FS_PACKETS_READ] = "read", [FS_PACKETS_MULTICAST] = "multicast", NULL};
static const char *const timings[] = {[FS_PACKETS_GAPS] = "gaps", [FS_PACKETS_STAMPS] = "stamps", NULL};
static const char *const orders[] = {[FS_PACKETS_TURN] = "turn", [FS_PACKETS_ROUND] = "round", NULL};

static const fs_param rows[] = {
    FS_ENUM(network, "fabric", networks,
            "what packets go through: the machine's fabric, flit by flit; or, an approximation that is right "
            "up to three tenths "
            "of the busiest link, one in which a packet holds each link for its time",
            TRAFFIC),
    FS_ENUM(source, "open", sources,
            "who sends: nodes that make packets at a load; processors of tiles that write or read and wait "
            "for the answers; the calls of a trace; nodes that each have so many packets under way; tasks "
            "of a file, which wait for each other",
            TRAFFIC),
    FS_PATH(file, "",
            "file of another tool that says who sends (docs/traffic.md lists its kinds); its bytes tell "
            "whether it has calls or tasks, and source stays as it is",
            TRAFFIC, .names = fs_format_beside),
    FS_STRING(
        near, "",
        "what a file of another tool asks that this machine has only something near of, as `foamsim import` "
        "writes it: a finding of the run",
        NOTHING),
    FS_STRING(format, "", "its format, as `foamsim import` names it; absent: by its bytes", TRAFFIC),
    FS_BOOL(lenient, "false", "take what is refused by default for the nearest thing, and say so", TRAFFIC),
    FS_ENUM(
        pattern, "uniform", fs_goal_names,
        "where packets go: to any node alike, the own one too; a share to the hotspots; to the next node "
        "in each dimension; nearly half way round in each dimension; to node N - 1 - i; to the node with "
        "the bits backwards; row and column exchanged; as a file says; to all others in turn; as often as a "
        "table says",
        TRAFFIC, .only = FLOWS),
    FS_INTS(hotspot, NONE, "none", 0, FS_NOC_MOST_ROUTERS,
            "nodes that get the share of pattern hotspot; absent: the middle one", TRAFFIC,
            .only = "workload.pattern=hotspot"),
    FS_REAL(hotspot_share, NONE, "0.2", 0, 1, "part of the packets that goes to the hotspots", TRAFFIC,
            .only = "workload.pattern=hotspot"),
    FS_PATH(permutation, "", "file of pattern permutation: a line node,goal for each node", TRAFFIC,
            .only = "workload.pattern=permutation"),
    FS_PATH(table, "",
            "file of pattern table: lines node,goal,rate, any number of a node; rates are relative to each "
            "other, and the load is the mean of all nodes",
            TRAFFIC, .only = "workload.pattern=table"),
    FS_INT(flits, NONE, "1", 1, 65535, "flits of a packet, its head included", TRAFFIC, .only = FLOWS),
    FS_INTS(sizes, NONE, "none", 1, 65535, "flits of packets of several sizes; absent: all have `flits`",
            TRAFFIC, .only = FLOWS),
    FS_INTS(shares, NONE, "none", 0, 1000000,
            "how many packets are of each of the sizes, relative to each other; absent: as many of each",
            TRAFFIC, .only = FLOWS),
    FS_REAL(
        load, NONE, "0.1", 0, 1000,
        "flits that a node offers in a cycle; find: the load at which a packet takes three times as long as "
        "alone, by bisection",
        TRAFFIC, .word = "find", .only = "workload.source=open"),
    FS_REAL(burst.on, CYCLES, "0 cycles", 0, 1e9,
            "mean length of bursts, in which alone a node makes packets, so many more that the load is "
            "kept; 0: it makes them at any time",
            TRAFFIC, .only = "workload.source=open"),
    FS_REAL(burst.off, CYCLES, "0 cycles", 0, 1e9, "mean time between two bursts", TRAFFIC,
            .only = "workload.source=open"),
    FS_INT(window, NONE, "4", 1, 1000000, "packets that a node has under way", TRAFFIC,
           .only = "workload.source=closed"),
    FS_INT(warmup, CYCLES, "3000 cycles", 0, 1e9, "cycles before the measurement", TRAFFIC),
    FS_INT(measure, CYCLES, "10000 cycles", 1, 1e9,
           "cycles in which throughput is measured and measured packets are made", TRAFFIC),
    FS_INT(drain, CYCLES, "100000 cycles", 0, 1e9,
           "cycles behind them, at most: the run ends when the last measured packet has arrived", TRAFFIC,
           .only = FLOWS),
    FS_ENUM(stream.op, "write", ops,
            "what a tile's processor does to each destination; or to all at once: a multicast reserves its "
            "tree of ways, then routers copy its flits",
            TRAFFIC, .only = "workload.source=stream"),
    FS_INTS(stream.from, NONE, "none", 0, FS_NOC_MOST_ROUTERS,
            "nodes whose processors call; absent: all tiles", TRAFFIC, .only = "workload.source=stream"),
    FS_INTS(stream.to, NONE, "none", 0, FS_NOC_MOST_ROUTERS, "their destinations; absent: all tiles", TRAFFIC,
            .only = "workload.source=stream"),
    FS_INTS(stream.rectangle, NONE, "none", 0, FS_NOC_MOST_ROUTERS,
            "of the destinations only those in it, a sender that is alone left out: column and row of its "
            "corners, [0, 0, 4, 4]",
            TRAFFIC, .only = "workload.source=stream"),
    FS_INT(stream.bytes, BYTES, "8192 B", 1, 1e12, "bytes of a transaction", TRAFFIC,
           .only = "workload.source=stream"),
    FS_INT(stream.transactions, NONE, "1", 0, 1e9,
           "transactions of a node to each destination; 0: on and on, and the rate of the measured cycles "
           "counts",
           TRAFFIC, .only = "workload.source=stream"),
    FS_ENUM(stream.order, "turn", orders,
            "all transactions to one destination after another; or one to each in turn, every node "
            "beginning with another",
            TRAFFIC, .only = "workload.source=stream"),
    FS_PATH(trace.network, "", "file of calls: docs/traffic.md has its columns", TRAFFIC,
            .only = "workload.source=trace", .names = fs_format_beside),
    FS_ENUM(trace.timing, "gaps", timings,
            "when calls of a trace are made: the recorded time after the call before, waits being "
            "simulated; or at their recorded stamps, without waiting",
            TRAFFIC),
    FS_INT(trace.stamp, CYCLES, "auto", 0, 1e6,
           "what a stamp costs its processor before the call that it is of; auto: the least time between two "
           "stamps of the file, which it can cost at most, where that is up to 128 cycles",
           TRAFFIC, .word = "auto"),
    FS_PATH(trace.topology, "",
            "file that joins the chips of a trace; absent: beside it NAME.topology.json, or topology.json",
            TRAFFIC),
    FS_INT(trace.chip, NONE, "all", 0, 255,
           "the chip whose processors' times are figures (trace.reads_cycles); all: the mean of all", TRAFFIC,
           .word = "all"),
    FS_STRING(trace.processor, "", "the processors whose times are figures, NCRISC; absent: all", TRAFFIC),
    FS_REAL(edge.pace, BYTES_PER_CYCLE, "12.5 B/cycle", 1e-3, 1e6,
            "what an edge between chips of a file carries, one way, one send after another (uncertain: 8 to "
            "16 B/cycle)",
            PRICE, .from = {"network_on_chip.md 4, TTN", 'A'}),
    FS_REAL(edge.latency, CYCLES, "600 cycles", 0, 1e9,
            "from one side of such an edge to the other, beside edge.each (uncertain: 300 to 1,000 cycles)",
            PRICE, .from = {"network_on_chip.md 4, TTN", 'A'}),
    FS_REAL(edge.each, NONE, "0.1055", 0, 1e3, "cycles of it for each byte", PRICE,
            .from = {"network_on_chip.md 4, TTN", 'A'}),
    FS_INT(netrace.region, NONE, "all", 0, 100, "region of a netrace file; all: the whole", TRAFFIC,
           .word = "all"),
    FS_INT(netrace.from, CYCLES, "0 cycles", 0, 1e15, "packets of a netrace file from this cycle on",
           TRAFFIC),
    FS_INT(netrace.to, CYCLES, "0 cycles", 0, 1e15, "and before this one; 0: all", TRAFFIC),
    FS_BOOL(netrace.gaps, "false",
            "what a node did between two packets takes as long as recorded, however late the first came; "
            "false: packets leave at their cycle, or when what they wait for has come",
            TRAFFIC),
    FS_INT(max_packets, NONE, "4000000", 1, 1e8,
           "packets, of streams and traces calls, under way at which the run is given up", TRAFFIC),
};

const fs_param_table fs_fabric_table =
    FS_PARAM_TABLE("workload/fabric", "packets straight on the network of a chip: latency against load", rows,
                   sizeof(fs_packets_params));
