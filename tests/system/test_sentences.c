/* The words that people read hold to the figures beside them: every share and number that a finding's
 * sentence states, found by the words before it, is the finding's own figure, rounded as it is written. */
#include "tests/support/cli.h"
#include "tests/support/foam/congestion_case.h"
#include "tests/support/test.h"

enum { SHARE, PERCENT, NUMBER };

/* Behind `words` the sentence of finding `key` states `figure`: a share (0.27 is "27 %"), per cent, or a
 * number. */
typedef struct claim {
    const char *key, *words, *figure;
    int form;
} claim;
static const claim claims[] = {
    {"loss", "", "dropped", NUMBER},
    {"loss", "them; ", "coverage", SHARE},
    {"pace", "In ", "share", SHARE},
    {"pace", "iterations tile ", "tile", NUMBER},
    {"pace", "the tracer of shard ", "shard", NUMBER},
    {"pace", "tracers did in ", "tracer", SHARE},
    {"pace", "routers in ", "router", SHARE},
    {"pace", "the generator in ", "generator", SHARE},
    {"pace", "computed in ", "busy_share", SHARE},
    {"pace", "a call takes ", "batch_mean", NUMBER},
    {"pace", "on average, and ", "fixed_cycles_share", SHARE},
    {"time", "Compute takes ", "compute", SHARE},
    {"time", "the exchange ", "exchange", SHARE},
    {"time", "barriers ", "sync", SHARE},
    {"time", "host visits ", "host", SHARE},
    {"next", "free routers would gain ", "free_routers_percent", PERCENT},
    {"next", "which would gain ", "gain_percent", PERCENT},
    {"waiting", "the fullest lane held ", "peak_fill", SHARE},
    {"waiting", "one was turned away ", "spilled", NUMBER},
    {"waiting", "ring held up to ", "ring_peak", NUMBER},
    {"waiting", "a ray waits ", "waiting_mean", NUMBER},
    {"waiting", "At most ", "in_flight_max", NUMBER},
    {"waiting", "in flight of ", "window", NUMBER},
    {"drain", "The last 1 % of the rays took ", "iterations", NUMBER},
    {"drain", "iterations and ", "share_of_time", SHARE},
    {"drain", "slices and ", "share_of_time", SHARE},
    {"drain", "its last ray ", "drain_iterations", NUMBER},
    {"imbalance", "computes ", "imbalance", NUMBER},
    {"imbalance", "Gini coefficient ", "gini", NUMBER},
    {"imbalance", "tracers would gain ", "balanced_percent", PERCENT},
    {"throughput", "offers ", "offered", NUMBER},
    {"throughput", "% of the ", "bound", NUMBER},
    {"port", "port of tile ", "tile", NUMBER},
    {"port", "moves words in ", "share", SHARE},
    {"port", "sends one ray, ", "rays", NUMBER},
    {"latency", "A ray takes ", "mean", NUMBER},
    {"latency", "99 % of them ", "p99", NUMBER},
    {"latency", "alone on the chip (", "zero_load", NUMBER},
    {"step", "Of all steps, step ", "step", NUMBER},
    {"step", "takes most: ", "share", SHARE},
    {"step", "of their cycles, ", "compute", SHARE},
    {"pace", "sets the pace of ", "pace_share", SHARE},
    {"pace", "slowest tile computes ", "imbalance", NUMBER},
    {"pace", "their workers are busy in ", "workers_busy", SHARE},
    {"port", " of tile ", "tile", NUMBER},
    {"port", "moves words in ", "port_busy", SHARE},
    {"sram", "The fullest tile, ", "tile", NUMBER},
    {"sram", "takes ", "share", SHARE},
};
enum { CLAIMS = sizeof claims / sizeof *claims };

/* A number as it is written at `text`, and half a unit of its last digit; false where no number stands there. */
static bool number_at(const char *text, double *value, double *half) {
    char plain[32], *end;
    size_t n = 0;
    for (const char *at = text; n + 1 < sizeof plain && *at != '\0'; at++)
        if (*at != ',' || at[1] < '0' || at[1] > '9') /* "8,473" */
            plain[n++] = *at;
    plain[n] = '\0';
    *value = strtod(plain, &end);
    if (end == plain)
        return false;
    const char *point = memchr(plain, '.', (size_t)(end - plain));
    *half = 0.5 * pow(10, point == NULL ? 0 : -(double)(end - point - 1));
    if (point != NULL && point + 1 == end) /* the full stop of the sentence */
        *half = 0.5;
    if (strncmp(end, " ms", 3) == 0) {
        *value *= 1e-3;
        *half *= 1e-3;
    }
    return true;
}

/* "27 %", "at most 27 %", "about 27 %", "under 0.1 %", "less than 0.1 %", "nothing". */
static bool percent_holds(const char *text, double percent) {
    double said, half;
    if (strncmp(text, "nothing", 7) == 0)
        return percent <= 0;
    if (strncmp(text, "under ", 6) == 0 || strncmp(text, "less than ", 10) == 0) {
        text += text[0] == 'u' ? 6 : 10;
        return number_at(text, &said, &half) && percent > 0 && percent < said;
    }
    text += strncmp(text, "at most ", 8) == 0 ? 8 : strncmp(text, "about ", 6) == 0 ? 6 : 0;
    return number_at(text, &said, &half) && fabs(said - percent) <= half * (1 + 1e-9);
}

static bool holds(const claim *c, const char *text, double figure) {
    double said, half;
    if (c->form != NUMBER)
        return percent_holds(text, c->form == SHARE ? 100 * figure : figure);
    return number_at(text, &said, &half) && fabs(said - figure) <= half * (1 + 1e-9);
}

