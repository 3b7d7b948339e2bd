/* Operands of a product on their way: who sends which of them to whom.
 *
 * A product is split over tile (part of the inputs, part of the rows, part of the outputs), the last one running
 * fastest, as the vendor's planner numbers tiles (ipu.md 4): neighbours take the same inputs, so that pairs
 * take them in at twice the rate where the outputs are in an even number of parts. Coefficients lie spread
 * over the tiles that use them, and each tile sends its own to the others that do. */
#include "sim/base/arith.h"
#include "workloads/pathtrace/frame/frame.h"

/* Messages that a block of coefficients is multicast in; more senders have their bytes in these. */
enum { MOST_SENDERS = 16 };

/* Tiles that send some of a block: all that have some, where each message goes to one tile alone. */
static uint32_t senders_of(const fs_matrix_split *s, bool multicasts) {
    const uint32_t spread = (uint32_t)fs_up(s->row_parts, s->serial);
    return multicasts && spread > MOST_SENDERS ? MOST_SENDERS : spread;
}

static void push(fs_pathtrace_moves *m, uint32_t first, uint32_t src, uint32_t dst, uint64_t bytes) {
    m->transfers[m->count] = (fs_transfer){.src = src, .dst = dst, .bytes = (uint32_t)(fs_up(bytes, 4) * 4)};
    m->sent_with[m->count++] = first;
}

/* What sender k has of a block: of few senders equal parts, of all tiles whole words, none of some where they are few. */
static uint64_t part_of(const fs_matrix_split *s, bool multicasts, uint32_t k, uint32_t senders) {
    const uint64_t words = fs_up(s->coefficients, 4);
    return multicasts ? fs_up(s->coefficients, senders)
                      : 4 * ((k + 1) * words / senders - k * words / senders);
}

/* The serial step's coefficients of the tiles from + i x step, i below `tiles`. What a tile has of them is sent
 * to the others as one message, or where it is long enough for a double-width one, to the other of its own
 * pair, which can't take that, by itself. */
static void add_block(fs_pathtrace_moves *m, const fs_matrix_split *s, const fs_pathtrace_layout *l,
                      uint32_t from, uint32_t step) {
    const uint32_t tiles = s->row_parts, spread = (uint32_t)fs_up(tiles, s->serial),
                   senders = senders_of(s, l->multicasts);
    const bool apart = l->pairs && s->coefficients >= (uint64_t)spread * FS_EXCHANGE_LEAST_WIDE;
    for (uint32_t k = 0; k < senders; k++) {
        const uint32_t src = from + (uint32_t)((uint64_t)k * tiles / senders) * step, first = m->count;
        const uint64_t bytes = part_of(s, l->multicasts, k, senders);
        bool partner = false;
        for (uint32_t i = 0; i < tiles; i++) {
            const uint32_t dst = from + i * step;
            const bool own = apart && dst == fs_geometry_partner(src);
            partner = partner || own;
            if (dst != src && !own && bytes > 0)
                push(m, first, src, dst, bytes);
        }
        if (partner)
            push(m, m->count, src, fs_geometry_partner(src), bytes);
    }
}

/* Inputs of rows to the tiles of all their outputs, from the next of these groups. */
static void add_inputs(fs_pathtrace_moves *m, const fs_matrix_split *s, uint32_t begin) {
    const uint32_t outs = s->output_parts, tiles = s->input_parts * s->row_parts * outs;
    for (uint32_t group = 0; group < tiles; group += outs) {
        const uint32_t src = begin + (group + outs) % tiles, first = m->count;
        for (uint32_t dst = begin + group; dst < begin + group + outs; dst++)
            if (dst != src)
                push(m, first, src, dst, s->moved);
    }
}

fs_pathtrace_moves fs_pathtrace_operands(const fs_pathtrace_layout *layout, const fs_matrix_split *s,
                                         bool inputs, fs_arena *arena) {
    const uint32_t blocks = s->input_parts * s->output_parts, tiles = blocks * s->row_parts;
    const size_t most = (size_t)(senders_of(s, layout->multicasts) + 1) * tiles;
    fs_pathtrace_moves m = {.transfers = FS_NEW(arena, fs_transfer, most),
                            .sent_with = FS_NEW(arena, uint32_t, most)};
    for (uint32_t b = 0; b < blocks; b++)
        add_block(&m, s, layout,
                  layout->io_tiles + b / s->output_parts * s->row_parts * s->output_parts +
                      b % s->output_parts,
                  s->output_parts);
    if (inputs && s->moved > 0)
        add_inputs(&m, s, layout->io_tiles);
    return m;
}
