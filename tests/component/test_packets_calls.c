/* Traces of calls: places and networks of the machine that repeats them, processors by their whole names, tables of any
 * writer, rectangles of multicasts. */
#include "tests/support/network.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/packets/calls/calls.h"

#include <sys/stat.h>

#define HEAD "proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle\n"

static fs_noc_graph *graph_of(fs_arena *arena, int topology) {
    return make_network(arena, (fs_noc_options){.topology = topology, .concentration = 4}, "4 4");
}

static fs_status read_trace(fs_arena *arena, int topology, uint32_t planes, fs_calls *out, fs_error *err) {
    const fs_noc_graph *graph = graph_of(arena, topology), *of_planes[] = {graph, graph, graph, graph};
    const fs_spots_network network = {.graph = of_planes,
                                      .planes = planes,
                                      .channels = 1,
                                      .wraps = topology == FS_NOC_TORUS,
                                      .packet = 256};
    const fs_format_asked asked = {.topology = ""};
    const fs_calls_asked how = {.issue = 1, .stamp = 0};
    fs_notes notes = {.arena = arena};
    fs_spots *spots = fs_spots_create(arena, &network, err);
    if (spots == NULL)
        return err->status;
    return fs_calls_read(arena, "t.csv", fs_format_named("trace-table"), &asked, &how, spots, out, &notes,
                         err);
}

