/* foamsim scene partition: the quantities of RF Fig. 11 for every shard. */
#include "sim/config/config.h"
#include "sim/host/file.h"
#include "sim/yaml/words.h"
#include "workloads/foam/commands/cmd_scene_input.h"
#include "workloads/foam/foam_params.h"
#include "workloads/foam/partition/partition.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
    fs_scene_input input;
    const char *kind, *normal, *csv, *json, *plot;
    fs_partition_params params;
} request;

/* What is printed. */
typedef struct result {
    const fs_partitioner *partitioner;
    const fs_partition *partition;
    fs_partition_stats stats;
    uint64_t pairs; /* of touching cells */
} result;

/* ---- the three forms ---- */

static void print_summary(const result *r, FILE *out) {
    const fs_partition_stats *s = &r->stats;
    fprintf(out, "%s: %u shards", r->partitioner->name, s->shards);
    if (s->leaves != s->shards)
        fprintf(out, " of %u leaves, the others have no cell", s->leaves);
    fprintf(out, "; %llu of %llu pairs of touching cells are cut (%.2f %%)\n", (unsigned long long)s->cut,
            (unsigned long long)r->pairs, r->pairs > 0 ? 100.0 * (double)s->cut / (double)r->pairs : 0.0);
    fprintf(out, "%-18s %-8s %12s %12s %12s %14s\n", "quantity", "unit", "min", "mean", "max", "sum");
    for (int q = 0; q < FS_SHARD_QUANTITIES; q++)
        fprintf(out, "%-18s %-8s %12llu %12.1f %12llu %14llu\n", fs_shard_quantity_names[q],
                fs_shard_quantity_units[q], (unsigned long long)s->of[q].min, s->of[q].mean,
                (unsigned long long)s->of[q].max, (unsigned long long)s->of[q].sum);
}

static void print_csv(const result *r, FILE *out) {
    fputs("shard", out);
    for (int q = 0; q < FS_SHARD_QUANTITIES; q++)
        fprintf(out, ",%s", fs_shard_quantity_names[q]);
    fputc('\n', out);
    for (uint32_t s = 0; s < r->stats.shards; s++) {
        fprintf(out, "%u", s);
        for (int q = 0; q < FS_SHARD_QUANTITIES; q++)
            fprintf(out, ",%llu",
                    (unsigned long long)fs_shard_quantity_of(&r->partition->size[s], (fs_shard_quantity)q));
        fputc('\n', out);
    }
}

static void print_json(const result *r, FILE *out) {
    json_t *root = json_pack("{s:s, s:I, s:I, s:I, s:I}", "kind", r->partitioner->name, "shards",
                             (json_int_t)r->stats.shards, "leaves", (json_int_t)r->stats.leaves, "pairs",
                             (json_int_t)r->pairs, "cut", (json_int_t)r->stats.cut);
    for (int q = 0; q < FS_SHARD_QUANTITIES; q++) {
        const fs_spread *of = &r->stats.of[q];
        json_object_set_new(root, fs_shard_quantity_names[q],
                            json_pack("{s:I, s:f, s:I, s:I}", "min", (json_int_t)of->min, "mean", of->mean,
                                      "max", (json_int_t)of->max, "sum", (json_int_t)of->sum));
    }
    json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    fputc('\n', out);
    json_decref(root);
}

static void print_kind(const result *r, FILE *out) {
    fprintf(out, "kind = '%s'\n", r->partitioner->name);
}

typedef void (*form)(const result *r, FILE *out);

/* Whole under its name or not there; "-" is stdout. */
static fs_status write_form(form print, const result *r, const char *path, fs_error *err) {
    fs_memory memory;
    print(r, fs_memory_open(&memory));
    return fs_file_put(path, &memory, err);
}

typedef struct plotted {
    const result *r;
    fs_arena *arena;
} plotted;

static fs_status write_plotted(void *self, const char *folder, fs_error *err) {
    const plotted *p = self;
    if (write_form(print_csv, p->r, fs_arena_printf(p->arena, "%s/shards.csv", folder), err) ||
        write_form(print_kind, p->r, fs_arena_printf(p->arena, "%s/kind.gp", folder), err))
        return err->status;
    return FS_OK;
}

