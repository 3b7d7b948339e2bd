/* Pricing: accounts of an iteration, of the run, of a tile. */
#include "models/energy/books.h"

#include <omp.h>
#include <string.h>

/* ---- one price for each thing, used by all accounts ---- */

static fs_attojoules times(uint64_t count, uint64_t price) {
    return (fs_attojoules)count * price;
}

/* Occurrences and calls of a row. */
static void price_row(const fs_energy_class *class, const fs_program_energy *energy, const uint64_t *row,
                      fs_attojoules out[FS_ENERGY_PARTS]) {
    static const fs_energy_part part[FS_CALL_PARTS] = {[FS_CALL_ISSUE] = FS_ENERGY_ISSUE,
                                                       [FS_CALL_ARITHMETIC] = FS_ENERGY_ARITHMETIC,
                                                       [FS_CALL_SRAM] = FS_ENERGY_SRAM};
    const uint32_t events = fs_energy_calls_at(class);
    for (int p = 0; p < FS_CALL_PARTS; p++)
        out[part[p]] += times(row[events], energy->call[p]);
    for (uint32_t e = 0; e < events; e++)
        for (int p = 0; row[e] > 0 && p < FS_CALL_PARTS; p++)
            out[part[p]] += times(row[e], energy->event[e][p]);
}

/* Products: the multiply-adds, and a cycle's two loads and a store of 64 bits, and its slot, in 64, 16 or 128
 * of them (energy.md 2). Accesses and slots are counted by the multiply-add, a 64th of which is whole in aJ.
 */
static void price_macs(const fs_energy_prices *p, const uint64_t *macs, fs_attojoules out[FS_ENERGY_PARTS]) {
    static const uint64_t peak[FS_AMP_TYPES] = {[FS_AMP_F16] = 64, [FS_AMP_F32] = 16, [FS_AMP_F8] = 128};
    const uint64_t price[FS_AMP_TYPES] = {
        [FS_AMP_F16] = p->mac_f16, [FS_AMP_F32] = p->mac_f32, [FS_AMP_F8] = p->mac_f8};
    for (int type = 0; type < FS_AMP_TYPES; type++) {
        out[FS_ENERGY_MATRIX] += times(macs[type], price[type]);
        out[FS_ENERGY_SRAM] += times(macs[type], 3 * p->sram_64 / peak[type]);
        out[FS_ENERGY_ISSUE] += times(macs[type], p->slot / peak[type]);
    }
}

/* Bytes are read and written 64 bits at a time at both ends; `ends`: bytes times ends of their ways. */
static fs_attojoules memory_of(const fs_energy_prices *p, uint64_t ends) {
    return times(ends, p->sram_64 / 8);
}
static fs_attojoules wires_of(const fs_energy_prices *p, uint64_t way) {
    return times(way, p->wire * 8 / 1000); /* of a byte and micrometre */
}

fs_attojoules fs_energy_of_wires(const fs_energy_prices *p, const fs_moved *m) {
    return wires_of(p, m->way) + times(m->links, p->link * 8 / 1000) + times(m->ports, p->router) +
           times(m->ends, p->interface);
}

/* What flowed, as far as it is a matter of no phase but its own. Price of each part in `out` of its phase. */
void fs_energy_price_flow(const fs_energy_prices *p, const fs_energy_flow *f,
                          fs_attojoules out[FS_ENERGY_PHASES][FS_ENERGY_PARTS]) {
    price_macs(p, f->macs, out[FS_ENERGY_IN_COMPUTE]);
    out[FS_ENERGY_IN_COMPUTE][FS_ENERGY_DRAM] += times(f->dram, 8 * p->dram_bit);
    out[FS_ENERGY_IN_SYNC][FS_ENERGY_SYNC] += times(f->barriers, p->sync);
    out[FS_ENERGY_IN_EXCHANGE][FS_ENERGY_EXCHANGE] += fs_energy_of_wires(p, &f->moved);
    out[FS_ENERGY_IN_EXCHANGE][FS_ENERGY_SRAM] += memory_of(p, 2 * f->moved.bytes + f->more);
    out[FS_ENERGY_IN_HOST][FS_ENERGY_HOST] += times(f->host, 8 * p->host_bit);
    out[FS_ENERGY_IN_EXCHANGE][FS_ENERGY_HOST] += times(f->chips, 8 * p->host_bit);
}

