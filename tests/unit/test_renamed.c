/* Keys that were renamed: the old name is read, below its section or in another, from files, --set and over
 * them; both names at once are refused. */
#include "sim/config/config.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

typedef struct chip {
    int64_t clock, code;
    double latency;
} chip;
typedef struct job {
    int64_t code;
} job;

static const fs_param chip_rows[] = {
    FS_PARAM_INT("tile.clock", chip, clock, HZ, "1 GHz", 1, 1e12, "clock", PRICE, .was = "chip.tile.speed"),
    FS_PARAM_INT("tile.code", chip, code, NONE, "1", 0, 100, "code", PRICE),
    FS_PARAM_REAL("memory.latency", chip, latency, SECONDS, "5 ns", 0, 1, "latency", PRICE,
                  .clock = "tile.clock"),
};
static const fs_param job_rows[] = {
    FS_PARAM_INT("code", job, code, NONE, "7", 0, 100, "code", TRAFFIC, .was = "chip.memory.code"),
};
static const fs_param_table chip_table = {
    .name = "chip", .doc = "a chip", .rows = chip_rows, .count = 3, .size = sizeof(chip)};
static const fs_param_table job_table = {
    .name = "job", .doc = "a job", .rows = job_rows, .count = 1, .size = sizeof(job)};
static const fs_section_kind chip_kinds[] = {{.kind = "", .table = &chip_table}},
                             job_kinds[] = {{.kind = "", .table = &job_table}};
static const fs_section sections[] = {{.name = "chip", .folder = "chips", .kinds = chip_kinds, .count = 1},
                                      {.name = "job", .kinds = job_kinds, .count = 1}};

static const fs_config *load(fs_arena *arena, const char *text, const char *set, fs_error *err) {
    FILE *file = fopen("x.yaml", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    *err = (fs_error){0};
    return fs_config_load(arena, "x.yaml", sections, 2, &set, set != NULL, "", err);
}

static void expect(const char *text, const char *set, int64_t clock, int64_t code) {
    fs_arena *arena = test_arena();
    fs_error err;
    const fs_config *config = load(arena, text, set, &err);
    if (config == NULL)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(((const chip *)fs_config_section(config, "chip"))->clock, clock);
    assert_int_equal(((const job *)fs_config_section(config, "job"))->code, code);
}

TEST(the_old_name_is_read) {
    expect("chip: { tile: { clock: 2 GHz } }\n", NULL, 2000000000, 7);
    expect("chip: { tile: { speed: 2 GHz, code: 3 } }\n", NULL, 2000000000, 7);
    expect("chip: { memory: { code: 9 } }\n", NULL, 1000000000, 9);
    expect("job: {}\nchip: { memory: { code: 9 } }\n", "chip.tile.speed=3 GHz", 3000000000, 9);
    expect("{}\n", "chip.memory.code=5", 1000000000, 5);
}

TEST(both_names_are_one_too_many) {
    fs_arena *arena = test_arena();
    fs_error err;
    assert_null(load(arena, "chip: { tile: { speed: 2 GHz, clock: 1 GHz } }\n", NULL, &err));
    assert_non_null(
        strstr(err.text, "x.yaml:1:17: chip.tile.speed: is called chip.tile.clock now, which is given too"));
    assert_null(load(arena, "chip: { tile: { speed: fast } }\n", NULL, &err));
    assert_non_null(strstr(err.text, "x.yaml:1:24: chip.tile.clock"));
}

TEST(cycles_become_a_time) {
    static const struct {
        const char *text, *set;
        double latency;
    } cases[] = {
        {"chip: { memory: { latency: 46 cycles } }\n", NULL, 46e-9},
        {"chip: { tile: { clock: 250 MHz }, memory: { latency: 46 cycles } }\n", NULL, 184e-9},
        {"chip: { tile: { clock: 250 MHz }, memory: { latency: 46 cycles } }\n", "chip.tile.clock=500 MHz",
         92e-9},
        {"chip: { tile: { speed: 250 MHz } }\n", "chip.memory.latency=1 cycles", 4e-9},
        {"chip: { tile: { clock: 250 MHz }, memory: { latency: 184 ns } }\n", "chip.tile.clock=500 MHz",
         184e-9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = test_arena();
        fs_error err;
        const fs_config *config = load(arena, cases[i].text, cases[i].set, &err);
        if (config == NULL)
            fail_msg("%s: %s", cases[i].text, err.text);
        assert_true(((const chip *)fs_config_section(config, "chip"))->latency == cases[i].latency);
    }
}

RUN_TESTS(scratch_enter, scratch_leave)
