/* Wrong networks on chip and wrong traffic on them: every one has exit status 2 and names place, key, what was found
 * and what is allowed. One row a mistake; files of graphs have theirs in tests/unit/noc/test_graph_file. */
#include "sim/host/process.h"
#include "tests/support/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <sys/stat.h>

enum { MAX_SETS = 3, MAX_WANTED = 4 };

#define NOC "machine.exchange.noc."

static const struct {
    const char *set[MAX_SETS], *wanted[MAX_WANTED];
} mistakes[] = {
    /* words and ranges */
    {{NOC "topolgy=mesh"}, {NOC "topolgy: unknown key", "did you mean \"topology\"?"}},
    {{NOC "topology=msh"}, {NOC "topology: expected one of mesh, torus", "did you mean \"mesh\"?"}},
    {{NOC "vcs=17"}, {NOC "vcs: expected an integer from 1 to 16, found \"17\""}},
    {{NOC "buffer=256"}, {NOC "buffer: expected an integer from 1 to 255, found \"256\""}},
    {{NOC "size=[0, 8]"}, {NOC "size[0]: expected an integer from 1", "found \"0\""}},
    {{"machine.exchange.kind=nok"}, {"machine.exchange.kind: ", "did you mean \"noc\"?"}},
    /* sizes */
    {{NOC "size=[2048, 2048]"}, {NOC "size: mesh: expected at most 1048576 routers"}},
    {{NOC "topology=fat_tree", NOC "size=[40, 2]"}, {"expected an arity of 2 to 32, found 40"}},
    {{NOC "topology=fat_tree", NOC "size=[4, 3, 2]"}, {"expected [arity, levels]", "found 3 sizes"}},
    {{NOC "topology=flattened_butterfly", NOC "concentration=5"},
     {NOC "concentration: expected a square number, found 5"}},
    {{NOC "topology=dragonfly", NOC "size=[4, 9, 1]"},
     {NOC "size: dragonfly: ", "join 5 groups; expected at most so many, found 9"}},
    {{NOC "topology=file"}, {"x.yaml:6:", NOC "file: expected a file of routers and links, found none"}},
    /* rings */
    {{NOC "topology=torus", NOC "vcs=1"},
     {NOC "vcs: torus: packets can wait", "ring of 8 links, routers 0 -> 1", "with 1 virtual channel"}},
    {{NOC "topology=torus", NOC "vcs=2", "workload.source=stream"},
     {NOC "vcs: expected at least 4 virtual channels, found 2", "for requests and for answers"}},
    {{NOC "vcs=3", "workload.source=stream"}, {NOC "vcs: ", "expected an even number, found 3"}},
    /* what is of ports alone */
    {{"machine.exchange.mode=static"}, {"machine.exchange.mode: ", "expected dynamic, found static"}},
    {{"machine.exchange.copies=serial"}, {"machine.exchange.copies: ", "expected merged, found serial"}},
    {{"machine.exchange.bytes_per_cycle=8 B/cycle"},
     {"machine.exchange.bytes_per_cycle: a port of kind ports", "found 8 B/cycle"}},
    {{"machine.exchange.column_same=[1, 2, 3, 4, 5, 6, 7, 8]"},
     {"machine.exchange.column_same: applies to machine.exchange.kind ports"}},
    {{"machine.exchange.kind=ports"}, {"machine.exchange.kind: ", "expected noc, found ports"}},
    /* traffic */
    {{"workload.flits=66"}, {"workload.flits: ", "a packet 65 flits", "found 66"}},
    {{"workload.pattern=transpos"}, {"workload.pattern: expected one of", "did you mean \"transpose\"?"}},
    {{NOC "size=[8, 4]", "workload.pattern=transpose"},
     {"--set workload.pattern=transpose: workload.pattern: ", "a square of nodes; 32 are none", "25 and 36"}},
    {{NOC "size=[6, 6]", "workload.pattern=bit_reversal"}, {"needs a power of two of nodes, found 36"}},
    {{"workload.pattern=hotspot", "workload.hotspot=[64]"},
     {"--set workload.hotspot=[64]: workload.hotspot: expected nodes, 0 ... 63, found 64"}},
    {{"workload.pattern=permutation"}, {"workload.permutation: expected a file", "found none"}},
    {{"workload.source=closed", "workload.window=0"}, {"workload.window: ", "found \"0\""}},
    {{"workload.network=reserv"}, {"workload.network: ", "did you mean \"reserve\"?"}},
    {{"workload.load=0"}, {"workload.load: no packets: expected more than 0, or find"}},
    {{"workload.source=stream", "workload.stream.to=[64]"},
     {"workload.stream.to: expected nodes, 0 ... 63, found 64"}},
    {{"workload.source=stream", NOC "tiles=[64]"}, {NOC "tiles: expected nodes, 0 ... 63, found 64"}},
    {{"workload.source=trace"},
     {"x.yaml:7:11: workload.trace.network: expected a file of calls, found none"}},
    {{"workload.source=trace", "workload.trace.network=no.csv"},
     {"workload.trace.network: no file \"", "/no.csv\""}},
    {{"workload.source=trace", "workload.trace.network=off.csv"},
     {"off.csv:2:1: A of 1,1 on chip 0: expected a place of the network, columns 0 ... 7, rows 0 ... 7, "
      "found 9,2"}},
    {{"workload.source=trace", "workload.trace.network=short.csv"},
     {"short.csv:1:1: expected proc,sx", "found 3"}},
    {{"workload.source=trace", "workload.trace.network=second.csv"},
     {"second.csv:1:1: A of 1,1 on chip 0: expected NOC_0, or machine.exchange.noc.planes of at least 2"}},
    {{"workload.source=trace", "workload.trace.network=pipe"},
     {"workload.trace.network: cannot open \"pipe\": not a regular file"}},
    {{"workload.pattern=permutation", "workload.permutation=pipe"},
     {"workload.permutation: cannot open \"pipe\": not a regular file"}},
    {{"workload.pattern=table"}, {"workload.table: expected a file with lines node,goal,rate, found none"}},
    /* what changes nothing */
    {{"workload.window=5"},
     {"workload.window: changes nothing here; it counts with workload.source = closed"}},
    {{"workload.source=closed", "workload.load=0.3"},
     {"workload.load: changes nothing here", "source = open"}},
    {{"workload.hotspot=[3]"}, {"workload.hotspot: changes nothing here", "workload.pattern = hotspot"}},
    {{NOC "concentration=4"},
     {NOC "concentration: changes nothing here", "topology = flattened_butterfly or dragonfly"}},
    {{NOC "topology=file", NOC "file=two.yaml", NOC "size=[4, 4]"},
     {NOC "size: changes nothing here; it counts"}},
    {{NOC "express=3"}, {NOC "express: changes nothing here", "topology = ruche"}},
    {{NOC "way=up"}, {NOC "way: changes nothing here", "topology = torus"}},
    {{"workload.sizes=[1, 5]", "workload.flits=3"}, {"workload.flits: changes nothing: workload.sizes"}},
    /* packets */
    {{"workload.load=1.5"},
     {"--set workload.load=1.5: workload.load: a node makes one packet a cycle at most; expected at most 1 "
      "flits, found 1.5"}},
    {{"workload.load=0.6", "workload.burst.on=100 cycles", "workload.burst.off=100 cycles"},
     {"workload.load: a node makes one packet a cycle at most; expected at most 0.5 flits, found 0.6"}},
    {{"workload.burst.on=100 cycles"}, {"workload.burst.off: bursts have a length and a time between them"}},
    {{"workload.sizes=[1, 99]"}, {"workload.sizes: ", "a packet 65 flits", "found 99"}},
    {{"workload.sizes=[1, 5]", "workload.shares=[1]"},
     {"workload.shares: expected one for each of workload.sizes, 2, found 1"}},
    {{"workload.sizes=[1, 5]", "workload.shares=[0, 0]"},
     {"workload.shares: expected one above 0, found none"}},
    {{"workload.source=closed", "workload.window=100000"},
     {"workload.window: 64 nodes with as many packets each", "expected at most 62500, found 100000"}},
};

