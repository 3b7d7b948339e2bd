/* What is said of a sweep against calculations by hand: levels, means, shares, best points, fronts, failures,
 * words. */
#include "registry/registry.h"
#include "reports/study/study.h"
#include "sim/base/rng.h"
#include "tests/support/sweep/sweep_case.h"
#include "tests/support/test.h"

static void near(double found, double wanted) {
    if (!(fabs(found - wanted) <= 1e-12 * (1 + fabs(wanted))))
        fail_msg("found %.17g, not %.17g", found, wanted);
}

static double flat(const size_t *at) {
    (void)at;
    return 7;
}
static double added(const size_t *at) { /* a: 0 1 2, b: 0 or 10 */
    return 10 + (double)at[0] + 10 * (double)at[1];
}
static double crossed(const size_t *at) { /* only the combination counts */
    return at[0] == at[1] ? 1 : 3;
}
static double falling(const size_t *at) {
    return 100 - 2 * (double)at[0] - (double)at[1];
}

/* Values 10 11 12 / 20 21 22: mean 16. Of b: means 11 and 21, between = 6 * 25 = 150; of a: means 15 16 17,
 * between = 2 * (1 + 0 + 1) = 4; total 154, the sum of both. */
TEST(shares) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {added};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 2}, 2, figures, 1);
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    const fs_study_goal *g = &s->goal[0];
    assert_int_equal(s->axes, 2);
    near(g->effect[0].share, 4.0 / 154);
    near(g->effect[1].share, 150.0 / 154);
    near(fs_study_pair_share(s, 0, 0, 1), 1);
    assert_int_equal(g->rank[0], 1);
    near(g->effect[1].mean[0].mean, 11);
    near(g->effect[1].mean[1].mean, 21);
    near(g->effect[1].mean[0].deviation, 1); /* of 10 11 12 */
    near(g->effect[1].mean[1].least, 20);
    near(g->effect[1].mean[1].most, 22);
    assert_int_equal(g->effect[1].good, 0);
    assert_int_equal(g->effect[1].bad, 1);
    /* b alone: 20/10, 21/11, 22/12 - 1 = 1, 0.909, 0.833. */
    assert_int_equal(g->effect[1].groups, 3);
    near(g->effect[1].alone_most, 1);
    near(g->effect[1].alone_median, 10.0 / 11);
    /* a alone: 12/10 and 22/20. */
    assert_int_equal(g->effect[0].groups, 2);
    near(g->effect[0].alone_most, 0.2);
    assert_int_equal(g->order[0], 0);
    near(g->median, 20); /* of 10 11 12 20 21 22: the worse of the middle */
    size_t count = 0;
    const fs_study_pair *pair = fs_study_pairs(s, 0, &count);
    assert_int_equal(count, 1);
    assert_int_equal(pair[0].a, 1);
    near(pair[0].interaction, 0);
}

static double flattening(const size_t *at) { /* a: 40 20 10.05 10, whatever b is, but for 0.001 of it */
    static const double of[] = {40, 20, 10.05, 10};
    return of[at[0]] + 0.001 * (double)at[1];
}
/* The best, 10, is 0.5 % before the next value of a; against the third point, 20, it is half. */
TEST(baseline_and_knee) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {flattening};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){4, 2}, 2, figures, 1);
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_int_equal(s->baseline, FS_STUDY_NONE);
    assert_string_equal(fs_study_to_baseline(s, 0, s->goal[0].order[0]), "");
    assert_null(fs_study_baseline_words(s, 0));
    c->sweep.base = c->sweep.points[2].key;
    s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_int_equal(s->baseline, 2);
    near(s->goal[0].value[2], 20);
    assert_string_equal(fs_study_to_baseline(s, 0, s->goal[0].order[0]), "-50 %");
    assert_string_equal(fs_study_to_baseline(s, 0, 2), "=");
    assert_string_equal(fs_study_to_baseline(s, 0, 0), "+100 %");
    assert_non_null(strstr(fs_study_baseline_words(s, 0), "has 50 % of it"));
    const char *knee = fs_study_knee_words(s, 0);
    print_message("    %s\n", knee);
    assert_non_null(strstr(knee, "wins by 0.5 % over 2"));
    assert_non_null(strstr(knee, "is 100 % behind"));
}