/* Clock and leakage of tiles of a kind over so many cycles of a tile. A price is rounded once, to a whole
 * attojoule. */
static void price_tiles(const fs_energy_prices *p, const fs_energy_tile *kind, uint64_t cycles,
                        fs_attojoules out[FS_ENERGY_PARTS]) {
    out[FS_ENERGY_CLOCK] += times(cycles, (p->clock * kind->clock + 500) / 1000);
    out[FS_ENERGY_LEAKAGE] += times(cycles, (p->leakage * kind->leakage + 500) / 1000);
}

/* Routers as tiles, by their area. The price is rounded as theirs. */
void fs_energy_of_network(const fs_energy_prices *p, uint64_t thousandths, uint64_t cycles,
                          fs_attojoules out[FS_ENERGY_PARTS]) {
    const uint64_t share = (thousandths * p->router_standing + 500) / 1000;
    out[FS_ENERGY_CLOCK] += times(cycles, (p->clock * share + 500) / 1000);
    out[FS_ENERGY_LEAKAGE] += times(cycles, (p->leakage * share + 500) / 1000);
}

void fs_energy_network(fs_energy_books *b, uint64_t thousandths, fs_noc_work tree) {
    b->routers = thousandths;
    b->tree = tree;
}

/* Wires of a broadcast, which goes over each chip. */
static uint64_t span_of(const fs_energy_books *b) {
    return b->tiles / fs_geometry_tiles(b->geometry) * fs_exchange_span(b->geometry);
}

/* Wires of broadcasts of so many bytes; over a network the tree that copies share, a byte being a quarter of a word. */
static fs_attojoules broadcast_of(const fs_energy_books *b, const fs_energy_prices *p, uint64_t bytes) {
    if (b->routers == 0)
        return wires_of(p, bytes * span_of(b));
    const uint64_t words = b->tree.ports * p->router + (b->tree.taken + 1) * p->interface;
    return times(bytes * b->tree.length, p->link * 8 / 1000) + times(bytes, (words + 2) / 4);
}

/* Prices what depends on the chip's size: broadcasts, clocks, leakage. */
static void price_all(const fs_energy_books *b, const fs_energy_prices *p, const fs_energy_flow *f,
                      fs_attojoules out[FS_ENERGY_PHASES][FS_ENERGY_PARTS]) {
    fs_energy_price_flow(p, f, out);
    out[FS_ENERGY_IN_HOST][FS_ENERGY_EXCHANGE] += broadcast_of(b, p, f->broadcast);
    out[FS_ENERGY_IN_HOST][FS_ENERGY_SRAM] += memory_of(p, f->broadcast * b->tiles);
    for (int phase = 0; phase < FS_ENERGY_PHASES; phase++) {
        for (uint32_t k = 0; k < FS_ENERGY_KINDS; k++)
            price_tiles(p, &b->kind[k], f->cycles[phase] * b->tiles_of[k], out[phase]);
        fs_energy_of_network(p, b->routers, f->cycles[phase], out[phase]);
    }
}

/* ---- an iteration ---- */

static void add_flow(fs_energy_flow *to, const fs_energy_flow *f) {
    fs_moved_add(&to->moved, &f->moved);
    to->more += f->more;
    to->barriers += f->barriers;
    for (int type = 0; type < FS_AMP_TYPES; type++)
        to->macs[type] += f->macs[type];
    to->host += f->host;
    to->broadcast += f->broadcast;
    to->dram += f->dram;
    to->chips += f->chips;
    for (int phase = 0; phase < FS_ENERGY_PHASES; phase++)
        to->cycles[phase] += f->cycles[phase];
}

/* What the threads counted, in the first one's row. */
static uint64_t *gather(fs_energy_books *b) {
    const int threads = omp_get_max_threads();
    for (int t = 0; t < threads; t++)
        for (int type = 0; type < FS_AMP_TYPES; type++) {
            b->flow.macs[type] += b->thread_macs[(size_t)t * FS_ENERGY_LINE + (size_t)type];
            b->thread_macs[(size_t)t * FS_ENERGY_LINE + (size_t)type] = 0;
        }
    for (int t = 1; t < threads; t++) {
        uint64_t *row = b->thread + (size_t)t * b->row;
        for (uint32_t i = 0; i < b->row; i++)
            b->thread[i] += row[i];
        memset(row, 0, b->row * sizeof *row);
    }
    return b->thread;
}

