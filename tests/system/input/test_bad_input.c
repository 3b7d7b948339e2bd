/* Mistakes in commands and experiments, from the command line: exit status 2, a sentence that helps, and
 * nothing left under the name of the results. Scene files: test_bad_scene.c; the YAML reader by itself:
 * test_bad_config.c. */
#include "sim/host/process.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SETS = 6, MAX_WANTED = 6, MAX_WORDS = 8 };

/* ---- experiments ---- */

typedef struct mistake {
    const char *set[MAX_SETS];      /* of the experiment that is right */
    const char *wanted[MAX_WANTED]; /* all to be said on stderr */
} mistake;

#define NOC  "machine.exchange.kind=noc", "machine.exchange.mode=dynamic"
#define GRID NOC, "machine.exchange.noc.size=[8, 12]"
static const mistake mistakes[] = {
    /* keys, types, ranges, units */
    {{"workload.camra.width=64"}, {"workload.camra: unknown key", "did you mean \"camera\"?"}},
    {{"machin=gc200"}, {"machin: unknown key", "did you mean \"machine\"?"}},
    {{"run.seed"}, {"--set run.seed: expected --set KEY=VALUE"}},
    {{"workload.camera.width=wide"}, {"workload.camera.width: expected a positive integer, found \"wide\""}},
    {{"workload.camera.width=0"},
     {"workload.camera.width: expected an integer from 1 to 16384, found \"0\""}},
    {{"workload.camera.height=16385"}, {"expected an integer from 1 to 16384, found \"16385\""}},
    {{"workload.camera.fov_y=50"},
     {"fov_y: expected a quantity in deg or rad", "without a unit", "write \"50 deg\""}},
    {{"workload.camera.fov_y=180 deg"}, {"expected a quantity from 0.01 deg to 179 deg, found \"180 deg\""}},
    {{"workload.camera.fov_y=50 parsec"}, {"fov_y: expected a quantity in deg or rad", "\"parsec\""}},
    {{"machine.memory.sram=624"}, {"machine.memory.sram: expected a quantity in B", "write \"624 B\""}},
    {{"machine.clock=0 GHz"}, {"machine.clock: expected a quantity from"}},
    {{"machine.sync.skew_row=-1 cycles"}, {"machine.sync.skew_row: expected a quantity from 0 cycles"}},
    {{"machine.tile.workers=17"}, {"machine.tile.workers: expected an integer from 1 to 16, found \"17\""}},
    {{"machine.geometry.tiles_per_supertile=3"}, {"tiles_per_supertile: expected an integer from 4 to 4"}},
    {{"machine.exchange.mode=dinamic"}, {"expected one of static or dynamic", "did you mean \"dynamic\"?"}},
    {{"run.coverage=1.5"}, {"run.coverage: expected a number from 1e-9 to 1, found \"1.5\""}},
    {{"run.max_iterations=65535"}, {"run.max_iterations: expected an integer from 1 to 65534"}},
    {{"workload.repeat=0"}, {"workload.repeat: expected an integer from 1 to 65534, found \"0\""}},
    {{"workload.payload=quarter"}, {"workload.payload: expected one of full, mixed, half or baseline"}},
    {{"run.stream=yes"}, {"run.stream: expected true or false, found \"yes\""}},
    /* a network on chip */
    {{"machine.exchange.kind=noc", "machine.exchange.noc.size=[8, 12]"},
     {"machine.exchange.mode: ", "expected dynamic, found static"}},
    {{NOC}, {"machine.exchange.noc.size: ", "such as [8, 8]"}},
    {{NOC, "machine.exchange.noc.size=[7, 12]"},
     {"machine.exchange.noc.size: expected at least as many end points as the machine has tiles, 96, found "
      "84"}},
    {{NOC, "machine.exchange.noc.topology=fat_tree", "machine.exchange.noc.size=[4, 3]"},
     {"machine.exchange.noc.size: ", "96, found 64"}},
    {{NOC, "machine.exchange.noc.topology=flattened_butterfly", "machine.exchange.noc.size=[2048, 1]"},
     {"machine.exchange.noc.size: ", "has 2051 ports, to all of its row and column"}},
    {{NOC, "machine.exchange.noc.topology=dragonfly", "machine.exchange.noc.size=[8, 8]"},
     {"machine.exchange.noc.size: dragonfly: expected [routers of a group, groups, ", "found 2 sizes"}},
    {{NOC, "machine.exchange.noc.topology=fat_tree", "machine.exchange.noc.size=[32, 60000]"},
     {"machine.exchange.noc.size: fat_tree: expected at most 1048576 end points"}},
    {{GRID, "machine.exchange.noc.topology=mash"}, {"expected one of mesh, ", "did you mean \"mesh\"?"}},
    {{GRID, "machine.exchange.noc.topology=torus", "machine.exchange.noc.vcs=1"},
     {"machine.exchange.noc.vcs: ", "in a ring of 8 links, routers 0 -> 1 -> 2 "}},
    {{GRID, "machine.exchange.noc.vcs=17"}, {"noc.vcs: expected an integer from 1 to 16, found \"17\""}},
    {{GRID, "machine.exchange.noc.buffer=256"},
     {"noc.buffer: expected an integer from 1 to 255, found \"256\""}},
    {{GRID, "machine.exchange.noc.packet=1 MB"}, {"noc.packet: ", "at most 262136 B, found 1000000 B"}},
    {{GRID, "machine.exchange.noc.tiles=[1, 2, 1]"}, {"noc.tiles: ", "each of the 96 tiles, found 3"}},
    {{GRID, "machine.exchange.latency_base=60 cycles"},
     {"machine.exchange.latency_base: ", "applies to machine.exchange.kind ports"}},
    {{GRID, "machine.exchange.copies=serial"},
     {"machine.exchange.copies: ", "expected merged, found serial"}},
    {{GRID, "machine.exchange.bytes_per_cycle=8 B/cycle"},
     {"machine.exchange.bytes_per_cycle: ", "noc.width", "found 8 B/cycle"}},
    /* names of parts */
    {{"machine=gc300"}, {"machine: found \"gc300\"", "gc200, gc200-fattree", "did you mean \"gc200\"?"}},
    {{"overlay.kind=ring"}, {"overlay.kind: expected one of quadtree, ", "found \"ring\""}},
    {{"workload.partition.kind=ocree"},
     {"workload.partition.kind: expected one of kd, octree or metis", "did you mean \"octree\"?"}},
    {{"scene.generate.kind=forest"},
     {"expected one of garden, room, uniform, shell, yard, grove or street, found \"forest\""}},
    {{"scene.generate.cells=999"}, {"scene.generate.cells: expected an integer from 1000 to 5000000"}},
    {{"scene=nowhere"}, {"scene: found \"nowhere\""}},
    /* cameras */
    {{"workload.camera.look_at=[2.1, -2.9, 1.7]"},
     {"workload.camera: look_at equals position (2.1, -2.9, 1.7)"}},
    {{"workload.camera.up=[-2, 3.1, -1.1]"}, {"workload.camera: up is parallel to the view"}},
    {{"workload.camera.up=[0, 0, 0]"}, {"workload.camera: up is (0, 0, 0), expected a direction"}},
    {{"workload.camera.position=[.inf, 0, 0]"},
     {"workload.camera.position[0]: expected a number, found \".inf\""}},
    {{"workload.camera.position=[0, .nan, 0]"},
     {"workload.camera.position[1]: expected a number, found \".nan\""}},
    {{"workload.camera.position=[0, 0, 1e39]"},
     {"position[2]: expected a number from -1e30 to 1e30, found \"1e39\""}},
    {{"workload.camera.position=[0, 0]"}, {"expected three numbers [x, y, z], found a list of 2"}},
    {{"workload.camera.world_to_camera=[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]"},
     {"workload.camera: position and look_at, or world_to_camera, but not both"}},
    {{"workload.camera.intrinsics.fx=60"}, {"workload.camera: intrinsics need world_to_camera"}},
    {{"workload.camera_change.iteration=5"}, {"a camera change needs position and look_at"}},
    {{"workload.camera_change.iteration=5", "workload.camera_change.position=[0, 0, 5]",
      "workload.camera_change.look_at=[0, 0, 0]"},
     {"workload.camera_change: up is parallel to the view"}},
    {{"workload.march.step_limit=5"},
     {"workload.march.step_limit: expected an integer from 1000000 to 1000000000, found \"5\""}},
    /* what does not fit together */
    {{"workload.partition.shards=32"},
     {"expected a power of four of shards", "found 32; the nearest are 16 and 64"}},
    {{"workload.partition.shards=3"},
     {"expected a power of four of shards", "overlay.kind fat_tree or tree takes any number"}},
    {{"workload.partition.shards=256"}, {"256 shards need 256 tracers", "machine \"gc200-small\" has 96"}},
    {{"workload.partition.shards=1024", "machine=gc200", "scene.generate.cells=1000"},
     {"1024", "1000", "shards"}},
    {{"workload.partition.kind=octree", "workload.partition.octree.cap=20"},
     {"an octree with at most 20 cells in a leaf has ", "there are 64 tracers",
      "expected partition.octree.cap of at least "}},
    {{"workload.partition.kind=octree", "workload.partition.octree.leaves=200"},
     {"an octree of 204 leaves has ", "there are 64 tracers",
      "expected partition.octree.leaves of at most "}},
    {{"workload.partition.kind=octree", "workload.partition.octree.leaves=1", "scene.generate.cells=13000"},
     {"do not fit in SRAM", "tile 0 (tracer)", "312000 B  shard cells", "Hint:"}},
    {{"workload.partition.metis.ufactor=0"}, {"metis.ufactor: expected an integer from 1 to 1000"}},
    {{"workload.partition.ground_normal=[0, 0, 0]"}, {"ground_normal is (0, 0, 0), expected a direction"}},
    {{"overlay.generator_tile=5"}, {"overlay.generator_tile: expected a tile that is free (85 ... 95)"}},
    {{"overlay.router_buffer=100 B"},
     {"overlay quadtree: tile 64, a router, has 100 B", "10 lanes in and out (8 B each)"}},
    {{"workload.camera_change.iteration=5", "workload.camera_change.position=[0, 1, 5]",
      "workload.camera_change.look_at=[0, 0, 0]", "workload.camera_change.policy=pose_in_payload",
      "workload.payload=baseline", "overlay.tracer_buffer=96 B"},
     {"overlay quadtree: tile 0, a tracer, has 96 B", "2 lanes in and out (48 B each); a ray takes 76 B"}},
    {{"machine.memory.sram=300 KiB", "overlay.router_buffer=576000 B"},
     {"do not fit in SRAM", "tile 64 (router)", "288000 B  in lanes", "288000 B  out lanes",
      "618064 B  all allocations", "Hint:"}},
    {{"workload.framebuffer=local", "workload.local_buffer=1 MiB"},
     {"do not fit in SRAM", "(tracer)", "1048576 B  local framebuffer"}},
    {{"workload.framebuffer=local", "workload.local_buffer=12 B"},
     {"workload.local_buffer: expected at least 34560 B (2880 records of 12 B)"}},
    {{"machine.exchange.column_same=[-53]"}, {"machine.exchange.column_same", "found 1"}},
    {{"machine.exchange.latency_base=0 cycles"}, {"machine.exchange.column_same", "latency negative"}},
    {{"machine.cost.load=0 slots", "machine.cost.int_op=0 slots", "machine.cost.branch=0 slots"},
     {"machine.cost: event \"slot\" of the tracer would take a negative number of slots"}},
    {{"workload.camera.position=[100000, 0, 0]"},
     {"too large for payload half", "t can reach 100", "at most 65504", "use payload full"}},
};