TEST(interaction) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {crossed};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){2, 2, 3}, 3, figures, 1);
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    for (size_t a = 0; a < 3; a++)
        near(s->goal[0].effect[a].share, 0);
    near(s->goal[0].effect[2].alone_most, 0);
    size_t count = 0;
    const fs_study_pair *pair = fs_study_pairs(s, 0, &count);
    assert_int_equal(count, 3);
    near(pair[0].share, 1);
    near(pair[0].interaction, 1);
    assert_true(pair[0].a + pair[0].b == 1);
    assert_int_equal(s->goal[0].ties, 6);
    const char **words = fs_study_words(s, &count);
    bool together = false, hardly = false;
    for (size_t i = 0; i < count; i++) {
        together |= strstr(words[i], "must be chosen together") != NULL;
        hardly |= strstr(words[i], "x.c does not matter") != NULL;
    }
    assert_true(together && hardly);
}

/* a = 0 is fastest and never feasible: it is in no mean, and said first. The others, 10 20 / 30 40: mean 25,
 * between = 4 * 100 = 400 of 500; of b: between = 4 * 25 = 100. */
static double broken_first(const size_t *at) {
    return at[0] == 0 ? 1 : 20 * (double)at[0] + 10 * (double)at[1] - 10;
}
TEST(broken_answers_are_in_no_mean) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {broken_first};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 2}, 2, figures, 1);
    c->point[0].feasible = c->point[1].feasible = false;
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    const fs_study_effect *e = &s->goal[0].effect[0];
    assert_int_equal(e->mean[0].count, 0);
    assert_int_equal(e->good, 1);
    near(e->mean[1].mean, 15);
    near(e->share, 0.8);
    near(s->goal[0].effect[1].share, 0.2);
    near(s->goal[0].effect[1].alone_most, 1); /* 20 / 10, not of the broken */
    near(fs_study_pair_share(s, 0, 0, 1), 1);
    size_t count = 0;
    const char **words = fs_study_words(s, &count);
    bool said = false;
    for (size_t i = 0; i < count; i++) {
        assert_null(strstr(words[i], "0 gives 1"));
        said |= strncmp(words[i], "No point with x.a = 0 is feasible. x.a matters most", 51) == 0 &&
                strstr(words[i], "over 4 of 6 points. On average 1 gives 15") != NULL &&
                strstr(words[i], "; its choice explains 80\xc2\xa0% of the spread.") != NULL;
    }
    assert_true(said);
    for (size_t p = 2; p < 4; p++) /* a = 2 alone is left */
        c->point[p].feasible = false;
    s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_string_equal(fs_study_why(s, 0, 0), "x.a: No point with x.a = 0 or 1 is feasible.");
    for (size_t p = 4; p < 6; p++)
        c->point[p].feasible = false;
    s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_int_equal(s->goal[0].effect[0].good, FS_STUDY_NONE);
    assert_string_equal(fs_study_none(s), "None of 6 finished points is feasible");
}

/* The best is feasible; larger is better where it is said; ties keep the order of the sweep. */
TEST(best) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {falling, added, flat};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 2}, 2, figures, 3);
    ((fs_store_objective *)(uintptr_t)c->sweep.objectives)[1].larger = true;
    c->point[5].feasible = false; /* (2, 1): best in both */
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_int_equal(s->goal[0].order[0], 4); /* 100 - 4 - 0 = 96 */
    assert_int_equal(s->goal[0].feasible, 5);
    assert_int_equal(s->goal[0].count, 6);
    assert_int_equal(s->goal[1].order[0], 3); /* 10 + 1 + 10 */
    assert_int_equal(s->goal[1].effect[1].good, 1);
    assert_int_equal(s->goal[2].ties, 5);
    assert_int_equal(s->goal[2].order[0], 0);
    near(s->goal[2].effect[0].share, 0);
    assert_int_equal(fs_study_best_at(s, 0, 0, 2, 1, 1), FS_STUDY_NONE);
    assert_int_equal(fs_study_best_at(s, 0, 0, 1, FS_STUDY_NONE, 0), 3);
    size_t count = 0;
    const size_t *along = fs_study_along(s, 3, 0, &count); /* b = 1: points 1 3 5 */
    assert_int_equal(count, 3);
    assert_int_equal(along[0], 1);
    assert_int_equal(along[2], 5);
}

