/* Wrong configuration files: every one is FS_INPUT, and the sentence names the place, the key, what was found
 * and what is allowed. One row a mistake. */
#include "tests/support/config_tables.h"
#include "tests/support/test.h"

enum { MAX_WANTED = 5 };

typedef struct bad {
    const char *text; /* of x.yaml */
    const char *wanted[MAX_WANTED];
    const char *set; /* one --set, or NULL */
} bad;

#define CAMERA "workload: { camera: { width: 64 } }\n"

static const bad table[] = {
    /* keys */
    {CAMERA "machin: gc200\n",
     {"x.yaml:2:1: machin: unknown key", "did you mean \"machine\"?", "name, machine"},
     NULL},
    {CAMERA "seed: 2\n", {"x.yaml:2:1: seed: unknown key", "did you mean \"run.seed\"?"}, NULL},
    {CAMERA "run: { sed: 2 }\n",
     {"x.yaml:2:8: run.sed: unknown key", "expected one of seed, idle", "\"seed\"?"},
     NULL},
    {CAMERA "machine:\n  tile:\n    wrokers: 3\n",
     {"x.yaml:4:5: machine.tile.wrokers: unknown key", "\"workers\"?"},
     NULL},
    {CAMERA "machine: { workers: 3 }\n",
     {"x.yaml:2:12: machine.workers: unknown", "\"machine.tile.workers\"?"},
     NULL},
    {CAMERA "machine: { tile.workers: 3 }\n",
     {"2:12: machine.tile.workers", "nest: write \"tile: { workers"},
     NULL},
    {CAMERA "machine.tile: { workers: 3 }\n",
     {"2:1: machine.tile: unknown", "nest: write \"machine: { tile"},
     NULL},
    {CAMERA "overlay: { kind: quadtree, widths: [1] }\n",
     {"2:28: overlay.widths: unknown", "kind \"fat_tree\" has it"},
     NULL},
    {CAMERA "run: { seed: 1 }\nrun: { seed: 2 }\n", {"x.yaml:3:1: run: duplicate key", "line 2"}, NULL},
    {CAMERA "run: { seed: 1, seed: 2 }\n", {"x.yaml:2:17: run.seed: duplicate key", "line 2"}, NULL},
    {"workload: { camera: { fov_y: 40 deg } }\n",
     {"x.yaml:1:21: workload.camera.width: missing", "a positive integer", "pixels across"},
     NULL},
    {"workload: {}\n", {"x.yaml:1:11: workload.camera.width: missing"}, NULL},
    {"run: {}\n", {"x.yaml:1:1: workload.camera.width: missing"}, NULL},
    {CAMERA "machine: dup\n",
     {"configs/machines/dup.yaml:3:3: machine.tile.reuse: duplicate key; its first place is line 2"},
     NULL},
    {CAMERA "run: { seed: [1, [*x]] }\n", {"x.yaml:2:19: run.seed[1][0]: found an alias"}, NULL},
    {CAMERA "? [a, b]\n: 3\n", {"x.yaml:2:3: expected a word as key, found a list of 2"}, NULL},
    {CAMERA "\"\": 3\n", {"x.yaml:2:1: expected a word as key, found \"\""}, NULL},
    {CAMERA "run: { <<: { seed: 3 } }\n", {"x.yaml:2:8: run: found the merge key", "base:"}, NULL},
    {CAMERA "name: [a]\n", {"x.yaml:2:7: name: expected a text, found a list of 1"}, NULL},
    {CAMERA "name:\n", {"name: expected a text, found nothing"}, NULL},
    /* kinds */
    {CAMERA "overlay: { kind: fattree }\n",
     {"x.yaml:2:18: overlay.kind: expected one of quadtree or fat_tree", "found \"fattree\"",
      "did you mean \"fat_tree\"?"},
     NULL},
    {CAMERA "overlay: { kind: [quadtree] }\n",
     {"x.yaml:2:18: overlay.kind: expected one of", "found a list of 1"},
     NULL},
    {"workload: { kind: foan, camera: { width: 64 } }\n",
     {"1:19: workload.kind: expected foam, found \"foan\"; did you mean \"foam\"?"},
     NULL},
    {CAMERA "run: { kind: fast }\n", {"x.yaml:2:8: run.kind: unknown key"}, NULL},
    /* types */
    {CAMERA "overlay: { kind: fat_tree, widths: [1, 1, two] }\n",
     {"x.yaml:2:43: overlay.widths[2]: expected a positive integer, found \"two\""},
     NULL},
    {CAMERA "overlay: { kind: fat_tree, widths: [1, 0] }\n",
     {"x.yaml:2:40: overlay.widths[1]: expected an integer of at least 1, found \"0\""},
     NULL},
    {CAMERA "overlay: { kind: fat_tree, widths: 3 }\n",
     {"2:36: overlay.widths: expected a list, each a positive integer, found \"3\""},
     NULL},
    {CAMERA "machine: { tile: { workers: six } }\n",
     {"2:29: machine.tile.workers: expected a positive integer, found \"six\"; allowed: 1 to 64"},
     NULL},
    {CAMERA "machine: { tile: { workers: \"6\" } }\n",
     {"2:29: machine.tile.workers: expected a positive integer, found \"6\" in quotes"},
     NULL},
    {CAMERA "machine: { tile: { workers: 6.5 } }\n",
     {"machine.tile.workers: expected a positive integer, found \"6.5\""},
     NULL},
    {CAMERA "machine: { tile: { workers: } }\n",
     {"machine.tile.workers: expected a positive integer, found nothing"},
     NULL},
    {CAMERA "machine: { tile: { workers: {} } }\n",
     {"machine.tile.workers: expected a positive integer, found a mapping"},
     NULL},
    {CAMERA "machine: { tile: { reuse: yes } }\n",
     {"2:27: machine.tile.reuse: expected true or false, found \"yes\""},
     NULL},
    {CAMERA "machine: { tile: 6 }\n",
     {"2:18: machine.tile: expected a mapping with workers, sram or reuse, found \"6\""},
     NULL},
    {CAMERA "machine: { exchange: { mode: dynamik } }\n",
     {"2:30: machine.exchange.mode: expected one of static or dynamic, found \"dynamik\"; did you mean "
      "\"dynamic\"?"},
     NULL},
    {CAMERA "machine: { name: { a: 1 } }\n", {"2:18: machine.name: expected a text, found a mapping"}, NULL},
    {CAMERA "scene: { up: [0, 1] }\n",
     {"2:14: scene.up: expected three numbers [x, y, z], found a list of 2"},
     NULL},
    {CAMERA "scene: { points: 3 deg }\n",
     {"2:18: scene.points: expected a list of points [x, y, z], found \"3 deg\""},
     NULL},
    {CAMERA "scene: { points: [3 deg, 4 deg] }\n",
     {"2:18: scene.points: expected a list of points [x, y, z], found a list of 2"},
     NULL},
    {CAMERA "scene: { points: [[1 deg, 2 deg, 3 deg], [1 deg, 2 deg], 4 deg] }\n",
     {"2:42: scene.points[1]: expected three numbers [x, y, z], found a list of 2",
      "2:58: scene.points[2]: expected three numbers [x, y, z], found \"4 deg\""},
     NULL},
    {CAMERA "scene: { points: [[1 deg, 2 deg, 361 deg]] }\n",
     {"2:34: scene.points[0][2]: expected a quantity from -360 deg to 360 deg, found \"361 deg\""},
     NULL},
    {CAMERA "scene: { up: [0, 1, high] }\n",
     {"2:21: scene.up[2]: expected a number, found \"high\"; allowed: -1 to 1"},
     NULL},
    {CAMERA "scene: { matrix: [1, 2, 3] }\n",
     {"2:18: scene.matrix: expected four rows of four numbers, found a list of 3"},
     NULL},
    {CAMERA "scene:\n  matrix: [[1,0,0,0], [0,1,0], [0,0,1,0], [0,0,0,1]]\n",
     {"3:23: scene.matrix[1]: expected four numbers, found a list of 3"},
     NULL},
    {CAMERA "scene:\n  matrix: [[1,0,0,0], [0,1,0,x], [0,0,1,0], [0,0,0,1]]\n",
     {"3:30: scene.matrix[1][3]: expected a number, found \"x\""},
     NULL},
    {CAMERA "run: { threshold: .nan }\n",
     {"2:19: run.threshold: expected a non-negative number, found \".nan\""},
     NULL},
    {CAMERA "run: { gain: 1e999 }\n",
     {"2:14: run.gain: expected a number, found \"1e999\", which is too large"},
     NULL},
    {CAMERA "run: { offset: 9223372036854775808 }\n",
     {"2:16: run.offset: expected an integer", "too large"},
     NULL},
    {CAMERA "run: 7\n", {"2:6: run: expected a mapping, found \"7\""}, NULL},
    {CAMERA "machine: [gc200]\n",
     {"2:10: machine: expected a mapping, a name or a path, found a list of 1"},
     NULL},
    {CAMERA "machine:\n", {"machine: expected a mapping, a name or a path, found nothing"}, NULL},
    /* ranges */
    {CAMERA "machine: { tile: { workers: 65 } }\n",
     {"2:29: machine.tile.workers: expected an integer from 1 to 64, found \"65\""},
     NULL},
    {CAMERA "run: { threshold: -0.5 }\n",
     {"2:19: run.threshold: expected a number from 0 to 1, found \"-0.5\""},
     NULL},
    {CAMERA "machine: { clock: 1 kHz }\n",
     {"2:19: machine.clock: expected a quantity from 1 MHz to 10 GHz, found \"1 kHz\""},
     NULL},
    {CAMERA "machine: { tile: { sram: 4 GiB } }\n",
     {"machine.tile.sram: expected a quantity from 1 KiB to 1 GiB, found \"4 GiB\""},
     NULL},
    /* units */
    {CAMERA "machine: { tile: { sram: 624 } }\n",
     {"2:26: machine.tile.sram: expected a quantity in B, kB, KiB",
      "found \"624\" without a unit; write \"624 B\""},
     NULL},
    {CAMERA "machine: { tile: { sram: 624 KB } }\n",
     {"2:26: machine.tile.sram: expected a quantity", "unit \"KB\"; did you mean \"kB\"?"},
     NULL},
    {CAMERA "machine: { tile: { sram: 1.0001 KiB } }\n", {"machine.tile.sram", "no whole number of B"}, NULL},
    {CAMERA "machine: { tile: { workers: 6 cycles } }\n",
     {"machine.tile.workers: expected a positive integer, found \"6 cycles\""},
     NULL},
    {CAMERA "run: { idle: 200 }\n",
     {"2:14: run.idle: expected a quantity in cycles, found \"200\" without a unit; write \"200 cycles\""},
     NULL},
    {"workload: { camera: { width: 64, fov_y: 50 } }\n",
     {"1:41: workload.camera.fov_y: expected a quantity in deg or rad", "write \"50 deg\""},
     NULL},
    {CAMERA "overlay: { fill: 60 percent }\n",
     {"overlay.fill: expected a quantity in %, found \"60 percent\" with the unit \"percent\""},
     NULL},
    /* references */
    {CAMERA "machine: gc20\n",
     {"x.yaml:2:10: machine: found \"gc20\"", "bow, broken, dup, gc200", "did you mean \"gc200\"?"},
     NULL},
    {CAMERA "machine: parts/none.yaml\n", {"x.yaml:2:10: machine: no file \"parts/none.yaml\""}, NULL},
    {CAMERA "machine: { base: gc20 }\n", {"x.yaml:2:18: machine.base: found \"gc20\"", "\"gc200\"?"}, NULL},
    {CAMERA "machine: { base: [gc200] }\n",
     {"2:18: machine.base: expected the name or path of one file, found a list of 1"},
     NULL},
    {CAMERA "machine: loop_a\n",
     {"machines/loop_b.yaml:1:7: machine.base: the files include one another: configs/machines/loop_a.yaml "
      "-> configs/machines/loop_b.yaml -> configs/machines/loop_a.yaml"},
     NULL},
    {"base: x.yaml\n" CAMERA, {"x.yaml:1:7: base: the files include one another: x.yaml -> x.yaml"}, NULL},
    {CAMERA "machine: broken\n",
     {"configs/machines/broken.yaml:3:12: machine.tile.workers: expected a positive integer, found \"lots\""},
     NULL},
    {CAMERA "machine: { base: broken }\n",
     {"configs/machines/broken.yaml:1:1: machine.clok: unknown key", "\"clock\"?"},
     NULL},
    {CAMERA "machine: text\n",
     {"configs/machines/text.yaml:1:1: expected a mapping (key: value), found \"just words\""},
     NULL},
    {CAMERA "scene: data/some.ply\n",
     {"x.yaml:2:8: scene: expected a name or a .yaml file", "{ file: data/some.ply }"},
     NULL},
    {CAMERA "scene: some.ply\n",
     {"x.yaml:2:8: scene: expected a name or a .yaml file", "{ file: some.ply }"},
     NULL},
    {CAMERA "machine: configs/machines/\n", {"x.yaml:2:10: machine: no file \"configs/machines\""}, NULL},
    {CAMERA "machine: garbage.yaml\n", {"garbage.yaml:1:3: expected UTF-8 text, found byte 0x00"}, NULL},
    {CAMERA "run: { base: fast }\n",
     {"x.yaml:2:14: run.base: expected the path of a .yaml file, found \"fast\""},
     NULL},
    /* text that is no YAML, or YAML that is not read */
    {"", {"x.yaml:1:1: expected a mapping (key: value), found nothing"}, NULL},
    {"# nothing\n", {"x.yaml:1:1: expected a mapping (key: value), found nothing"}, NULL},
    {"- a\n- b\n", {"x.yaml:1:1: expected a mapping (key: value), found a list of 2"}, NULL},
    {CAMERA "run:\n\tseed: 1\n",
     {"x.yaml:3:1: not valid YAML", "found a tab: YAML indents with spaces only"},
     NULL},
    {CAMERA "run: { seed: 1\n", {"not valid YAML", "in line 2"}, NULL},
    {CAMERA "run: { seed: \"1 }\n", {"not valid YAML", "quoted scalar"}, NULL},
    {CAMERA "machine: { name: caf\xe9 }\n",
     {"x.yaml:2:21: expected UTF-8 text, found byte 0xe9: not UTF-8"},
     NULL},
    {CAMERA "machine: { name: \xc3\xa9\xff }\n", {"x.yaml:2:19: expected UTF-8 text, found byte 0xff"}, NULL},
    {CAMERA "machine: { name: \"a\x01\" }\n",
     {"x.yaml:2:20: expected UTF-8 text, found byte 0x01: a control character"},
     NULL},
    {CAMERA "machine: { name: \"a\\0b\" }\n",
     {"x.yaml:2:18: machine.name: expected text, found a NUL character"},
     NULL},
    {CAMERA "machine: &m { name: a }\n", {"x.yaml:2:10: machine: found the anchor \"m\"", "base:"}, NULL},
    {CAMERA "machine: &m { name: a }\nrun: *m\n",
     {"x.yaml:2:10: machine: found the anchor", "x.yaml:3:6: run: found an alias"},
     NULL},
    {CAMERA "run: { seed: !!int 3 }\n",
     {"x.yaml:2:14: run.seed: found the tag \"tag:yaml.org,2002:int\""},
     NULL},
    {CAMERA "---\nrun: {}\n", {"x.yaml:2:1: found a second document"}, NULL},
    /* --set */
    {CAMERA, {"--set run.seed: expected --set KEY=VALUE"}, "run.seed"},
    {CAMERA, {"--set =3: expected a key such as run.seed"}, "=3"},
    {CAMERA,
     {"--set run..seed=3: expected a key such as run.seed before the '=', found \"run..seed\""},
     "run..seed=3"},
    {CAMERA, {"--set run.sed=3: run.sed: unknown key", "did you mean \"seed\"?"}, "run.sed=3"},
    {CAMERA, {"--set rum.seed=3: rum: unknown key", "did you mean \"run\"?"}, "rum.seed=3"},
    {CAMERA,
     {"--set frames=3: frames: unknown key; expected one of name, machine, overlay, scene, workload or run"},
     "frames=3"},
    {CAMERA,
     {"--set machine.tile.sram=5: machine.tile.sram: expected a quantity", "\"5 B\""},
     "machine.tile.sram=5"},
    {CAMERA "overlay: { kind: fat_tree }\n",
     {"--set overlay.widths=[1, x]: overlay.widths[1]: expected a positive integer, found \"x\""},
     "overlay.widths=[1, x]"},
    {CAMERA, {"--set machine=gc20: machine: found \"gc20\"", "\"gc200\"?"}, "machine=gc20"},
    {CAMERA, {"--set run.seed=[1: not valid YAML"}, "run.seed=[1"},
    {CAMERA, {"--set machine.tile=3: machine.tile: expected a mapping"}, "machine.tile=3"},
};

