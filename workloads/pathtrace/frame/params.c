/* The rows of the path tracer's parameters, and what holds between them. */

#include "models/ipu/machine.h"
#include "sim/config/config.h"
#include "sim/workload/run_params.h"
#include "workloads/pathtrace/frame/layout.h"

#include <inttypes.h>

#define P          fs_pathtrace_params
#define FS_ROWS_OF P

static const char *const dealings[] = {
    [FS_PATHTRACE_ROWS] = "rows", [FS_PATHTRACE_SCATTER] = "scatter", NULL};
static const char *const sharings[] = {[FS_PATHTRACE_FIXED] = "fixed", [FS_PATHTRACE_QUEUE] = "queue", NULL};
static const char *const lights[] = {[FS_PATHTRACE_SKY] = "sky", [FS_PATHTRACE_NETWORK] = "network", NULL};
static const char *const rules[] = {[FS_POD_PROGRAM] = "program", [FS_POD_EVEN] = "even", NULL};
static const char *const types[] = {
    [FS_AMP_F16] = "f16", [FS_AMP_F32] = "f32", [FS_AMP_F8] = "f8", [FS_AMP_TYPES] = NULL};

static const fs_param rows[] = {
    FS_INT(width, NONE, "1440", 1, 16384, "columns of the picture", GEOMETRY),
    FS_INT(height, NONE, "1440", 1, 16384, "rows of the picture", GEOMETRY),
    FS_INT(seed, NONE, "1", 0, 9007199254740991.0, "of the paths' random numbers", GEOMETRY),
    FS_INT(samples, NONE, "1000", 1, 1e6, "paths of a pixel; the published rates do not say how many", PRICE,
           .from = {"no source", 'A'}),
    FS_PARAM_INT("sampling.drawn", P, drawn, NONE, "16", 1, 1e6,
                 "samples of a pixel that are traced: a 95 % interval covers the rest; not more "
                 "than `samples`, and as many leave nothing to chance",
                 GEOMETRY),
    FS_INT(most_segments, NONE, "10", 1, 1000, "segments of a path at the most", GEOMETRY,
           .from = {"neural_path_tracing.md 2, NPT", 'P'}),
    FS_INT(roulette_above, NONE, "3", 0, 1000, "hits of a greater number, from 0, draw for the path's end",
           GEOMETRY, .from = {"neural_path_tracing.md 2, IRL", 'R'}),
    FS_REAL(jitter, NONE, "0.25", 0, 100, "standard deviation of a camera ray, pixels", GEOMETRY,
            .from = {"neural_path_tracing.md 1, IRL", 'R'}),
    FS_REAL(azimuth, NONE, "0", -7, 7, "turn of the light about the vertical, radians", GEOMETRY),
    FS_INT(node_bytes, BYTES, "24 B", 24, 32, "a node of the tree: 24 with f16 extents, 32 with f32",
           GEOMETRY, .from = {"neural_path_tracing.md 2, IRL", 'R'}),
    FS_INT(io_tiles, NONE, "32", 1, 4096,
           "tiles, the lowest, that move batches from and to the streaming memory; the rest render", TRAFFIC,
           .from = {"neural_path_tracing.md 1, NPT", 'P'}),
    FS_INT(rays_per_worker, NONE, "8", 1, 4096, "rays of a batch that a worker traces", TRAFFIC,
           .from = {"neural_path_tracing.md 1, NPT", 'P'}),
    FS_INT(
        rays_per_tile, NONE, "0", 0, 65536,
        "rays of a batch that a tile traces, whole rays a worker or not; 0: rays_per_worker for each worker",
        TRAFFIC, .from = {"neural_path_tracing.md 5", 'I'}),
    FS_INT(ray_bytes, BYTES, "84 B", 4, 4096,
           "a ray in streaming memory and on tiles; 84: origin, direction, hit, throughput, pixel and colour",
           PRICE, .from = {"neural_path_tracing.md 1, IRL", 'R'}),
    FS_ENUM(dealing, "rows", dealings,
            "a batch's pixels over its tiles: neighbours in row order, or from everywhere in the batch",
            TRAFFIC, .from = {"neural_path_tracing.md 1, IRL", 'R'}),
    FS_ENUM(sharing, "fixed", sharings,
            "a tile's rays over its workers: w, w + 6, ...; or who is free takes the next, at no cost",
            TRAFFIC, .from = {"neural_path_tracing.md 1, IRL", 'R'}),
    FS_ENUM(dummies, "program", rules,
            "batches that fill up a pod of chips: as the public program counts them, or the fewest; a dummy "
            "costs what a real batch costs",
            PRICE, .from = {"neural_path_tracing.md 1, IRL", 'R'}),
    FS_ENUM(light, "sky", lights,
            "what the picture is lit by: an analytic sky, or the network with drawn weights; no cost depends "
            "on it",
            GEOMETRY),
    FS_INT(nif.hidden, NONE, "128", 1, 8192, "width H of the network", PRICE,
           .from = {"neural_path_tracing.md 3, NPT", 'P'}),
    FS_INT(nif.layers, NONE, "0", 0, 64, "layers L; 0: no network", PRICE,
           .from = {"neural_path_tracing.md 3, NPT", 'P'}),
    FS_INT(nif.octaves, NONE, "10", 1, 64, "octaves of each angle: four features each, 40 in all", PRICE,
           .from = {"neural_path_tracing.md 3, IRL", 'R'}),
    FS_ENUM(nif.type, "f16", types, "numbers of its products", PRICE,
            .from = {"neural_path_tracing.md 3, IRL", 'R'}),
    FS_INT(nif.limit, NONE, "0", 0, 1e9, "most rays of a step of the network; 0: as many as fit", PRICE,
           .from = {"neural_path_tracing.md 3, IRL", 'R'}),
    FS_REAL(nif.share, PERCENT, "60 %", 1, 100,
            "of a tile's SRAM that coefficients, inputs and sums of a layer's serial step may take", PRICE,
            .from = {"neural_path_tracing.md 3, IRL, PL", 'R'}),
    FS_REAL(
        nif.copies, PERCENT, "100 %", 0, 1000,
        "of the cycles that the vendor's planner gives a copy on a tile into another order (uncertain: 50 to "
        "200 %)",
        PRICE, .from = {"neural_path_tracing.md 4, PL", 'R'}),
    FS_PARAM_INT(
        "code.render", P, code_render, BYTES, "20 KiB", 0, 1e9,
        "code and constants of a tile that renders (uncertain: 10 to 36 KiB; the large scene leaves 36)",
        PRICE, .from = {"neural_path_tracing.md 2", 'A'}),
    FS_PARAM_INT("code.io", P, code_io, BYTES, "8 KiB", 0, 1e9,
                 "code of a tile of input and output (uncertain: 2 to 16 KiB)", PRICE,
                 .from = {"no source", 'A'}),
    FS_PARAM_INT("memory.node", P, memory_node, BYTES, "0 B", 0, 4096,
                 "what if the ledger's nodes had so many bytes, without a change of the walk; 0: as they are",
                 PRICE),
    FS_PARAM_INT("memory.leaf", P, memory_leaf, NONE, "1", 1, 64,
                 "what if the ledger's leaves held so many primitives, without a change of the walk", PRICE),
};