/* An axis that does not apply to some points, one with a single value, numbers out of order. */
TEST(axes) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {added};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 2, 1}, 3, figures, 1);
    static const char *const shown[] = {"16 KiB", "1 KiB", "2 KiB"};
    static const double number[] = {16384, 1024, 2048};
    for (size_t p = 0; p < 6; p++)
        c->setting[3 * p] = (fs_store_setting){shown[p / 2], number[p / 2]};
    c->setting[3 * 0 + 1].value = NULL;
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_int_equal(s->axes, 2);
    assert_true(s->axis[0].numeric && s->axis[0].wide);
    assert_string_equal(s->axis[0].level[0].value, "1 KiB");
    assert_string_equal(s->axis[0].level[2].value, "16 KiB");
    assert_int_equal(s->axis[0].at[0], 2);
    assert_int_equal(s->axis[0].at[5], 1);
    assert_int_equal(s->axis[1].at[0], FS_STUDY_NONE);
    assert_int_equal(s->axis[1].level[0].points, 2);
    assert_int_equal(s->goal[0].effect[1].mean[0].count, 2);
    assert_int_equal(s->goal[0].effect[1].groups, 2); /* point 1 has no partner */
}

/* Phases of a made-up device: a = 1 takes 3 million more cycles of exchange and 1 million less of compute
 * than a = 0, and loses 500 rays; b changes nothing. */
static double made_seconds(const size_t *at) {
    return at[0] == 0 ? 0.01 : 0.012;
}
static double made_compute(const size_t *at) {
    return at[0] == 0 ? 8e6 : 7e6;
}
static double made_exchange(const size_t *at) {
    return at[0] == 0 ? 2e6 : 5e6;
}
static double made_nothing(const size_t *at) {
    (void)at;
    return 1e5;
}
static double made_dropped(const size_t *at) {
    return at[0] == 0 ? 0 : 500;
}

/* The study of a sweep whose figures have these names [count], of which the one numbered `which` is what is wanted less of. */
static fs_study *study_by(sweep_case *c, const char *const *names, size_t count, size_t which,
                          fs_store_objective *goal, fs_arena *arena) {
    for (size_t p = 0; p < c->sweep.point_count; p++)
        for (size_t f = 0; f < count; f++)
            c->figure[p * count + f].name = names[f];
    *goal = (fs_store_objective){.figure = names[which]};
    c->sweep.objectives = goal;
    c->sweep.objective_count = 1;
    return fs_study_of(&c->sweep, &fs_registry_all, arena);
}

TEST(why_an_axis_matters) {
    static const char *const names[] = {"device.cycles_compute", "device.cycles_exchange",
                                        "device.cycles_host",    "device.cycles_sync",
                                        "device.seconds",        "rays.dropped"};
    enum { FIGURES = sizeof names / sizeof *names, SECONDS = 4 };
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[FIGURES] = {made_compute, made_exchange, made_nothing,
                                                 made_nothing, made_seconds,  made_dropped};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){2, 2}, 2, figures, FIGURES);
    fs_store_objective goal;
    fs_study *s = study_by(c, names, FIGURES, SECONDS, &goal, arena);
    assert_string_equal(
        fs_study_why(s, 0, 0),
        "x.a = 1 against 0: exchange takes 3 million cycles more, while compute takes 1 million "
        "cycles less. It loses 500 rays instead of 0.");
    assert_string_equal(fs_study_why(s, 0, 1),
                        "x.b changes nothing: with all else equal, every figure is the same.");
}

/* a = 1 runs at 1 GHz and a = 0 at 2 GHz; at 2 GHz the same visit of the host takes twice the cycles. */
static double slow_seconds(const size_t *at) {
    return at[0] == 0 ? 5e-3 : 9e-3;
}
static double slow_cycles(const size_t *at) {
    return at[0] == 0 ? 1e7 : 9e6;
}
static double slow_host(const size_t *at) {
    return at[0] == 0 ? 2e6 : 1e6;
}
static double slow_compute(const size_t *at) {
    (void)at;
    return 8e6;
}
static double none(const size_t *at) {
    (void)at;
    return 0;
}

