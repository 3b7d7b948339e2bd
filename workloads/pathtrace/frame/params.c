/* The rows of the path tracer's parameters, and what holds between them. */
#include "workloads/pathtrace/frame/params.h"

#include "models/ipu/pod.h"
#include "sim/config/config.h"
#include "sim/workload/run_params.h"
#include "workloads/pathtrace/frame/layout.h"

#include <inttypes.h>

#define P    fs_pathtrace_params
#define INT  FS_PARAM_INT
#define REAL FS_PARAM_REAL

static const char *const dealings[] = {
    [FS_PATHTRACE_ROWS] = "rows", [FS_PATHTRACE_SCATTER] = "scatter", [FS_PATHTRACE_SCATTER + 1] = NULL};
static const char *const sharings[] = {
    [FS_PATHTRACE_FIXED] = "fixed", [FS_PATHTRACE_QUEUE] = "queue", [FS_PATHTRACE_QUEUE + 1] = NULL};
static const char *const lights[] = {
    [FS_PATHTRACE_SKY] = "sky", [FS_PATHTRACE_NETWORK] = "network", [FS_PATHTRACE_NETWORK + 1] = NULL};
static const char *const rules[] = {
    [FS_POD_PROGRAM] = "program", [FS_POD_EVEN] = "even", [FS_POD_EVEN + 1] = NULL};
static const char *const types[] = {
    [FS_AMP_F16] = "f16", [FS_AMP_F32] = "f32", [FS_AMP_F8] = "f8", [FS_AMP_TYPES] = NULL};

static const fs_param rows[] = {
    INT("width", P, width, FS_UNIT_NONE, "1440", 1, 16384, "columns of the picture", "", '-',
        FS_TOUCHES_GEOMETRY),
    INT("height", P, height, FS_UNIT_NONE, "1440", 1, 16384, "rows of the picture", "", '-',
        FS_TOUCHES_GEOMETRY),
    INT("seed", P, seed, FS_UNIT_NONE, "1", 0, 9007199254740991.0, "of the paths' random numbers", "", '-',
        FS_TOUCHES_GEOMETRY),
    INT("samples", P, samples, FS_UNIT_NONE, "1000", 1, 1e6,
        "paths of a pixel; the published rates do not say how many", "no source", 'A', FS_TOUCHES_PRICE),
    INT("sampling.drawn", P, drawn, FS_UNIT_NONE, "16", 1, 1e6,
        "samples of a pixel that are traced: the rest is spoken of by an interval of 95 %; not more than "
        "`samples`, and as many leave nothing to chance",
        "", '-', FS_TOUCHES_GEOMETRY),
    INT("most_segments", P, most_segments, FS_UNIT_NONE, "10", 1, 1000, "segments of a path at the most",
        "neural_path_tracing.md 2, NPT", 'P', FS_TOUCHES_GEOMETRY),
    INT("roulette_above", P, roulette_above, FS_UNIT_NONE, "3", 0, 1000,
        "hits of a greater number, from 0, draw for the path's end", "neural_path_tracing.md 2, IRL", 'R',
        FS_TOUCHES_GEOMETRY),
    REAL("jitter", P, jitter, FS_UNIT_NONE, "0.25", 0, 100, "standard deviation of a camera ray, pixels",
         "neural_path_tracing.md 1, IRL", 'R', FS_TOUCHES_GEOMETRY),
    REAL("azimuth", P, azimuth, FS_UNIT_NONE, "0", -7, 7, "turn of the light about the vertical, radians", "",
         '-', FS_TOUCHES_GEOMETRY),
    INT("node_bytes", P, node_bytes, FS_UNIT_BYTES, "24 B", 24, 32,
        "a node of the tree: 24 with f16 extents, 32 with f32", "neural_path_tracing.md 2, IRL", 'R',
        FS_TOUCHES_GEOMETRY),
    INT("io_tiles", P, io_tiles, FS_UNIT_NONE, "32", 1, 4096,
        "tiles, the lowest, that move batches from and to the streaming memory; the rest render",
        "neural_path_tracing.md 1, NPT", 'P', FS_TOUCHES_TRAFFIC),
    INT("rays_per_worker", P, rays_per_worker, FS_UNIT_NONE, "8", 1, 4096,
        "rays of a batch that a worker traces", "neural_path_tracing.md 1, NPT", 'P', FS_TOUCHES_TRAFFIC),
    INT("rays_per_tile", P, rays_per_tile, FS_UNIT_NONE, "0", 0, 65536,
        "rays of a batch that a tile traces, whole rays a worker or not; 0: rays_per_worker for each worker",
        "neural_path_tracing.md 5", 'I', FS_TOUCHES_TRAFFIC),
    INT("ray_bytes", P, ray_bytes, FS_UNIT_BYTES, "84 B", 4, 4096,
        "a ray in streaming memory and on tiles; 84: origin, direction, hit, throughput, pixel and colour",
        "neural_path_tracing.md 1, IRL", 'R', FS_TOUCHES_PRICE),
    FS_PARAM_ENUM("dealing", P, dealing, "rows", dealings,
                  "a batch's pixels over its tiles: neighbours in row order, or from everywhere in the batch",
                  "neural_path_tracing.md 1, IRL", 'R', FS_TOUCHES_TRAFFIC),
    FS_PARAM_ENUM("sharing", P, sharing, "fixed", sharings,
                  "a tile's rays over its workers: w, w + 6, ...; or who is free takes the next, at no cost",
                  "neural_path_tracing.md 1, IRL", 'R', FS_TOUCHES_TRAFFIC),
    FS_PARAM_ENUM("dummies", P, dummies, "program", rules,
                  "batches that fill up a pod of chips: as the public program counts them, or the fewest; a "
                  "dummy costs what a real batch costs",
                  "neural_path_tracing.md 1, IRL", 'R', FS_TOUCHES_PRICE),
    FS_PARAM_ENUM("light", P, light, "sky", lights,
                  "what the picture is lit by: an analytic sky, or the network with drawn weights; no cost "
                  "depends on it",
                  "", '-', FS_TOUCHES_GEOMETRY),
    INT("nif.hidden", P, nif.hidden, FS_UNIT_NONE, "128", 1, 8192, "width H of the network",
        "neural_path_tracing.md 3, NPT", 'P', FS_TOUCHES_PRICE),
    INT("nif.layers", P, nif.layers, FS_UNIT_NONE, "0", 0, 64, "layers L; 0: no network",
        "neural_path_tracing.md 3, NPT", 'P', FS_TOUCHES_PRICE),
    INT("nif.octaves", P, nif.octaves, FS_UNIT_NONE, "10", 1, 64,
        "octaves of each angle: four features each, 40 in all", "neural_path_tracing.md 3, IRL", 'R',
        FS_TOUCHES_PRICE),
    FS_PARAM_ENUM("nif.type", P, nif.type, "f16", types, "numbers of its products",
                  "neural_path_tracing.md 3, IRL", 'R', FS_TOUCHES_PRICE),
    INT("nif.limit", P, nif.limit, FS_UNIT_NONE, "0", 0, 1e9,
        "most rays of a step of the network; 0: as many as fit", "neural_path_tracing.md 3, IRL", 'R',
        FS_TOUCHES_PRICE),
    REAL("nif.share", P, nif.share, FS_UNIT_PERCENT, "60 %", 1, 100,
         "of a tile's free SRAM that a layer may take", "neural_path_tracing.md 3, IRL", 'R',
         FS_TOUCHES_PRICE),
    INT("code.render", P, code_render, FS_UNIT_BYTES, "20 KiB", 0, 1e9,
        "code and constants of a tile that renders (uncertain: 10 to 36 KiB; the large scene leaves 36)",
        "neural_path_tracing.md 2", 'A', FS_TOUCHES_PRICE),
    INT("code.io", P, code_io, FS_UNIT_BYTES, "8 KiB", 0, 1e9,
        "code of a tile of input and output (uncertain: 2 to 16 KiB)", "no source", 'A', FS_TOUCHES_PRICE),
    INT("memory.node", P, memory_node, FS_UNIT_BYTES, "0 B", 0, 4096,
        "what if the ledger's nodes had so many bytes, without a change of the walk; 0: as they are", "", '-',
        FS_TOUCHES_PRICE),
    INT("memory.leaf", P, memory_leaf, FS_UNIT_NONE, "1", 1, 64,
        "what if the ledger's leaves held so many primitives, without a change of the walk", "", '-',
        FS_TOUCHES_PRICE),
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
            "the joined features and half behind");
    if (p->nif.layers > 0 && p->nif.hidden <= 4 * p->nif.octaves)
        fs_check_wrong(check, "workload.nif.hidden",
                       "expected more than the %" PRId64
                       " features that are joined to a layer, found %" PRId64,
                       4 * p->nif.octaves, p->nif.hidden);
    if (p->light == FS_PATHTRACE_NETWORK && p->nif.layers == 0)
        fs_check_wrong(check, "workload.light",
                       "expected sky where there is no network (workload.nif.layers 0), found network");
}

