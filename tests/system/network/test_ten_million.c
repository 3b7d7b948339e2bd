/* A trace of ten million packets, each second one waiting for an earlier one, is read as a stream: within a minute, in far
 * less memory than it has bytes. */
#include "tests/support/cli.h"
#include "tests/support/test.h"

#include <sys/resource.h>

enum { PACKETS = 10000000, BEHIND = 61, NODES = 64, READ = 1, ANSWER = 2 };

static void put(FILE *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        fputc((int)(value >> 8 * i & 0xff), out);
}

/* Packet i of even number asks, and is answered by packet i + BEHIND. */
static void write_trace(const char *path) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    put(out, 0x484A5455, 4);
    put(out, 0x3f800000, 4); /* 1.0 */
    for (int i = 0; i < 30; i++)
        put(out, 0, 1);
    put(out, NODES, 2);
    put(out, 2 * (uint64_t)PACKETS, 8);
    put(out, PACKETS, 8);
    put(out, 0, 16);
    for (uint32_t i = 0; i < PACKETS; i++) {
        const bool asks = i % 2 == 0, waited = asks && i + BEHIND < PACKETS;
        put(out, 2 * (uint64_t)i, 8);
        put(out, i, 4);
        put(out, i, 4);
        put(out, asks ? READ : ANSWER, 1);
        put(out, i / 2 * 7 % NODES, 1);
        put(out, i / 2 * 29 % NODES, 1);
        put(out, 0, 1);
        put(out, waited, 1);
        if (waited)
            put(out, i + BEHIND, 4);
    }
    assert_int_equal(fclose(out), 0);
}

TEST(ten_million_packets_are_read_as_a_stream) {
    struct rusage before, after;
    write_trace("big.tra");
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &before), 0);
    const cli_result r = cli("import", "big.tra", NULL);
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &after), 0);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "10,000,000 packets"));
    assert_non_null(strstr(r.out, "4,999,970 dependencies"));
    const double seconds = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec);
    print_message("%.0f s of processors, %ld MB at most\n", seconds, after.ru_maxrss / 1024);
    assert_true(seconds < 60);
    assert_true(after.ru_maxrss / 1024 < 200); /* the file has 230 MB */
}

RUN_TESTS(cli_enter, cli_leave)