/* How often each claim was held to a figure, over all folders. */
static int seen[CLAIMS];

static void look_at(const char *folder) {
    json_t *root = run_json(folder, "findings.json");
    const json_t *list = json_object_get(root, "findings");
    assert_true(json_array_size(list) > 0);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i), *figures = json_object_get(item, "figures");
        const char *key = json_string_value(json_object_get(item, "key"));
        const char *text = json_string_value(json_object_get(item, "text"));
        for (int c = 0; c < CLAIMS; c++) {
            const char *at = strcmp(claims[c].key, key) == 0 ? strstr(text, claims[c].words) : NULL;
            const json_t *figure = json_object_get(figures, claims[c].figure);
            if (at == NULL || !json_is_number(figure))
                continue;
            if (claims[c].words[0] == '\0' && (*at < '0' || *at > '9'))
                continue;
            seen[c]++;
            if (!holds(&claims[c], at + strlen(claims[c].words), json_number_value(figure)))
                fail_msg("%s: %s is %g, but: %s", folder, claims[c].figure, json_number_value(figure), text);
        }
    }
}

TEST(sentences_state_their_figures) {
    for (int f = 0; f < FOLDERS; f++)
        look_at(case_folder[f]);
    look_at("decoupled");
    cli_write("traffic.yaml",
              "name: traffic\n"
              "machine: { base: gc200-small, exchange: { mode: dynamic } }\n"
              "overlay: { kind: quadtree }\n"
              "workload: { kind: traffic, tracers: 64, load: 1.5, warmup: 100, measure: 300 }\n");
    cli_must("run", "traffic.yaml", "--quiet", "--out", "traffic", NULL);
    look_at("traffic");
    cli_write("steps.yaml",
              "memory: [{ on: 5, name: data, bytes: 200 KiB }]\n"
              "steps:\n  - { name: a, run: [{ on: 0-9, operations: { load: 700 } }, { on: 10, operations: { "
              "load: 997 } }], exchange: [{ pattern: shift, on: 0-9, bytes: 640 B }] }\n"
              "  - { name: b, run: [{ on: 0-9, operations: { load: 100 } }], exchange: [{ pattern: gather, "
              "from: 0-9, to: 11, bytes: 64 B }] }\n");
    cli_write("program.yaml", "machine: gc200-small\nworkload: { kind: program, file: steps.yaml }\n");
    cli_must("run", "program.yaml", "--quiet", "--out", "program", NULL);
    look_at("program");
    for (int c = 0; c < CLAIMS; c++)
        if (seen[c] == 0)
            fail_msg("no finding %s says \"%s\" and a number: %s is held to nothing", claims[c].key,
                     claims[c].words, claims[c].figure);
}

/* "the fullest router (tile 64) uses 97 %": of that tile's SRAM, by memory.csv; "10 of 96 tiles are spare". */
TEST(memory_is_said_as_it_is) {
    static const char *const roles[] = {"tracer", "router", "generator"};
    json_t *root = run_json(case_folder[RUN], "findings.json");
    const json_t *list = json_object_get(root, "findings");
    const char *text = NULL;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), "key")), "sram") == 0)
            text = json_string_value(json_object_get(json_array_get(list, i), "text"));
    assert_non_null(text);
    struct table memory = table_read(case_folder[RUN], "memory.csv"),
                 tiles = table_read(case_folder[RUN], "tiles.csv");
    const double sram =
        run_figure(case_folder[RUN], "memory.sram_bytes") / run_figure(case_folder[RUN], "memory.tiles");
    for (size_t r = 0; r < 3; r++) {
        char words[64];
        snprintf(words, sizeof words, "%s%s (tile ", r == 2 ? "the " : "fullest ", roles[r]);
        const char *at = strstr(text, words);
        assert_non_null(at);
        int64_t tile = strtol(at + strlen(words), NULL, 10), bytes = 0, most = 0;
        for (size_t i = 0; i < memory.rows; i++)
            bytes += table_int(&memory, i, "tile") == tile ? table_int(&memory, i, "bytes") : 0;
        for (size_t i = 0; i < tiles.rows; i++)
            if (strcmp(table_text(&tiles, i, "role"), roles[r]) == 0)
                most = larger(most, table_int(&tiles, i, "sram"));
        assert_int_equal(bytes, most);
        at = strstr(at, " uses ");
        assert_non_null(at);
        assert_true(percent_holds(at + 6, 100 * (double)bytes / sram));
    }
    const char *spare = strstr(text, " tiles are spare");
    assert_non_null(spare);
}

/* The line that a run ends with says what summary.json says. */
TEST(the_last_line_is_the_summary) {
    cli_result r = cli("run", "x.yaml", "--out", "spoken", NULL);
    assert_int_equal(r.status, 0);
    static const claim said[] = {
        {"", "pace: tracers ", "pace.tracer", SHARE},     {"", ", routers ", "pace.router", SHARE},
        {"", ", generator ", "pace.generator", SHARE},    {"", "a ray visits ", "hops.tracer_mean", NUMBER},
        {"", "tracers and ", "hops.router_mean", NUMBER}, {"", "iterations, ", "device.seconds", NUMBER},
        {"", "PSNR ", "image.psnr_db", NUMBER},           {"", "SSIM ", "image.ssim", NUMBER},
    };
    assert_true(run_figure("spoken", "pace.tracer") != run_figure("spoken", "pace.router"));
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const char *at = strstr(r.err, said[i].words);
        if (at == NULL || !holds(&said[i], at + strlen(said[i].words), run_figure("spoken", said[i].figure)))
            fail_msg("%s is %g, but: %s", said[i].figure, run_figure("spoken", said[i].figure), r.err);
    }
}

RUN_TESTS(congestion_begin, cli_leave)
