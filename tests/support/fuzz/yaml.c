/* Files that people write: experiments, sweeps, networks, cases, programs and traces. */
#include "models/overlay/kinds/kinds.h"
#include "registry/registry.h"
#include "sim/config/config.h"
#include "sim/sweep/sweep.h"
#include "tests/support/chip.h"
#include "tests/support/fuzz/targets.h"
#include "validation/cases/cases.h"
#include "workloads/program/supersteps.h"
#include "workloads/scene/primitives/primitives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void fuzz_experiment(const uint8_t *data, size_t size) {
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    const char *path = fuzz_file("x.yaml", data, size);
    const fs_config *config = fs_config_load(arena, path, fs_registry_sections, fs_registry_all.section_count,
                                             NULL, 0, fs_configs_dir(), &err);
    fuzz_check(err.status, &err);
    if (config != NULL) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *out = open_memstream(&text, &bytes);
        if (out == NULL)
            abort();
        fs_config_write_resolved(config, out, NULL, NULL);
        fclose(out);
        free(text);
    }
    fs_arena_free(arena);
}

void fuzz_sweep(const uint8_t *data, size_t size) {
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    fs_sweep_file file;
    fs_sweep_search search;
    fuzz_check(fs_sweep_read(arena, &fs_registry_all, fuzz_file("sweep.yaml", data, size), &file, NULL, &err),
               &err);
    err = (fs_error){.status = FS_OK};
    fuzz_check(
        fs_sweep_read(arena, &fs_registry_all, fuzz_file("sweep.yaml", data, size), &file, &search, &err),
        &err);
    fs_arena_free(arena);
}

/* A space may be large, and a point takes a while: the first few of those that are not too many. */
void fuzz_space(const uint8_t *data, size_t size) {
    enum { MOST_POINTS = 1000, MOST_RESOLVED = 4 };
    static fs_error err;
    fs_arena *arena = fs_arena_create();
    fs_sweep_file file;
    fs_sweep_space space;
    err = (fs_error){.status = FS_OK};
    const char *path = fuzz_file("space.yaml", data, size);
    if (fs_sweep_read(arena, &fs_registry_all, path, &file, NULL, &err) == FS_OK)
        fs_sweep_space_of(arena, &file, MOST_POINTS, &space, &err);
    fuzz_check(err.status, &err);
    for (size_t i = 0; err.status == FS_OK && i < space.count && i < MOST_RESOLVED; i++) {
        fs_store_point point;
        static fs_error why;
        why = (fs_error){.status = FS_OK};
        fuzz_check(fs_sweep_space_point(&space, i, &point, &why), &why);
        if (point.key == NULL || strlen(point.key) != 64)
            abort();
    }
    fs_arena_free(arena);
}

void fuzz_overlay(const uint8_t *data, size_t size) {
    enum { SHARDS = 64 };
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    static uint64_t room[SHARDS];
    const fs_machine_params machine = fs_test_small();
    const fs_overlay_site site = {.machine = &machine,
                                  .shards = SHARDS,
                                  .payload_bytes = 20,
                                  .free_tracer = room,
                                  .free_router = 600000,
                                  .free_generator = 600000};
    for (int s = 0; s < SHARDS; s++)
        room[s] = 400000;
    fs_file_params params;
    fs_params_default(arena, &fs_overlay_file_table, &params);
    params.file = fuzz_file("network.yaml", data, size);
    fs_overlay overlay = {0};
    fuzz_check(fs_overlay_file.plan(&params, &site, arena, &overlay, &err), &err);
    fs_arena_free(arena);
}

void fuzz_case(const uint8_t *data, size_t size) {
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    fs_validation *all = NULL;
    size_t count = 0;
    mkdir(fuzz_path("cases"), 0700);
    mkdir(fuzz_path("standins"), 0700);
    char folder[8192];
    snprintf(folder, sizeof folder, "%s", fuzz_file("cases/one.yaml", data, size));
    *strstr(folder, "/cases/one.yaml") = '\0';
    fuzz_check(fs_validations_read(arena, &fs_registry_all, folder, &(fs_validation_wants){.paper = NULL},
                                   &all, &count, &err),
               &err);
    fs_arena_free(arena);
}

void fuzz_program(const uint8_t *data, size_t size) {
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    const fs_machine_params machine = fs_test_small();
    fs_supersteps program;
    fuzz_check(fs_supersteps_read(fuzz_file("program.yaml", data, size), &machine, arena, &program, &err),
               &err);
    fs_arena_free(arena);
}

/* The bytes are both tables of a trace, one behind the other. */
void fuzz_trace(const uint8_t *data, size_t size) {
    static const char program[] = "trace: { events: events.csv, transfers: transfers.csv }\n";
    static const char head[] = "step,source";
    const uint8_t *second = data + size;
    for (size_t i = 0; i + sizeof head <= size; i++)
        if (memcmp(data + i, head, sizeof head - 1) == 0)
            second = data + i;
    fuzz_file("events.csv", data, (size_t)(second - data));
    fuzz_file("transfers.csv", second, (size_t)(data + size - second));
    fuzz_program((const uint8_t *)program, sizeof program - 1);
}

void fuzz_primitives(const uint8_t *data, size_t size) {
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    fs_primitives scene;
    const fs_primitives_params params = {.file = fuzz_file("scene.yaml", data, size)};
    fuzz_check(fs_primitives_load(&params, arena, &scene, &err), &err);
    for (uint32_t i = 0; err.status == FS_OK && i < scene.objects; i++)
        if (scene.object[i].material >= scene.materials)
            abort();
    fs_arena_free(arena);
}
