#define _XOPEN_SOURCE 700 /* nftw */

#include "tests/support/config_tables.h"
#include "tests/support/test.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const modes[] = {"static", "dynamic", NULL};
static const char *const dispatches[] = {"hash", "round_robin", "least_occupied", NULL};
static const char *const payloads[] = {"full", "mixed", "half", "baseline", NULL};

static const fs_param machine_rows[] = {
    FS_PARAM_STRING("name", toy_machine, name, "", "label", NOTHING),
    FS_PARAM_REAL("clock", toy_machine, clock, HZ, "1.33 GHz", 1e6, 1e10, "tile clock", PRICE,
                  .from = {"sheet 1", 'P'}),
    FS_PARAM_INT("tile.workers", toy_machine, workers, NONE, "6", 1, 64, "worker contexts", TRAFFIC,
                 .from = {"sheet 1", 'P'}),
    FS_PARAM_REAL("exchange.width", toy_machine, width, BYTES_PER_CYCLE, "4 B/cycle", 0.5, 64,
                  "port width | both ways", PRICE, .from = {"sheet 2", 'M'}),
    FS_PARAM_INT("tile.sram", toy_machine, sram, BYTES, "624 KiB", 1024, 1 << 30, "memory of a tile", TRAFFIC,
                 .from = {"sheet 1", 'P'}),
    FS_PARAM_ENUM("exchange.mode", toy_machine, mode, "static", modes, "what a lane moves", PRICE),
    FS_PARAM_REAL("host.rate", toy_machine, rate, BYTES_PER_SECOND, "20 GB/s", 0, 1e300, "host link", PRICE,
                  .from = {"", 'A'}),
    FS_PARAM_REAL("host.latency", toy_machine, latency, SECONDS, "5 us", 0, 10, "host call", PRICE,
                  .from = {"", 'A'}),
    FS_PARAM_BOOL("tile.reuse", toy_machine, reuse, "false", "idle slots are given on", PRICE),
};
static const fs_param_table machine_table =
    FS_PARAM_TABLE("machine", "a machine", machine_rows, sizeof(toy_machine));

static const fs_param quadtree_rows[] = {
    FS_PARAM_REAL("fill", toy_quadtree, fill, PERCENT, "60 %", 0, 100, "share of memory for lanes", TRAFFIC,
                  .from = {"", 'A'}),
};
static const fs_param_table quadtree_table =
    FS_PARAM_TABLE("overlay/quadtree", "a quadtree", quadtree_rows, sizeof(toy_quadtree));

static const fs_param fat_tree_rows[] = {
    FS_PARAM_INTS("widths", toy_fat_tree, widths, NONE, "[1, 1, 2]", 1, 9.2e18, "replicas for each level",
                  TRAFFIC),
    FS_PARAM_ENUM("dispatch", toy_fat_tree, dispatch, "hash", dispatches, "which replica", TRAFFIC),
};
static const fs_param_table fat_tree_table =
    FS_PARAM_TABLE("overlay/fat_tree", "a fat tree", fat_tree_rows, sizeof(toy_fat_tree));

static const fs_param scene_rows[] = {
    FS_PARAM_PATH("file", toy_scene, file, "", "a PLY file", GEOMETRY),
    FS_PARAM_VEC3("up", toy_scene, up, NONE, "none", -1, 1, "ground normal", GEOMETRY),
    FS_PARAM_MAT4("matrix", toy_scene, matrix, "none", "placing", GEOMETRY),
    FS_PARAM_VEC3S("points", toy_scene, points, DEGREES, "none", -360, 360, "corners", GEOMETRY),
    FS_PARAM_INT("cells", toy_scene, cells, NONE, "1000", 1, 5000000, "cells to make", GEOMETRY),
};
static const fs_param_table scene_table = FS_PARAM_TABLE("scene", "a scene", scene_rows, sizeof(toy_scene));

static const fs_param workload_rows[] = {
    FS_PARAM_INT("camera.width", toy_workload, width, NONE, NULL, 1, 9.2e18, "pixels across", GEOMETRY),
    FS_PARAM_VEC3("camera.position", toy_workload, position, NONE, "[0, 0, 1]", -1e30, 1e30, "eye", GEOMETRY),
    FS_PARAM_REAL("camera.fov_y", toy_workload, fov_y, DEGREES, "50 deg", 1, 179, "height of view", GEOMETRY),
    FS_PARAM_ENUM("payload", toy_workload, payload, "half", payloads, "layout of a ray", TRAFFIC),
    FS_PARAM_STRING("label", toy_workload, label, "", "free text", NOTHING),
};
static const fs_param_table workload_table =
    FS_PARAM_TABLE("workload/foam", "a foam", workload_rows, sizeof(toy_workload));

