/* Every split of a layer, and the cheapest that fits. */
#include "models/matrix/plan.h"

#include "sim/base/arith.h"

/* Inputs and outputs are dealt in whole groups of the unit. */
static fs_matrix_split split_of(const fs_matrix_chip *chip, const fs_matrix_layer *l, uint32_t input_parts,
                                uint32_t output_parts, uint32_t serial) {
    const uint32_t gi = fs_amp_inputs(l->type), go = (uint32_t)chip->unit->units,
                   number = fs_amp_bytes(l->type), sum = number > 2 ? number : 2; /* sums of f8 are f16 */
    fs_matrix_split s = {.input_parts = input_parts,
                         .output_parts = output_parts,
                         .serial = serial,
                         .row_parts = chip->tiles / (input_parts * output_parts)};
    s.rows = (uint32_t)fs_up(l->rows, s.row_parts);
    s.inputs = (uint32_t)(fs_up(fs_up(l->inputs, gi), input_parts) * gi);
    s.outputs = (uint32_t)(fs_up(fs_up(fs_up(l->outputs, go), output_parts), serial) * go);
    const uint64_t results = (uint64_t)s.rows * s.outputs * serial;
    s.coefficients = (uint64_t)s.inputs * s.outputs * number;
    const bool there = l->local && input_parts == 1 && output_parts == 1;
    s.moved = there ? 0 : (uint64_t)s.rows * s.inputs * number;
    s.partial = input_parts == 1 ? 0 : fs_up(results, input_parts) * (input_parts - 1) * sum;
    s.product =
        fs_amp_cycles(chip->unit, chip->workers, (fs_amp_product){l->type, s.rows, s.inputs, s.outputs});
    s.added =
        2 * fs_up(s.partial, 8); /* 8 B an issue, loaded and added; all workers together issue each cycle */
    const uint64_t rate = chip->bytes_per_cycle,
                   of_inputs = chip->pairs && output_parts % 2 == 0 ? 2 * rate : rate,
                   of_coefficients =
                       chip->pairs && output_parts == 1 && s.row_parts % 2 == 0 ? 2 * rate : rate;
    s.cycles = serial * (s.product + fs_up(s.coefficients, of_coefficients) + chip->phase) + s.added +
               (s.moved > 0 ? fs_up(s.moved, of_inputs) : 0) +
               (s.partial > 0 ? fs_up(s.partial, rate) + chip->phase : 0);
    s.bytes = s.coefficients + (uint64_t)s.rows * s.inputs * number + results * sum + s.partial;
    s.working = s.coefficients + (uint64_t)s.rows * s.inputs * number + (uint64_t)s.rows * s.outputs * sum;
    return s;
}

bool fs_matrix_plan(const fs_matrix_chip *chip, const fs_matrix_layer *layer, fs_matrix_split *out) {
    const uint32_t gi = (uint32_t)fs_up(layer->inputs, fs_amp_inputs(layer->type)),
                   go = (uint32_t)fs_up(layer->outputs, (uint64_t)chip->unit->units);
    bool found = false;
    for (uint32_t to = 1; to <= go && to <= chip->tiles; to++)
        for (uint32_t ti = 1; ti <= gi && (uint64_t)ti * to <= chip->tiles; ti++)
            for (uint32_t serial = 1; serial <= (go + to - 1) / to; serial *= 2) {
                const fs_matrix_split s = split_of(chip, layer, ti, to, serial);
                if (s.bytes > chip->bytes || (chip->working > 0 && s.working > chip->working) ||
                    (found && s.cycles >= out->cycles))
                    continue;
                *out = s;
                found = true;
            }
    return found;
}