static int begin(void **state) {
    (void)state;
    toy_folder_begin();
    toy_file("configs/machines/gc200.yaml", "name: gc200\n");
    toy_file("configs/machines/bow.yaml", "base: gc200\nclock: 1.85 GHz\n");
    toy_file("configs/machines/loop_a.yaml", "base: loop_b\n");
    toy_file("configs/machines/loop_b.yaml", "base: loop_a\n");
    toy_file("configs/machines/broken.yaml", "clok: 1 GHz\ntile:\n  workers: lots\n");
    toy_file("configs/machines/text.yaml", "just words\n");
    toy_file("configs/machines/dup.yaml", "tile:\n  reuse: true\n  reuse: true\n");
    toy_file("data/some.ply", "ply\n");
    toy_bytes("garbage.yaml", "ab\0\xff\xfe\x80", 6);
    return 0;
}

static int end(void **state) {
    (void)state;
    toy_folder_end();
    return 0;
}

TEST(each_mistake_is_named) {
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *sets[4] = {table[i].set};
        fs_arena *arena = test_arena();
        fs_error err = {.status = FS_OK};
        toy_file("x.yaml", table[i].text);
        const fs_config *config = toy_load(arena, sets, &err);
        bool good = config == NULL && err.status == FS_INPUT;
        for (size_t w = 0; w < MAX_WANTED && table[i].wanted[w] != NULL; w++) {
            bool there = strstr(err.text, table[i].wanted[w]) != NULL;
            if (!there)
                print_error("not said: %s\n", table[i].wanted[w]);
            good &= there;
        }
        if (!good)
            print_error("row %zu, input:\n%s\nanswer (status %d):\n%s\n\n", i, table[i].text, (int)err.status,
                        err.text);
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}

