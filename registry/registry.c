/* The one place where everything is listed. A new overlay, partitioner, workload or command is one file and
 * one line here. */
#include "models/fpga/machine.h"
#include "models/ipu/machine.h"
#include "models/overlay/overlay.h"
#include "reports/compare/compare.h"
#include "reports/plot/drawing.h"
#include "reports/run/report.h"
#include "sim/cli/cli.h"
#include "sim/cli/commands.h"
#include "sim/cli/manual/manual.h"
#include "sim/workload/run_params.h"
#include "sim/workload/views.h"
#include "sim/workload/workload.h"
#include "validation/validation.h"
#include "workloads/foam/commands/cmd_scene.h"
#include "workloads/foam/foam.h"
#include "workloads/foam/march/payload.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/hierarchy/hierarchy.h"
#include "workloads/pathtrace/pathtrace.h"
#include "workloads/program/program.h"
#include "workloads/scene/foam/foam_scene.h"
#include "workloads/scene/mesh/mesh.h"
#include "workloads/scene/primitives/primitives.h"
#include "workloads/smallpaint/smallpaint.h"
#include "workloads/traffic/traffic.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const fs_command *const fs_registry_commands[] = {
    &fs_command_run,    &fs_command_scene,    &fs_command_config,     &fs_command_params,
    &fs_command_list,   &fs_command_report,   &fs_command_compare,    &fs_command_sweep,
    &fs_command_search, &fs_command_merge,    &fs_command_sweep_task, &fs_command_query,
    &fs_command_price,  &fs_command_validate, &fs_command_manual,     NULL,
};

static const char *scene_word(size_t i, const char **summary) {
    if (summary != NULL)
        *summary = i < fs_scene_kind_foam.count ? fs_scene_kind_foam.words[i].summary : NULL;
    return i < fs_scene_kind_foam.count ? fs_scene_kind_foam.words[i].name : NULL;
}

static const char *config_word(size_t i, const char **summary) {
    if (summary != NULL)
        *summary = NULL;
    static const char *const words[] = {"check", "show", NULL};
    return words[i];
}

static const char *query_word(size_t i, const char **summary) {
    if (summary != NULL)
        *summary = NULL;
    static const char *const words[] = {"best", "table", "diff", "points", "show", "sweeps", "export", NULL};
    return words[i];
}

const fs_command_words fs_registry_command_words[] = {
    {"scene", scene_word, 1, true},
    {"config", config_word, 1, false},
    {"query", query_word, 2, false},
    {NULL, NULL, 0, false},
};

/* One line for each workload: X(NAME) is fs_workload_NAME with fs_NAME_table, fs_NAME_stats and
 * fs_NAME_host_stats. */
#define WORKLOADS(X) X(foam) X(traffic) X(program) X(smallpaint) X(hierarchy) X(pathtrace)

#define WORKLOAD(name) &fs_workload_##name,
const fs_workload *const fs_registry_workloads[] = {WORKLOADS(WORKLOAD) NULL};

/* One line for each kind: X(NAME) is fs_overlay_NAME and fs_overlay_NAME_table of models/overlay/NAME.c. */
#define OVERLAYS(X) X(quadtree) X(fat_tree) X(tree) X(mesh) X(direct) X(clique) X(file)

#define DECLARE_OVERLAY(name)                                                                                \
    extern const fs_overlay_kind fs_overlay_##name;                                                          \
    extern const fs_param_table fs_overlay_##name##_table;
OVERLAYS(DECLARE_OVERLAY)
#define OVERLAY_KIND(name) &fs_overlay_##name,
const fs_overlay_kind *const fs_overlay_kinds[] = {OVERLAYS(OVERLAY_KIND) NULL};

/* One line for each partitioner: X(NAME) is fs_partitioner_NAME. */
#define PARTITIONERS(X) X(kd) X(octree) X(metis)

#define PARTITIONER(name) &fs_partitioner_##name,
const fs_partitioner *const fs_partitioners[] = {PARTITIONERS(PARTITIONER) NULL};
#define PARTITIONER_NAME(name) #name,
const char *const fs_partitioner_names[] = {PARTITIONERS(PARTITIONER_NAME) NULL};

const fs_scene_kind *const fs_scene_kinds[] = {&fs_scene_kind_foam, NULL};

fs_status (*const fs_scene_plot)(const char *target, const char *name,
                                 fs_status (*write)(void *self, const char *folder, fs_error *err),
                                 void *self, fs_error *err) = fs_drawing_once;