static fs_status write_all(const request *q, const result *r, fs_error *err) {
    plotted p = {r, q->input.arena};
    const bool silent =
        (q->csv != NULL && strcmp(q->csv, "-") == 0) || (q->json != NULL && strcmp(q->json, "-") == 0);
    if (!silent)
        print_summary(r, stdout);
    if ((q->csv != NULL && write_form(print_csv, r, q->csv, err)) ||
        (q->json != NULL && write_form(print_json, r, q->json, err)) ||
        (q->plot != NULL && q->input.cli->draw(q->plot, "partition", write_plotted, &p, err)))
        return err->status;
    return FS_OK;
}

/* ---- the command ---- */

static const fs_partitioner *find_partitioner(const char *kind, fs_error *err) {
    enum { MOST = 16 };
    const char *words[MOST + 1] = {NULL};
    for (size_t i = 0; fs_partitioners[i] != NULL && i < MOST; i++) {
        words[i] = fs_partitioners[i]->name;
        if (strcmp(words[i], kind) == 0)
            return fs_partitioners[i];
    }
    return FS_FAIL_NULL(err, FS_INPUT, "--kind: no partitioner \"%s\"%s (foamsim list partitioners)", kind,
                        FS_MEANT(kind, words));
}

static fs_status run(void *self, fs_error *err) {
    request *r = self;
    fs_partition partition;
    result made = {.partitioner = find_partitioner(r->kind, err), .partition = &partition};
    r->params.ground_normal_given = r->normal != NULL;
    if (made.partitioner == NULL ||
        (r->normal != NULL && fs_cmd_option_vec3("ground-normal", r->normal, r->params.ground_normal, err)) ||
        fs_cmd_input_open(&r->input, err) ||
        fs_partition_make(made.partitioner, &r->input.foam, &r->params, r->input.arena, &partition, err))
        return err->status;
    made.pairs = r->input.foam.faces / 2;
    fs_partition_stats_make(&partition, &made.stats);
    return write_all(r, &made, err);
}

/* The defaults are those of an experiment. */
static fs_partition_params usual_params(void) {
    fs_arena *arena = fs_arena_create();
    fs_foam_params defaults;
    fs_params_default(arena, &fs_foam_table, &defaults);
    fs_arena_free(arena);
    return defaults.partition;
}

fs_status fs_cmd_scene_partition(fs_command_line *call, fs_error *err) {
    request r = {.kind = "kd", .params = usual_params()};
    fs_partition_params *p = &r.params;
    const fs_option options[] = {
        FS_OPTION("kind", 'k', "KIND", "partitioner (kd; foamsim list partitioners)", &r.kind),
        FS_OPTION_INT("shards", 'n', "N", "number of shards (1024)", &p->shards, 1, INT32_MAX),
        FS_OPTION("ground-normal", 0, "X,Y,Z", "kd, octree: turn this direction to z before cutting",
                  &r.normal),
        FS_OPTION_INT("cap", 0, "N", "octree: split every leaf with more cells (by leaves)", &p->octree_cap,
                      1, INT32_MAX),
        FS_OPTION_INT("leaves", 0, "N", "octree: split until there are so many leaves (--shards)",
                      &p->octree_leaves, 1, INT32_MAX),
        FS_OPTION_INT("ufactor", 0, "N", "metis: thousandths by which a half may be heavier (1)",
                      &p->metis_ufactor, 1, 1000),
        FS_OPTION("csv", 'c', "FILE", "one row for each shard (-: stdout)", &r.csv),
        FS_OPTION("json", 'j', "FILE", "least, mean, most and sum over the shards (-: stdout)", &r.json),
        FS_OPTION("plot", 'p', "DIR", "draw all shards: DIR/partition.png, with its table and script",
                  &r.plot),
    };
    static const char usage[] =
        "scene partition FILE [options]\n"
        "Cuts a scene (PLY, scene YAML or scene name) into shards and prints what each needs in SRAM.";
    const fs_scene_call word = {usage, options, FS_COUNT(options), 1, FS_SCENE_HOST, run};
    return fs_cmd_input_run(&word, &r, call, err);
}