/* Eight mistakes in two files and a --set: all are told, by file, then line. */
TEST(all_mistakes_are_told_in_order) {
    toy_file(
        "x.yaml",
        "machine: broken\nrun: { threshold: 2, seed: a }\nworkload:\n  camera: { fov_y: 5 }\nname: {}\n");
    const char *sets[4] = {"overlay.kind=ring"};
    fs_arena *arena = test_arena();
    fs_error err = {.status = FS_OK};
    assert_null(toy_load(arena, sets, &err));
    assert_int_equal(err.status, FS_INPUT);
    static const char *const order[] = {
        "x.yaml:2:19: run.threshold",
        "x.yaml:2:28: run.seed",
        "x.yaml:4:11: workload.camera.width: missing",
        "x.yaml:4:20: workload.camera.fov_y",
        "x.yaml:5:7: name",
        "--set overlay.kind=ring: overlay.kind",
        "configs/machines/broken.yaml:1:1: machine.clok",
        "configs/machines/broken.yaml:3:12: machine.tile.workers",
    };
    const char *from = err.text;
    size_t lines = 1;
    for (const char *c = err.text; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, sizeof order / sizeof *order);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *found = strstr(from, order[i]);
        if (found == NULL)
            fail_msg("\"%s\" is not where it belongs in:\n%s", order[i], err.text);
        from = found;
    }
}

