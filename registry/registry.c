/* The one place where everything is listed. A new overlay, partitioner, workload or command is one file and
 * one line here. */
#include "registry/registry.h"
#include "explore/explore.h"
#include "models/fpga/machine.h"
#include "models/ipu/machine.h"
#include "registry/plugin.h"
#include "reports/compare/compare.h"
#include "reports/export/export.h"
#include "reports/plot/plot.h"
#include "reports/run/report.h"
#include "reports/share/share.h"
#include "sim/base/arith.h"
#include "sim/cli/commands.h"
#include "sim/cli/manual/manual.h"
#include "sim/workload/views.h"
#include "sim/workload/work.h"
#include "validation/validation.h"
#include "workloads/foam/commands/cmd_scene_input.h"
#include "workloads/foam/foam.h"
#include "workloads/foam/march/payload.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/gaussians/gaussians.h"
#include "workloads/hierarchy/hierarchy.h"
#include "workloads/packets/packets.h"
#include "workloads/pathtrace/pathtrace.h"
#include "workloads/program/program.h"
#include "workloads/scene/foam/foam_scene.h"
#include "workloads/scene/gaussians/gaussians.h"
#include "workloads/scene/mesh/mesh.h"
#include "workloads/scene/primitives/primitives.h"
#include "workloads/smallpaint/smallpaint.h"
#include "workloads/traffic/traffic.h"
#include "workloads/treelets/treelets.h"

#include <string.h>

static const fs_command *const commands[] = {
    &fs_command_run,
    &fs_command_scene,
    &fs_command_config,
    &fs_command_params,
    &fs_command_list,
    &fs_command_new,
    &fs_command_report,
    &fs_command_compare,
    &fs_command_index,
    &fs_command_pack,
    &fs_command_sweep,
    &fs_command_search,
    &fs_command_merge,
    &fs_command_sweep_task,
    &fs_command_query,
    &fs_command_price,
    &fs_command_explore,
    &fs_command_validate,
    &fs_command_manual,
    &fs_command_ray,
    &fs_command_import,
    &fs_command_export,
    NULL,
};

/* The rows of a list, one after the other (fs_command_words, fs_listing): row i where it does not end there. */
#define ROWS(rows, end, name, about)                                                                         \
    static const char *rows(size_t i, const char **summary) {                                                \
        if (summary != NULL)                                                                                 \
            *summary = (end) ? NULL : (about);                                                               \
        return (end) ? NULL : (name);                                                                        \
    }
static const char *const config_words[] = {"check", "show"};
ROWS(scene_word, fs_scene_words[i].name == NULL, fs_scene_words[i].name, fs_scene_words[i].summary)
ROWS(config_word, i >= FS_COUNT(config_words), config_words[i], NULL)
ROWS(query_word, fs_query_questions[i] == NULL, fs_query_questions[i], NULL)

static const fs_command_words command_words[] = {
    {"scene", scene_word, 1, true},
    {"config", config_word, 1, false},
    {"query", query_word, 2, false},
    {NULL, NULL, 0, false},
};

/* One line for each workload: X(NAME) is fs_workload_NAME with fs_NAME_table and fs_NAME_stats; and for each
 * whose host.json says more than all say, with fs_NAME_host_stats. */
#define WORKLOADS(X)                                                                                         \
    X(foam) X(traffic) X(fabric) X(program) X(smallpaint) X(hierarchy) X(pathtrace) X(treelets) X(gaussians)
#define HOSTS(X) X(foam) X(traffic) X(hierarchy)

#define ONE(name) +1
enum { OWN_WORKLOADS = WORKLOADS(ONE) };
#define WORKLOAD(name) &fs_workload_##name,
const fs_workload *fs_registry_workloads[OWN_WORKLOADS + FS_PLUGIN_KINDS + 1] = {WORKLOADS(WORKLOAD) NULL};

/* One line for each kind: X(NAME) is fs_overlay_NAME and fs_overlay_NAME_table of models/overlay/NAME.c. */
#define OVERLAYS(X) X(quadtree) X(fat_tree) X(tree) X(mesh) X(direct) X(clique) X(file)

#define DECLARE_OVERLAY(name)                                                                                \
    extern const fs_overlay_kind fs_overlay_##name;                                                          \
    extern const fs_param_table fs_overlay_##name##_table;
