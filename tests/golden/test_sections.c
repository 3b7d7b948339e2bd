/* Sections and rules of experiments with the whole registry: what a workload does not read is refused with
 * its place or left out, kinds of machines and scenes change no key, what version 0.1.0 wrote is still read,
 * and every rule that needs no scene names file, line, column and key. */
#include "registry/registry.h"
#include "sim/config/key.h"
#include "sim/config/yaml.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <unistd.h>

static char yesterday[2][4096]; /* absolute paths of foam.yaml and traffic.yaml */

static const fs_config *load(fs_arena *arena, const char *path, const char *const *sets, size_t count,
                             fs_error *err) {
    *err = (fs_error){0};
    return fs_config_load(arena, path, fs_registry_sections, fs_registry_all.section_count, sets, count,
                          fs_configs_dir(), err);
}

/* The text of a file loads, or is refused with every one of the texts. */
static void expect(const char *text, const char *const *told, size_t count) {
    fs_arena *arena = test_arena();
    fs_error err;
    scratch_write("x.yaml", text);
    const fs_config *config = load(arena, "x.yaml", NULL, 0, &err);
    if ((config == NULL) != (count > 0))
        fail_msg("%s\n%s", text, err.text);
    for (size_t i = 0; i < count; i++)
        if (strstr(err.text, told[i]) == NULL)
            fail_msg("%s\nnot told: %s\n%s", text, told[i], err.text);
    size_t lines = count > 0;
    for (const char *c = err.text; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, count);
}
#define WELL(text) expect(text, NULL, 0)
#define TOLD(text, ...)                                                                                      \
    expect(text, (const char *const[]){__VA_ARGS__},                                                         \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

#define TRAFFIC "machine: { exchange: { mode: dynamic } }\nworkload: { kind: traffic, tracers: 64 }\n"

TEST(what_a_workload_does_not_read_is_refused_with_its_place) {
    WELL(TRAFFIC);
    TOLD(TRAFFIC "scene: { generate: { cells: 3000 } }\n",
         "x.yaml:3:1: scene: the workload traffic does not read this section, it reads machine, overlay and "
         "run");
    TOLD(TRAFFIC "run: { seed: 2, coverage: 0.5 }\n",
         "x.yaml:3:17: run.coverage: the workload traffic does not read this key");
    TOLD(TRAFFIC "views: { kind: orbit, radius: 3 }\n", "x.yaml:3:1: views: the workload traffic");
    TOLD("machine: { exchange: { mode: dynamic }, chips: 4 }\nworkload: { kind: traffic, tracers: 64 }\n",
         "x.yaml:1:41: machine.chips: the workload traffic does not read this key");
    WELL("machine: { exchange: { mode: dynamic }, chips: 1 }\nworkload: { kind: traffic, tracers: 64 }\n");
    TOLD(TRAFFIC "run: { coverages: 0.5 }\n", "x.yaml:3:8: run.coverages: unknown key");
}

#define RENDERER                                                                                             \
    "workload: { kind: foam, camera: { position: [1, -4, 1], look_at: [0, 0, 1] } }\nscene: { generate: { "  \
    "cells: 3000 } }\n"

TEST(chips_that_are_joined) {
    WELL("machine: { chips: 64, fabric: { kind: ring, links: [1, 2], latency: 100 ns } }\n" RENDERER);
    TOLD("machine: { chips: 3 }\n" RENDERER,
         "x.yaml:1:10: machine.fabric.kind: ladder joins pairs of chips; expected an even "
         "number in machine.chips, found 3");
    TOLD("machine: { chips: 4, fabric: { kind: apart } }\n" RENDERER,
         "x.yaml:1:38: machine.fabric.kind: the tiles of several chips send to each other");
    TOLD("machine: { chips: 4, fabric: { links: [1, 2] } }\n" RENDERER,
         "x.yaml:1:39: machine.fabric.links: ladder has 4 kinds of edges at a chip; expected as many "
         "numbers, found 2");
    TOLD("machine: { chips: 2, execution: decoupled, exchange: { mode: dynamic } }\n" RENDERER,
         "x.yaml:1:33: machine.execution: lanes of decoupled tiles have credits on one chip; expected bsp "
         "with 2 chips");
    TOLD("machine: { chips: 2, exchange: { kind: noc, mode: dynamic, noc: { size: [32, 46] } } }\n" RENDERER,
         "x.yaml:1:19: machine.chips: flits of a network on chip end at the chip");
    TOLD("machine: { fabric: { kind: ring } }\nworkload: { kind: pathtrace }\nscene: { kind: mesh, builtin: "
         "box }\n",
         "x.yaml:1:22: machine.fabric.kind: the workload pathtrace does not read this key");
}

TEST(what_says_nothing_is_left_out) {
    WELL(TRAFFIC "scene: { generate: { cells: 200000 } }\nviews: { kind: none }\nrun: { coverage: 1 }\n");
}

TEST(a_base_may_be_of_another_workload) {
    scratch_write("base.yaml",
                  "machine: { exchange: { mode: dynamic } }\nscene: { generate: { cells: 3000 } }\n"
                  "run: { coverage: 0.5 }\nworkload: { payload: full }\n");
    WELL("base: base.yaml\nworkload: { kind: traffic, tracers: 64 }\n");
    TOLD("base: base.yaml\nworkload: { kind: traffic, tracers: 64 }\nscene: { generate: { cells: 4000 } }\n",
         "x.yaml:3:1: scene: the workload traffic");
    fs_arena *arena = test_arena();
    fs_error err;
    const char *const sets[] = {"workload.kind=traffic", "workload.tracers=64", "run.coverage=0.5"};
    assert_non_null(load(arena, "base.yaml", sets, 2, &err));
    assert_null(load(arena, "base.yaml", sets, 3, &err));
    assert_non_null(strstr(err.text, "--set run.coverage=0.5: run.coverage: the workload traffic"));
}

/* A point of a sweep says another kind over a base that stands in the same file. */
TEST(a_point_of_a_sweep_may_change_a_kind) {
    fs_arena *arena = test_arena();
    scratch_write("sweep.yaml", "base:\n  machine: { exchange: { mode: dynamic } }\n"
                                "  overlay: { kind: quadtree, router_buffer: 0 B }\n"
                                "  scene: { generate: { cells: 3000 } }\n"
                                "kind: mesh\nworkload: { kind: traffic, tracers: 64 }\ncoverage: 0.5\n");
    const fs_yaml *file = fs_yaml_open(arena, "sweep.yaml");
    fs_node *base = fs_tree_get(file->root, "base");
    const fs_config_over overs[] = {{"workload", fs_tree_get(file->root, "workload")},
                                    {"overlay.kind", fs_tree_get(file->root, "kind")},
                                    {"run.coverage", fs_tree_get(file->root, "coverage")}};
    fs_error err = {0};
    const fs_config *config = fs_config_load_tree(arena, base, fs_registry_sections,
                                                  fs_registry_all.section_count, overs, 2, "", &err);
    assert_got(config, &err);
    assert_string_equal(fs_config_kind(config, "overlay"), "mesh");
    assert_false(fs_config_has(config, "scene"));
    assert_null(fs_config_load_tree(arena, base, fs_registry_sections, fs_registry_all.section_count, overs,
                                    3, "", &err));
    assert_non_null(strstr(err.text, "sweep.yaml:7:11: run.coverage: the workload traffic does not read"));
}

static char *key_of(const fs_config *config, fs_key_layer layer) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    fs_config_write_key(config, layer, NULL, NULL, memory);
    fclose(memory);
    return text;
}

