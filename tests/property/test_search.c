/* The search against other ways of looking, on the stored points of the study of the next chip; its output is
 * `make bench-search`. */
#include "tests/support/sweep/search_case.h"
#include "tests/support/test.h"

enum { SEEDS = 20, WANTED = 18, BATCH = 8 };

static const char *const way_words[STUDY_WAYS] = {"search", "evolution", "random", "factorial"};
static const char *const scene_words[] = {"garden-200k", "garden-1m", "both scenes"};

static int by_value(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

typedef struct outcome {
    size_t best, volume;               /* seeds that found it within the limits */
    size_t median_best, median_volume; /* points; the budget where it was not found */
} outcome;

static outcome outcome_of(const study_space *s, study_way way) {
    const size_t for_best = s->space.count / 20, for_volume = s->space.count / 10;
    size_t best[SEEDS], volume[SEEDS];
    outcome o = {0, 0, 0, 0};
    for (size_t i = 0; i < SEEDS; i++) {
        const study_found f = study_look(s, way, i + 1, for_volume, BATCH);
        best[i] = f.best == 0 ? for_volume : f.best;
        volume[i] = f.volume == 0 ? for_volume : f.volume;
        o.best += f.best > 0 && f.best <= for_best;
        o.volume += f.volume > 0;
    }
    qsort(best, SEEDS, sizeof *best, by_value);
    qsort(volume, SEEDS, sizeof *volume, by_value);
    o.median_best = best[SEEDS / 2];
    o.median_volume = volume[SEEDS / 2];
    return o;
}

TEST(finds_the_best_within_a_twentieth) {
    print_message(
        "%-12s %-10s | all best in 5 %%: seeds, median points | 95 %% of the volume in 10 %%: seeds, "
        "median\n",
        "scene", "way");
    for (study_scenes which = STUDY_SMALL; which <= STUDY_BOTH; which++) {
        fs_arena *arena = test_arena();
        const study_space s = study_space_read(arena, which);
        assert_int_equal(s.space.count, which == STUDY_BOTH ? 2832 : 1416);
        outcome all[STUDY_WAYS];
        for (study_way way = STUDY_MODEL; way < STUDY_WAYS; way++) {
            all[way] = outcome_of(&s, way);
            print_message("%-12s %-10s | %2zu of %d %5zu | %2zu of %d %5zu\n", scene_words[which],
                          way_words[way], all[way].best, SEEDS, all[way].median_best, all[way].volume, SEEDS,
                          all[way].median_volume);
        }
        assert_true(all[STUDY_MODEL].best >= WANTED);
        assert_true(all[STUDY_MODEL].volume >= WANTED);
        for (study_way way = STUDY_EVOLUTION; way < STUDY_WAYS; way++) {
            assert_true(all[STUDY_MODEL].median_best < all[way].median_best);
            assert_true(all[STUDY_MODEL].best >= all[way].best);
        }
    }
}

/* Intervals of 90 % hold about 90 % of what comes out. */
TEST(intervals_hold_what_they_say) {
    enum { FEW_SEEDS = 3, POINTS = 120 };
    static const char *const figures[STUDY_GOALS] = {"seconds", "SRAM"};
    for (study_scenes which = STUDY_SMALL; which <= STUDY_BOTH; which++) {
        fs_arena *arena = test_arena();
        const study_space s = study_space_read(arena, which);
        double sum[STUDY_GOALS] = {0}, least[STUDY_GOALS] = {1, 1}, covered[STUDY_GOALS];
        for (uint64_t seed = 1; seed <= FEW_SEEDS; seed++) {
            study_covered(&s, seed, POINTS, BATCH, covered);
            for (size_t g = 0; g < STUDY_GOALS; g++) {
                sum[g] += covered[g] / FEW_SEEDS;
                least[g] = covered[g] < least[g] ? covered[g] : least[g];
            }
        }
        for (size_t g = 0; g < STUDY_GOALS; g++) {
            print_message("%-12s intervals of 90 %% hold %2.0f %% of %s (%d seeds, %2.0f %% at the least)\n",
                          scene_words[which], 100 * sum[g], figures[g], FEW_SEEDS, 100 * least[g]);
            assert_true(sum[g] >= 0.85 && sum[g] <= 1);
        }
    }
}

RUN_TESTS(NULL, NULL)