static int setup(void **state) {
    cli_enter(state);
    cli_write("x.yaml", "machine:\n"
                        "  base: gc200\n"
                        "  exchange:\n"
                        "    kind: noc\n"
                        "    mode: dynamic\n"
                        "    noc: { size: [8, 8] }\n"
                        "workload: { kind: fabric, load: 0.1, measure: 1000 cycles }\n");
    cli_write("off.csv", "proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle\nA,1,1,WRITE_,NOC_0,14,9,2,64,10\n");
    cli_write("short.csv", "A,1,1\n");
    cli_write("two.yaml", "routers: 2\nlinks:\n  - { from: 0, to: 1 }\n");
    cli_write("second.csv", "A,1,1,WRITE,NOC_1,0,3,2,64,0\n");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    return 0;
}

TEST(each_mistake_is_told_with_its_place) {
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        fs_process_words words = {.arena = test_arena()};
        fs_process_add(&words, "run", "x.yaml", "--quiet", "--out", "out", NULL);
        fs_process_sets(&words, mistakes[i].set, MAX_SETS);
        const cli_result r = cli_words(words.word, 0);
        bool good = r.status == 2 && r.out[0] == '\0' && !scratch_there("out");
        for (size_t w = 0; w < MAX_WANTED && mistakes[i].wanted[w] != NULL; w++)
            good = good && strstr(r.err, mistakes[i].wanted[w]) != NULL;
        if (!good)
            print_error("--set %s ...: exit status %d\n%s\n", mistakes[i].set[0], r.status, r.err);
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}

TEST(what_is_right_beside_a_mistake_runs) {
    static const char *const right[][2] = {{NOC "vcs=16", "workload.flits=65"},
                                           {NOC "size=[6, 6]", "workload.pattern=transpose"},
                                           {NOC "topology=dragonfly", NOC "size=[4, 9, 2]"}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "right", "--set", right[i][0], "--set",
                 right[i][1], NULL);
}

RUN_TESTS(setup, cli_leave)