#define WORKLOAD_STATS(name) &fs_##name##_stats, &fs_##name##_host_stats,
const fs_stat_table *const fs_registry_stats[] = {WORKLOADS(WORKLOAD_STATS) NULL};

/* ---- sections of an experiment file ---- */

static const fs_section_kind machine_kinds[] = {{.kind = "ipu", .table = &fs_machine_table},
                                                {.kind = "fpga", .table = &fs_fpga_table}};
#define OVERLAY_SECTION(name) {.kind = #name, .table = &fs_overlay_##name##_table},
static const fs_section_kind overlay_kinds[] = {OVERLAYS(OVERLAY_SECTION)};
static const fs_section_kind scene_kinds[] = {{.kind = "foam", .table = &fs_foam_scene_table},
                                              {.kind = "mesh", .table = &fs_mesh_scene_table},
                                              {.kind = "primitives", .table = &fs_primitives_table}};
#define WORKLOAD_SECTION(name) {#name, &fs_##name##_table, &fs_workload_##name.rules},
static const fs_section_kind workload_kinds[] = {WORKLOADS(WORKLOAD_SECTION)};
static const fs_section_kind run_kinds[] = {{.kind = "", .table = &fs_run_table}};
static const fs_section_kind view_kinds[] = {{.kind = "none", .table = &fs_views_none_table},
                                             {.kind = "list", .table = &fs_views_list_table},
                                             {.kind = "orbit", .table = &fs_views_orbit_table},
                                             {.kind = "path", .table = &fs_views_path_table}};

const fs_section fs_registry_sections[] = {
    {.name = "machine",
     .folder = "machines",
     .kinds = machine_kinds,
     .count = COUNT(machine_kinds),
     .default_kind = "ipu",
     .unkeyed_default = true},
    {.name = "overlay",
     .folder = "overlays",
     .kinds = overlay_kinds,
     .count = COUNT(overlay_kinds),
     .default_kind = "quadtree"},
    {.name = "scene",
     .folder = "scenes",
     .kinds = scene_kinds,
     .count = COUNT(scene_kinds),
     .default_kind = "foam",
     .unkeyed_default = true},
    {.name = "workload", .kinds = workload_kinds, .count = COUNT(workload_kinds), .default_kind = "foam"},
    {.name = "views", .kinds = view_kinds, .count = COUNT(view_kinds), .default_kind = "none"},
    {.name = "run", .kinds = run_kinds, .count = COUNT(run_kinds), .default_kind = ""},
};
const size_t fs_registry_section_count = COUNT(fs_registry_sections);

/* ---- rows of `foamsim list` ---- */

static bool overlay_row(size_t i, const char **name, const char **summary) {
    if (fs_overlay_kinds[i] == NULL)
        return false;
    *name = fs_overlay_kinds[i]->name;
    *summary = fs_overlay_kinds[i]->summary;
    return true;
}

static bool workload_row(size_t i, const char **name, const char **summary) {
    if (fs_registry_workloads[i] == NULL)
        return false;
    *name = fs_registry_workloads[i]->kind;
    *summary = fs_registry_workloads[i]->summary;
    return true;
}

static bool partitioner_row(size_t i, const char **name, const char **summary) {
    if (fs_partitioners[i] == NULL)
        return false;
    *name = fs_partitioners[i]->name;
    *summary = fs_partitioners[i]->summary;
    return true;
}

static bool payload_row(size_t i, const char **name, const char **summary) {
    *name = fs_payload_names[i];
    if (*name != NULL)
        *summary = fs_payloads[i].summary;
    return *name != NULL;
}

static bool scene_kind_row(size_t i, const char **name, const char **summary) {
    *name = fs_generate_kinds[i];
    if (*name != NULL)
        *summary = fs_generate_summaries[i];
    return *name != NULL;
}

const fs_listing fs_registry_listings[] = {
    {"experiments", "experiments", NULL}, {"machines", "machines", NULL},
    {"overlays", "overlays", NULL},       {"overlay-kinds", NULL, overlay_row},
    {"scenes", "scenes", NULL},           {"scene-kinds", NULL, scene_kind_row},
    {"workloads", NULL, workload_row},    {"partitioners", NULL, partitioner_row},
    {"payloads", NULL, payload_row},
};
const size_t fs_registry_listing_count = COUNT(fs_registry_listings);
