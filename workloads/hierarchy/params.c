/* The rows of the hierarchy workload. */
#include "workloads/hierarchy/work.h"

#include "sim/workload/run_params.h"
#include "workloads/hierarchy/hierarchy.h"
#include "workloads/hierarchy/tree/tree.h"

#include <inttypes.h>

#define P          fs_hierarchy_params
#define FS_ROWS_OF P

static const char *const sources[] = {"random", "camera", "file", NULL};
static const char *const orders[] = {"given", "coherent", "shuffled", NULL};
static const char *const primitives[] = {"triangle", "quad", NULL};
static const char *const behinds[] = {"missed", "hit", NULL};
static const char *const references[] = {"depth_first", "brute_force", "none", NULL};

static const fs_param rows[] = {
    FS_ENUM(source, "random", sources,
            "where rays come from: at random, a pixel each from the scene's camera, from a file", GEOMETRY),
    FS_INT(rays, NONE, "16384", 1, 1e8, "how many of source random", GEOMETRY, .from = {"FHR", 'P'}),
    FS_REAL(spread, NONE, "1.0", 1e-6, 1e6,
            "random origins are uniform in the box around the scene, so many times as wide", GEOMETRY,
            .from = {"FHR", 'A'}),
    FS_PATH(file, "", "of source file: a ray a line, its origin and its direction", GEOMETRY),
    FS_PARAM_INT("camera.width", P, width, NONE, "512", 1, 16384, "pixels across of source camera", GEOMETRY),
    FS_PARAM_INT("camera.height", P, height, NONE, "512", 1, 16384, "pixels down of source camera", GEOMETRY),
    FS_ENUM(order, "given", orders,
            "how rays follow each other: as they come, by direction and then origin, at random", GEOMETRY),
    FS_INT(seed, NONE, "1", 0, 9007199254740991.0, "of random rays and orders", GEOMETRY),
    FS_ENUM(builder, "sah", fs_hierarchy_kinds,
            "how lists of triangles are cut in two: where surface area times triangles is least of 8 bins, "
            "at the median, or cells of space",
            GEOMETRY, .from = {"fpga_engine.md 2, LUX", 'R'}),
    FS_PARAM_INT("width", P, tree_width, NONE, "4", 2, FS_HIERARCHY_WIDTH,
                 "children of a node: 2, 4, 8 or 16", GEOMETRY, .from = {"fpga_engine.md 2, FHR", 'P'}),
    FS_INT(leaf, NONE, "4", 1, FS_REFERENCE_LEAF, "most triangles of a leaf", GEOMETRY,
           .from = {"fpga_engine.md 2, LUX", 'A'}),
    FS_ENUM(stop, "first", fs_unit_walk_stops,
            "what ends a ray: the first leaf that it hits, or that nothing is left before its nearest hit",
            GEOMETRY, .from = {"FHR", 'P'}),
    FS_ENUM(behind, "missed", behinds,
            "boxes and triangles behind a ray's origin: missed, or hit at negative distances, as the "
            "paper's equations do not ask where a ray begins",
            GEOMETRY, .from = {"fpga_engine.md 5, FHR", 'I'}),
    FS_ENUM(primitive, "triangle", primitives,
            "what a leaf reads from memory: triangles, or whole quads of four", GEOMETRY,
            .from = {"fpga_engine.md 2, LUX", 'A'}),
    FS_INT(primitive_bytes, BYTES, "48 B", 4, 4096,
           "of a primitive: nine numbers and three of its own; 176 B of the host program's quad", PRICE,
           .from = {"fpga_engine.md 2, LUX", 'A'}),
    FS_INT(ray_bytes, BYTES, "32 B", 4, 4096, "of a ray on its way in", PRICE,
           .from = {"fpga_engine.md 2, FHR", 'I'}),
    FS_INT(hit_bytes, BYTES, "16 B", 4, 4096, "of a result on its way out: distance, two coordinates, number",
           PRICE, .from = {"no source", 'A'}),
    FS_ENUM(reference, "depth_first", references,
            "how nearest hits are found to compare with: depth first, which counts a processor's visits as "
            "well; by testing every triangle; not at all",
            GEOMETRY),
    FS_INT(checked, NONE, "0", 0, 1e8, "rays whose nearest hit is found, in even steps over all; 0: each",
           GEOMETRY),
    FS_PARAM_REAL("cpu.visit", P, cpu_visit, SECONDS, "37 ns", 1e-12, 1,
                  "time of a node or leaf on the paper's processor, which visits depth first: fitted to its "
                  "rate at 500 triangles",
                  PRICE, .from = {"FHR", 'I'}),
    FS_PARAM_REAL("gpu.visit", P, gpu_visit, SECONDS, "190 ns", 1e-12, 1,
                  "the same of its graphics card: fitted to its rate at 2,000 triangles", PRICE,
                  .from = {"FHR", 'I'}),
};
const fs_param_table fs_hierarchy_table = FS_PARAM_TABLE(
    "workload/hierarchy", "rays through a hierarchy of triangles, as a traversal engine asks for it", rows,
    sizeof(fs_hierarchy_params));