OVERLAYS(DECLARE_OVERLAY)
enum { OWN_OVERLAYS = OVERLAYS(ONE) };
#define OVERLAY_KIND(name) &fs_overlay_##name,
const fs_overlay_kind *fs_overlay_kinds[OWN_OVERLAYS + FS_PLUGIN_KINDS + 1] = {OVERLAYS(OVERLAY_KIND) NULL};

#define WORKLOAD_STATS(name) &fs_##name##_stats,
#define HOST_STATS(name)     &fs_##name##_host_stats,
const fs_stat_table *fs_registry_stats[2 * (OWN_WORKLOADS + FS_PLUGIN_KINDS) + 2] = {
    WORKLOADS(WORKLOAD_STATS) & fs_run_host_stats, HOSTS(HOST_STATS) NULL};

/* ---- sections of an experiment file ---- */

static const fs_section_kind machine_kinds[] = {{.kind = "ipu", .table = &fs_machine_table},
                                                {.kind = "fpga", .table = &fs_fpga_table}};
#define OVERLAY_SECTION(name)                                                                                \
    {.kind = #name, .table = &fs_overlay_##name##_table, .descriptor = &fs_overlay_##name},
static fs_section_kind overlay_kinds[OWN_OVERLAYS + FS_PLUGIN_KINDS] = {OVERLAYS(OVERLAY_SECTION)};
static const fs_section_kind scene_kinds[] = {{.kind = "foam", .table = &fs_foam_scene_table},
                                              {.kind = "mesh", .table = &fs_mesh_scene_table},
                                              {.kind = "primitives", .table = &fs_primitives_table},
                                              {.kind = "gaussians", .table = &fs_splats_table}};
#define WORKLOAD_SECTION(name)                                                                               \
    {.kind = #name,                                                                                          \
     .table = &fs_##name##_table,                                                                            \
     .rules = &fs_workload_##name.rules,                                                                     \
     .descriptor = &fs_workload_##name},
static fs_section_kind workload_kinds[OWN_WORKLOADS + FS_PLUGIN_KINDS] = {WORKLOADS(WORKLOAD_SECTION)};
static const fs_section_kind run_kinds[] = {{.kind = "", .table = &fs_foam_run_table}};
static const fs_section_kind view_kinds[] = {{.kind = "none", .table = &fs_views_none_table},
                                             {.kind = "list", .table = &fs_views_list_table},
                                             {.kind = "orbit", .table = &fs_views_orbit_table},
                                             {.kind = "path", .table = &fs_views_path_table}};

static const fs_section_kind work_kinds[] = {{.kind = "", .table = &fs_work_table}};

enum { MACHINE, OVERLAY, SCENE, WORKLOADS_SECTION, VIEWS, RUN, WORK, SECTIONS };
fs_section fs_registry_sections[SECTIONS] = {
    [MACHINE] = {.name = "machine",
                 .folder = "machines",
                 .kinds = machine_kinds,
                 .count = FS_COUNT(machine_kinds),
                 .default_kind = "ipu",
                 .unkeyed_default = true},
    [OVERLAY] = {.name = "overlay",
                 .folder = "overlays",
                 .kinds = overlay_kinds,
                 .count = OWN_OVERLAYS,
                 .default_kind = "quadtree"},
    [SCENE] = {.name = "scene",
               .folder = "scenes",
               .kinds = scene_kinds,
               .count = FS_COUNT(scene_kinds),
               .default_kind = "foam",
               .unkeyed_default = true},
    [WORKLOADS_SECTION] = {.name = "workload",
                           .kinds = workload_kinds,
                           .count = OWN_WORKLOADS,
                           .default_kind = "foam"},
    [VIEWS] = {.name = "views", .kinds = view_kinds, .count = FS_COUNT(view_kinds), .default_kind = "none"},
    [RUN] = {.name = "run", .kinds = run_kinds, .count = FS_COUNT(run_kinds), .default_kind = ""},
    [WORK] = {.name = "work",
              .folder = "works",
              .kinds = work_kinds,
              .count = FS_COUNT(work_kinds),
              .default_kind = ""},
};

/* ---- plug-ins ---- */

/* Room for one more kind of a section, which is then its last. */
static fs_section_kind *room_for(int section, size_t own, fs_section_kind *kinds, const char *name,
                                 const char *file, fs_error *err) {
    fs_section *s = &fs_registry_sections[section];
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(kinds[i].kind, name) == 0)
            return FS_FAIL_NULL(err, FS_INPUT, "%s: there is a kind \"%s\" of the section %s already", file,
                                name, s->name);
    if (s->count == own + FS_PLUGIN_KINDS)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: expected at most %d kinds of the section %s from plug-ins",
                            file, FS_PLUGIN_KINDS, s->name);
    return &kinds[s->count++];
}