/* What changed is the clock, and not what takes fewer cycles by it; where nothing takes more, the goal says so. */
TEST(a_cause_is_what_changed) {
    static const char *const names[] = {"device.cycles",          "device.cycles_compute",
                                        "device.cycles_exchange", "device.cycles_host",
                                        "device.cycles_sync",     "device.seconds"};
    enum { FIGURES = sizeof names / sizeof *names, SECONDS = 5 };
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[FIGURES] = {slow_cycles, slow_compute, none,
                                                 slow_host,   none,         slow_seconds};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){2, 2}, 2, figures, FIGURES);
    fs_store_objective goal;
    fs_study *s = study_by(c, names, FIGURES, SECONDS, &goal, arena);
    assert_string_equal(
        fs_study_why(s, 0, 0),
        "x.a = 1 against 0: its clock is 50 % slower, 1\xc2\xa0GHz instead of 2\xc2\xa0GHz, so "
        "compute takes 4\xc2\xa0ms more.");
    for (size_t p = 0; p < c->sweep.point_count; p++) /* one clock: the goal alone is worse */
        c->figure[p * FIGURES].number = c->figure[p * FIGURES + SECONDS].number * 1e9;
    s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_string_equal(
        fs_study_why(s, 0, 0),
        "x.a = 1 against 0: time on the device is 9\xc2\xa0ms instead of 5\xc2\xa0ms, while host "
        "visits take 1 million cycles less.");
}

/* 10 11 12 / - 21 22: values of b are compared where a is 1 or 2, those of a where b is 0. */
TEST(values_are_compared_fairly) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {added};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 2}, 2, figures, 1);
    c->figure[1].number = (double)NAN;
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    const fs_study_effect *a = &s->goal[0].effect[0], *b = &s->goal[0].effect[1];
    assert_int_equal(b->mean[0].count, 2);
    near(b->mean[0].mean, 11.5);
    near(b->mean[1].mean, 21.5);
    assert_int_equal(b->mean[0].best, 0); /* of all points */
    near(b->share, 100.0 / 101);          /* 4 * 25 of it and 4 * 0.25 */
    assert_int_equal(a->mean[2].count, 1);
    near(a->mean[0].mean, 10);
    near(a->share, 1);
    assert_true(a->compared[0] && !a->compared[3] && b->compared[3] && !b->compared[0] && !b->compared[1]);
}

/* a: 100 101 102 where b is 0; b adds 15, and only a = 0 has it: where nothing but a varies a explains all, and
 * yet changes 2 % where b changes 15. */
static double added_much(const size_t *at) {
    return 100 + (double)at[0] + 15 * (double)at[1];
}
TEST(axes_are_ranked_by_what_they_change) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {added_much};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 2}, 2, figures, 1);
    c->point[3].feasible = c->point[5].feasible = false; /* (1, 1), (2, 1) */
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    const fs_study_goal *g = &s->goal[0];
    near(g->effect[0].share, 1);
    near(g->effect[0].alone_median, 0.02);
    near(g->effect[1].alone_median, 0.15);
    assert_int_equal(g->rank[0], 1);
    assert_null(fs_study_explains(s, 0, 0)); /* of three points of four */
    assert_string_equal(
        fs_study_title(s),
        "100\xc2\xa0s at best: a 0, b 0; x.b matters most: all else equal 15\xc2\xa0%; 4 of 6 "
        "points are feasible");
}

/* a is a choice, b is asked of it. By a: 10 20 40, 11 18 44, 9 18.5 -: the first is best under one condition of three, and a ninth behind
 * under the others; the third, best under one and behind by less on average, is infeasible under the last. */
static double asked(const size_t *at) {
    static const double of[3][3] = {{10, 20, 40}, {11, 18, 44}, {9, 18.5, 50}};
    return of[at[0]][at[1]];
}
TEST(conditions_are_no_choices) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {asked};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 3}, 2, figures, 1);
    const bool conditions[] = {false, true};
    c->sweep.conditions = conditions;
    c->sweep.base = c->sweep.points[1].key; /* under b = 1 */
    c->point[8].feasible = false;
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_int_equal(s->choices, 1);
    assert_int_equal(s->goal[0].rank[0], 0); /* though b changes four times as much */
    const fs_study_conditions all = fs_study_conditions_of(s, 0);
    assert_int_equal(all.count, 3);
    const size_t best[] = {6, 4, 2}; /* 9, 18, 40 */
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(all.best[i], best[i]);
    const fs_study_choice *first = &all.choice; /* 1/9, 2/18, 0 behind */
    near(first->behind_mean, 2.0 / 27);
    near(first->behind_most, 1.0 / 9);
    assert_true(first->had == 3 && first->wins == 1 && s->axis[0].at[first->point] == 0);
    assert_int_equal(first->point, s->baseline); /* the one that is asked what the baseline is */
    assert_int_equal(fs_study_under(s, 0, first->point, 4), 1);
    assert_string_equal(fs_study_to_baseline(s, 0, 0), ""); /* another is asked there */
    const char *title = fs_study_title(s);
    if (strstr(title, "a 0 is the best choice for f0 under 1 of 3 values of x.b, elsewhere at most "
                      "11.1\xc2\xa0% behind (x.b = ") == NULL ||
        strstr(title, "x.b matters") != NULL)
        fail_msg("%s", title);
    size_t count = 0;
    const char **words = fs_study_words(s, &count);
    for (size_t i = 0; i < count; i++)
        assert_true(strstr(words[i], "x.b matters") == NULL && strstr(words[i], "chosen together") == NULL);
}