static void keep_time(fs_energy_books *b, uint64_t start, const fs_attojoules part[FS_ENERGY_PARTS]) {
    fs_energy_time row = {.start = start};
    fs_attojoules all = 0;
    for (int phase = 0; phase < FS_ENERGY_PHASES; phase++)
        row.cycles += b->flow.cycles[phase];
    for (int p = 0; p < FS_ENERGY_PARTS; p++) {
        row.joules[p] = fs_joules(part[p]);
        all += part[p];
    }
    const double watts = row.cycles > 0 ? fs_joules(all) * b->clock / (double)row.cycles : 0;
    b->peak = watts > b->peak ? watts : b->peak;
    const uint64_t chunk = b->iterations / FS_ENERGY_CHUNK;
    if ((!b->given || b->mends) && chunk < FS_ENERGY_CHUNKS) {
        if (b->time[chunk] == NULL)
            b->time[chunk] = FS_NEW(b->arena, fs_energy_time, FS_ENERGY_CHUNK);
        b->time[chunk][b->iterations % FS_ENERGY_CHUNK] = row;
    }
    b->iterations++;
}

void fs_energy_book(fs_energy_books *b, uint64_t start, const uint64_t cycles[FS_ENERGY_PHASES], bool keep) {
    fs_attojoules of[FS_ENERGY_PHASES][FS_ENERGY_PARTS] = {{0}}, part[FS_ENERGY_PARTS] = {0};
    uint64_t *row = gather(b);
    memcpy(b->flow.cycles, cycles, sizeof b->flow.cycles);
    for (uint32_t c = 1; c < b->classes; c++)
        price_row(&b->class[c], &b -> class[c].energy, row + b->class[c].at, of[FS_ENERGY_IN_COMPUTE]);
    price_all(b, &b->price, &b->flow, of);
    for (int p = 0; p < FS_ENERGY_PARTS; p++)
        for (int phase = 0; phase < FS_ENERGY_PHASES; phase++) {
            b->account[p][phase] += of[phase][p];
            part[p] += of[phase][p];
        }
    if (keep)
        keep_time(b, start, part);
    for (uint32_t i = 0; i < b->row; i++)
        b->sum[i] += row[i];
    memset(row, 0, b->row * sizeof *row);
    add_flow(&b->total, &b->flow);
    b->flow = (fs_energy_flow){0};
}

/* Standing tiles and routers take joules by the cycle. */
void fs_energy_mend(fs_energy_books *b, uint64_t iteration, uint64_t start, uint64_t more) {
    const fs_energy_flow flow = {.cycles = {[FS_ENERGY_IN_EXCHANGE] = more}};
    fs_attojoules of[FS_ENERGY_PHASES][FS_ENERGY_PARTS] = {{0}};
    price_all(b, &b->price, &flow, of);
    add_flow(&b->total, &flow);
    const uint64_t chunk = iteration / FS_ENERGY_CHUNK;
    fs_energy_time *row = chunk < FS_ENERGY_CHUNKS ? &b->time[chunk][iteration % FS_ENERGY_CHUNK] : NULL;
    double all = 0;
    for (int p = 0; p < FS_ENERGY_PARTS; p++) {
        b->account[p][FS_ENERGY_IN_EXCHANGE] += of[FS_ENERGY_IN_EXCHANGE][p];
        if (row != NULL)
            all += row->joules[p] += fs_joules(of[FS_ENERGY_IN_EXCHANGE][p]);
    }
    if (row == NULL)
        return;
    row->start = start;
    row->cycles += more;
    const double watts = row->cycles > 0 ? all * b->clock / (double)row->cycles : 0;
    b->peak = iteration == 0 || watts > b->peak ? watts : b->peak;
}

/* ---- the run ---- */

