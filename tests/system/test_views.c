/* View sets: each view is the run that its camera would be alone, the set's figures are those of its views,
 * and a set is whole or not there. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <signal.h>

enum { VIEWS = 3 };
static const char *const positions[VIEWS] = {"[2.1, -2.9, 1.7]", "[-1.9, -3.1, 1.2]", "[0.7, 2.6, 1.9]"};

/* x.yaml is one run; v.yaml the same with views over the camera. */
static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    char text[1024];
    snprintf(text, sizeof text,
             "base: ./x.yaml\nname: system\nviews: { kind: list, positions: [%s, %s, %s], look_at: [0.1, "
             "0.2, 0.6] }\n",
             positions[0], positions[1], positions[2]);
    cli_write("v.yaml", text);
    cli_must("run", "v.yaml", "--quiet", "--out", "set", NULL);
    return 0;
}

static const char *view_folder(const char *set, int v) {
    static char path[2][64];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/view-%d", set, v);
    return path[turn];
}

TEST(each_view_is_the_run_of_its_camera) {
    for (int v = 0; v < VIEWS; v++) {
        char set[128], out[16];
        snprintf(set, sizeof set, "workload.camera.position=%s", positions[v]);
        snprintf(out, sizeof out, "single-%d", v);
        cli_must("run", "x.yaml", "--quiet", "--out", out, "--set", set, NULL);
        assert_same_run(view_folder("set", v), out, SAME_SETTINGS);
        assert_whole_run(view_folder("set", v));
    }
    assert_false(files_equal("set/view-0/image.png", "set/view-1/image.png"));
    assert_false(scratch_there("set.partial"));
}

TEST(jobs_and_threads_change_nothing) {
    cli_must("run", "v.yaml", "--quiet", "--out", "together", "--jobs", "3", "--threads", "2", NULL);
    assert_true(files_equal("set/manifest.json", "together/manifest.json"));
    assert_true(files_equal("set/summary.json", "together/summary.json"));
    assert_true(files_equal("set/views.csv", "together/views.csv"));
    cli_must("run", "together/resolved.yaml", "--quiet", "--out", "again", NULL);
    assert_true(files_equal("set/manifest.json", "again/manifest.json"));
}

TEST(the_set_is_whole) {
    json_t *manifest = run_json("set", "manifest.json");
    const json_t *files = json_object_get(manifest, "files");
    int views = 0;
    for (size_t i = 0; i < json_array_size(files); i++) {
        const json_t *item = json_array_get(files, i);
        const char *name = json_string_value(json_object_get(item, "file"));
        char path[128], hex[65];
        snprintf(path, sizeof path, "set/%s", name);
        assert_true(scratch_there(path));
        views += strncmp(name, "view-", 5) == 0;
        if (json_object_get(item, "sha256") == NULL)
            continue;
        sha256_of(path, hex);
        assert_string_equal(hex, json_string_value(json_object_get(item, "sha256")));
    }
    assert_int_equal(views, VIEWS);
}

/* Mean, worst and which, worked out again from the views' own summaries. */
static void check_figure(const char *name, bool less_is_worse) {
    char worst_name[80], which_name[80];
    snprintf(worst_name, sizeof worst_name, "worst.%s", name);
    snprintf(which_name, sizeof which_name, "worst_view.%s", name);
    double sum = 0, worst = 0;
    int which = -1;
    for (int v = 0; v < VIEWS; v++) {
        double value = run_figure(view_folder("set", v), name);
        sum += value;
        if (which < 0 || (less_is_worse ? value < worst : value > worst)) {
            worst = value;
            which = v;
        }
    }
    assert_true(fabs(run_figure("set", name) - sum / VIEWS) <= 1e-12 * fabs(sum));
    assert_true(run_figure("set", worst_name) >= worst && run_figure("set", worst_name) <= worst);
    assert_int_equal((int)run_figure("set", which_name), which);
}

TEST(the_summary_is_of_all_views) {
    assert_int_equal((int)run_figure("set", "views"), VIEWS);
    check_figure("device.cycles", false);
    check_figure("device.seconds", false);
    check_figure("hops.waiting_mean", false);
    check_figure("rays.spilled", false);
    check_figure("image.psnr_db", true);
    check_figure("image.ssim", true);
    check_figure("coverage", true);
    check_figure("memory.peak_bytes", false);
    json_t *summary = run_json("set", "summary.json");
    const json_t *worst_pace = json_object_get(json_object_get(summary, "worst"), "pace");
    assert_non_null(json_object_get(worst_pace, "tracer"));
    assert_null(json_object_get(worst_pace, "hottest_tile")); /* a name, not a quantity */
    assert_true(json_is_true(figure_json(summary, "complete")));
    assert_true(json_is_string(figure_json(summary, "scene.digest")));

    struct table t = table_read("set", "views.csv");
    assert_int_equal(t.rows, VIEWS);
    for (size_t v = 0; v < VIEWS; v++) {
        char place[64];
        snprintf(place, sizeof place, "[%s, %s, %s]", table_text(&t, v, "x"), table_text(&t, v, "y"),
                 table_text(&t, v, "z"));
        assert_string_equal(place, positions[v]);
        assert_string_equal(table_text(&t, v, "look_z"), "0.6");
        assert_true((double)table_int(&t, v, "device.cycles") ==
                    run_figure(view_folder("set", (int)v), "device.cycles"));
    }
}

