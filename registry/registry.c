/* The one place where everything is listed. A new overlay, partitioner, workload or command is one file and
 * one line here. */
#include "models/machine/machine.h"
#include "models/overlay/overlay.h"
#include "reports/compare.h"
#include "reports/plot.h"
#include "reports/report.h"
#include "sim/cli/cli.h"
#include "sim/cli/commands.h"
#include "sim/cli/run_params.h"
#include "sim/cli/views.h"
#include "sim/cluster/commands.h"
#include "sim/sweep/commands.h"
#include "validation/validation.h"
#include "workloads/foam/cmd_scene.h"
#include "workloads/foam/foam.h"
#include "workloads/foam/foam_scene.h"
#include "workloads/foam/partition.h"
#include "workloads/foam/payload.h"
#include "workloads/traffic/traffic.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const fs_command *const fs_registry_commands[] = {
    &fs_command_run,      &fs_command_scene,
    &fs_command_config,   &fs_command_params,
    &fs_command_list,     &fs_command_report,
    &fs_command_compare,  &fs_command_sweep,
    &fs_command_merge,    &fs_command_sweep_task,
    &fs_command_query,    &fs_command_price,
    &fs_command_validate, NULL,
};

const fs_workload *const fs_registry_workloads[] = {&fs_workload_foam, &fs_workload_traffic, NULL};

/* One line for each kind: X(NAME) is fs_overlay_NAME and fs_overlay_NAME_table of models/overlay/NAME.c. */
#define OVERLAYS(X) X(quadtree) X(fat_tree) X(tree) X(mesh) X(direct) X(clique) X(file)

#define DECLARE_OVERLAY(name)                                                                                \
    extern const fs_overlay_kind fs_overlay_##name;                                                          \
    extern const fs_param_table fs_overlay_##name##_table;
OVERLAYS(DECLARE_OVERLAY)
#define OVERLAY_KIND(name) &fs_overlay_##name,
const fs_overlay_kind *const fs_overlay_kinds[] = {OVERLAYS(OVERLAY_KIND) NULL};

const fs_partitioner *const fs_partitioners[] = {&fs_partitioner_kd, &fs_partitioner_octree,
                                                 &fs_partitioner_metis, NULL};

fs_status (*const fs_scene_plot)(const char *folder, const char *name, fs_error *err) = fs_plot_folder;

const fs_stat_table *const fs_registry_stats[] = {&fs_foam_stats, &fs_foam_host_stats, &fs_traffic_stats,
                                                  &fs_traffic_host_stats, NULL};

/* ---- sections of an experiment file ---- */

static const fs_section_kind machine_kinds[] = {{"", &fs_machine_table}};
#define OVERLAY_SECTION(name) {#name, &fs_overlay_##name##_table},
static const fs_section_kind overlay_kinds[] = {OVERLAYS(OVERLAY_SECTION)};
static const fs_section_kind scene_kinds[] = {{"", &fs_scene_table}};
static const fs_section_kind workload_kinds[] = {{"foam", &fs_foam_table}, {"traffic", &fs_traffic_table}};
static const fs_section_kind run_kinds[] = {{"", &fs_run_table}};
static const fs_section_kind view_kinds[] = {{"none", &fs_views_none_table},
                                             {"list", &fs_views_list_table},
                                             {"orbit", &fs_views_orbit_table},
                                             {"path", &fs_views_path_table}};

const fs_section fs_registry_sections[] = {
    {"machine", "machines", machine_kinds, COUNT(machine_kinds), ""},
    {"overlay", "overlays", overlay_kinds, COUNT(overlay_kinds), "quadtree"},
    {"scene", "scenes", scene_kinds, COUNT(scene_kinds), ""},
    {"workload", NULL, workload_kinds, COUNT(workload_kinds), "foam"},
    {"views", NULL, view_kinds, COUNT(view_kinds), "none"},
    {"run", NULL, run_kinds, COUNT(run_kinds), ""},
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
        *summary = fs_payload_summaries[i];
    return *name != NULL;
}

static bool scene_kind_row(size_t i, const char **name, const char **summary) {
    *name = fs_generate_kinds[i];
    if (*name != NULL)
        *summary = fs_generate_summaries[i];
    return *name != NULL;
}

const fs_listing fs_registry_listings[] = {
    {"experiments", "experiments", NULL},    {"machines", "machines", NULL},
    {"overlays", NULL, overlay_row},         {"scenes", "scenes", NULL},
    {"scene-kinds", NULL, scene_kind_row},   {"workloads", NULL, workload_row},
    {"partitioners", NULL, partitioner_row}, {"payloads", NULL, payload_row},
};
const size_t fs_registry_listing_count = COUNT(fs_registry_listings);
