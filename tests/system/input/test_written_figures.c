/* Figures that documents and the headers of experiments state by hand are those of this program: the tables
 * of docs/overlays.md and docs/traffic.md, and what quick experiments say was measured. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <ctype.h>

enum { MOST_TILES = 2048, CELLS = 12, TILES = 1472 };

/* Read before the tests leave the repository's folder. */
static char *overlays, *traffic, *first_look, *uniform, *mesh, *experiments;

/* A header's text: lines joined, without comment marks, and commas between digits. */
static char *header_of(const char *path) {
    size_t size, n = 0;
    char *text = file_read(path, &size);
    for (size_t i = 0; i < size; i++) {
        const bool comma = text[i] == ',' && i > 0 && isdigit((unsigned char)text[i - 1]) &&
                           isdigit((unsigned char)text[i + 1]);
        if (comma || text[i] == '#' || (text[i] == ' ' && n > 0 && text[n - 1] == ' '))
            continue;
        text[n++] = text[i] == '\n' ? ' ' : text[i];
    }
    text[n] = '\0';
    char *measured = strstr(text, "Measured (");
    if (measured == NULL)
        fail_msg("%s: its header states nothing measured", path);
    memmove(text, measured, strlen(measured) + 1);
    return text;
}

static int begin(void **state) {
    size_t size;
    overlays = file_read("docs/overlays.md", &size);
    traffic = file_read("docs/traffic.md", &size);
    first_look = header_of("configs/experiments/first-look.yaml");
    uniform = header_of("configs/experiments/traffic-uniform.yaml");
    mesh = header_of("configs/experiments/traffic-mesh.yaml");
    experiments = test_keep(realpath("configs/experiments", NULL));
    return cli_enter(state);
}

static const char *find_experiment(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s.yaml", experiments, name);
    return path;
}

/* The next row of a table whose first cell is a name between backticks: its cells without blanks and commas.
 * NULL: none. */
static const char *row_of(const char *at, char cell[CELLS][64], int *cells) {
    while (at != NULL && strncmp(at, "| `", 3) != 0) {
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    if (at == NULL)
        return NULL;
    const char *line_end = at + strcspn(at, "\n");
    for (*cells = 0; *cells < CELLS && at < line_end - 1; (*cells)++) {
        const char *stop = strchr(at + 1, '|');
        int n = 0;
        for (const char *c = at + 1; c < stop; c++)
            if (*c != ' ' && *c != '`' && *c != ',' && n < 63)
                cell[*cells][n++] = *c;
        cell[*cells][n] = '\0';
        at = stop;
    }
    return line_end;
}

/* A number as it stands in a document: equal to within half of its last digit. */
static void assert_states(const char *where, const char *stated, double figure) {
    char *stop;
    const double value = strtod(stated, &stop);
    const char *point = memchr(stated, '.', (size_t)(stop - stated));
    const double half = 0.5 * pow(10, point == NULL ? 0 : -(double)(stop - point - 1));
    if (stop == stated || fabs(value - figure) > half * (1 + 1e-9))
        fail_msg("%s states %s, the program says %.10g", where, stated, figure);
}

static void assert_range(const char *where, const char *stated, int64_t least, int64_t most) {
    const char *to = strstr(stated, "to");
    assert_states(where, stated, (double)least);
    if ((to == NULL) != (least == most))
        fail_msg("%s states %s, the program says %d to %d", where, stated, (int)least, (int)most);
    if (to != NULL)
        assert_states(where, to + 2, (double)most);
}

/* Traffic for an iteration or two: overlay, lanes and routes are those of any run. */
static void plan(const char *overlay, const char *tracers, const char *buffers) {
    char set[2][128];
    snprintf(set[0], sizeof set[0], "overlay=%s", overlay);
    snprintf(set[1], sizeof set[1], "workload.buffers=%s", buffers);
    cli_write("x.yaml", "name: x\nmachine: { base: gc200, exchange: { mode: dynamic } }\noverlay: quadtree\n"
                        "workload: { kind: traffic, load: 0.01, warmup: 1, measure: 4, drain: 4 }\n");
    char of[128];
    snprintf(of, sizeof of, "workload.tracers=%s", tracers);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "x", "--set", set[0], "--set", set[1], "--set",
             of, NULL);
}