static bool all_said(const char *text, const char *const *wanted, int most) {
    bool good = true;
    for (int w = 0; w < most && wanted[w] != NULL; w++)
        if (strstr(text, wanted[w]) == NULL) {
            print_error("not said: %s\n", wanted[w]);
            good = false;
        }
    return good;
}

static bool nothing_left(const char *dir) {
    char partial[64];
    snprintf(partial, sizeof partial, "%s.partial", dir);
    return !scratch_there(dir) && !scratch_there(partial);
}

TEST(each_mistake_is_told_and_leaves_nothing) {
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char out[16];
        snprintf(out, sizeof out, "out-%zu", i);
        fs_process_words w = {.arena = test_arena()};
        fs_process_add(&w, "run", "x.yaml", "--quiet", "--out", out, NULL);
        fs_process_sets(&w, mistakes[i].set, MAX_SETS);
        cli_result r = cli_words(w.word, 0);
        bool good = r.status == 2 && r.out[0] == '\0' && all_said(r.err, mistakes[i].wanted, MAX_WANTED);
        good = good && nothing_left(out);
        if (!good)
            print_error("--set %s ...: exit status %d, signal %d\n%s\n", mistakes[i].set[0], r.status,
                        r.signal, r.err);
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}

/* Numbers that are fine elsewhere: each mistake's neighbour runs. */
TEST(what_is_right_beside_a_mistake_runs) {
    static const char *const right[][2] = {
        {"workload.camera.position=[100000, 0, 0]", "workload.payload=full"},
        {"machine.memory.sram=500 KiB", "machine.memory.check=warn"},
        {"workload.framebuffer=local", "workload.local_buffer=34560 B"},
        {"overlay.generator_tile=95", "overlay.generator_ring=0"},
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "right", "--set", right[i][0], "--set",
                 right[i][1], NULL);
}

