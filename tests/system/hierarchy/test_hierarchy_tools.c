/* What is done with runs of the traversal engine: the sweep of units, two engines compared, a timeline,
 * meshes of others, machines that are refused at their place. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <limits.h>
#include <unistd.h>

static char checkout[PATH_MAX], shared[PATH_MAX + 16];

static int enter(void **state) {
    const char *given = getenv("FOAMSIM_SHARED");
    assert_non_null(getcwd(checkout, sizeof checkout));
    if (given != NULL)
        snprintf(shared, sizeof shared, "%s", given);
    else
        snprintf(shared, sizeof shared, "%s/../shared", checkout);
    const int status = cli_enter(state);
    cli_write("soup.yaml", "machine:\n  base: virtex5\n  traversal: { units: 4, queue: 32 }\n"
                           "scene: { kind: mesh, soup: { triangles: 500, seed: 3 } }\n"
                           "workload: { kind: hierarchy, rays: 400, checked: 40 }\nrun: { detail: phase }\n");
    return status;
}

/* ---- the sweep ---- */

enum { BLOCKINGS = 3, COUNTS = 6 };

/* The committed sweep with fewer rays, every point of it with the right answer. One request at a time: flat from the second unit on. Overlapping ones:
 * each doubling gains until the bus is full. */
