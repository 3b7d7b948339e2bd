/* What the original's routers are, and how far foamsim's are from them. How much a difference costs was measured with the
 * original: mesh of 8 x 8, uniform, packets of one flit, 4 channels of 8 flits. */
#include "formats/booksim/private.h"
#include "sim/yaml/words.h"

#include <inttypes.h>
#include <string.h>

/* A key that a router of foamsim has one value for: another one is near, or refused. */
typedef struct difference {
    const char *key, *same; /* the value that both mean */
    fs_note_kind kind;      /* of another one */
    bool lenient;           /* refused, unless the person lets it pass */
    const char *words;
} difference;

static const difference differences[] = {
    {"router", "iq", FS_NOTE_REFUSED, false, "foamsim's routers queue at their inputs; iq is the nearest"},
    {"subnets", "1", FS_NOTE_REFUSED, false,
     "one network carries the packets of a pattern; 1 is the nearest"},
    {"link_failures", "0", FS_NOTE_REFUSED, false,
     "no link fails in a network by its sizes; 0 is the nearest"},
    {"classes", "1", FS_NOTE_REFUSED, false, "packets have one class; 1 is the nearest"},
    {"priority", "none", FS_NOTE_REFUSED, false,
     "no packet goes before another (age gets about 8 % more through at overload); none is the nearest"},
    {"use_read_write", "0", FS_NOTE_REFUSED, false,
     "packets of a pattern get no answer; workload.source stream has reads and writes"},
    {"buffer_policy", "private", FS_NOTE_REFUSED, false,
     "each channel has a buffer of its own; private is the nearest"},
    {"buf_size", "-1", FS_NOTE_REFUSED, false,
     "no buffer is shared between channels; vc_buf_size alone is the nearest"},
    {"noq", "0", FS_NOTE_REFUSED, false,
     "channels are not tied to the next router's outputs; 0 is the nearest"},
    {"speculative", "0", FS_NOTE_REFUSED, true,
     "a router takes channel and switch one after another, 3 cycles and the link (speculative about 1 % "
     "more at overload, a cycle a router less); 0 is the nearest"},
    {"internal_speedup", "1.0", FS_NOTE_REFUSED, true,
     "a router moves a flit a port and cycle (2.0 about 21 % more at overload, a cycle less in all); 1.0 is "
     "the nearest"},
    {"credit_delay", "1", FS_NOTE_NEAR, false, "a credit takes 1 cycle here (0 % at overload)"},
    {"vc_allocator", "separable_input_first", FS_NOTE_NEAR, false,
     "channels are allocated input first (islip and separable_output_first about 4 % less at overload, "
     "wavefront 3 % more)"},
    {"sw_allocator", "separable_input_first", FS_NOTE_NEAR, false,
     "the switch is allocated input first (islip and separable_output_first about 4 % less at overload, "
     "wavefront 3 % more)"},
    {"arb_type", "round_robin", FS_NOTE_NEAR, false, "arbiters go round here (0 % at overload)"},
    {"input_speedup", "1", FS_NOTE_NEAR, false,
     "an input port sends one flit a cycle (2 about 16 % more at overload)"},
    {"output_speedup", "1", FS_NOTE_NEAR, false, "an output port takes one flit a cycle; not measured"},
    {"hold_switch_for_packet", "0", FS_NOTE_NEAR, false,
     "the switch is asked for with every flit (0 % at overload)"},
    {"vc_busy_when_full", "0", FS_NOTE_NEAR, false, "a channel without room may be taken; not measured"},
    {"vc_prioritize_empty", "0", FS_NOTE_NEAR, false, "empty channels do not go before others; not measured"},
    {"vc_shuffle_requests", "0", FS_NOTE_NEAR, false, "requests are not shuffled; not measured"},
    {"output_delay", "0", FS_NOTE_NEAR, false, "the original adds no delay by it, either; not measured"},
    {"output_buffer_size", "-1", FS_NOTE_NEAR, false,
     "outputs have no buffers that could fill; not measured"},
    {"sim_count", "1", FS_NOTE_NEAR, false, "one run is made; a sweep over run.seed makes several"},
};

static bool is_same(const fs_booksim *b, const difference *d) {
    int64_t here, there;
    if (fs_booksim_number(d->same, &there) && fs_booksim_number(fs_booksim_word(b, d->key), &here))
        return here == there || (here < 0 && there < 0);
    return strcmp(d->key, "internal_speedup") == 0
               ? !(fs_booksim_real(b, d->key) < 1 || fs_booksim_real(b, d->key) > 1)
               : fs_booksim_is(b, d->key, d->same);
}