static fs_status add_overlay(const fs_overlay_kind *kind, const char *file, const char *digest,
                             fs_error *err) {
    const size_t at = fs_registry_sections[OVERLAY].count;
    fs_section_kind *k = room_for(OVERLAY, OWN_OVERLAYS, overlay_kinds, kind->name, file, err);
    if (k == NULL)
        return err->status;
    *k = (fs_section_kind){.kind = kind->name, .table = kind->table, .descriptor = kind, .plugin = digest};
    fs_overlay_kinds[at] = kind;
    return FS_OK;
}

static fs_status add_workload(const fs_plugin_workload *w, const char *file, const char *digest,
                              fs_error *err) {
    const size_t at = fs_registry_sections[WORKLOADS_SECTION].count;
    fs_section_kind *k =
        room_for(WORKLOADS_SECTION, OWN_WORKLOADS, workload_kinds, w->workload->kind, file, err);
    if (k == NULL)
        return err->status;
    *k = (fs_section_kind){.kind = w->workload->kind,
                           .table = w->table,
                           .rules = &w->workload->rules,
                           .descriptor = w->workload,
                           .plugin = digest};
    fs_registry_workloads[at] = w->workload;
    size_t last = 0;
    while (fs_registry_stats[last] != NULL)
        last++;
    const fs_stat_table *const figures[] = {w->workload->stats, w->workload->host_stats};
    for (size_t i = 0; i < FS_COUNT(figures); i++)
        if (figures[i] != NULL)
            fs_registry_stats[last++] = figures[i];
    return FS_OK;
}

fs_status fs_registry_extend(const fs_plugin *plugin, const char *file, const char *digest, fs_error *err) {
    for (size_t i = 0; plugin->overlays != NULL && plugin->overlays[i] != NULL; i++)
        if (add_overlay(plugin->overlays[i], file, digest, err))
            return err->status;
    for (size_t i = 0; plugin->workloads != NULL && plugin->workloads[i].workload != NULL; i++)
        if (add_workload(&plugin->workloads[i], file, digest, err))
            return err->status;
    return FS_OK;
}

/* ---- rows of `foamsim list` ---- */

ROWS(overlay_row, fs_overlay_kinds[i] == NULL, fs_overlay_kinds[i]->name, fs_overlay_kinds[i]->summary)
ROWS(workload_row, fs_registry_workloads[i] == NULL, fs_registry_workloads[i]->kind,
     fs_registry_workloads[i]->summary)
ROWS(partitioner_row, fs_partitioners[i] == NULL, fs_partitioners[i]->name, fs_partitioners[i]->summary)
ROWS(payload_row, fs_payload_names[i] == NULL, fs_payload_names[i], fs_payloads[i].summary)
ROWS(scene_kind_row, i >= FS_COUNT(scene_kinds), scene_kinds[i].kind, scene_kinds[i].table->doc)
ROWS(generator_row, fs_generate_kinds[i] == NULL, fs_generate_kinds[i], fs_generate_summaries[i])

static const fs_listing listings[] = {
    {"experiments", "experiments", NULL},
    {"machines", "machines", NULL},
    {"overlays", "overlays", NULL},
    {"overlay-kinds", NULL, overlay_row},
    {"scenes", "scenes", NULL},
    {"scene-kinds", NULL, scene_kind_row},
    {"generators", NULL, generator_row},
    {"workloads", NULL, workload_row},
    {"works", "works", NULL},
    {"partitioners", NULL, partitioner_row},
    {"payloads", NULL, payload_row},
};

/* ---- what is handed down ---- */

const fs_registry fs_registry_all = {.sections = fs_registry_sections,
                                     .section_count = SECTIONS,
                                     .workloads = fs_registry_workloads,
                                     .figures = fs_registry_stats};
const fs_cli fs_registry_cli = {.registry = &fs_registry_all,
                                .commands = commands,
                                .words = command_words,
                                .listings = listings,
                                .listing_count = FS_COUNT(listings),
                                .plugins = {.load = fs_registry_load, .load_named = fs_registry_load_named},
                                .foreign = fs_import_foreign,
                                .draw = fs_plot_once};