static const fs_param run_rows[] = {
    FS_PARAM_INT("seed", toy_run, seed, NONE, "1", 0, 9.2e18, "of all streams", GEOMETRY),
    FS_PARAM_INT("idle", toy_run, idle, CYCLES, "200 cycles", 0, 1e6, "pause", TRAFFIC),
    FS_PARAM_INT("offset", toy_run, offset, NONE, "0", -9.3e18, 9.3e18, "any integer", TRAFFIC),
    FS_PARAM_REAL("threshold", toy_run, threshold, NONE, "0.01", 0, 1, "end of a march", GEOMETRY),
    FS_PARAM_REAL("gain", toy_run, gain, NONE, "1", -1.7e308, 1.7e308, "any number", GEOMETRY),
    FS_PARAM_REAL("launch", toy_run, launch, SLOTS, "12.5 slots", 0, 1e6, "worker launch", PRICE,
                  .from = {"", 'I'}),
};
static const fs_param_table run_table = FS_PARAM_TABLE("run", "the run", run_rows, sizeof(toy_run));

static const fs_section_kind machine_kinds[] = {{.kind = "", .table = &machine_table}};
static const fs_section_kind overlay_kinds[] = {{.kind = "quadtree", .table = &quadtree_table},
                                                {.kind = "fat_tree", .table = &fat_tree_table}};
static const fs_section_kind scene_kinds[] = {{.kind = "", .table = &scene_table}};
static const fs_section_kind workload_kinds[] = {{.kind = "foam", .table = &workload_table}};
static const fs_section_kind run_kinds[] = {{.kind = "", .table = &run_table}};

const fs_section toy_sections[TOY_SECTIONS] = {
    {.name = "machine", .folder = "machines", .kinds = machine_kinds, .count = 1, .default_kind = NULL},
    {.name = "overlay", .folder = "overlays", .kinds = overlay_kinds, .count = 2, .default_kind = "quadtree"},
    {.name = "scene", .folder = "scenes", .kinds = scene_kinds, .count = 1, .default_kind = NULL},
    {.name = "workload", .folder = NULL, .kinds = workload_kinds, .count = 1, .default_kind = "foam"},
    {.name = "run", .folder = NULL, .kinds = run_kinds, .count = 1, .default_kind = NULL},
};

/* ---- files ---- */

static char folder[512], home[4096];

static void must(bool good, const char *what) {
    if (!good) {
        perror(what);
        exit(1);
    }
}

void toy_folder_begin(void) {
    snprintf(folder, sizeof folder, "%s/foamsim-config-XXXXXX",
             getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    must(getcwd(home, sizeof home) != NULL, "getcwd");
    must(mkdtemp(folder) != NULL, folder);
    must(chdir(folder) == 0, folder);
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *walk) {
    (void)s, (void)type, (void)walk;
    return remove(path);
}

void toy_folder_end(void) {
    must(chdir(home) == 0, home);
    must(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, folder);
}

int toy_enter(void **state) {
    (void)state;
    toy_folder_begin();
    return 0;
}

int toy_leave(void **state) {
    (void)state;
    toy_folder_end();
    return 0;
}

void toy_bytes(const char *path, const void *bytes, size_t count) {
    char part[256];
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0700);
    }
    FILE *out = fopen(path, "wb");
    must(out != NULL && fwrite(bytes, 1, count, out) == count, path);
    must(fclose(out) == 0, path);
}

void toy_file(const char *path, const char *text) {
    toy_bytes(path, text, strlen(text));
}

fs_config *toy_load(fs_arena *arena, const char *const sets[4], fs_error *err) {
    size_t count = 0;
    while (count < 4 && sets[count] != NULL)
        count++;
    return fs_config_load(arena, "x.yaml", toy_sections, TOY_SECTIONS, sets, count, "configs", err);
}

fs_config *toy_must_load(fs_arena *arena, const char *const sets[4]) {
    static const char *const none[4] = {NULL};
    fs_error err = {.status = FS_OK};
    fs_config *config = toy_load(arena, sets == NULL ? none : sets, &err);
    assert_got(config, &err);
    assert_int_equal(err.status, FS_OK);
    return config;
}

fs_config *toy_load_text(fs_arena *arena, const char *text) {
    toy_file("x.yaml", text);
    return toy_must_load(arena, NULL);
}

/* ---- numbers and texts ---- */

double any_real(fs_rng *rng) {
    for (;;) {
        uint64_t b = fs_rng_u64(rng);
        double x;
        memcpy(&x, &b, sizeof x);
        if (x - x == 0)
            return x;
    }
}

static uint64_t bits(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

void assert_real(double a, double b) {
    assert_int_equal(bits(a), bits(b));
}

void toy_parts(void) {
    toy_file("configs/machines/gc200.yaml", "name: gc200\ntile:\n  workers: 5\n  sram: 100 KiB\n");
    toy_file("configs/machines/bow.yaml", "base: gc200\nclock: 1.85 GHz\ntile: { sram: 200 KiB }\n");
    toy_file("configs/scenes/garden.yaml", "file: ply/garden.ply\n");
    toy_file("e/own/bow.yaml", "base: ../../configs/machines/bow.yaml\nname: mine\n");
    toy_file("e/machines/bow.yaml", "name: nearer\n");
}

char *toy_written(fs_arena *arena, const fs_config *config, bool canonical) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (canonical)
        fs_config_write_canonical(config, out);
    else
        fs_config_write_resolved(config, out, NULL, NULL);
    fclose(out);
    char *copy = fs_arena_strdup(arena, text);
    free(text);
    return copy;
}
