/* What runs leave: tables, manifests and plans of pages. */
#include "registry/registry.h"
#include "reports/read/run_folder.h"
#include "sim/results/archive.h"
#include "tests/support/fuzz/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* A folder with one file of these bytes beside a manifest of nothing. */
static fs_folder *folder_with(const char *file, const uint8_t *data, size_t size, fs_error *err) {
    static const char manifest[] = "{\"files\": []}", summary[] = "{\"device\": {\"cycles\": 7}}",
                      stats[] = "name,value,unit,description,source\ndevice.cycles,7,cycles,all,-\n";
    fuzz_file("manifest.json", manifest, sizeof manifest - 1);
    fuzz_file("summary.json", summary, sizeof summary - 1);
    fuzz_file("stats.csv", stats, sizeof stats - 1);
    char folder[8192];
    snprintf(folder, sizeof folder, "%s", fuzz_file(file, data, size));
    *strrchr(folder, '/') = '\0';
    return fs_folder_open(folder, fs_registry_stats, err);
}

static void forget(const char *file) {
    remove(fuzz_path(file));
}

static void ask(fs_folder *folder) {
    static fs_error err;
    size_t count;
    fs_folder_figures(folder, &count);
    err = (fs_error){0};
    fs_folder_findings(folder, &count, &err);
    fuzz_check(err.status, &err);
    err = (fs_error){0};
    fs_folder_settings(folder, &count, &err);
    fuzz_check(err.status, &err);
}

void fuzz_table(const uint8_t *data, size_t size) {
    static fs_error err;
    err = (fs_error){0};
    fs_folder *folder = folder_with("hops.csv", data, size, &err);
    if (folder == NULL)
        return;
    const fs_csv *table = fs_folder_table(folder, "hops.csv", &err);
    fuzz_check(err.status, &err);
    for (size_t c = 0; table != NULL && c < fs_csv_columns(table) && c < 16; c++) {
        err = (fs_error){0};
        fs_csv_ints(table, fs_csv_column(table, c), &err);
        fuzz_check(err.status, &err);
        err = (fs_error){0};
        fs_csv_reals(table, fs_csv_column(table, c), &err);
        fuzz_check(err.status, &err);
    }
    fs_folder_close(folder);
    forget("hops.csv");
}

/* The first byte says which file it is. */
void fuzz_manifest(const uint8_t *data, size_t size) {
    static const char *const files[] = {"manifest.json", "summary.json",   "stats.csv",
                                        "findings.json", "parameters.csv", "resolved.yaml"};
    if (size == 0)
        return;
    const char *file = files[data[0] % (sizeof files / sizeof *files)];
    static fs_error err;
    err = (fs_error){0};
    fs_folder *folder = folder_with(file, data + 1, size - 1, &err);
    fuzz_check(err.status, &err);
    if (folder != NULL)
        ask(folder);
    fs_folder_close(folder);
    forget(file);
}

void fuzz_page(const uint8_t *data, size_t size) {
    static fs_error err;
    err = (fs_error){0};
    fs_folder *folder = folder_with("page.json", data, size, &err);
    if (folder != NULL)
        fs_folder_page(folder, &err);
    fuzz_check(err.status, &err);
    fs_folder_close(folder);
    forget("page.json");
}

/* Behind the checksum of zstd, which hides what is in it. */
void fuzz_archive(const uint8_t *data, size_t size) {
    static fs_error err;
    const size_t room = ZSTD_compressBound(size);
    char *packed = malloc(room);
    const size_t bytes = packed == NULL ? 0 : ZSTD_compress(packed, room, data, size, 1);
    const char *path = fuzz_file("run.tar.zst", packed, bytes), *folder = NULL;
    fs_scratch scratch;
    fs_arena *arena = fs_arena_create();
    err = (fs_error){0};
    const fs_status status = fs_archive_unpack(path, arena, &scratch, &folder, &err);
    fuzz_check(status, &err);
    if (status == FS_OK)
        fs_scratch_remove(&scratch);
    fs_arena_free(arena);
    free(packed);
}