static void check_rows(const void *params, fs_check *check) {
    const P *p = params;
    if (p->node_bytes != 24 && p->node_bytes != 32)
        fs_check_wrong(check, "workload.node_bytes", "expected 24 B or 32 B, found %" PRId64 " B",
                       p->node_bytes);
    if (p->drawn > p->samples)
        fs_check_wrong(check, "workload.sampling.drawn",
                       "expected at most workload.samples, %" PRId64 ", found %" PRId64, p->samples,
                       p->drawn);
    if (p->nif.layers == 1)
        fs_check_wrong(
            check, "workload.nif.layers",
            "expected 2 layers and more, or 0 for no network, found 1: half of them are in front of "
            "the joined features and half after");
    if (p->nif.layers > 0 && p->nif.hidden <= 4 * p->nif.octaves)
        fs_check_wrong(check, "workload.nif.hidden",
                       "expected more than the %" PRId64
                       " features that are joined to a layer, found %" PRId64,
                       4 * p->nif.octaves, p->nif.hidden);
    if (p->light == FS_PATHTRACE_NETWORK && p->nif.layers == 0)
        fs_check_wrong(check, "workload.light",
                       "expected sky where there is no network (workload.nif.layers 0), found network");
}

const fs_param_table fs_pathtrace_table = FS_PARAM_TABLE(
    "workload/pathtrace", "paths through a mesh that lies on every tile, and a neural environment light",
    rows, sizeof(P), .check = check_rows);

