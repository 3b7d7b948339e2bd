/* Files of earlier versions: a key that is no more is left out with a line, and what was never one is
 * refused. */
#include "tests/support/cli.h"
#include "tests/support/test.h"

#define REST                                                                                                 \
    "scene: { generate: { kind: garden, cells: 4000, seed: 3 } }\n"                                          \
    "workload:\n  kind: foam\n"                                                                              \
    "  camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: 50 deg }\n"     \
    "  partition: { kind: kd, shards: 64 }\n"

TEST(a_key_that_is_no_more_is_left_out) {
    cli_write("old.yaml", "machine: { memory: { element: 16 KiB, sram: 640 KiB } }\n" REST);
    cli_result r = cli("config", "show", "old.yaml", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(
        strstr(r.err, "old.yaml:1:22: machine.memory.element had no effect and is no more: left out"));
    r = cli("config", "check", "old.yaml", "--quiet", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.err, "");
    cli_write("wrong.yaml", "machine: { memory: { elements: 16 KiB } }\n" REST);
    cli_refuses("unknown key", "config", "check", "wrong.yaml", NULL);
}

RUN_TESTS(cli_enter, cli_leave)
