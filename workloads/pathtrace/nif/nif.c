/* The network's layers, and how they are laid out on the tiles. */
#include "workloads/pathtrace/nif/nif.h"

static uint32_t features(const fs_nif_params *p) {
    return (uint32_t)(4 * p->octaves);
}

uint32_t fs_nif_layers(const fs_nif_params *p, fs_nif_layer *out) {
    const uint32_t h = (uint32_t)p->layers / 2, wide = (uint32_t)p->hidden, f = features(p);
    uint32_t n = 0, inputs = f;
    if (h == 0)
        return 0;
    for (uint32_t i = 0; i < h; i++, inputs = wide)
        out[n++] = (fs_nif_layer){
            .inputs = inputs, .outputs = i + 1 < h ? wide : wide - f, .relu = true, .joins = i + 1 == h};
    for (uint32_t i = 0; i < h; i++)
        out[n++] = (fs_nif_layer){.inputs = wide, .outputs = wide, .bias = i + 1 == h, .relu = true};
    out[n++] = (fs_nif_layer){.inputs = wide, .outputs = 3, .bias = true};
    out[n++] = (fs_nif_layer){.inputs = 3, .outputs = 3};
    return n;
}

uint64_t fs_nif_parameters(const fs_nif_params *p) {
    fs_nif_layer layer[FS_NIF_MOST_LAYERS];
    const uint32_t n = fs_nif_layers(p, layer);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (uint64_t)layer[i].inputs * layer[i].outputs + (layer[i].bias ? layer[i].outputs : 0);
    return sum;
}

uint64_t fs_nif_macs(const fs_nif_params *p) {
    fs_nif_layer layer[FS_NIF_MOST_LAYERS];
    const uint32_t n = fs_nif_layers(p, layer);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (uint64_t)layer[i].inputs * layer[i].outputs;
    return sum;
}

/* All layers with so many rays a step; false when one does not fit. */
static bool lay_out(const fs_nif_params *p, const fs_nif_chip *chip, uint64_t budget, fs_nif_plan *out) {
    const fs_machine_params *m = chip->machine;
    const fs_matrix_chip unit = {.unit = &m->matrix,
                                 .tiles = chip->tiles,
                                 .workers = (uint32_t)m->tile.workers,
                                 .bytes = budget,
                                 .working = (uint64_t)((double)m->memory.sram * p->share / 100.0),
                                 .bytes_per_cycle = (uint64_t)m->exchange.bytes_per_cycle,
                                 .pairs = fs_exchange_has_pairs(&m->exchange),
                                 .phase = chip->phase};
    bool local = true;
    out->bytes = 0;
    for (uint32_t i = 0; i < out->layers; i++) {
        const fs_matrix_layer layer = {.type = (fs_amp_type)p->type,
                                       .rows = out->rows,
                                       .inputs = out->layer[i].inputs,
                                       .outputs = out->layer[i].outputs,
                                       .local = local};
        fs_matrix_split *s = &out->split[i];
        if (!fs_matrix_plan(&unit, &layer, s))
            return false;
        local = s->input_parts == 1 && s->output_parts == 1;
        out->bytes = s->bytes > out->bytes ? s->bytes : out->bytes;
    }
    return true;
}

/* The next divisor of n from `from` on; 0: none. */
static uint64_t divisor(uint64_t n, uint64_t from) {
    for (uint64_t d = from < 1 ? 1 : from; d <= n; d++)
        if (n % d == 0)
            return d;
    return 0;
}

bool fs_nif_plan_make(const fs_nif_params *p, const fs_nif_chip *chip, fs_nif_plan *out) {
    *out = (fs_nif_plan){.steps = 1};
    out->layers = fs_nif_layers(p, out->layer);
    if (out->layers == 0)
        return true;
    const uint64_t bytes = fs_nif_parameters(p) * fs_amp_bytes((fs_amp_type)p->type),
                   limit = p->limit > 0 ? (uint64_t)p->limit : chip->batch;
    out->weights = (bytes + chip->tiles - 1) / chip->tiles;
    if (out->weights >= chip->free)
        return false;
    const uint64_t budget = chip->free - out->weights;
    for (uint64_t s = divisor(chip->batch, (chip->batch + limit - 1) / limit); s != 0 && s <= chip->batch;
         s = divisor(chip->batch, s + 1)) {
        out->steps = (uint32_t)s;
        out->rows = chip->batch / s;
        if (lay_out(p, chip, budget, out))
            return true;
        if (p->limit > 0 || out->rows <= chip->tiles)
            return false;
    }
    return false;
}

uint32_t fs_nif_largest(const fs_nif_params *p, const fs_nif_chip *chip) {
    fs_nif_params try = *p;
    const uint32_t step = (uint32_t)chip->machine->matrix.units;
    for (try.hidden = p->hidden / step * step; try.hidden > features(p); try.hidden -= step) {
        fs_nif_plan plan;
        if (fs_nif_plan_make(&try, chip, &plan))
            return (uint32_t)try.hidden;
    }
    return 0;
}
