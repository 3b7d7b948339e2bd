/* An operation is so many of a class, and so many accesses of a width; a software routine is as many integer
 * or f32 operations as it has slots (energy.md 2). */
#include "models/energy/books.h"

/* What one operation costs beside its slots. */
typedef struct op_price {
    uint64_t arithmetic, sram;
} op_price;

static void price_ops(const fs_energy_prices *p, op_price out[FS_OP_COUNT]) {
    const uint64_t add = p->f32_add, mul = p->f32_mul, mean = (add + mul) / 2;
    const op_price prices[FS_OP_COUNT] = {
        [FS_OP_LOAD] = {.sram = p->sram_32},
        [FS_OP_STORE] = {.sram = p->sram_32},
        [FS_OP_STORE_HALF] = {.arithmetic = 3 * p->int_op, .sram = 2 * p->sram_32},
        [FS_OP_ADD] = {.arithmetic = add},
        [FS_OP_MUL] = {.arithmetic = mul},
        [FS_OP_DIV] = {.arithmetic = 3 * mul},
        [FS_OP_SQRT] = {.arithmetic = 5 * mul},
        [FS_OP_EXP] = {.arithmetic = 3 * mul},
        [FS_OP_CMP] = {.arithmetic = add},
        [FS_OP_CAST] = {.arithmetic = add},
        [FS_OP_INT] = {.arithmetic = p->int_op},
        [FS_OP_INT_DIV] = {.arithmetic = 265 * p->int_op},
        [FS_OP_CONST_DIV] = {.arithmetic = 5 * p->int_op},
        [FS_OP_BRANCH] = {.arithmetic = p->int_op},
        [FS_OP_LOAD64] = {.sram = p->sram_64},
        [FS_OP_LOAD128] = {.sram = p->sram_128},
        [FS_OP_STORE64] = {.sram = p->sram_64},
        [FS_OP_STORE128] = {.sram = 2 * p->sram_64},
        [FS_OP_F32X2] = {.arithmetic = 2 * mean},
        [FS_OP_F16X2] = {.arithmetic = 2 * p->f16_op},
        [FS_OP_F16X4] = {.arithmetic = 4 * p->f16_op},
        [FS_OP_RANDOM] = {.arithmetic = 4 * p->int_op},
        [FS_OP_RECIPROCAL] = {.arithmetic = 3 * mul},
        [FS_OP_RSQRT] = {.arithmetic = 4 * mul},
        [FS_OP_LOG] = {.arithmetic = 6 * mul},
        [FS_OP_TANH] = {.arithmetic = 6 * mul},
        [FS_OP_SIGMOID] = {.arithmetic = 6 * mul},
        [FS_OP_EXP_F16X2] = {.arithmetic = 4 * p->f16_op},
        [FS_OP_LOG_F16X2] = {.arithmetic = 4 * p->f16_op},
        [FS_OP_TANH_F16X2] = {.arithmetic = 4 * p->f16_op},
        [FS_OP_SINCOS] = {.arithmetic = 1639 * mean},
        [FS_OP_SIN_F64] = {.arithmetic = 2300 * mean},
        [FS_OP_LOAD2X64] = {.sram = 2 * p->sram_64},
        [FS_OP_LOAD64_STORE64] = {.sram = 2 * p->sram_64},
        [FS_OP_LOAD2X64_STORE64] = {.sram = 3 * p->sram_64},
        [FS_OP_F32X2_MAC] = {.arithmetic = 2 * (add + mul)},
        [FS_OP_F16X4_MAC] = {.arithmetic = 8 * p->f16_op},
        [FS_OP_COPY_RUN] = {.arithmetic = 10 * p->int_op},
        [FS_OP_AUX] = {.arithmetic = p->int_op},
    };
    for (int i = 0; i < FS_OP_COUNT; i++)
        out[i] = prices[i];
}

/* Slots that are taken, to a thousandth, once for an occurrence. */
static uint64_t issue(const fs_priced_program *program, const fs_energy_prices *p, uint64_t slots) {
    return (slots * p->slot * program->permille + 500) / 1000;
}

static void add(const fs_event *event, const op_price *prices, uint64_t times, uint64_t out[FS_CALL_PARTS]) {
    for (int i = 0; i < FS_OP_COUNT; i++) {
        out[FS_CALL_ARITHMETIC] += times * event->op[i] * prices[i].arithmetic;
        out[FS_CALL_SRAM] += times * event->op[i] * prices[i].sram;
    }
}

void fs_energy_of_program(const fs_priced_program *program, const fs_energy_prices *p,
                          fs_program_energy *out) {
    op_price prices[FS_OP_COUNT];
    price_ops(p, prices);
    const fs_program *of = program->program;
    *out = (fs_program_energy){0};
    if (of == NULL)
        return;
    uint64_t slots = 0;
    for (uint32_t s = 0; s < of->segments; s++)
        slots += program->fixed_first[s] + (uint64_t)(program->workers - 1) * program->fixed_other[s];
    out->call[FS_CALL_ISSUE] = issue(program, p, slots);
    if (of->barrier != NULL)
        add(of->barrier, prices, (uint64_t)(of->segments - 1) * program->workers, out->call);
    for (uint32_t e = 0; e < of->event_count; e++) {
        const fs_event *event = &of->events[e];
        add(event, prices, (uint64_t)event->always_each * program->workers + event->always_first, out->call);
        out->event[e][FS_CALL_ISSUE] = issue(program, p, program->slots[e]);
        add(event, prices, 1, out->event[e]);
    }
}