/* ---- between sections ---- */

/* A batch of the whole picture, of which no second one follows, or beyond it: how many rays would do or, where one
 * each is too many, how large a picture. */
static void check_batch(const P *p, const fs_pathtrace_layout *l, fs_check *check) {
    const bool by_tile = p->rays_per_tile > 0;
    const char *key = by_tile ? "workload.rays_per_tile" : "workload.rays_per_worker";
    const uint64_t takers = (uint64_t)l->render_tiles * (by_tile ? 1 : l->workers), most = l->pixels / takers;
    char expected[64];
    if (most > 0)
        snprintf(expected, sizeof expected, "at most %" PRIu64, most);
    else
        snprintf(expected, sizeof expected, "a picture of at least %" PRIu64 " pixels", takers);
    if (l->batch == l->pixels) {
        fs_check_wrong(check, key,
                       "the pipeline needs two batches; expected less than the picture's %" PRIu64
                       " pixels in a batch, found as many rays",
                       l->pixels);
        return;
    }
    fs_check_wrong(check, key,
                   "a batch of %" PRIu64 " rays (%" PRId64 " for each of %" PRIu64
                   " %s) is larger than the picture of %" PRIu64 " pixels; expected %s",
                   l->batch, by_tile ? p->rays_per_tile : p->rays_per_worker, takers,
                   by_tile ? "tiles" : "workers", l->pixels, expected);
}

void fs_pathtrace_check(const fs_config *config, fs_check *check) {
    const P *p = fs_config_section(config, "workload");
    const fs_machine_params *m = fs_config_section(config, "machine");
    const int64_t tiles = fs_geometry_tiles(&m->geometry);
    if (m->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(check, "machine.execution",
                       "a path tracer's batches move between barriers; expected bsp, found decoupled");
    if (m->exchange.kind == FS_FABRIC_CIRCUIT)
        fs_check_wrong(check, "machine.exchange.kind",
                       "tiles of a path tracer take messages from more others than circuits have colours; "
                       "expected ports or noc, found circuit");
    else if (m->exchange.kind == FS_FABRIC_PORTS && m->exchange.mode != FS_EXCHANGE_STATIC)
        fs_check_wrong(check, "machine.exchange.mode",
                       "a path tracer's copies are planned; expected static, found dynamic");
    if (m->tile.sram_ports > 0)
        fs_check_wrong(check, "machine.tile.sram_ports",
                       "paths are drawn as slots, without their accesses; expected 0, found %" PRId64,
                       m->tile.sram_ports);
    if (m->remote.packet % m->remote.line != 0)
        fs_check_wrong(check, "machine.remote.packet",
                       "expected a multiple of machine.remote.line, %" PRId64 " B, found %" PRId64 " B",
                       m->remote.line, m->remote.packet);
    if (p->io_tiles >= tiles) {
        fs_check_wrong(check, "workload.io_tiles",
                       "no tile is left to render: expected less than the machine's %" PRId64
                       " tiles, found %" PRId64,
                       tiles, p->io_tiles);
        return;
    }
    const fs_pathtrace_layout l = fs_pathtrace_layout_of(p, m);
    if (l.batch >= l.pixels) {
        check_batch(p, &l, check);
        return;
    }
    if (l.pod.of_a_chip < 2)
        fs_check_wrong(check, "machine.chips",
                       "the pipeline needs two batches a chip; expected at most %" PRIu64
                       " chips for %" PRIu64 " batches, found %" PRId64,
                       l.batches / 2, l.batches, m->chips);
}

static const char *const machines[] = {"ipu", NULL}, *const scenes[] = {"mesh", NULL};
const fs_section_use fs_pathtrace_uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_pod_table},
    {.section = "scene", .kinds = scenes},
    {.section = "run", .table = &fs_run_seedless_table},
    {.section = NULL},
};
