/* More units: what they bring under each way of blocking, on rays of the length of the paper's. */
#include "tests/support/engine_case.h"
#include "tests/support/test.h"

enum { RAYS = 6000, REQUESTS = 100, MOST = 32 };

static fs_engine_itinerary rays;

/* Fitted to the same rate of the paper under each way of blocking. */
static const double latency[] = {
    [FS_IN_FLIGHT_MANY] = 1472e-9, [FS_IN_FLIGHT_CONTROLLER] = 392e-9, [FS_IN_FLIGHT_PIPELINE] = 184e-9};

static fs_engine_results run(int64_t units, int64_t in_flight) {
    fs_fpga_params m = engine_board(test_arena());
    fs_engine_results results;
    fs_error err = {0};
    m.traversal.units = units;
    m.memory.in_flight = in_flight;
    m.memory.latency = latency[in_flight];
    assert_ok(fs_engine_run(&m, &rays, FS_ENGINE_PHASE, NULL, test_arena(), &results, &err), &err);
    return results;
}

/* DRAM is no faster for a faster engine: at twice the clock the first byte takes twice the cycles. */
TEST(memory_keeps_its_time) {
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        fs_fpga_params m = engine_board(test_arena());
        fs_engine_results results;
        fs_error err = {0};
        m.clock *= i + 1;
        assert_int_equal(fs_engine_run(&m, &rays, FS_ENGINE_PHASE, NULL, test_arena(), &results, &err),
                         FS_OK);
        cycles[i] = results.stage[FS_REQUEST_MEMORY];
        assert_int_equal(cycles[i], results.requests * (i == 0 ? 46 : 92));
    }
    assert_int_equal(cycles[1], 2 * cycles[0]);
}

static double bus_use(const fs_engine_results *r) {
    return (double)r->memory.busy / (double)r->cycles;
}

/* No machine is faster than its bus: the bytes of all rays at 9.6 B a cycle. */
static void assert_within_bandwidth(const fs_engine_results *r) {
    assert_true(9.6 * (double)r->cycles >= (double)r->bus_bytes);
}

/* One request from the grant to its pipeline's end: two units keep it busy, more bring nothing. */
TEST(one_through_is_flat_from_two_on) {
    const fs_engine_results two = run(2, FS_IN_FLIGHT_PIPELINE);
    assert_true(run(1, FS_IN_FLIGHT_PIPELINE).cycles > two.cycles * 105 / 100);
    for (int64_t units = 3; units <= MOST; units++) {
        const fs_engine_results r = run(units, FS_IN_FLIGHT_PIPELINE);
        if (fabs((double)r.cycles / (double)two.cycles - 1) > 0.01)
            fail_msg("%d units take %.4f of the cycles of two", (int)units,
                     (double)r.cycles / (double)two.cycles);
        assert_within_bandwidth(&r);
    }
}

/* Requests that overlap: so many units, so much faster, within 1 % until the bus is used to 40 % and 5 %
 * until 80 %; then the bus is the limit. */
TEST(overlapping_units_add_up) {
    const double one = (double)run(1, FS_IN_FLIGHT_MANY).cycles;
    double last = 0;
    for (int64_t units = 2; units <= MOST; units++) {
        const fs_engine_results r = run(units, FS_IN_FLIGHT_MANY);
        const double use = bus_use(&r), speed = one / (double)r.cycles / (double)units;
        print_message("%2d units: bus %.3f, speed of a unit %.4f\n", (int)units, use, speed);
        if (speed > 1.0001 || (use <= 0.4 && speed < 0.99) || (use <= 0.8 && speed < 0.95))
            fail_msg("%d units bring %.4f of their number at a bus use of %.2f", (int)units, speed, use);
        assert_within_bandwidth(&r);
        last = use;
    }
    assert_true(last > 0.95);
}

/* One request in memory: no faster than its time there lets it, and from so many units on no slower than it. */
TEST(one_in_the_controller_is_its_limit) {
    for (int64_t units = 1; units <= MOST; units *= 2) {
        const fs_engine_results r = run(units, FS_IN_FLIGHT_CONTROLLER);
        const uint64_t least = r.memory.busy + 98 * r.granted;
        assert_true(r.cycles >= least);
        assert_true(units < 8 || r.cycles < least + least / 100);
        assert_within_bandwidth(&r);
    }
}

static int set_up(void **state) {
    (void)state;
    fs_rng rng = fs_rng_stream(7, "test/units");
    rays = engine_random_rays(test_arena(), &rng, RAYS, REQUESTS, 32);
    fs_engine_request *request = FS_NEW(test_arena(), fs_engine_request, rays.first[RAYS]);
    for (uint64_t i = 0; i < rays.first[RAYS]; i++) {
        request[i] = rays.request[i];
        if (request[i].leaf) { /* four triangles each */
            request[i].items = 4;
            request[i].bytes = 4 * ENGINE_TRIANGLE_BYTES;
        }
    }
    rays.request = request;
    return 0;
}
RUN_TESTS(set_up, NULL)