TEST(units_as_a_sweep) {
    static const char fewer[] = "{ width: 48, height: 48 }  ";
    char path[PATH_MAX + 64];
    size_t size;
    snprintf(path, sizeof path, "%s/configs/sweeps/engine-units.yaml", checkout);
    char *text = file_read(path, &size), *rays = strstr(text, "{ width: 128, height: 128 }");
    assert_non_null(rays);
    memcpy(rays, fewer, sizeof fewer - 1);
    cli_write("units.yaml", text);
    cli_must("sweep", "units.yaml", "--store", "units.db", "--jobs", "1", "--quiet", NULL);
    const cli_result r =
        cli("query", "units.db", "table", "--csv", "--figures", "rays.per_second", "--quiet", NULL);
    assert_int_equal(r.status, 0);
    double rate[BLOCKINGS][COUNTS];
    const char *line = strchr(r.out, '\n');
    for (int b = 0; b < BLOCKINGS; b++)
        for (int c = 0; c < COUNTS; c++, line = strchr(line + 1, '\n')) {
            assert_non_null(line);
            char row[256];
            snprintf(row, sizeof row, "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
            assert_non_null(strstr(row, ",done,yes,")); /* feasible: no queue loses, no hit is wrong */
            rate[b][c] = strtod(strrchr(row, ',') + 1, NULL);
        }
    for (int c = 2; c < COUNTS; c++) {
        assert_true(rate[0][c] > 0.99 * rate[0][1] && rate[0][c] < 1.01 * rate[0][1]);
        assert_true(rate[2][c] > 1.5 * rate[1][c]);
    }
    for (int c = 1; c < 4; c++)
        assert_true(rate[2][c] > 1.9 * rate[2][c - 1] && rate[2][c] < 2.01 * rate[2][c - 1]);
    assert_true(rate[0][0] == rate[1][0] && rate[0][0] == rate[2][0]); /* one unit never waits for another */
}

/* Queues of the paper on its triangles lose entries, and the paper's rule ends rays at wrong hits: a sweep of such engines
 * has no feasible point unless its file allows losses, says so in its title, and calls none the best. */
TEST(an_engine_of_wrong_hits_is_infeasible) {
    static const char sweep[] =
        "name: %s\n%sbase: soup.yaml\naxes:\n  - { key: machine.traversal.queue, values: [%s] }\n"
        "  - { key: workload.stop, values: [%s] }\nobjectives:\n  - { figure: rays.per_second }\n";
    static const struct {
        const char *name, *head, *queues, *stops;
        size_t feasible;
    } cases[] = {{"short", "", "4, 8", "nearest", 0},
                 {"first", "", "0", "first, nearest", 1}, /* no entry is lost, and hits are wrong */
                 {"allowed", "losses: allowed\n", "4, 8", "nearest", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, sweep, cases[i].name, cases[i].head, cases[i].queues, cases[i].stops);
        cli_write("wrong.yaml", text);
        cli_must("sweep", "wrong.yaml", "--store", "wrong.db", "--jobs", "1", "--quiet", "--report",
                 "wrong.html", NULL);
        const cli_result r = cli("query", "wrong.db", "best", "--csv", "--quiet", NULL);
        assert_int_equal(r.status, 0);
        size_t lines = 0, size;
        for (const char *at = r.out; *at != '\0'; at++)
            lines += *at == '\n';
        assert_int_equal(lines, cases[i].feasible + 1);
        char *page = file_read("wrong.html", &size);
        assert_int_equal(
            strstr(page, "<h1>None of 2 finished points is feasible: even at the best of them ") != NULL,
            cases[i].feasible == 0);
        assert_int_equal(strstr(page, "of the rays lose queue entries") != NULL, i == 0);
        assert_int_equal(strstr(page, "of the checked rays end with a wrong hit") != NULL, i == 1);
    }
}

/* ---- a comparison ---- */

TEST(two_engines_compared) {
    cli_must("run", "soup.yaml", "--quiet", "--out", "one", NULL);
    cli_must("run", "soup.yaml", "--quiet", "--out", "many", "--set", "machine.memory.in_flight=many", NULL);
    cli_must("compare", "one", "many", "--json", "c.json", "--output", "c.html", NULL);
    json_t *all = run_json(".", "c.json");
    const json_t *figures = json_object_get(all, "figures"), *row;
    size_t i, seen = 0;
    json_array_foreach(figures, i, row) {
        const char *name = json_string_value(json_object_get(row, "name"));
        const json_t *values = json_object_get(row, "values");
        if (strcmp(name, "rays.per_second") == 0 || strcmp(name, "queue.lost") == 0) {
            seen++;
            assert_true(json_number_value(json_array_get(values, 0)) == run_figure("one", name));
            assert_true(json_number_value(json_array_get(values, 1)) == run_figure("many", name));
        }
    }
    assert_int_equal(seen, 2);
    assert_true(run_figure("one", "queue.lost") == run_figure("many", "queue.lost"));
    assert_true(run_figure("many", "rays.per_second") > 2 * run_figure("one", "rays.per_second"));
    size_t size;
    char *page = file_read("c.html", &size);
    assert_non_null(strstr(page, "cycles of a request"));
}

/* ---- a page ---- */

/* A board has no iterations: its time is cut in slices, and no table of their parts stands there. */
TEST(a_page_speaks_of_slices) {
    cli_must("run", "soup.yaml", "--quiet", "--out", "shown", NULL);
    cli_must("report", "shown", "--quiet", NULL);
    size_t size;
    char *page = file_read("shown/pictures/report.html", &size);
    assert_non_null(strstr(page, "\"slice of "));
    assert_non_null(strstr(page, "work · input · output · idle"));
    assert_null(strstr(page, "belongs to no part"));
    assert_null(strstr(page, "cycles an iteration"));
}

/* ---- a timeline ---- */

enum { UNITS = 1, MEMORY = 2, MOST_UNITS = 8 };

/* One span for each request, on its unit's track behind the one before; what the bus moves never overlaps
 * and adds up to the figure. */
TEST(a_timeline_is_the_run) {
    cli_must("run", "soup.yaml", "--quiet", "--out", "traced", "--trace", "t.json", "--set",
             "machine.memory.in_flight=many", NULL);
    json_t *root = run_json(".", "t.json");
    const json_t *events = json_object_get(root, "traceEvents"), *event;
    json_int_t free_at[MOST_UNITS + 1] = {0}, bus = 0, moved = 0, requests = 0;
    size_t i;
    json_array_foreach(events, i, event) {
        const char *phase = json_string_value(json_object_get(event, "ph")),
                   *name = json_string_value(json_object_get(event, "name"));
        assert_non_null(phase);
        assert_non_null(name);
        if (strcmp(phase, "X") != 0)
            continue;
        /* us of a clock of 250 MHz, written to a tenth of a nanosecond */
        const json_int_t start = llround(250 * json_number_value(json_object_get(event, "ts"))),
                         cycles =
                             json_integer_value(json_object_get(json_object_get(event, "args"), "cycles")),
                         track = json_integer_value(json_object_get(event, "tid"));
        assert_true(json_is_number(json_object_get(event, "ts")) && cycles > 0);
        assert_true(llround(250 * json_number_value(json_object_get(event, "dur"))) == cycles);
        if (json_integer_value(json_object_get(event, "pid")) == MEMORY) {
            assert_true(start >= bus);
            bus = start + cycles;
            moved += cycles;
        } else if (strcmp(name, "node") == 0 || strcmp(name, "leaf") == 0) {
            assert_true(track >= 1 && track <= MOST_UNITS && start >= free_at[track]);
            free_at[track] = start + cycles;
            requests++;
        }
    }
    assert_true((double)requests == run_figure("traced", "requests.count"));
    const double told = run_figure("traced", "requests.bus") * (double)requests;
    assert_true((double)moved > told - 0.5 && (double)moved < told + 0.5);
    assert_true((double)bus <= run_figure("traced", "device.cycles"));
}

/* ---- meshes of others ---- */

TEST(meshes_lose_nothing) {
    static const char *const names[] = {"bunny_5k.obj", "spot.obj", "CornellBox-Original.obj"};
    static const char *const cameras[] = {"position: [0, 0.1, 0.4], look_at: [-0.02, 0.1, 0]",
                                          "position: [1.5, 0.6, -2.5], look_at: [0, 0.1, 0]",
                                          "position: [0, 1, 3.4], look_at: [0, 1, 0]"};
    size_t found = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX + 64], text[PATH_MAX + 512], out[32];
        snprintf(path, sizeof path, "%s/scenes/meshes/%s", shared, names[i]);
        if (access(path, R_OK) != 0)
            continue;
        found++;
        snprintf(text, sizeof text,
                 "machine: virtex5\nscene: { kind: mesh, file: \"%s\", camera: { %s } }\n"
                 "workload: { kind: hierarchy, source: camera, camera: { width: 64, height: 48 }, "
                 "stop: nearest }\nrun: { detail: phase }\n",
                 path, cameras[i]);
        cli_write("mesh.yaml", text);
        snprintf(out, sizeof out, "mesh-%zu", i);
        cli_must("run", "mesh.yaml", "--quiet", "--out", out, NULL);
        print_message("%s: %.2f requests a ray, %.0f %% of the rays hit\n", names[i],
                      run_figure(out, "requests.per_ray"), 100 * run_figure(out, "hits.share"));
        assert_true(run_figure(out, "queue.lost") == 0);
        assert_true(run_figure(out, "hits.wrong") == 0);
        assert_true(run_figure(out, "hits.share") > 0.1);
        char image[64], reference[64];
        snprintf(image, sizeof image, "%s/image.png", out);
        snprintf(reference, sizeof reference, "%s/reference.png", out);
        assert_true(files_equal(image, reference));
    }
    if (found == 0) {
        print_message("no scenes/meshes beside the checkout or in FOAMSIM_SHARED: skipped\n");
        skip();
    }
}