/* b changes 100 by 2 where a is 0, and 10 by 2 where a is 1. */
static double behind(const size_t *at) {
    return (at[0] == 0 ? 100 : 10) + 2 * (double)at[1];
}

TEST(what_pays_behind_another) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {behind};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){2, 2}, 2, figures, 1);
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    near(fs_study_alone_at(s, 0, 1, 0, 0), 0.02);
    near(fs_study_alone_at(s, 0, 1, 0, 1), 0.2);
    near(fs_study_alone_at(s, 0, 1, FS_STUDY_NONE, 0), s->goal[0].effect[1].alone_median);
    assert_true(isnan(fs_study_alone_at(s, 0, 0, 1, 7)));
    size_t count = 0;
    const char **words = fs_study_words(s, &count);
    bool said = false;
    for (size_t i = 0; i < count; i++)
        said |= strstr(words[i], "x.b 20\xc2\xa0% instead of 2\xc2\xa0% (medians)") != NULL;
    assert_true(said);
}

/* b applies where a is 1: (0, -) 10, (1, 0) 20, (1, 1) 40. */
TEST(conditional_axis) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {flat};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 2}, 2, figures, 1);
    static const fs_store_setting set[] = {{"0", 0}, {NULL, 0}, {"1", 1}, {"0", 0}, {"1", 1}, {"1", 1}};
    static const double value[] = {10, 20, 40};
    c->sweep.point_count = 3;
    memcpy(c->setting, set, sizeof set);
    for (size_t p = 0; p < 3; p++)
        c->figure[p].number = value[p];
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    size_t count = 0;
    const size_t *along = fs_study_along(s, 0, 0, &count); /* the best, to any with a = 1 */
    assert_int_equal(count, 3);
    assert_int_equal(along[0], 0);
    along = fs_study_along(s, 1, 1, &count); /* only points that have b */
    assert_int_equal(count, 2);
    assert_int_equal(along[1], 2);
    near(s->goal[0].effect[1].share, 1); /* of the two points with b */
    const fs_study_pair *pair = fs_study_pairs(s, 0, &count);
    assert_int_equal(count, 1);
    near(pair[0].interaction, 0);
}

/* A front against the definition: all pairs looked at. */
TEST(front) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {added, falling};
    fs_rng rng = fs_rng_stream(17, "test/study/front");
    printf("seed 17\n");
    for (int round = 0; round < 200; round++) {
        sweep_case *c = sweep_case_cross(arena, (size_t[]){8, 4}, 2, figures, 2);
        fs_store_objective *o = (fs_store_objective *)(uintptr_t)c->sweep.objectives;
        o[0].larger = round % 2 == 1;
        o[1].larger = round % 4 >= 2;
        for (size_t p = 0; p < 32; p++) {
            c->figure[2 * p].number = fs_rng_below(&rng, 12);
            c->figure[2 * p + 1].number = fs_rng_below(&rng, 12);
            c->point[p].feasible = fs_rng_below(&rng, 5) > 0;
            if (fs_rng_below(&rng, 10) == 0)
                c->figure[2 * p + 1].number = (double)NAN;
        }
        fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
        size_t count = 0, expected = 0;
        const size_t *found = fs_study_front(s, 0, 1, &count);
        for (size_t p = 0; p < 32; p++) {
            bool beaten = !c->point[p].feasible || isnan(c->figure[2 * p + 1].number);
            for (size_t q = 0; q < 32 && !beaten; q++) {
                if (!c->point[q].feasible || isnan(c->figure[2 * q + 1].number))
                    continue;
                double a = (c->figure[2 * q].number - c->figure[2 * p].number) * (o[0].larger ? -1 : 1);
                double b =
                    (c->figure[2 * q + 1].number - c->figure[2 * p + 1].number) * (o[1].larger ? -1 : 1);
                beaten = a <= 0 && b <= 0 && (a < 0 || b < 0);
            }
            bool in = false;
            for (size_t i = 0; i < count; i++)
                in |= found[i] == p;
            if (in == beaten)
                fail_msg("round %d: point %zu is %s the front", round, p, in ? "in" : "not in");
            expected += !beaten;
        }
        assert_int_equal(count, expected);
    }
}

