#include "tests/support/sweep/store_case.h"
#include "tests/support/test.h"

#include <sqlite3.h>

fs_error store_error;

void store_must(fs_status status) {
    if (status != FS_OK)
        fail_msg("%s", store_error.text);
}

fs_store *store_open(const char *path, fs_store_mode mode) {
    fs_store *store = NULL;
    store_error = (fs_error){0};
    store_must(fs_store_open(path, mode, &store, &store_error));
    return store;
}

void store_must_refuse(const char *path, fs_store_mode mode, fs_status status, const char *words) {
    fs_store *store = NULL;
    store_error = (fs_error){0};
    assert_int_equal(fs_store_open(path, mode, &store, &store_error), status);
    assert_null(store);
    assert_says(store_error.text, words);
    store_error = (fs_error){0};
}

/* ---- a sweep of three points over two axes ---- */

static const char *const axes[] = {"overlay.kind", "workload.batching.idle"};
static const bool conditions[] = {false, true};
static const fs_store_objective objectives[] = {{"device.seconds", false}, {"rays.generated", true}};
static const fs_store_constraint constraints[] = {
    {.figure = "memory.fits", .op = FS_STORE_EQUALS, .number = 1},
    {.figure = "image.psnr_db", .op = FS_STORE_AT_LEAST, .number = 40}};
static const fs_store_parameter parameters[] = {{"machine.clock", "1.33 GHz", 1.33e9, "Hz"},
                                                {"overlay.kind", "mesh", NAN, ""}};
static const fs_store_setting settings[3][2] = {
    {{"mesh", NAN}, {"10", 10}}, {{"tree", NAN}, {NULL, NAN}}, {{"direct", NAN}, {"20", 20}}};

void store_put_three(fs_store *store) {
    static const char *const keys[] = {STORE_KEY("a"), STORE_KEY("b"), STORE_KEY("c")}, *const labels[] = {
                                                                                            "one", "two",
                                                                                            "three"};
    fs_store_point points[3];
    for (int i = 0; i < 3; i++)
        points[i] = (fs_store_point){.key = keys[i],
                                     .label = labels[i],
                                     .geometry_key = STORE_KEY("0"),
                                     .traffic_key = STORE_KEY("1"),
                                     .resolved = "name: x\n",
                                     .settings = settings[i],
                                     .parameters = parameters,
                                     .parameter_count = i == 2 ? 0 : 2,
                                     .status = i == 2 ? "failed" : "pending",
                                     .error = i == 2 ? "x.yaml:1:1: wrong" : ""};
    const fs_store_sweep sweep = {.name = "three",
                                  .text = "name: three\n",
                                  .axes = axes,
                                  .axis_count = 2,
                                  .conditions = conditions,
                                  .objectives = objectives,
                                  .objective_count = 2,
                                  .constraints = constraints,
                                  .constraint_count = 2,
                                  .points = points,
                                  .point_count = 3};
    store_must(fs_store_put_sweep(store, &sweep, &store_error));
}

void store_shell(const char *command) {
    assert_int_equal(system(command), 0);
}

void store_sql(const char *path, const char *text) {
    sqlite3 *db;
    char *said = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &said) != SQLITE_OK)
        fail_msg("%s", said);
    sqlite3_close(db);
}