void fs_energy_at(const fs_energy_books *b, fs_price_end end, fs_attojoules out[FS_ENERGY_PARTS]) {
    const fs_energy_prices price = fs_energy_prices_of(b->params, b->clock, end);
    fs_attojoules of[FS_ENERGY_PHASES][FS_ENERGY_PARTS] = {{0}};
    for (uint32_t c = 1; c < b->classes; c++) {
        fs_program_energy energy;
        fs_energy_of_program(b->class[c].priced, &price, &energy);
        price_row(&b->class[c], &energy, b -> sum + b -> class[c].at, of[FS_ENERGY_IN_COMPUTE]);
    }
    price_all(b, &price, &b->total, of);
    for (int p = 0; p < FS_ENERGY_PARTS; p++) {
        out[p] = 0;
        for (int phase = 0; phase < FS_ENERGY_PHASES; phase++)
            out[p] += of[phase][p];
    }
}

static uint64_t all_cycles(const fs_energy_books *b) {
    uint64_t cycles = 0;
    for (int phase = 0; phase < FS_ENERGY_PHASES; phase++)
        cycles += b->total.cycles[phase];
    return cycles;
}

void fs_energy_of_tile(const fs_energy_books *b, uint32_t tile, fs_attojoules out[FS_ENERGY_PARTS]) {
    const fs_energy_prices *p = &b->price;
    const uint64_t macs[FS_AMP_TYPES] = {b->macs[0][tile], b->macs[1][tile], b->macs[2][tile]};
    memset(out, 0, FS_ENERGY_PARTS * sizeof *out);
    for (uint32_t c = 1; c < b->classes; c++) {
        const fs_energy_class *class = &b->class[c];
        if (class->row_of[tile] > 0)
            price_row(class, &class->energy, class->rows + (size_t)(class->row_of[tile] - 1) * class->places,
                      out);
    }
    price_macs(p, macs, out);
    out[FS_ENERGY_SRAM] += memory_of(p, b->moved[tile].bytes + b->total.broadcast);
    out[FS_ENERGY_EXCHANGE] += fs_energy_of_wires(p, &b->moved[tile]);
    out[FS_ENERGY_SYNC] += times(b->barriers[tile], p->sync);
    price_tiles(p, &b->kind[b->kind_of != NULL ? b->kind_of[tile] : 0], all_cycles(b), out);
}

/* Wires of broadcasts, links to host and chips, streaming memory, clocks and leakage of routers. */
static fs_attojoules off_tile(const fs_energy_books *b) {
    fs_attojoules routers[FS_ENERGY_PARTS] = {0};
    fs_energy_of_network(&b->price, b->routers, all_cycles(b), routers);
    return routers[FS_ENERGY_CLOCK] + routers[FS_ENERGY_LEAKAGE] +
           broadcast_of(b, &b->price, b->total.broadcast) +
           times(b->total.host + b->total.chips, 8 * b->price.host_bit) +
           times(b->total.dram, 8 * b->price.dram_bit);
}

fs_status fs_energy_settle(fs_energy_books *b, fs_error *err) {
    fs_attojoules run[FS_ENERGY_PARTS], parts = 0, tiles = 0;
    fs_energy_at(b, FS_PRICE_CENTRAL, run);
    for (int p = 0; p < FS_ENERGY_PARTS; p++) {
        fs_attojoules phases = 0;
        for (int phase = 0; phase < FS_ENERGY_PHASES; phase++)
            phases += b->account[p][phase];
        if (phases != run[p])
            return fs_fail(err, FS_BROKEN, "energy of %s: %g J by iterations, %g J over the run",
                           fs_energy_part_names[p], fs_joules(phases), fs_joules(run[p]));
        parts += run[p];
    }
    b->off_tile = off_tile(b);
    for (uint32_t t = 0; !b->given && t < b->tiles; t++) {
        fs_attojoules own[FS_ENERGY_PARTS];
        fs_energy_of_tile(b, t, own);
        for (int p = 0; p < FS_ENERGY_PARTS; p++)
            tiles += own[p];
    }
    b->tile_sum = tiles;
    if (!b->given && tiles + b->off_tile != parts)
        return fs_fail(err, FS_BROKEN, "energy: %g J on tiles and %g J on none, %g J by parts",
                       fs_joules(tiles), fs_joules(b->off_tile), fs_joules(parts));
    return FS_OK;
}
