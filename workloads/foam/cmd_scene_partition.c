/* foamsim scene partition: the quantities of the paper's Fig. 11 for every shard. */
#include "sim/base/progress.h"
#include "workloads/foam/cmd_scene.h"
#include "workloads/foam/cmd_scene_input.h"
#include "workloads/foam/partition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t cells_of(const fs_shard_size *size) {
    return size->cells;
}
static uint64_t neighbour_cells_of(const fs_shard_size *size) {
    return size->neighbour_cells;
}
static uint64_t adjacency_of(const fs_shard_size *size) {
    return size->adjacency;
}
static uint64_t neighbour_shards_of(const fs_shard_size *size) {
    return size->neighbour_shards;
}

static const struct quantity {
    const char *name, *unit;
    uint64_t (*of)(const fs_shard_size *size);
} quantities[] = {
    {"cells", "cells", cells_of},
    {"neighbour_cells", "cells", neighbour_cells_of},
    {"adjacency", "entries", adjacency_of},
    {"neighbour_shards", "shards", neighbour_shards_of},
    {"cell_bytes", "B", fs_shard_cell_bytes},
    {"neighbour_bytes", "B", fs_shard_neighbour_bytes},
    {"adjacency_bytes", "B", fs_shard_adjacency_bytes},
    {"sram_bytes", "B", fs_shard_bytes},
};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

static void print_summary(const fs_partition *p, FILE *out) {
    fprintf(out, "%-18s %-8s %12s %12s %12s %14s\n", "quantity", "unit", "min", "mean", "max", "sum");
    for (size_t q = 0; q < QUANTITIES; q++) {
        uint64_t least = UINT64_MAX, most = 0, sum = 0;
        for (uint32_t s = 0; s < p->shards; s++) {
            uint64_t x = quantities[q].of(&p->size[s]);
            least = x < least ? x : least;
            most = x > most ? x : most;
            sum += x;
        }
        fprintf(out, "%-18s %-8s %12llu %12.1f %12llu %14llu\n", quantities[q].name, quantities[q].unit,
                (unsigned long long)least, (double)sum / p->shards, (unsigned long long)most,
                (unsigned long long)sum);
    }
}

static void print_csv(const fs_partition *p, FILE *out) {
    fputs("shard", out);
    for (size_t q = 0; q < QUANTITIES; q++)
        fprintf(out, ",%s", quantities[q].name);
    fputc('\n', out);
    for (uint32_t s = 0; s < p->shards; s++) {
        fprintf(out, "%u", s);
        for (size_t q = 0; q < QUANTITIES; q++)
            fprintf(out, ",%llu", (unsigned long long)quantities[q].of(&p->size[s]));
        fputc('\n', out);
    }
}

/* Whole under its name or not there. */
static fs_status write_csv(const fs_partition *p, const char *path, fs_arena *arena, fs_error *err) {
    const char *partial = fs_arena_printf(arena, "%s.partial", path);
    FILE *file = fopen(partial, "w");
    if (file == NULL)
        return fs_fail(err, FS_IO, "%s: %s", partial, strerror(errno));
    print_csv(p, file);
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    if (!failed && rename(partial, path) == 0)
        return FS_OK;
    fs_status status = fs_fail(err, FS_IO, "%s: %s", path, strerror(errno));
    unlink(partial);
    return status;
}

typedef struct request {
    const char *file, *kind, *shards, *normal, *csv;
    fs_scene_input input;
    bool help;
} request;

static fs_status parse(int argc, char **argv, request *r, fs_error *err) {
    const fs_option options[] = {
        {.name = "kind", .letter = 'k', .value = "KIND", .doc = "partitioner (kd)", .text = &r->kind},
        {.name = "shards", .letter = 'n', .value = "N", .doc = "number of shards (1024)", .text = &r->shards},
        {.name = "ground-normal",
         .value = "X,Y,Z",
         .doc = "turn this direction to z before cutting",
         .text = &r->normal},
        {.name = "csv",
         .letter = 'c',
         .value = "FILE",
         .doc = "one row for each shard (-: stdout)",
         .text = &r->csv},
        FS_SCENE_INPUT_OPTIONS(&r->input),
    };
    int args = 0;
    fs_status status = fs_options_parse(
        "scene partition FILE [options]\n"
        "Cuts a scene (PLY, scene YAML or scene name) into shards and prints what each needs in SRAM.",
        options, sizeof options / sizeof options[0], argc, argv, 1, 1, &args, &r->help, err);
    if (status == FS_OK && !r->help)
        r->file = argv[0];
    return status;
}

static const fs_partitioner *find_partitioner(const char *kind, fs_error *err) {
    enum { MOST = 16 };
    const char *words[MOST + 1] = {NULL};
    for (size_t i = 0; fs_partitioners[i] != NULL && i < MOST; i++) {
        words[i] = fs_partitioners[i]->name;
        if (strcmp(words[i], kind) == 0)
            return fs_partitioners[i];
    }
    const char *nearest = fs_nearest_word(kind, words);
    fs_fail(err, FS_INPUT, "--kind: no partitioner \"%s\"%s%s%s (foamsim list partitioners)", kind,
            nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    return NULL;
}

static fs_status run(request *r, fs_arena *arena, fs_foam *foam, fs_error *err) {
    const fs_partitioner *partitioner = find_partitioner(r->kind != NULL ? r->kind : "kd", err);
    fs_partition_params params = {.shards = 1024, .rotate_given = r->normal != NULL};
    if (partitioner == NULL ||
        (r->shards != NULL && fs_option_int("shards", r->shards, 1, INT32_MAX, &params.shards, err)) ||
        (r->normal != NULL && fs_option_vec3("ground-normal", r->normal, params.ground_normal, err)) ||
        fs_scene_input_open(&r->input, r->file, arena, foam, err))
        return err->status;
    fs_partition partition;
    if (fs_partition_make(partitioner, foam, &params, arena, &partition, err))
        return err->status;
    bool to_stdout = r->csv != NULL && strcmp(r->csv, "-") == 0;
    if (to_stdout)
        print_csv(&partition, stdout);
    else
        print_summary(&partition, stdout);
    return r->csv != NULL && !to_stdout ? write_csv(&partition, r->csv, arena, err) : FS_OK;
}

fs_status fs_cmd_scene_partition(int argc, char **argv, fs_error *err) {
    request r = {0};
    fs_foam foam = {0};
    fs_status status = parse(argc, argv, &r, err);
    if (status != FS_OK || r.help)
        return status;
    fs_arena *arena = fs_arena_create();
    status = run(&r, arena, &foam, err);
    fs_foam_free(&foam);
    fs_arena_free(arena);
    return status;
}
