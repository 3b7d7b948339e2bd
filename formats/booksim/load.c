/* Packets: how long, how many, when, and for how many cycles they are measured. */
#include "formats/booksim/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLITS = 65535, MOST_SIZES = 64, MOST_SHARE = 1000000 };

/* The only class's part of a list of them; NULL, refused: it has several or none. */
static const char *only_class(fs_booksim *b, const char *key) {
    size_t count;
    const char **list = fs_booksim_list(b, fs_booksim_word(b, key), &count);
    if (count == 1)
        return list[0];
    fs_booksim_refuse(
        b, key,
        "this has a value for each of %zu classes, and packets have one class; expected one value, or, of "
        "packets of several sizes, a list in two pairs of braces, {{1,5}}",
        count);
    return NULL;
}

/* Whole numbers of a class, least to most; how many, 0: refused. */
static size_t numbers_of(fs_booksim *b, const char *key, int64_t least, int64_t most,
                         int64_t out[MOST_SIZES]) {
    size_t count = 0;
    const char *text = only_class(b, key);
    const char **list = text == NULL ? NULL : fs_booksim_list(b, text, &count);
    bool good = count > 0 && count <= MOST_SIZES;
    for (size_t i = 0; good && i < count; i++)
        good = fs_booksim_number(list[i], &out[i]) && out[i] >= least && out[i] <= most;
    if (text != NULL && !good)
        fs_booksim_refuse(b, key, "expected 1 to %d whole numbers, %" PRId64 " to %" PRId64, MOST_SIZES,
                          least, most);
    return good ? count : 0;
}

static void print_list(FILE *out, const char *key, const int64_t *item, size_t count) {
    fprintf(out, "  %s: [", key);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRId64, i == 0 ? "" : ", ", item[i]);
    fputs("]\n", out);
}

/* Sizes of packets; foamsim's packets have 65 flits at most unless they may have more. */
static void take_sizes(fs_booksim *b) {
    static const int64_t usual = 65, width = 4;
    int64_t size[MOST_SIZES] = {1}, share[MOST_SIZES] = {1}, longest = 0, all = 0;
    const size_t count = numbers_of(b, "packet_size", 1, MOST_FLITS, size);
    const size_t given = numbers_of(b, "packet_size_rate", 0, MOST_SHARE, share);
    b->flits = 0;
    for (size_t i = 0; i < count; i++) {
        share[i] = given == 0 ? 1 : share[i < given ? i : given - 1];
        longest = size[i] > longest ? size[i] : longest;
        all += share[i];
        b->flits += (double)size[i] * (double)share[i];
    }
    if (count > 0 && all == 0)
        fs_booksim_refuse(b, "packet_size_rate", "expected a rate above 0");
    b->flits = all > 0 ? b->flits / (double)all : 1;
    if (count == 1)
        fprintf(b->workload, "  flits: %" PRId64 "\n", size[0]);
    if (count > 1) {
        print_list(b->workload, "sizes", size, count);
        print_list(b->workload, "shares", share, count);
    }
    if (longest > usual)
        fprintf(b->noc, "      packet: %" PRId64 " B\n", longest * width);
}

/* Flits a cycle and node; packets of it at most one. */
static double take_rate(fs_booksim *b) {
    const char *text = only_class(b, "injection_rate");
    const double rate = text == NULL || !fs_booksim_is_real(text) ? 0 : strtod(text, NULL);
    const bool flits = fs_booksim_whole(b, "injection_rate_uses_flits") != 0;
    const double load = flits ? rate : rate * b->flits, packets = load / b->flits;
    if (text != NULL && !(packets > 0 && packets <= 1))
        fs_booksim_refuse(b, "injection_rate",
                          "a node makes at most one packet a cycle; expected more than 0 and at most %.6g%s",
                          flits ? b->flits : 1.0, flits ? " flits" : "");
    fprintf(b->workload, "  load: %.12g\n", load);
    return packets;
}

/* ---- bursts ---- */