TEST_IN(what_the_machine_lacks_is_refused_with_its_place, scratch_enter, scratch_leave) {
    static const struct {
        const char *text, *told;
        int topology;
        uint32_t planes;
    } wrong[] = {
        {HEAD "A,0,0,WRITE,NOC_1,0,3,3,64,0\n",
         "t.csv:2:1: A of 0,0 on chip 0: expected NOC_0, or machine.exchange.noc.planes of at least 2; found "
         "\"NOC_1\"",
         FS_NOC_MESH, 1},
        {HEAD "A,0,0,WRITE,NOC_2,0,3,3,64,0\n",
         "t.csv:2:1: A of 0,0 on chip 0: expected one of its planes, or machine.exchange.noc.planes of at "
         "least 3; found \"NOC_2\"",
         FS_NOC_MESH, 2},
        {HEAD "A,0,0,WRITE,NOC,0,3,3,64,0\n",
         "t.csv:2:13: noc: expected NOC_0 or another plane of the network, found \"NOC\"", FS_NOC_MESH, 1},
        {HEAD "A,0,0,WRITE,NOC_0,0,4,3,64,0\n",
         "t.csv:2:1: A of 0,0 on chip 0: expected a place of the network, columns 0 ... 3, rows 0 ... 3, "
         "found 4,3",
         FS_NOC_MESH, 1},
        {HEAD "A,0,4,READ,NOC_0,0,0,3,64,0\n",
         "t.csv:2:1: A of 0,4 on chip 0: expected a place of the network, columns 0 ... 3, rows 0 ... 3, "
         "found 0,4",
         FS_NOC_MESH, 1},
        {HEAD "A,0,0,WRITE,NOC_0,0,3,x,64,0\n",
         "t.csv:2:23: dy: expected a number, -1 ... 65535, found \"x\"", FS_NOC_MESH, 1},
        {HEAD "A,0,0,WRITE_MULTICAST,NOC_0,0,1,1,64,0\n",
         "t.csv:2:1: event 1 (A of 0,0 on chip 0): WRITE_MULTICAST: expected a rectangle, mcast_start_x, "
         "_start_y, _end_x and _end_y, found none",
         FS_NOC_MESH, 1},
        {HEAD "A,0,0,WRITE_MULTICAST,NOC_0,0,3,3,64,0,1,1\n",
         "t.csv:2:1: A of 0,0 on chip 0: expected a rectangle with other tiles in it, found none; only a "
         "torus has one that goes round an edge",
         FS_NOC_MESH, 1},
        {HEAD "A,0,0,READ_WITH_STATE,NOC_0,0,,,64,0\n",
         "t.csv:2:1: event 1 (A of 0,0 on chip 0): READ_WITH_STATE: expected a ..._SET_STATE of this "
         "processor before it, found none",
         FS_NOC_MESH, 1},
        {HEAD "A,0,0,WRITE,NOC_0,0,3,3,0,0\n",
         "t.csv:2:1: event 1 (A of 0,0 on chip 0): num_bytes: WRITE: expected 1 ... 1099511627776 bytes, "
         "found 0",
         FS_NOC_MESH, 1},
        {HEAD, "t.csv: no event in it", FS_NOC_MESH, 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fs_arena *arena = test_arena();
        fs_calls calls;
        fs_error err = {0};
        scratch_write("t.csv", wrong[i].text);
        assert_int_equal(read_trace(arena, wrong[i].topology, wrong[i].planes, &calls, &err), FS_INPUT);
        assert_string_equal(err.text, wrong[i].told);
        fs_error_clear(&err);
    }
}

/* The routers of a flattened butterfly stand in 4 x 4 places with four end points each: the first of them is meant. */
TEST_IN(places_are_those_of_routers, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    fs_calls calls;
    fs_error err = {0};
    scratch_write("t.csv", HEAD "A,3,3,WRITE,NOC_0,0,2,3,64,0\n");
    const fs_noc_graph *g = graph_of(arena, FS_NOC_FLATTENED_BUTTERFLY);
    assert_int_equal(read_trace(arena, FS_NOC_FLATTENED_BUTTERFLY, 1, &calls, &err), FS_OK);
    assert_int_equal(g->end[calls.node[0]].router, 15);
    assert_int_equal(g->end[calls.calls[0].to].router, 14);
}

/* Names that agree in their first 24 letters are two processors; one name is one, at any length, on each place. */
TEST_IN(names_count_whole, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    fs_calls calls;
    fs_error err = {0};
    scratch_write("t.csv", HEAD "A_PROCESSOR_WITH_A_LONG_NAME_1,0,0,WRITE,NOC_0,0,1,0,64,0\n"
                                "A_PROCESSOR_WITH_A_LONG_NAME_2,0,0,READ,NOC_0,0,1,0,64,0\n"
                                "A_PROCESSOR_WITH_A_LONG_NAME_1,0,0,WRITE_BARRIER_END,NOC_0,0,-1,-1,0,9\n"
                                "A_PROCESSOR_WITH_A_LONG_NAME_1,1,0,WRITE,NOC_0,0,1,0,64,0\n"
                                "A_PROCESSOR_WITH_A_LONG_NAME_2,0,0,READ_BARRIER_END,NOC_0,0,-1,-1,0,9\n");
    assert_int_equal(read_trace(arena, FS_NOC_MESH, 1, &calls, &err), FS_OK);
    assert_int_equal(calls.count, 3);
    assert_true(calls.first[1] == 2 && calls.first[2] == 4 && calls.first[3] == 5 && calls.bytes == 3 * 64);
    assert_true(calls.calls[0].kind == FS_CALL_WRITE && calls.calls[1].kind == FS_CALL_WAIT &&
                calls.calls[2].kind == FS_CALL_READ && calls.node[2] == 1);
}

TEST_IN(too_many_processors_are_refused, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    fs_calls calls;
    fs_error err = {0};
    FILE *out = fopen("t.csv", "w");
    assert_non_null(out);
    for (int i = 0; i <= 65536; i++)
        fprintf(out, "P%d,0,0,READ,NOC_0,0,1,0,64,0\n", i);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(read_trace(arena, FS_NOC_MESH, 1, &calls, &err), FS_INPUT);
    assert_string_equal(
        err.text, "t.csv:65537:1: event 65537 (P65536 of 0,0 on chip 0): expected at most 65536 processors");
    fs_error_clear(&err);
}

/* Spreadsheets, Windows and Python write tables their way; comments and a missing head are allowed. */
TEST_IN(tables_of_any_writer_are_one, scratch_enter, scratch_leave) {
    static const char *const same[] = {
        HEAD "A,0,0,WRITE,NOC_0,0,3,0,64,100\n",
        "A,0,0,WRITE,NOC_0,0,3,0,64,100",
        "\xEF\xBB\xBF" HEAD "A,0,0,WRITE,NOC_0,0,3,0,64,100\r\n\r\n",
        "# by hand, 4 x 4\n\"A\",\"0\",\"0\",\"WRITE\",\"NOC_0\",\"0\",\"3\",\"0\",\"64\",\"100\"\r\n",
        "A, 0, 0, WRITE, NOC_0, 0, 3, 0, 64, 100, a note\n\n\n",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        fs_arena *arena = test_arena();
        fs_calls calls;
        fs_error err = {0};
        scratch_write("t.csv", same[i]);
        if (read_trace(arena, FS_NOC_MESH, 1, &calls, &err))
            fail_msg("%zu: %s", i, err.text);
        assert_true(calls.count == 1 && calls.node[0] == 0 && calls.calls[0].to == 3 &&
                    calls.calls[0].gap == 0 && calls.span.least == 100);
    }
}

/* Of a torus columns 3, 0 and rows 2, 3 without the sender at (3, 3). */
TEST_IN(a_multicast_goes_to_its_rectangle, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    fs_calls calls;
    fs_error err = {0};
    scratch_write("t.csv", "A,3,3,WRITE_MULTICAST,NOC_0,0,3,2,64,0,0,3\n");
    assert_int_equal(read_trace(arena, FS_NOC_TORUS, 1, &calls, &err), FS_OK);
    const fs_call *c = &calls.calls[0];
    assert_true(c->kind == FS_CALL_MULTICAST && c->group->members == 3 && calls.bytes == 3 * 64);
    assert_true(c->group->node[0] == 8 && c->group->node[1] == 11 && c->group->node[2] == 12);
}

TEST_IN(a_pipe_is_not_waited_for, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    fs_calls calls;
    fs_error err = {0};
    assert_int_equal(mkfifo("t.csv", 0600), 0);
    assert_int_equal(read_trace(arena, FS_NOC_MESH, 1, &calls, &err), FS_INPUT);
    assert_string_equal(err.text, "t.csv: cannot open: not a regular file");
    fs_error_clear(&err);
}

RUN_TESTS(NULL, NULL)