/* Lanes from tile to tile, most over all pairs of tracers: a search from each. */
static int most_hops(const struct table *lanes, int tracers) {
    static int first[MOST_TILES], next[8192], to[8192], far[MOST_TILES], queue[MOST_TILES];
    memset(first, -1, sizeof first);
    for (size_t i = 0; i < lanes->rows; i++) {
        const int64_t src = table_int(lanes, i, "src");
        assert_true(i < 8192 && src < MOST_TILES && table_int(lanes, i, "dst") < MOST_TILES);
        next[i] = first[src];
        first[src] = (int)i;
        to[i] = (int)table_int(lanes, i, "dst");
    }
    int most = 0;
    for (int from = 0; from < tracers; from++) {
        int head = 0, tail = 1;
        memset(far, -1, sizeof far);
        queue[0] = from;
        far[from] = 0;
        while (head < tail) {
            const int tile = queue[head++];
            for (int lane = first[tile]; lane >= 0; lane = next[lane])
                if (far[to[lane]] < 0) {
                    far[to[lane]] = far[tile] + 1;
                    queue[tail++] = to[lane];
                }
        }
        for (int t = 0; t < tracers; t++)
            most = far[t] > most ? far[t] : most;
    }
    return most;
}

TEST(what_overlays_cost) {
    char cell[CELLS][64];
    int cells, rows = 0;
    const char *at = strstr(overlays, "## What they cost");
    assert_non_null(at);
    while ((at = row_of(at, cell, &cells)) != NULL && cells == 9) {
        const char *tracers = strcmp(cell[0], "tree-2") == 0 ? "512" : "1024";
        plan(cell[0], tracers, "overlay");
        struct table lanes = table_read("x", "lanes.csv"), tiles = table_read("x", "tiles.csv");
        int64_t routers = 0, highest = 0, roots = 0, least = INT64_MAX, most = 0, ring[2] = {INT64_MAX, 0};
        for (size_t i = 0; i < tiles.rows; i++)
            if (strcmp(table_text(&tiles, i, "role"), "router") == 0) {
                routers++;
                roots = table_int(&tiles, i, "level") > highest
                            ? 1
                            : roots + (table_int(&tiles, i, "level") == highest);
                highest = table_int(&tiles, i, "level") > highest ? table_int(&tiles, i, "level") : highest;
            }
        for (size_t i = 0; i < lanes.rows; i++) {
            const bool generator = strcmp(table_text(&lanes, i, "src_role"), "generator") == 0 ||
                                   strcmp(table_text(&lanes, i, "dst_role"), "generator") == 0;
            const int64_t rays = table_int(&lanes, i, "capacity");
            int64_t *lo = generator ? &ring[0] : &least, *hi = generator ? &ring[1] : &most;
            *lo = rays < *lo ? rays : *lo;
            *hi = rays > *hi ? rays : *hi;
        }
        assert_states(cell[0], cell[1], (double)routers);
        assert_states(cell[0], cell[2], (double)(TILES - atoi(tracers) - routers - 1));
        if (strcmp(cell[0], "clique") != 0) /* its routers are of one level and joined to one another */
            assert_states(cell[0], cell[3], (double)roots);
        assert_states(cell[0], cell[4], (double)lanes.rows);
        assert_range(cell[0], cell[5], least, most);
        assert_range(cell[0], cell[6], ring[0], ring[1]);
        assert_states(cell[0], cell[7], most_hops(&lanes, atoi(tracers)));
        assert_states(cell[0], cell[8], run_figure("x", "hops.expected"));
        rows++;
    }
    assert_int_equal(rows, 10);
    plan("mesh", "1024", "infinite");
    struct table lanes = table_read("x", "lanes.csv");
    char text[64];
    snprintf(text, sizeof text, "%d spare tiles and %d,%03d lanes", TILES - 1024 - 1, (int)lanes.rows / 1000,
             (int)lanes.rows % 1000);
    assert_non_null(strstr(overlays, text));
    snprintf(text, sizeof text, "hops are %.1f on average and %d at most", run_figure("x", "hops.expected"),
             most_hops(&lanes, 1024));
    assert_non_null(strstr(overlays, text));
}