/* A number of the process: of its list, else of the key; -1: it is none, which is refused. */
static double part_of(fs_booksim *b, const char **list, size_t count, size_t i, const char *key) {
    if (i >= count)
        return fs_booksim_real(b, key);
    if (fs_booksim_is_real(list[i]))
        return strtod(list[i], NULL);
    fs_booksim_refuse(b, "injection_process",
                      "expected numbers in braces and parentheses, on_off({alpha,beta,r1})");
    return -1;
}

/* On with the chance alpha a cycle, off with beta; on, a packet with r1. Of the three at most one is negative: it follows
 * from the rate. */
static void take_bursts(fs_booksim *b, double packets, const char *inside) {
    size_t count = 0;
    const char **list = inside == NULL ? NULL : fs_booksim_list(b, inside, &count);
    double alpha = part_of(b, list, count, 0, "burst_alpha"), beta = part_of(b, list, count, 1, "burst_beta");
    const double r1 = part_of(b, list, count, 2, "burst_r1");
    const int open = (alpha < 0) + (beta < 0) + (r1 < 0);
    if (open == 1 && alpha < 0)
        alpha = beta * packets / (r1 - packets);
    if (open == 1 && beta < 0)
        beta = alpha * (r1 - packets) / packets;
    const bool turns = alpha > 1e-9 && alpha <= 1 && beta > 1e-9 && beta <= 1;
    if (count > 3 || open != 1 || !turns) {
        fs_booksim_refuse(
            b, "injection_process",
            "expected alpha, beta and r1, one of them negative, with chances above 0 and at most 1; found "
            "%.6g, %.6g and %.6g%s",
            alpha, beta, r1, count > 3 ? ", and states to begin with" : "");
        return;
    }
    if (packets * (alpha + beta) / alpha > 1 + 1e-12)
        fs_booksim_refuse(
            b, "injection_rate",
            "in bursts a node would make more than one packet a cycle; expected at most %.6g packets",
            alpha / (alpha + beta));
    fprintf(b->workload, "  burst: { on: %.12g cycles, off: %.12g cycles }\n", 1 / beta, 1 / alpha);
}

static void take_process(fs_booksim *b, double packets) {
    size_t name;
    const char *text = only_class(b, "injection_process");
    const char *inside = text == NULL ? NULL : fs_booksim_inside(b, text, &name);
    if (text == NULL || strcmp(text, "bernoulli") == 0)
        return;
    if (strncmp(text, "on_off", name) == 0 && name == strlen("on_off"))
        take_bursts(b, packets, inside);
    else
        fs_booksim_refuse(b, "injection_process",
                          "packets come at any time or in bursts; bernoulli and on_off are the nearest");
}

/* ---- cycles ---- */

static void take_periods(fs_booksim *b) {
    static const int64_t most = 1000000000, steady = 3;
    const int64_t warm = fs_booksim_whole(b, "warmup_periods"), all = fs_booksim_whole(b, "max_samples"),
                  each = fs_booksim_whole(b, "sample_period");
    const int64_t before = warm > 0 ? warm : steady;
    if (warm <= 0)
        fs_booksim_say(
            b, FS_NOTE_NEAR, "warmup_periods",
            "the original warms up until its means are steady; foamsim does for %" PRId64 " periods", steady);
    if (each < 1 || each > most || all <= before || all > most / each) {
        fs_booksim_refuse(b, each < 1 || each > most ? "sample_period" : "max_samples",
                          "expected periods of 1 cycle and more, more of them than the %" PRId64
                          " of the warm-up, %" PRId64 " cycles at most in all",
                          before, most);
        return;
    }
    fprintf(b->workload, "  warmup: %" PRId64 " cycles\n  measure: %" PRId64 " cycles\n", before * each,
            (all - before) * each);
}

static void take_type(fs_booksim *b) {
    if (fs_booksim_is(b, "sim_type", "throughput"))
        fputs("  drain: 0 cycles\n", b->workload);
    else if (!fs_booksim_is(b, "sim_type", "latency"))
        fs_booksim_refuse(
            b, "sim_type",
            "nodes with so many packets each are workload.source closed, which is the nearest of batch; "
            "expected latency or throughput");
}

void fs_booksim_load(fs_booksim *b) {
    take_sizes(b);
    take_process(b, take_rate(b));
    take_periods(b);
    take_type(b);
}
