/* Where the cameras of a view set are, against the geometry worked out with libm, and what is refused. */
#include "sim/workload/views.h"
#include "tests/support/config_tables.h"
#include "tests/support/test.h"

static const fs_section_kind kinds[] = {{.kind = "none", .table = &fs_views_none_table},
                                        {.kind = "list", .table = &fs_views_list_table},
                                        {.kind = "orbit", .table = &fs_views_orbit_table},
                                        {.kind = "path", .table = &fs_views_path_table}};
static const fs_section sections[] = {
    {.name = "views", .folder = NULL, .kinds = kinds, .count = 4, .default_kind = "none"}};

static const fs_view *view;
static size_t count;
static fs_error err;

static fs_status make(fs_arena *arena, const char *views) {
    err = (fs_error){0};
    char text[1024];
    snprintf(text, sizeof text, "views: { %s }\n", views);
    toy_file("x.yaml", text);
    const fs_config *config = fs_config_load(arena, "x.yaml", sections, 1, NULL, 0, "configs", &err);
    return config == NULL ? err.status : fs_views_make(config, arena, &view, &count, &err);
}

static void assert_point(const double have[3], double x, double y, double z) {
    const double want[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        if (!(fabs(have[k] - want[k]) < 1e-12))
            fail_msg("(%g, %g, %g), expected (%g, %g, %g)", have[0], have[1], have[2], x, y, z);
}

TEST(none_is_the_default) {
    fs_arena *arena = test_arena();
    assert_int_equal(make(arena, ""), FS_OK);
    assert_int_equal(count, 0);
}

TEST(a_list_is_itself) {
    fs_arena *arena = test_arena();
    assert_int_equal(make(arena, "kind: list, positions: [[1, 2, 3], [4, 5, 6]]"), FS_OK);
    assert_int_equal(count, 2);
    assert_point(view[0].position, 1, 2, 3);
    assert_point(view[1].position, 4, 5, 6);
    assert_false(view[0].look_at_given || view[1].look_at_given);
    assert_int_equal(make(arena, "kind: list, positions: [[1, 2, 3], [4, 5, 6]], look_at: [7, 8, 9]"), FS_OK);
    assert_true(view[0].look_at_given && view[1].look_at_given);
    assert_point(view[1].look_at, 7, 8, 9);
    assert_int_equal(
        make(arena, "kind: list, positions: [[1, 2, 3], [4, 5, 6]], look_at: [[0, 0, 0], [7, 8, 9]]"), FS_OK);
    assert_point(view[0].look_at, 0, 0, 0);
    assert_point(view[1].look_at, 7, 8, 9);
}

TEST(an_orbit_is_a_circle) {
    fs_arena *arena = test_arena();
    assert_int_equal(
        make(arena, "kind: orbit, count: 7, centre: [1, -2, 3], radius: 2.5, height: 0.5, start: 30 deg"),
        FS_OK);
    assert_int_equal(count, 7);
    for (size_t i = 0; i < 7; i++) {
        double angle = acos(-1.0) * (30.0 / 180.0 + 2.0 * (double)i / 7.0);
        assert_point(view[i].position, 1 + 2.5 * cos(angle), -2 + 2.5 * sin(angle), 3.5);
        assert_true(view[i].look_at_given);
        assert_point(view[i].look_at, 1, -2, 3);
    }
    assert_int_equal(make(arena, "kind: orbit, centre: [0, 0, 0], radius: 1, look_at: [0, 0, 9]"), FS_OK);
    assert_int_equal(count, 8);
    assert_point(view[2].position, 0, 1, 0);
    assert_point(view[2].look_at, 0, 0, 9);
}

TEST(a_path_has_equal_steps) {
    fs_arena *arena = test_arena();
    /* legs of 3 and 1: five views, one a unit */
    assert_int_equal(make(arena, "kind: path, count: 5, waypoints: [[0, 0, 0], [3, 0, 0], [3, 0, 1]], "
                                 "look_at: [[0, 9, 0], [3, 9, 0], [3, 9, 8]]"),
                     FS_OK);
    assert_int_equal(count, 5);
    const double want[5][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {3, 0, 1}};
    for (size_t i = 0; i < 5; i++) {
        assert_point(view[i].position, want[i][0], want[i][1], want[i][2]);
        assert_point(view[i].look_at, want[i][0], 9, i == 4 ? 8 : 0);
    }
    assert_int_equal(make(arena, "kind: path, count: 1, waypoints: [[1, 2, 3], [3, 0, 0]]"), FS_OK);
    assert_point(view[0].position, 1, 2, 3);
    assert_int_equal(make(arena, "kind: path, count: 1, waypoints: [[1, 2, 3]], look_at: [0, 0, 0]"), FS_OK);
    assert_point(view[0].position, 1, 2, 3);
    /* a waypoint that is said twice is passed once */
    assert_int_equal(
        make(arena, "kind: path, count: 3, waypoints: [[0, 0, 0], [0, 0, 0], [2, 0, 0], [2, 0, 0]]"), FS_OK);
    assert_point(view[0].position, 0, 0, 0);
    assert_point(view[1].position, 1, 0, 0);
    assert_point(view[2].position, 2, 0, 0);
}

TEST(what_is_no_view_is_refused) {
    static const char *const wrong[][2] = {
        {"kind: list", "views.positions: missing; expected a list of points [x, y, z]"},
        {"kind: list, positions: []", "x.yaml:1:33: views.positions: expected 1 to 1000 points, found 0"},
        {"kind: list, positions: [[1, 2, 3], [1, 2, 4]], look_at: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]",
         "views.look_at: expected one point for all views or one for each of the 2 positions, found 3"},
        {"kind: list, positions: [[1, 2, 3], [0, 0, 0]], look_at: [0, 0, 0]",
         "the camera of view 1 looks at itself, (0, 0, 0)"},
        {"kind: list, positions: [1, 2, up]", "views.positions[2]: expected a number, found \"up\""},
        {"kind: orbit, radius: 1", "views.centre: missing"},
        {"kind: orbit, centre: [0, 0, 0], radius: 0", "views.radius: expected a number"},
        {"kind: orbit, centre: [0, 0, 0], radius: 1, count: 0",
         "views.count: expected an integer from 1 to 1000"},
        {"kind: orbit, centre: [0, 0, 0], radius: 1, start: 3",
         "views.start: expected a quantity in deg or rad"},
        {"kind: orbit, centre: [0, 0, 0], radius: 1, positions: []",
         "kind \"list\" has it, this is kind \"orbit\""},
        {"kind: path, waypoints: [[1, 2, 3]]", "views.waypoints: 8 views need a line of two points or more"},
        {"kind: path, waypoints: [[1, 2, 3], [1, 2, 3]]", "need a line"},
        {"kind: path, waypoints: [[1, 2, 3], [1, 2, 4]], look_at: []",
         "one for each of the 2 waypoints, found 0"},
        {"kind: lists", "did you mean \"list\"?"},
    };
    fs_arena *arena = test_arena();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(make(arena, wrong[i][0]), FS_INPUT);
        if (strstr(err.text, wrong[i][1]) == NULL)
            fail_msg("%s: no \"%s\" in\n%s", wrong[i][0], wrong[i][1], err.text);
    }
}

RUN_TESTS(toy_enter, toy_leave)