/* ---- machines that are refused while they run ---- */

TEST(a_machine_is_refused_at_its_place) {
    cli_write("spill.yaml", "machine:\n  base: virtex5\n"
                            "  traversal: { queue: 2, spill: block_ram, spill_entries: 2 }\n"
                            "scene: { kind: mesh, soup: { triangles: 500, seed: 3 } }\n"
                            "workload: { kind: hierarchy, rays: 40 }\n");
    static const struct {
        const char *set, *says;
    } cases[] = {
        {"run.detail=phase", "spill.yaml:3:59: machine.traversal.spill_entries: ray "},
        {"run.detail=event", "spill.yaml:3:59: machine.traversal.spill_entries: ray "},
        {"machine.memory.size=1KiB", "--set machine.memory.size=1KiB: machine.memory.size: nodes and"},
        {"machine={ base: virtex5, clock: 249999999Hz, memory: { kind: ddr3-1600 } }",
         "machine.clock: clocks of 249999999 Hz"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const cli_result r = cli("run", "spill.yaml", "--quiet", "--out", "no", "--set", cases[i].set, NULL);
        if (r.status != 2 || strstr(r.err, cases[i].says) == NULL)
            fail_msg("%s: status %d, \"%s\"", cases[i].set, r.status, r.err);
        assert_int_not_equal(access("no", F_OK), 0);
    }
}

/* What the workload does not record is refused, not left out. */
TEST(no_activity_is_recorded) {
    cli_write("few.yaml",
              "machine: { base: virtex5 }\nscene: { kind: mesh, soup: { triangles: 50, seed: 3 } }\n"
              "workload: { kind: hierarchy, rays: 10 }\n");
    cli_refuses("--record-activity: the workload hierarchy has no activity recordings", "run", "few.yaml",
                "--quiet", "--out", "no", "--record-activity", "a.rec", NULL);
    assert_int_not_equal(access("no", F_OK), 0);
    assert_int_not_equal(access("a.rec", F_OK), 0);
}

RUN_TESTS(enter, cli_leave)