TEST(failures_and_constraints) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {added, falling};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){4, 3}, 2, figures, 2);
    static const fs_store_constraint constraints[] = {
        {.figure = "f1", .op = FS_STORE_AT_MOST, .number = 98.5},
        {.figure = "f9", .op = FS_STORE_AT_LEAST, .number = 0}};
    c->sweep.constraints = constraints;
    c->sweep.constraint_count = 1;
    static const char *const error[] = {"4 lanes, at most 2", "16 lanes, at most 2", "no such file"};
    for (size_t i = 0; i < 3; i++) { /* all of a = 3 */
        c->point[9 + i].status = "failed";
        c->point[9 + i].error = error[i];
        c->point[9 + i].feasible = false;
        c->point[9 + i].figure_count = 0;
    }
    for (size_t p = 0; p < 9; p++)
        c->point[p].feasible = fs_store_keeps(&c->point[p], constraints);
    assert_false(fs_store_keeps(&c->point[0], &constraints[1])); /* a figure that is not there */
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_int_equal(s->done, 9);
    assert_int_equal(s->failed, 3);
    assert_int_equal(s->broken[0], 2); /* 100 and 99 */
    assert_int_equal(s->feasible, 7);
    size_t kinds = 0;
    const fs_study_failure *f = fs_study_failures(s, &kinds);
    assert_int_equal(kinds, 2);
    assert_int_equal(f[0].count, 2);
    assert_string_equal(f[0].error, error[0]);
    assert_int_equal(f[0].common.axis, 0);
    assert_int_equal(f[0].common.level, 3);
    assert_int_equal(f[0].common.marked, 2);
    assert_int_equal(f[0].common.all, 3);
    size_t count = 0;
    const char **words = fs_study_words(s, &count);
    bool infeasible = false, failed = false;
    for (size_t i = 0; i < count; i++) {
        infeasible |= strncmp(words[i], "2 of 9 finished points are infeasible.", 38) == 0;
        failed |= strncmp(words[i], "2 points failed: 4 lanes", 24) == 0;
    }
    assert_true(infeasible && failed);
}

/* Nothing done, no axes, no objectives: words, no crash. */
TEST(empty) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {added};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3, 2}, 2, figures, 1);
    size_t count = 0;
    for (size_t p = 0; p < 6; p++) {
        c->point[p].status = "pending";
        c->point[p].feasible = false;
    }
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    assert_int_equal(s->open, 6);
    const char **words = fs_study_words(s, &count);
    assert_int_equal(count, 2);
    assert_string_equal(words[0], "No point has a figure f0 yet.");
    assert_int_equal((fs_study_front(s, 0, 0, &count), count), 0);
    const fs_store_sweep nothing = {.name = "nothing", .text = ""};
    s = fs_study_of(&nothing, &fs_registry_all, arena);
    fs_study_words(s, &count);
    assert_int_equal(count, 0);
}

TEST(varying) {
    fs_arena *arena = test_arena();
    sweep_case_figure *const figures[] = {added};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){3}, 1, figures, 1);
    static const fs_store_parameter one[] = {
        {"m.clock", "1 GHz", 1e9, "Hz"}, {"m.same", "1", 1, ""}, {"x.a", "0", 0, ""}};
    static const fs_store_parameter two[] = {
        {"m.clock", "2 GHz", 2e9, "Hz"}, {"m.only", "5", 5, ""}, {"m.same", "1", 1, ""}, {"x.a", "1", 1, ""}};
    for (size_t p = 0; p < 3; p++) {
        c->point[p].parameters = p == 1 ? two : one;
        c->point[p].parameter_count = p == 1 ? 4 : 3;
    }
    fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    size_t count = 0;
    const char **names = fs_study_varying(s, &count);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "m.clock");
}

RUN_TESTS(NULL, NULL)
