/* Bytes over the links between chips: of several chips alike that run the program, this is one. */
#include "models/sync/sync.h"
#include "workloads/program/private.h"

#include <inttypes.h>
#include <math.h>

/* A chip has ten links of 128 Gbit/s each way, of which 85 % is reached; a word is on its way for 250 ns (ipu.md 5: 70 to
 * 100 %, 100 to 600 ns). Two links join two neighbours of a ladder. */
enum { MOST_LINKS = 10, USUAL_LINKS = 2, MOST_BYTES = 1 << 30 };
static const double usual_bandwidth = 0.85 * 16e9, usual_latency = 250e-9;

typedef struct halo {
    int64_t bytes, links, neighbours;
    double bandwidth, latency;
    fs_superstep_group on;
} halo;

static bool read(fs_superstep_reader *r, const fs_node *node, halo *h) {
    static const char *const keys[] = {"pattern", "on",        "bytes",   "neighbours",
                                       "links",   "bandwidth", "latency", NULL};
    const fs_yaml_in in = {r->yaml, node};
    const fs_node *on = fs_yaml_get(r->yaml, node, "on", true), *of[4];
    *h =
        (halo){.links = USUAL_LINKS, .neighbours = 1, .bandwidth = usual_bandwidth, .latency = usual_latency};
    for (int i = 0; i < 4; i++)
        of[i] = fs_yaml_get(r->yaml, node, keys[3 + i], false);
    if (!fs_yaml_mapping(r->yaml, node, keys) || on == NULL || !fs_superstep_tiles(r, on, &h->on) ||
        !fs_yaml_int_in(in, "bytes", true, FS_UNIT_BYTES, 0, MOST_BYTES, &h->bytes) ||
        (of[0] != NULL && !fs_yaml_int(r->yaml, of[0], FS_UNIT_NONE, 1, MOST_LINKS, &h->neighbours)) ||
        (of[1] != NULL && !fs_yaml_int(r->yaml, of[1], FS_UNIT_NONE, 1, MOST_LINKS, &h->links)) ||
        (of[2] != NULL &&
         !fs_yaml_real(r->yaml, of[2], FS_UNIT_BYTES_PER_SECOND, 1e3, 1e15, &h->bandwidth)) ||
        (of[3] != NULL && !fs_yaml_real(r->yaml, of[3], FS_UNIT_SECONDS, 0, 1, &h->latency)))
        return false;
    return h->links * h->neighbours <= MOST_LINKS ||
           fs_yaml_wrong(r->yaml, node,
                         "expected at most %d links in all, found %" PRId64 " to each of %" PRId64,
                         MOST_LINKS, h->links, h->neighbours);
}

/* All chips meet, which takes the place of the chip's own barrier; then the bytes go to all neighbours at once, as fast as
 * the links or the ports of the tiles that have them. */
void fs_superstep_read_chips(fs_superstep_reader *r, const fs_node *node, fs_superstep *step) {
    const fs_machine_params *m = r->machine;
    halo h;
    if (!read(r, node, &h))
        return;
    const uint64_t all = (uint64_t)m->sync.external, own = fs_sync_internal(&m->sync, &m->geometry),
                   links = (uint64_t)ceil((double)h.bytes / ((double)h.links * h.bandwidth) * m->clock),
                   tile = ((uint64_t)(h.bytes * h.neighbours) + h.on.count - 1) / h.on.count,
                   port = (tile + (uint64_t)m->exchange.bytes_per_cycle - 1) /
                          (uint64_t)m->exchange.bytes_per_cycle,
                   cycles = (all > own ? all - own : 0) + (uint64_t)ceil(h.latency * m->clock) +
                            (links > port ? links : port);
    step->beyond = cycles > step->beyond ? cycles : step->beyond;
    step->beyond_bytes += (uint64_t)(h.bytes * h.neighbours);
}