/* ---- files ---- */

TEST(each_broken_file_is_told_with_its_place) {
    static const struct {
        const char *text, *wanted[MAX_WANTED];
    } files[] = {
        {"", {"y.yaml:1:1: expected a mapping"}},
        {"just words\n", {"y.yaml:1:1: expected a mapping (key: value), found \"just words\""}},
        {"machine: gc200-small\nmachine: gc200\n", {"y.yaml:2:1: machine: duplicate key", "line 1"}},
        {"workload: { camera: { fov_y: 40 deg } }\n", {"workload.camera: expected position and look_at"}},
        {"run:\n\tseed: 1\n", {"y.yaml:2:1", "found a tab"}},
        {"run: { seed: 1\n", {"y.yaml:2", "not valid YAML"}},
        {"base: y.yaml\n", {"y.yaml:1:7: base: the files include one another"}},
        {"base: z.yaml\n", {"y.yaml:1:7: base", "z.yaml"}},
        {"name: a/b\nbase: x.yaml\n", {"the name \"a/b\" is no name for a folder: give one with --out"}},
        {"run: { seed: &a 1, frames: *a }\n", {"y.yaml:1:14: run.seed: found the anchor"}},
        {"run: { seed: a, frames: b }\nscene: 5\nmachine: { clok: 1 GHz }\n",
         {"y.yaml:1:14: run.seed", "y.yaml:1:25: run.frames", "y.yaml:2:8: scene",
          "y.yaml:3:12: machine.clok", "did you mean \"clock\"?"}},
        {"workload: { camera: {position: [1,1,1], look_at: [0,0,0], world_to_camera: "
         "[[1,0,0,0],[0,1,0,0],[0,0,1,0],"
         "[0,0,0,1]]} }\n",
         {"workload.camera: position and look_at, or world_to_camera, but not both"}},
        {"workload: { camera: { world_to_camera: [[2,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]] } }\n",
         {"world_to_camera is no rotation"}},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        cli_write("y.yaml", files[i].text);
        bool named = strstr(files[i].text, "name:") == NULL;
        cli_result r =
            named ? cli("run", "y.yaml", "--quiet", "--out", "out", NULL) : cli("run", "y.yaml", NULL);
        bool good = r.status == 2 && all_said(r.err, files[i].wanted, MAX_WANTED) && nothing_left("out");
        if (!good)
            print_error("%s\nexit status %d, signal %d\n%s\n", files[i].text, r.status, r.signal, r.err);
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}

TEST(a_wrong_kind_is_the_one_mistake_of_its_file) {
    cli_write("y.yaml", "workload: { kind: fooam }\n");
    cli_result r = cli("run", "y.yaml", "--out", "out", NULL);
    cli_refused(&r, "y.yaml:1:19: workload.kind: expected one of foam, ");
    assert_null(strstr(r.err, "work.name")); /* which sections it reads is not known */
}

TEST(a_sweep_is_no_experiment) {
    cli_write("y.yaml", "base: x.yaml\naxes: [{ key: run.seed, values: [1, 2] }]\n");
    cli_refuses("y.yaml:2:1: axes: unknown key; expected one of name, ", "run", "y.yaml", NULL);
    cli_refuses("is a sweep: run it by `foamsim sweep`", "run", "y.yaml", NULL);
}

TEST(an_experiment_is_no_sweep) {
    cli_write("y.yaml", "name: y\nworkload: { kind: foam }\nmachine: gc200\n");
    cli_refuses(
        "y.yaml:2:11: workload: a file with a workload and no axes is an experiment: run it by `foamsim run`",
        "sweep", "y.yaml", NULL);
}

TEST(garbage_is_refused) {
    FILE *file = fopen("y.yaml", "wb");
    assert_non_null(file);
    for (int i = 0; i < 5000; i++)
        fputc(i * 37 % 256, file);
    assert_int_equal(fclose(file), 0);
    cli_refuses("y.yaml:1:1: expected UTF-8 text, found byte 0x00", "run", "y.yaml", "--out", "out", NULL);
    assert_true(nothing_left("out"));
}

/* ---- command lines ---- */

TEST(each_wrong_command_line_is_told) {
    static const struct {
        const char *words[MAX_WORDS], *wanted;
    } lines[] = {
        {{NULL}, "a command is missing"},
        {{"rum"}, "unknown command \"rum\"; did you mean \"run\"?"},
        {{"--versoin"}, "unknown option \"--versoin\""},
        {{"run"}, "an argument is missing"},
        {{"run", "x.yaml", "y.yaml"}, "unexpected argument \"y.yaml\""},
        {{"run", "x.yaml", "--tread"}, "--tread"},
        {{"run", "x.yaml", "--threads"}, "--threads needs a value"},
        {{"run", "x.yaml", "--threads", "0"}, "--threads: expected 1 to 1024, found 0"},
        {{"run", "x.yaml", "--threads", "many"}, "--threads: expected an integer, found \"many\""},
        {{"run", "x.yaml", "--quiet=yes"}, "--quiet"},
        {{"run", "none.yaml"}, "none.yaml: can't open"},
        {{"run", "."}, "is a folder; expected a YAML file"},
        {{"run", "x.yaml", "--out", ""}, "does not name a folder"},
        {{"run", "x.yaml", "--out", ".."}, "does not name a folder"},
        {{"config", "check"}, "argument"},
        {{"config", "frob", "x.yaml"}, "frob"},
        {{"params", "machin"}, "machin"},
        {{"list", "machine"}, "machine"},
        {{"scene", "frob"}, "frob"},
        {{"scene", "generate", "forest", "-o", "a.ply"}, "forest"},
        {{"scene", "info", "none.ply"}, "none.ply"},
        {{"query", "none.db", "best", "--figures", "a"}, "query best: --figures is an option of table"},
        {{"query", "none.db", "table", "--top", "2"}, "query table: --top is an option of best"},
        {{"query", "none.db", "table", "--by", "a"}, "query table: --by is an option of best and front"},
        {{"query", "none.db", "best", "--failed"}, "query best: --failed is an option of points"},
        {{"run", "x.yaml", "--set", "machine.clok=1"}, ", limits or 3 more; did you mean \"clock\"?"},
        {{"run", "nobody"}, "that `foamsim list experiments` names"},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_result r = cli_words(lines[i].words, 0);
        bool good = r.status == 2 && strstr(r.err, lines[i].wanted) != NULL && !scratch_there("runs");
        if (!good)
            print_error("line %zu: exit status %d, expected: %s\n%s\n", i, r.status, lines[i].wanted, r.err);
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}

/* ---- folders ---- */

TEST(an_existing_folder_stays_unless_forced) {
    cli_must("run", "x.yaml", "--quiet", "--out", "there", NULL);
    char before[65], after[65];
    sha256_of("there/manifest.json", before);
    cli_result r = cli("run", "x.yaml", "--quiet", "--out", "there", "--set", "run.seed=2", NULL);
    cli_refused(&r, "there exists already");
    assert_non_null(strstr(r.err, "--force"));
    sha256_of("there/manifest.json", after);
    assert_string_equal(before, after);
    r = cli("run", "x.yaml", "--quiet", "--out", "there", "--force", "--set", "workload.camera.fov_y=0 deg",
            NULL);
    assert_int_equal(r.status, 2); /* a mistake found late spares it too */
    r = cli("run", "x.yaml", "--quiet", "--out", "there", "--force", "--set", "run.max_iterations=30", NULL);
    assert_int_equal(r.status, 1);
    sha256_of("there/manifest.json", after);
    assert_string_equal(before, after);
    assert_whole_run("there");
    cli_must("run", "x.yaml", "--quiet", "--out", "there", "--force", "--set", "run.seed=2", NULL);
    sha256_of("there/manifest.json", after);
    assert_string_not_equal(before, after);
    assert_whole_run("there");
}

TEST(what_is_no_run_is_not_replaced) {
    assert_int_equal(mkdir("mine", 0777), 0);
    cli_write("mine/diary.txt", "dear diary\n");
    cli_result r = cli("run", "x.yaml", "--quiet", "--out", "mine", "--force", NULL);
    cli_refused(&r, "mine is not a run folder");
    assert_true(scratch_there("mine/diary.txt"));
    r = cli("run", "x.yaml", "--quiet", "--out", "x.yaml", "--force", NULL);
    assert_int_equal(r.status, 2);
    assert_true(scratch_there("x.yaml"));
}

TEST(a_place_that_takes_no_folder_is_an_error) {
    cli_write("file", "a file\n");
    cli_result r = cli("run", "x.yaml", "--quiet", "--out", "file/run", NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "file: cannot make the folder"));
    if (geteuid() == 0)
        return; /* root may write everywhere */
    assert_int_equal(mkdir("closed", 0555), 0);
    r = cli("run", "x.yaml", "--quiet", "--out", "closed/run", NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "closed/run.partial"));
    assert_false(scratch_there("closed/run"));
}

/* ---- runs that fail ---- */

TEST(a_run_that_is_not_done_in_time_fails) {
    cli_result r = cli("run", "x.yaml", "--quiet", "--out", "late", "--set", "run.max_iterations=30", NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "not done after run.max_iterations = 30 iterations"));
    assert_non_null(strstr(r.err, "of 4800 pixels"));
    assert_true(nothing_left("late"));
}

TEST(checking_an_experiment_finds_the_same_mistakes) {
    cli_must("run", "x.yaml", "--check", NULL);
    cli_refuses("do not fit in SRAM", "run", "x.yaml", "--check", "--set", "machine.memory.sram=300 KiB",
                "--set", "overlay.router_buffer=576000 B", NULL);
    assert_false(scratch_there("runs"));
}

RUN_TESTS(cli_enter_experiment, cli_leave)