/* More mistakes than the error's text holds: the rest is counted, the text is whole lines. */
TEST(a_flood_is_cut_and_counted) {
    enum { MISTAKES = 900 };
    static char text[MISTAKES * 20];
    size_t used = 0;
    for (int i = 0; i < MISTAKES; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "key%d: 1\n", i);
    toy_file("x.yaml", text);
    fs_arena *arena = test_arena();
    fs_error err = {.status = FS_OK};
    const char *sets[4] = {NULL};
    assert_null(toy_load(arena, sets, &err));
    size_t lines = 0, more = 0;
    for (const char *c = err.text; *c != '\0'; c++)
        lines += *c == '\n';
    const char *last = strrchr(err.text, '\n') + 1;
    assert_int_equal(sscanf(last, "... and %zu errors more", &more), 1);
    assert_int_equal(lines + more, MISTAKES + 1); /* and the missing camera width */
}

TEST(a_missing_file_is_the_users) {
    fs_arena *arena = test_arena();
    static const char *const paths[] = {"none.yaml", "no/such/folder/x.yaml", "configs", ""};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        fs_error err = {.status = FS_OK};
        assert_null(fs_config_load(arena, paths[i], toy_sections, TOY_SECTIONS, NULL, 0, "configs", &err));
        assert_fails(err.status, FS_INPUT, &err, paths[i]);
    }
}

TEST(mistakes_in_a_part_alone) {
    fs_arena *arena = test_arena();
    fs_error err = {.status = FS_OK};
    const char *kind = NULL;
    assert_null(fs_config_load_section(arena, "configs/machines/broken.yaml", &toy_sections[0], NULL, 0,
                                       "configs", &kind, &err));
    assert_fails(err.status, FS_INPUT, &err, "configs/machines/broken.yaml:1:1: machine.clok: unknown key");
    assert_non_null(strstr(err.text, "configs/machines/broken.yaml:3:12: machine.tile.workers: expected"));
}

RUN_TESTS(begin, end)
