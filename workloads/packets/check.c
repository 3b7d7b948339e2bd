/* What is known of an experiment before anything is made: what is wrong with it, and what it takes. */
#include "workloads/packets/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* End points of a network by its sizes; those of a file are not known here. */
static double nodes_of(const fs_point *point) {
    static const double usual = 256;
    const char *text = point->text(point->self, "machine.exchange.noc.size");
    const char *at = text == NULL ? "" : text + strcspn(text, "0123456789");
    const bool tree = point->is(point->self, "machine.exchange.noc.topology", "fat_tree"),
               dragonfly = point->is(point->self, "machine.exchange.noc.topology", "dragonfly"),
               butterfly = point->is(point->self, "machine.exchange.noc.topology", "flattened_butterfly");
    double nodes = *at == '\0' ? usual : 1, first = 1;
    for (int i = 0; *at != '\0'; i++) {
        char *end;
        const double n = (double)strtoul(at, &end, 10);
        first = i == 0 ? n : first;
        nodes = tree && i == 1 ? pow(first, n) : dragonfly && i > 1 ? nodes : nodes * n;
        at = end + strcspn(end, "0123456789");
    }
    return nodes *
           (dragonfly || butterfly ? point->number(point->self, "machine.exchange.noc.concentration", 1) : 1);
}

/* Host seconds on one core of a common PC: 0.1 us a flit and router; of so many routers as a mesh of two dimensions
 * has on the way of a packet. */
void fs_packets_expect(const fs_point *point, double seconds[FS_LAYERS]) {
    static const double process = 0.1, hop = 1e-7;
    const double nodes = nodes_of(point), routers = 1 + 2 * sqrt(nodes) / 3;
    const bool finds = point->is(point->self, "workload.load", "find");
    seconds[FS_LAYER_RUN] = process + hop * routers * nodes * (finds ? 1 + FS_FLOW_PROBES : 1) *
                                          point->number(point->self, "workload.load", 0.1) *
                                          (point->number(point->self, "workload.warmup", 3000) +
                                           point->number(point->self, "workload.measure", 10000));
}

/* What does not go with the machine's network. */
static void check_network(const fs_noc_options *o, const fs_packets_params *p, fs_check *check) {
    const int64_t most = o->header + (o->packet + o->width - 1) / o->width;
    int64_t flits = p->sizes_given ? 0 : p->flits;
    for (size_t i = 0; p->sizes_given && i < p->sizes.count; i++)
        flits = p->sizes.item[i] > flits ? p->sizes.item[i] : flits;
    if (fs_packets_flow(p) && flits > most)
        fs_check_wrong(check, p->sizes_given ? "workload.sizes" : "workload.flits",
                       "machine.exchange.noc.packet and header leave a packet %" PRId64
                       " flits; expected at most so many, found %" PRId64,
                       most, flits);
    if (!fs_packets_flow(p) && o->vcs % 2 != 0)
        fs_check_wrong(check, "machine.exchange.noc.vcs",
                       "requests and answers have half of the channels each; expected an even number, found "
                       "%" PRId64,
                       o->vcs);
    if (p->source == FS_PACKETS_TRACE && p->trace.network[0] == '\0' && p->file[0] == '\0')
        fs_check_wrong(check, "workload.trace.network", "expected a file of calls, found none");
    if (p->source == FS_PACKETS_TASKS && p->file[0] == '\0')
        fs_check_wrong(check, "workload.file", "expected a file with tasks, found none");
    if (p->trace.network[0] != '\0' && p->file[0] != '\0')
        fs_check_wrong(check, "workload.trace.network", "changes nothing: workload.file says who sends");
    fs_check_file(check, "workload.trace.network", p->trace.network, "docs/traffic.md has its columns.");
    fs_check_file(check, "workload.file", p->file, "docs/traffic.md lists the formats.");
    fs_check_file(check, "workload.trace.topology", p->trace.topology,
                  "docs/traffic.md says what stands in it.");
}

/* Sizes of packets and how many are of each. */
static void check_sizes(const fs_packets_params *p, fs_check *check) {
    int64_t all = 0;
    for (size_t i = 0; p->shares_given && i < p->shares.count; i++)
        all += p->shares.item[i];
    if (p->sizes_given && fs_check_says(check, "workload.flits"))
        fs_check_wrong(check, "workload.flits", "changes nothing: workload.sizes has the flits of packets");
    if (p->sizes_given && p->sizes.count == 0)
        fs_check_wrong(check, "workload.sizes", "expected at least one size, found none");
    if (p->shares_given && p->shares.count != p->sizes.count)
        fs_check_wrong(check, "workload.shares", "expected one for each of workload.sizes, %zu, found %zu",
                       p->sizes.count, p->shares.count);
    else if (p->shares_given && all == 0)
        fs_check_wrong(check, "workload.shares", "expected one above 0, found none");
    if ((p->burst.on > 0) != (p->burst.off > 0))
        fs_check_wrong(check, p->burst.on > 0 ? "workload.burst.off" : "workload.burst.on",
                       "bursts have a length and a time between them; expected more than 0 cycles, found 0");
}

/* The file that a pattern is read from. */
static void check_pattern(const fs_packets_params *p, fs_check *check) {
    if (p->pattern == FS_GOAL_PERMUTATION && p->permutation[0] == '\0')
        fs_check_wrong(check, "workload.permutation",
                       "expected a file with a line node,goal for each node, found none");
    if (p->pattern == FS_GOAL_TABLE && p->table[0] == '\0')
        fs_check_wrong(check, "workload.table", "expected a file with lines node,goal,rate, found none");
    fs_check_file(check, "workload.permutation", p->permutation, "docs/traffic.md says what stands in it.");
    fs_check_file(check, "workload.table", p->table, "docs/traffic.md says what stands in it.");
}

void fs_packets_check(const fs_config *config, fs_check *check) {
    const fs_machine_params *m = fs_config_section(config, "machine");
    const fs_packets_params *p = fs_config_section(config, "workload");
    if (m->exchange.kind == FS_FABRIC_NOC)
        check_network(&m->noc, p, check);
    if (m->exchange.kind == FS_FABRIC_NOC && m->noc.detail == FS_NOC_SAMPLED)
        fs_check_wrong(check, "machine.exchange.noc.detail",
                       "packets of this workload come in no phases; expected flits, found sampled");
    if (m->exchange.kind != FS_FABRIC_NOC)
        fs_check_wrong(check, "machine.exchange.kind",
                       "packets need routers to go through; expected noc, found ports");
    check_sizes(p, check);
    check_pattern(p, check);
    if (fs_packets_flow(p) && p->source == FS_PACKETS_OPEN && !(p->load > 0) && p->load != FS_WORD_VALUE)
        fs_check_wrong(check, "workload.load", "no packets: expected more than 0, or find");
    fs_check_idle(check, "workload");
    fs_check_idle(check, "machine.exchange.noc");
}