/* Of docs/traffic.md what follows from the routes; what a full network carries takes a sweep. */
TEST(what_routes_allow) {
    char cell[CELLS][64];
    int cells, rows = 0;
    const char *at = strstr(traffic, "## 1,024 tracers");
    assert_non_null(at);
    while ((at = row_of(at, cell, &cells)) != NULL && cells == 7) {
        plan(cell[0], "1024", "infinite");
        assert_states(cell[0], cell[2], run_figure("x", "latency.zero_load"));
        assert_states(cell[0], cell[3], run_figure("x", "load.bound"));
        rows++;
    }
    assert_int_equal(rows, 9);
}

/* A number of a header, found by the words before and behind it, is that figure. */
static void header_states(const char *header, const char *before, const char *behind, double figure) {
    for (const char *at = strstr(header, before); at != NULL; at = strstr(at + 1, before)) {
        char *stop;
        const char *number = at + strlen(before);
        strtod(number, &stop);
        if (stop > number && strncmp(stop, behind, strlen(behind)) == 0) {
            assert_states(before, number, figure);
            return;
        }
    }
    fail_msg("a header does not state \"%s...%s\": %s", before, behind, header);
}

TEST(what_experiments_measured) {
    cli_must("run", find_experiment("first-look"), "--quiet", "--out", "look", NULL);
    static const struct {
        const char *before, *behind, *figure;
        double unit;
    } stated[] = {
        {": ", " cells with", "scene.cells", 1},
        {"cells with ", " faces each", "scene.degree_mean", 1},
        {"a ray passes ", " cells", "cells.per_ray_mean", 1},
        {" in ", " tracer", "hops.tracer_mean", 1},
        {"tracer and ", " router visits", "hops.router_mean", 1},
        {". ", " iterations", "device.iterations", 1},
        {"iterations, ", " s on the device", "device.seconds", 1},
        {"; ", " M cycles an iteration", "device.cycles_per_iteration", 1e6},
        {"iteration, ", " M while injecting", "device.cycles_per_injecting_iteration", 1e6},
        {"PSNR ", " dB", "image.psnr_db", 1},
    };
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++)
        header_states(first_look, stated[i].before, stated[i].behind,
                      run_figure("look", stated[i].figure) / stated[i].unit);
    assert_non_null(strstr(first_look, "no spill, nothing dropped"));
    assert_int_equal(run_figure("look", "rays.spilled") + run_figure("look", "rays.dropped"), 0);

    cli_must("run", find_experiment("traffic-uniform"), "--quiet", "--out", "uniform", NULL);
    header_states(uniform, "alone takes ", " cycles", run_figure("uniform", "latency.zero_load"));
    header_states(uniform, "(", " hops", run_figure("uniform", "hops.expected"));
    header_states(uniform, "load ", ", ", 10 * round(run_figure("uniform", "latency.mean") / 10));
    header_states(uniform, ", ", " % of what", 100 * run_figure("uniform", "load.bound_share"));
    plan("mesh", "1024", "infinite");
    header_states(mesh, "alone takes ", " cycles", run_figure("x", "latency.zero_load"));
    header_states(mesh, "(", " hops", run_figure("x", "hops.expected"));
}

RUN_TESTS(begin, cli_leave)