TEST(kinds_that_came_later_change_no_key) {
    fs_arena *arena = test_arena();
    fs_error err;
    const char *const sets[] = {"machine.kind=ipu", "scene.kind=foam"};
    const fs_config *plain = load(arena, yesterday[0], NULL, 0, &err),
                    *said = load(arena, yesterday[0], sets, 2, &err);
    assert_non_null(plain);
    assert_non_null(said);
    for (int layer = 0; layer <= FS_TOUCHES_PRICE; layer++) {
        char *a = key_of(plain, (fs_key_layer)layer), *b = key_of(said, (fs_key_layer)layer);
        assert_string_equal(a, b);
        assert_null(strstr(a, "machine.kind"));
        assert_null(strstr(a, "scene.kind"));
        assert_true(layer == FS_TOUCHES_GEOMETRY || strstr(a, "overlay.kind: quadtree") != NULL);
        free(a);
        free(b);
    }
}

/* A resolved.yaml of before is the experiment that it was: resolved again it says the same of every key that
 * is left. */
TEST(what_was_written_before_is_still_read) {
    for (int i = 0; i < 2; i++) {
        fs_arena *arena = test_arena();
        fs_error err;
        const fs_config *before = load(arena, yesterday[i], NULL, 0, &err);
        assert_got(before, &err);
        FILE *out = fopen("again.yaml", "w");
        assert_non_null(out);
        fs_config_write_resolved(before, out, NULL, NULL);
        fclose(out);
        const fs_config *again = load(arena, "again.yaml", NULL, 0, &err);
        assert_got(again, &err);
        char *a = key_of(before, FS_TOUCHES_PRICE), *b = key_of(again, FS_TOUCHES_PRICE);
        assert_string_equal(a, b);
        assert_true((strstr(a, "scene.") == NULL) == (i == 1));
        assert_true((strstr(a, "run.coverage") == NULL) == (i == 1));
        free(a);
        free(b);
    }
}

