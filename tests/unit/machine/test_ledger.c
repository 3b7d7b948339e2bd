/* The SRAM ledger: sums, the check at its boundary, the worst tile's text, the warning, the CSV. */
#include "models/memory/ledger.h"
#include "tests/support/test.h"

#include <unistd.h>

static const fs_memory_params gc200_memory = {.sram = 638976, .reserved = 1104};
enum { USABLE = 638976 - 1104 };

static const char *role_of(const void *self, uint32_t tile) {
    (void)self;
    return tile == 2 ? "router" : "tracer";
}

/* The itemised data of the published tiles (published.md 1): a Bicycle shard with its two ray buffers and its
 * slice of the picture; a router's ten buffers. */
static void fill(fs_ledger *ledger) {
    for (uint32_t t = 0; t < 2; t++) {
        fs_ledger_add(ledger, t, "shard cells", 4101 * 24);
        fs_ledger_add(ledger, t, "shard neighbours", 4322 * 16);
        fs_ledger_add(ledger, t, "shard adjacency", 64010 * 2);
        fs_ledger_add(ledger, t, "in lane: router", 57600);
        fs_ledger_add(ledger, t, "out lane: router", 57600);
        fs_ledger_add(ledger, t, "framebuffer", 2400);
    }
    for (int lane = 0; lane < 5; lane++) {
        fs_ledger_add(ledger, 2, "in lane", 57600);
        fs_ledger_add(ledger, 2, "out lane", 57600);
    }
}

TEST(sums_are_the_papers) {
    fs_arena *arena = test_arena();
    fs_ledger *ledger = fs_ledger_create(arena, 4, &gc200_memory);
    fill(ledger);
    assert_int_equal(fs_ledger_used(ledger, 0), 98424 + 69152 + 128020 + 115200 + 2400);
    assert_int_equal(fs_ledger_used(ledger, 2), 576000);
    assert_int_equal(fs_ledger_used(ledger, 3), 0);
    assert_int_equal(fs_ledger_bytes(ledger, 2, "in lane"), 288000);
    assert_int_equal(fs_ledger_bytes(ledger, 2, "framebuffer"), 0);
    assert_int_equal(fs_ledger_worst(ledger), 2);
    assert_int_equal(fs_ledger_peak(ledger), 576000);
    fs_ledger_add(ledger, 0, "more", 576000 - fs_ledger_used(ledger, 0));
    assert_int_equal(fs_ledger_worst(ledger), 0); /* a tie goes to the lowest tile */
    fs_error err = {0};
    assert_int_equal(fs_ledger_check(ledger, role_of, NULL, &err), FS_OK);
    assert_string_equal(err.text, "");
}

TEST(one_byte_too_many_is_refused) {
    fs_arena *arena = test_arena();
    fs_ledger *ledger = fs_ledger_create(arena, 4, &gc200_memory);
    fill(ledger);
    fs_ledger_add(ledger, 2, "code and stacks", USABLE - 576000);
    fs_error err = {0};
    assert_int_equal(fs_ledger_check(ledger, role_of, NULL, &err), FS_OK);
    fs_ledger_add(ledger, 2, "one more", 1);
    fs_ledger_add(ledger, 1, "a giant, but smaller", 300000);
    fs_ledger_add(ledger, 2, "a giant", 300000);
    assert_int_equal(fs_ledger_check(ledger, role_of, NULL, &err), FS_INPUT);
    static const char *const told[] = {
        "2 of 4 tiles do not fit", "tile 2 (router)",          "300001 B over", "57600 B  in lane\n",
        "57600 B  out lane\n",     "61872 B  code and stacks", "1 B  one more", "937873 B  all allocations",
        "637872 B  usable",        "memory.check: warn"};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        assert_says(err.text, told[i]);
    assert_null(strstr(err.text, "framebuffer")); /* of other tiles */
}

TEST(figures_are_the_ledgers) {
    fs_arena *arena = test_arena();
    fs_ledger *ledger = fs_ledger_create(arena, 4, &gc200_memory);
    fill(ledger);
    const fs_memory_figures fits = fs_sram_figures_of(ledger);
    assert_true(fits.fits && fits.over == 0 && fits.peak == 576000 && fits.worst_tile == 2);
    fs_ledger_add(ledger, 1, "a giant", USABLE);
    const fs_memory_figures over = fs_sram_figures_of(ledger);
    assert_true(!over.fits && over.over == 1 && over.worst_tile == 1);
    assert_true(fs_sram_figures_of(NULL).fits);
}

TEST(warn_says_it_and_runs_on) {
    fs_arena *arena = test_arena();
    fs_memory_params params = gc200_memory;
    params.check = FS_MEMORY_WARN;
    fs_ledger *ledger = fs_ledger_create(arena, 4, &params);
    fs_ledger_add(ledger, 1, "a giant", 700000);
    FILE *caught = tmpfile();
    assert_non_null(caught);
    fflush(stderr);
    int saved = dup(2);
    assert_true(dup2(fileno(caught), 2) == 2);
    fs_error err = {0};
    fs_status status = fs_ledger_check(ledger, role_of, NULL, &err);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    assert_int_equal(status, FS_OK);
    assert_int_equal(err.status, FS_OK);
    char text[4096] = {0};
    rewind(caught);
    assert_true(fread(text, 1, sizeof text - 1, caught) > 0);
    fclose(caught);
    assert_non_null(strstr(text, "warning: "));
    assert_non_null(strstr(text, "tile 1 (tracer)"));
    assert_non_null(strstr(text, "700000 B  a giant"));
}

TEST(csv_keeps_the_order_of_adding) {
    fs_arena *arena = test_arena();
    fs_ledger *ledger = fs_ledger_create(arena, 3, &gc200_memory);
    fs_ledger_add(ledger, 2, "z", 3);
    fs_ledger_add(ledger, 0, "b", 1);
    fs_ledger_add(ledger, 2, "a", 4);
    FILE *out = tmpfile();
    assert_non_null(out);
    fs_ledger_write_csv(ledger, role_of, NULL, out);
    char text[256] = {0};
    rewind(out);
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    fclose(out);
    assert_string_equal(text, "0,tracer,b,1\n2,router,z,3\n2,router,a,4\n");
}

TEST(many_allocations_survive) {
    fs_arena *arena = test_arena();
    fs_ledger *ledger = fs_ledger_create(arena, 1472, &gc200_memory);
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t t = 0; t < 1472; t++)
            fs_ledger_add(ledger, t, "x", t + i);
    for (uint32_t t = 0; t < 1472; t++)
        assert_int_equal(fs_ledger_bytes(ledger, t, "x"), 20 * t + 190);
    assert_int_equal(fs_ledger_worst(ledger), 1471);
}

RUN_TESTS(NULL, NULL)