static void compare(fs_booksim *b) {
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        const difference *d = &differences[i];
        if (!is_same(b, d))
            fs_booksim_say(b, d->lenient && b->asked->lenient ? FS_NOTE_NEAR : d->kind, d->key, "%s%s",
                           d->words, d->lenient && !b->asked->lenient ? " (--lenient runs it so)" : "");
    }
}

/* ---- words that would end the original ---- */

static void check_words(fs_booksim *b) {
    static const char *const allocators[] = {"max_size",
                                             "pim",
                                             "islip",
                                             "loa",
                                             "wavefront",
                                             "rr_wavefront",
                                             "select",
                                             "separable_input_first",
                                             "separable_output_first",
                                             "piggyback",
                                             NULL};
    static const char *const keys[] = {"vc_allocator", "sw_allocator"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *word = fs_booksim_word(b, keys[i]);
        const size_t name = strcspn(word, "(");
        if (!fs_listed_word(fs_arena_printf(b->arena, "%.*s", (int)name, word), allocators))
            fs_booksim_refuse(b, keys[i], "the original has no such allocator%s", FS_MEANT(word, allocators));
    }
}

/* ---- channels and delays ---- */

static void check_range(fs_booksim *b, const char *key, int64_t least, int64_t most, const char *what) {
    const int64_t n = fs_booksim_whole(b, key);
    if (n < least || n > most)
        fs_booksim_refuse(b, key, "%s, %" PRId64 " to %" PRId64, what, least, most);
}

/* Cycles of a router without its link, against the 3 of foamsim's. */
static void take_delays(fs_booksim *b) {
    static const char *const keys[] = {"routing_delay", "vc_alloc_delay", "sw_alloc_delay",
                                       "st_prepare_delay", "st_final_delay"};
    static const int64_t same[] = {0, 1, 1, 0, 1}, most = 64;
    int64_t sum = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        check_range(b, keys[i],
                    strcmp(keys[i], "vc_alloc_delay") == 0 || strcmp(keys[i], "sw_alloc_delay") == 0,
                    strcmp(keys[i], "vc_alloc_delay") == 0 ? 1 : most, "cycles with which the original runs");
        sum += fs_booksim_whole(b, keys[i]);
    }
    b->longer = sum - 3;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (fs_booksim_whole(b, keys[i]) == same[i] || b->longer == 0)
            continue;
        if (b->longer < 0)
            fs_booksim_refuse(
                b, keys[i],
                "a router takes 3 cycles and its link; a sum of delays of 3 is the nearest, found %" PRId64,
                sum);
        else
            fs_booksim_say(
                b, FS_NOTE_NEAR, keys[i],
                "links are %s longer instead, so that the last router of a way lacks them and credits "
                "take longer%s",
                b->longer == 1 ? "a cycle" : fs_arena_printf(b->arena, "%" PRId64 " cycles", b->longer),
                i == 0 && fs_booksim_whole(b, keys[i]) > 1
                    ? "; the original holds a channel for as long, too (2: 22 % more latency at a load of "
                      "0.1 in packets of one flit)"
                    : "");
    }
}

/* With it a channel is free again when the last credit of its packet has come back: 8 cycles of a channel for each packet. */
static void take_tail_credit(fs_booksim *b) {
    static const double idle = 8;
    if (fs_booksim_whole(b, "wait_for_tail_credit") == 0)
        return;
    const bool is_long = b->flits >= idle;
    fs_booksim_say(
        b, is_long ? FS_NOTE_NEAR : FS_NOTE_REFUSED, "wait_for_tail_credit", "%s",
        is_long ? "a channel is free here when the last flit has passed (it costs packets so long little)"
                : "a channel is free here when the last flit has passed (the original gets about 54 % less "
                  "through of packets so short); 0 is the nearest");
}

void fs_booksim_router(fs_booksim *b) {
    compare(b);
    check_words(b);
    check_range(b, "num_vcs", 1, 16, "channels that a link here may have");
    check_range(b, "vc_buf_size", 1, 255, "flits that a channel here may hold");
    take_delays(b);
    take_tail_credit(b);
    fprintf(b->noc, "      vcs: %" PRId64 "\n      buffer: %" PRId64 "\n", fs_booksim_whole(b, "num_vcs"),
            fs_booksim_whole(b, "vc_buf_size"));
}
