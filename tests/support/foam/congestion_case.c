#include "tests/support/foam/congestion_case.h"
#include "sim/host/process.h"

#include "tests/support/cli.h"
#include "tests/support/test.h"

/* ---- runs ---- */

const char *const case_folder[] = {"run", "crowded", "losing", "stream"};
const char *const case_part[] = {"injection", "steady", "drain"};

const char *const case_setting[FOLDERS][CASE_SETTINGS] = {
    [CROWDED] = {"overlay.router_buffer=16 kB", "overlay.tracer_buffer=4 kB", "run.frames=2"},
    [LOSING] = {"overlay.router_buffer=5 kB", "overlay.tracer_buffer=2 kB", "overlay.generator_ring=100"},
    [STREAM] = {"run.stream=true", "run.frames=2", "workload.framebuffer=local",
                "machine.exchange.mode=dynamic"},
};

static void run_with(const char *folder, const char *const *settings, size_t count) {
    fs_process_words w = {.arena = test_arena()};
    fs_process_add(&w, "run", "x.yaml", "--quiet", "--out", folder, NULL);
    fs_process_sets(&w, settings, count);
    cli_must_words(w.word);
}

int congestion_begin(void **state) {
    static const char *const decoupled[] = {"machine.execution=decoupled", "machine.exchange.mode=dynamic"};
    if (cli_enter_experiment(state) != 0)
        return 1;
    for (int f = 0; f < FOLDERS; f++)
        run_with(case_folder[f], case_setting[f], CASE_SETTINGS);
    run_with("decoupled", decoupled, 2);
    return 0;
}

/* ---- tables ---- */

double table_real(const struct table *t, size_t row, const char *column) {
    const char *text = table_text(t, row, column);
    return strcmp(text, "null") == 0 ? NAN : strtod(text, NULL);
}

int64_t matrix_cell(const struct table *t, size_t row, size_t iteration) {
    return strtoll(t->cell[(row + 1) * t->columns + 3 + iteration], NULL, 10);
}

int64_t part_figure(const char *folder, const char *part, const char *what) {
    char name[64];
    snprintf(name, sizeof name, "parts.%s_%s", part, what);
    return (int64_t)run_figure(folder, name);
}

int64_t sum_of_part(const struct table *v, const char *part, const char *column) {
    int64_t sum = 0;
    for (size_t i = 0; i < v->rows; i++)
        sum += strcmp(table_text(v, i, "part"), part) == 0 ? table_int(v, i, column) : 0;
    return sum;
}

/* ---- cycles ---- */

struct matrix matrix_read(const char *folder) {
    struct table c = table_read(folder, "cycles.csv"), t = table_read(folder, "tiles.csv");
    struct matrix m = {.tiles = c.rows, .iterations = c.columns - 3};
    m.cycles = calloc(m.tiles * m.iterations, sizeof *m.cycles);
    m.idle = calloc(m.tiles, sizeof *m.idle);
    m.role = calloc(m.tiles, sizeof *m.role);
    m.tile = calloc(m.tiles, sizeof *m.tile);
    assert_true(m.cycles != NULL && m.idle != NULL && m.role != NULL && m.tile != NULL);
    for (size_t i = 0; i < m.tiles; i++) {
        m.tile[i] = (size_t)table_int(&c, i, "tile");
        snprintf(m.role[i], sizeof m.role[i], "%s", table_text(&c, i, "role"));
        int64_t sum = table_int(&t, m.tile[i], "compute"), idle = 0;
        for (size_t k = 0; k < m.iterations; k++) {
            sum -= matrix_cell(&c, i, k);
            idle += matrix_cell(&c, i, k) == 0;
        }
        assert_true(idle > 0 ? sum > 0 && sum % idle == 0 : sum == 0);
        m.idle[i] = idle > 0 ? sum / idle : -1;
        for (size_t k = 0; k < m.iterations; k++) {
            const int64_t cycles = matrix_cell(&c, i, k);
            assert_true(cycles == 0 || cycles >= m.idle[i]);
            m.cycles[i * m.iterations + k] = cycles > 0 ? cycles : m.idle[i];
        }
    }
    return m;
}

void matrix_free(struct matrix *m) {
    free(m->cycles);
    free(m->idle);
    free(m->role);
    free(m->tile);
}

/* ---- the ladder ---- */

size_t rung(const struct table *l, const char *name) {
    for (size_t i = 0; i < l->rows; i++)
        if (strcmp(table_text(l, i, "name"), name) == 0)
            return i;
    fail_msg("no rung %s", name);
    return 0;
}

int64_t rung_cycles(const struct table *l, const char *name) {
    return table_int(l, rung(l, name), "cycles");
}

/* ---- numbers ---- */

bool about(double a, double b) {
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}