TEST(one_view_less_says_who_failed) {
    /* the second camera looks along `up` */
    cli_result r = cli("run", "v.yaml", "--out", "bad", "--set",
                       "views.positions=[[2.1, -2.9, 1.7], [0.1, 0.2, 3], [1, 1, 1]]", NULL);
    cli_refused(&r, "views: view 1: camera: up is parallel");
    assert_false(scratch_there("bad"));
    assert_false(scratch_there("bad.partial"));
    cli_refuses("views: view 1: camera: up is parallel", "config", "check", "v.yaml", "--set",
                "views.positions=[[2.1, -2.9, 1.7], [0.1, 0.2, 3]]", NULL);
    /* what only the scene can tell is told of each view */
    cli_refuses("view 0: ", "run", "v.yaml", "--check", "--set", "machine.memory.sram=90 KiB", NULL);
}

TEST(what_does_not_go_with_views) {
    cli_result r = cli("run", "v.yaml", "--out", "bad", "--set",
                       "workload.camera.world_to_camera=[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]", NULL);
    cli_refused(&r, "views move the camera, which camera.world_to_camera fixes");
    r = cli("run", "v.yaml", "--out", "bad", "--jobs", "0", NULL);
    assert_int_equal(r.status, 2);
    assert_false(scratch_there("bad"));
    cli_must("run", "v.yaml", "--quiet", "--out", "one", "--set", "views.kind=none", NULL);
    assert_same_run(view_folder("set", 0), "one", SAME_SETTINGS); /* x.yaml's camera is the first */
}

/* A set killed or interrupted at moments all over it leaves nothing under its name, and its views end with
 * it. */
TEST(a_broken_set_leaves_nothing) {
    static const char *const signs[] = {"cut.partial",        "cut.partial/view-0.partial",
                                        "cut.partial/view-0", "cut.partial/view-1.partial/stats.csv",
                                        "cut.partial/view-2", "cut.partial/views.csv"};
    for (size_t i = 0; i < 2 * sizeof signs / sizeof signs[0]; i++) {
        const char *const words[] = {
            "run", "v.yaml", "--quiet", "--force", "--out", "cut", "--jobs", i % 3 == 0 ? "2" : "1", NULL};
        int number = i % 2 == 0 ? SIGKILL : SIGINT;
        pid_t process = cli_start(words, 0);
        while (!scratch_there(signs[i / 2]) && !cli_ended(process))
            test_nap(1e-4);
        kill(process, number);
        cli_result r = cli_finish(process);
        if (r.status == 0) { /* it was quicker */
            assert_true(files_equal("set/manifest.json", "cut/manifest.json"));
            cli_must("run", "x.yaml", "--quiet", "--force", "--out", "cut", NULL);
            assert_int_equal(system("rm -r cut"), 0);
            continue;
        }
        assert_false(scratch_there("cut"));
        if (r.signal == 0) {
            assert_int_equal(r.status, 1);
            assert_non_null(strstr(r.err, "interrupted"));
            assert_false(scratch_there("cut.partial"));
        }
    }
    cli_must("run", "v.yaml", "--quiet", "--out", "cut", NULL);
    assert_true(files_equal("set/manifest.json", "cut/manifest.json"));
    assert_false(scratch_there("cut.partial"));
}

/* The page of a set names the slowest and the fastest view, and links to them. */
TEST(the_page_names_slowest_and_fastest) {
    cli_must("report", "set", "-o", "set.html", NULL);
    size_t bytes, view[2];
    char *page = file_read("set.html", &bytes), name[16];
    double seconds[VIEWS];
    int slowest = 0, fastest = 0;
    for (int v = 0; v < VIEWS; v++) {
        snprintf(name, sizeof name, "set/view-%d", v);
        seconds[v] = run_figure(name, "device.seconds");
        slowest = seconds[v] > seconds[slowest] ? v : slowest;
        fastest = seconds[v] < seconds[fastest] ? v : fastest;
    }
    assert_true(slowest != 0); /* else a page that always names the first would do */
    const char *most = strstr(page, ", at most "), *least = strstr(page, ", at least ");
    assert_true(most != NULL && least != NULL && most < least);
    most = strstr(most, "href=\"#view-");
    least = strstr(least, "href=\"#view-");
    assert_true(most != NULL && least != NULL);
    assert_int_equal(sscanf(most, "href=\"#view-%zu\"", &view[0]), 1);
    assert_int_equal(sscanf(least, "href=\"#view-%zu\"", &view[1]), 1);
    assert_int_equal(view[0], slowest);
    assert_int_equal(view[1], fastest);
}

/* A drawn set runs the views that it names, as the whole set does, and says what is left open. */
TEST(a_drawn_set_is_a_part_of_the_set) {
    cli_must("run", "v.yaml", "--quiet", "--out", "part", "--set", "views.sample=2", "--set",
             "views.sample_seed=4", NULL);
    json_t *summary = run_json("part", "summary.json");
    const json_t *drawn = figure_json(summary, "sample.views");
    assert_int_equal(json_array_size(drawn), 2);
    for (int v = 0; v < 2; v++)
        assert_same_run(view_folder("part", v),
                        view_folder("set", (int)json_integer_value(json_array_get(drawn, (size_t)v))),
                        SAME_SETTINGS);
    assert_false(scratch_there("part/view-2"));
    assert_int_equal((int)run_figure("part", "sample.of"), VIEWS);
    const double mean = run_figure("set", "device.seconds");
    assert_true(run_figure("part", "low.device.seconds") <= mean &&
                mean <= run_figure("part", "high.device.seconds"));
    cli_must("report", "part", "-o", "part.html", NULL);
    size_t bytes;
    char *page = file_read("part.html", &bytes);
    assert_non_null(strstr(page, "These are 2 of 3 views, drawn by chance (67 % of them)."));
    assert_non_null(strstr(page, "mean of all, low"));
    cli_refuses("views.sample: expected 0 to 3, as many views as there are, found 4", "run", "v.yaml",
                "--out", "bad", "--set", "views.sample=4", NULL);
}

RUN_TESTS(begin, cli_leave)