#define FOAM(more)                                                                                           \
    "machine: gc200-small\nscene: { generate: { cells: 3000 } }\n"                                           \
    "workload:\n  camera: { position: [2, -3, 1.7], look_at: [0, 0, 0.6] }\n  partition: { shards: 64 "      \
    "}\n" more

TEST(rules_are_checked_with_the_file) {
    WELL(FOAM(""));
    TOLD("machine: gc200-small\nworkload:\n  camera: { position: [1, 2, 3], look_at: [1, 2, 3] }\n"
         "  partition: { shards: 48 }\n",
         "x.yaml:3:11: workload.camera: look_at equals position",
         "overlay quadtree: expected a power of four of shards (4, 16, 64, 256, 1024, ...), found 48");
    TOLD("machine: gc200-small\nworkload:\n  camera: { position: [1, 2, 3], look_at: [1, 2, 0] }\n"
         "  partition: { shards: 64 }\n",
         "x.yaml:3:11: workload.camera: up is parallel to the view");
    TOLD(FOAM("  kernels: { generator_workers: 9 }\n"),
         "x.yaml:6:33: workload.kernels.generator_workers: expected at most the 6 workers");
    TOLD(FOAM("overlay: { kind: fat_tree, widths: [1, 1] }\n"), "x.yaml:6:36: overlay.widths");
    TOLD(FOAM("views: { kind: list, positions: [[0, 0, 3], [1, 1, 1]], look_at: [0, 0, 0.6] }\n"),
         "x.yaml:6:8: views: view 0: camera: up is parallel");
}

TEST(machines_are_checked_with_the_file) {
    TOLD("machine: { exchange: { mode: dynamic, copies: serial, column_same: [0, 0] } }\n"
         "workload: { kind: traffic, tracers: 64, payload_bytes: 21 B }\n",
         "machine.exchange.column_same: a chip of 16 columns folds into 8",
         "x.yaml:1:47: machine.exchange.copies: serial copies",
         "x.yaml:2:56: workload.payload_bytes: expected a multiple of 4 B");
    TOLD("machine: { execution: decoupled }\nworkload: { kind: traffic, tracers: 64, buffers: slots }\n",
         "x.yaml:1:23: machine.execution: decoupled tiles send",
         "x.yaml:1:23: machine.execution: traffic is made iteration by iteration");
    TOLD("machine: { kind: fpga }\nworkload: { kind: traffic }\n",
         "x.yaml:1:18: machine.kind: the workload traffic takes ipu, found fpga");
    TOLD("machine: { base: virtex5, memory: { burst: 64 B }, cache: { kind: direct, size: 100 B } }\n"
         "scene: soup-500\nworkload: { kind: hierarchy }\nrun: { detail: phase }\n",
         "x.yaml:1:44: machine.memory.burst: a node has 112 bytes",
         "x.yaml:1:44: machine.memory.burst: a primitive has 48 bytes",
         "x.yaml:1:81: machine.cache.size: a set of nodes takes 112 bytes",
         "x.yaml:4:16: run.detail: phase is of parts without state");
}

static int begin(void **state) {
    char here[2048];
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    setenv("FOAMSIM_DATA", here, 1);
    snprintf(yesterday[0], sizeof yesterday[0], "%s/tests/golden/yesterday/foam.yaml", here);
    snprintf(yesterday[1], sizeof yesterday[1], "%s/tests/golden/yesterday/traffic.yaml", here);
    return scratch_enter(state);
}

RUN_TESTS(begin, scratch_leave)
