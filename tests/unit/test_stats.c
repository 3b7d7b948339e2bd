/* Statistics: texts of reals, CSV, composed tables, distributions against a plain sort. */
#include "sim/base/rng.h"
#include "sim/stats/stats.h"
#include "tests/support/test.h"

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static const double not_applicable = (double)__builtin_nanf("");

TEST(real_texts) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0.0"},    {-0.0, "-0.0"},         {3.0, "3.0"},          {0.1, "0.1"},
        {0.3, "0.3"},    {1e30, "1e+30"},        {-2.5e-7, "-2.5e-07"}, {1.0 / 3.0, "0.3333333333333333"},
        {1e16, "1e+16"}, {123456.0, "123456.0"}, {5e-324, "5e-324"},
    };
    char text[FS_REAL_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(fs_real_text(cases[i].value, text), cases[i].text);
    assert_string_equal(fs_real_text(not_applicable, text), "null");
    assert_string_equal(fs_real_text(from_bits(UINT64_C(0xfff0000000000000)), text), "null");
}

/* Reads back to the same bits, and no shorter %g text does. */
TEST(real_round_trip) {
    uint64_t seed = 7;
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "test/stats/real");
    for (int i = 0; i < 100000; i++) {
        double x = from_bits(fs_rng_u64(&rng));
        if (i % 2)
            x = (double)fs_rng_below(&rng, 1000000) / 1000.0;
        if (x - x != 0.0)
            continue;
        char text[FS_REAL_TEXT];
        double back = strtod(fs_real_text(x, text), NULL);
        assert_memory_equal(&back, &x, sizeof x);
    }
}

/* Two components and what is composed of them. */
typedef struct engine {
    uint64_t turns;
    double seconds;
} engine;
typedef struct sample {
    uint64_t rays;
    engine engine;
    double share, psnr;
    bool complete;
    const char *payload;
    uint64_t tile;
} sample;

static const fs_stat engine_rows[] = {
    FS_STAT_COUNT("engine.turns", engine, turns, .unit = "turns", .better = FS_BETTER_LESS, .doc = "of it"),
    FS_STAT_VALUE("engine.seconds", engine, seconds, .unit = "s", .better = FS_BETTER_LESS, .label = "time",
                  .place = 100, .null_is = "never", .doc = "of it"),
};
static const fs_stat_table engine_table = FS_STAT_TABLE("engine", engine_rows);

static const fs_stat front_rows[] = {FS_STAT_COUNT("rays.generated", sample, rays, .unit = "rays",
                                                   .better = FS_BETTER_MORE, .label = "rays, all", .place = 1,
                                                   .doc = "rays, \"all\" of them")};
static const fs_stat_table front_table = FS_STAT_TABLE("front", front_rows);

static const fs_stat back_rows[] = {
    FS_STAT_VALUE("share", sample, share, .says = FS_SAYS_SHARE, .doc = "part"),
    FS_STAT_VALUE("psnr", sample, psnr, .unit = "dB", .says = FS_SAYS_DECIBEL, .better = FS_BETTER_MORE,
                  .null_is = "exact", .changed = "{new}, not {old}", .doc = "closeness"),
    FS_STAT_FLAG("complete", sample, complete, .better = FS_BETTER_MORE, .doc = "all done"),
    FS_STAT_WORD("payload", sample, payload, .doc = "layout"),
    FS_STAT_COUNT("tile", sample, tile, .says = FS_SAYS_LABEL, .doc = "its number"),
};
static const fs_stat_table back_table = FS_STAT_TABLE("back", back_rows);

static const fs_stat_part sample_parts[] = {
    {.table = &front_table}, FS_STAT_PART(&engine_table, sample, engine), {.table = &back_table}};
static const fs_stat_table table = FS_STAT_PARTS("sample", sample_parts);

static bool has_turned(const void *values) {
    return ((const engine *)values)->turns > 0;
}

/* A part that a run lacks is written nowhere; tables and names have it all the same. */
TEST(left_out) {
    static const fs_stat_part parts[] = {FS_STAT_PART_IF(&engine_table, sample, engine, has_turned),
                                         {.table = &back_table}};
    static const fs_stat_table some = FS_STAT_PARTS("some", parts);
    const size_t own = fs_stats_count(&engine_table), all = fs_stats_count(&some);
    for (uint64_t turns = 0; turns <= 1; turns++) {
        const sample s = {.engine.turns = turns, .payload = "packed"};
        char *text = NULL;
        size_t bytes = 0, lines = 0, had = 0;
        FILE *out = open_memstream(&text, &bytes);
        fs_stats_write_csv(&some, &s, out);
        assert_int_equal(fclose(out), 0);
        for (const char *at = text; *at != '\0'; at++)
            lines += *at == '\n';
        for (size_t i = 0; i < all; i++)
            had += fs_stats_has(&some, i, &s);
        assert_int_equal(lines, turns > 0 ? all : all - own);
        assert_int_equal(had, lines);
        free(text);
    }
    fs_stat row;
    assert_true(fs_stats_find(&some, "engine.turns", &row));
}