/* ---- the run section ---- */

static const char *const details[] = {
    [FS_ENGINE_PHASE] = "phase", [FS_ENGINE_EVENT] = "event", [FS_ENGINE_CYCLE] = "cycle", NULL};
static const char *const statistics[] = {"full", "basic", NULL};
static const char *const outputs[] = {"full", "summary", NULL};

_Static_assert((int)FS_ENGINE_PHASE == FS_RUN_PHASE && (int)FS_ENGINE_EVENT == FS_RUN_EVENT, "one detail");
#define R fs_run_params
static const fs_param run_rows[] = {
    FS_PARAM_ENUM("detail", R, detail, "event", details,
                  "level of detail of time: closed forms where parts have no state, every event, every "
                  "cycle; same cycles",
                  NOTHING),
    FS_PARAM_ENUM("statistics", R, statistics, "full", statistics,
                  "basic leaves out the ladder and the findings, which serve all requests again", NOTHING),
    FS_PARAM_ENUM("outputs", R, outputs, "full", outputs,
                  "summary writes the figures, the ladder and the findings only: no tables, no pictures",
                  NOTHING),
};
const fs_param_table fs_hierarchy_run_table =
    FS_PARAM_TABLE("run", "how time is worked out, and how much is written", run_rows, sizeof(R));

/* ---- rules ---- */

void fs_hierarchy_check(const fs_config *config, fs_check *check) {
    const fs_hierarchy_params *p = fs_config_section(config, "workload");
    if ((p->tree_width & (p->tree_width - 1)) != 0)
        fs_check_wrong(
            check, "workload.width",
            "expected 2, 4, 8 or 16, as whole levels of a binary tree are left out, found %" PRId64,
            p->tree_width);
    if (p->source == FS_RAYS_FILE && p->file[0] == '\0')
        fs_check_wrong(check, "workload.file", "expected a file of rays, as workload.source is file");
    if (p->source != FS_RAYS_FILE && p->file[0] != '\0')
        fs_check_wrong(check, "workload.file", "expected workload.source: file, found %s",
                       sources[p->source]);
    const double rays = p->source == FS_RAYS_RANDOM   ? (double)p->rays
                        : p->source == FS_RAYS_CAMERA ? (double)p->width * (double)p->height
                                                      : 0,
                 most = fs_hierarchy_rays_borne(1);
    if (rays > most)
        fs_check_wrong(
            check, p->source == FS_RAYS_RANDOM ? "workload.rays" : "workload.camera.width",
            "%.0f rays would take more than three quarters of this host's memory; expected at most "
            "%.0f",
            rays, most);
    const fs_run_params *run = fs_config_section(config, "run");
    fs_engine_check(fs_config_section(config, "machine"), fs_hierarchy_node_bytes(p),
                    (uint32_t)p->primitive_bytes, (fs_engine_detail)run->detail, check);
}