const fs_param_table fs_pathtrace_table = {.name = "workload/pathtrace",
                                           .doc = "paths through a mesh that lies on every tile, and a "
                                                  "neural environment light",
                                           .rows = rows,
                                           .count = sizeof rows / sizeof rows[0],
                                           .size = sizeof(P),
                                           .check = check_rows};

/* ---- between sections ---- */

void fs_pathtrace_check(const fs_config *config, fs_check *check) {
    const P *p = fs_config_section(config, "workload");
    const fs_machine_params *m = fs_config_section(config, "machine");
    const int64_t tiles = fs_geometry_tiles(&m->geometry), pixels = p->width * p->height;
    if (m->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(check, "machine.execution",
                       "a path tracer's batches move between barriers; expected bsp, found decoupled");
    if (m->exchange.mode != FS_EXCHANGE_STATIC)
        fs_check_wrong(check, "machine.exchange.mode",
                       "a path tracer's copies are planned; expected static, found dynamic");
    fs_machine_check_alike(m, check);
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
    if ((int64_t)l.batch > pixels) {
        fs_check_wrong(check, "workload.rays_per_worker",
                       "a batch of %" PRIu64 " rays (%" PRId64 " for each of %u workers) is larger than the "
                       "picture of %" PRId64 " pixels; expected at most %" PRId64,
                       l.batch, p->rays_per_worker, l.render_tiles * l.workers, pixels,
                       pixels / ((int64_t)l.render_tiles * l.workers));
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
    {.section = "machine", .kinds = machines},
    {.section = "scene", .kinds = scenes},
    {.section = "run", .table = &fs_run_seedless_table},
    {.section = NULL},
};