/* Rows come part by part, their places being those in the whole struct, however deep a part stands. */
TEST(composed) {
    typedef struct outer {
        double before;
        sample inner;
    } outer;
    static const fs_stat_part parts[] = {FS_STAT_PART(&table, outer, inner)};
    static const fs_stat_table whole = FS_STAT_PARTS("outer", parts);
    assert_int_equal(fs_stats_count(&table), 8);
    assert_int_equal(fs_stats_count(&whole), 8);
    assert_string_equal(fs_stats_row(&table, 0).name, "rays.generated");
    assert_string_equal(fs_stats_row(&table, 2).name, "engine.seconds");
    assert_string_equal(fs_stats_row(&table, 7).name, "tile");
    assert_int_equal(fs_stats_row(&table, 2).offset, offsetof(sample, engine.seconds));
    assert_int_equal(fs_stats_row(&whole, 2).offset, offsetof(outer, inner.engine.seconds));
    fs_stat row;
    assert_true(fs_stats_find(&whole, "psnr", &row));
    assert_int_equal(row.offset, offsetof(outer, inner.psnr));
    assert_string_equal(row.null_is, "exact");
    assert_false(fs_stats_find(&whole, "engine", &row));
    const fs_stat_table *const several[] = {&engine_table, &table, NULL};
    assert_true(fs_stats_find_in(several, "engine.turns", &row));
    assert_int_equal(row.offset, offsetof(engine, turns)); /* the first that has it */
    assert_true(fs_stats_find_in(several, "complete", &row));
    assert_false(fs_stats_find_in(several, "nothing", &row));
    assert_false(fs_stats_find_in(NULL, "complete", &row));
}

TEST(csv) {
    sample a = {10, {5, 1e-9}, 0.1, not_applicable, true, "half", 412};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fs_stats_write_csv(&table, &a, out);
    fclose(out);
    assert_string_equal(text,
                        "rays.generated,rays,10,\"rays, \"\"all\"\" of them\",more,\"rays, all\",1,count,,\n"
                        "engine.turns,turns,5,of it,less,,0,count,,\n"
                        "engine.seconds,s,1e-09,of it,less,time,100,quantity,never,\n"
                        "share,,0.1,part,neither,,0,share,,\n"
                        "psnr,dB,null,closeness,more,,0,decibel,exact,\"{new}, not {old}\"\n"
                        "complete,,true,all done,more,,0,flag,,\n"
                        "payload,,half,layout,neither,,0,label,,\n"
                        "tile,,412,its number,neither,,0,label,,\n");
    free(text);
}

/* What stats.csv says is read back as it was meant. */
TEST(words) {
    for (size_t i = 0; i < fs_stats_count(&table); i++) {
        const fs_stat row = fs_stats_row(&table, i);
        fs_better better;
        fs_says says;
        assert_true(fs_better_of(fs_better_word(row.better), &better));
        assert_int_equal(better, row.better);
        assert_true(fs_says_of(fs_says_word(&row), &says));
        assert_int_equal(says, row.type == FS_STAT_TEXT ? FS_SAYS_LABEL : row.says);
    }
    fs_better better;
    fs_says says;
    assert_false(fs_better_of("best", &better));
    assert_false(fs_says_of("", &says));
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Nearest rank on a sorted copy is the definition. */
TEST(distribution) {
    uint64_t seed = 11;
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "test/stats/dist");
    enum { N = 1000 };
    static fs_dist whole, half[2];
    static uint64_t values[N];
    uint64_t sum = 0;
    assert_int_equal(fs_dist_percentile(&whole, 50), 0);
    for (int i = 0; i < N; i++) {
        values[i] = fs_rng_below(&rng, 1u << fs_rng_below(&rng, 12));
        sum += values[i];
        fs_dist_add(&whole, values[i]);
        fs_dist_add(&half[i % 2], values[i]);
    }
    fs_dist_merge(&half[0], &half[1]);
    assert_memory_equal(&half[0], &whole, sizeof whole);
    qsort(values, N, sizeof values[0], ascending);
    for (uint64_t percent = 1; percent <= 100; percent++)
        assert_int_equal(fs_dist_percentile(&whole, (double)percent), values[percent * N / 100 - 1]);
    assert_int_equal(fs_dist_percentile(&whole, 0), values[0]);
    assert_int_equal(fs_dist_percentile(&whole, 7.01), values[70]);
    assert_true(fs_dist_mean(&whole) == (double)sum / N);
    fs_dist_add(&whole, 1000000);
    assert_int_equal(fs_dist_percentile(&whole, 100), 1000000);
    assert_int_equal(whole.max, 1000000);
}

RUN_TESTS(NULL, NULL)
