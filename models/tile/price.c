/* Issue slots of an event and its accesses of the SRAM: operations on two pipes, in pairs, and on vectors. */
#include "models/tile/tile_internal.h"
#include "sim/base/error.h"

/* Percentages of pairing and vectors are taken to a hundredth, so that prices are integer arithmetic. */
enum { WHOLE = 10000, MAIN = 0, AUX = 1 };

static const uint8_t pipe_of[FS_OP_COUNT] = {
#define X(op, key, slots, pipe, doc, source, confidence) [FS_OP_##op] = (pipe),
    FS_OP_TABLE(X)
#undef X
};

/* Accesses of one operation, each of so many bytes: as energy counts them (models/energy/program.c). `together`
 * are made by one instruction. */
typedef struct op_accesses {
    uint8_t count, bytes, together;
} op_accesses;
static const op_accesses accesses_of[FS_OP_COUNT] = {
    [FS_OP_LOAD] = {1, 4, 1},           [FS_OP_STORE] = {1, 4, 1},
    [FS_OP_STORE_HALF] = {2, 4, 1},     [FS_OP_LOAD64] = {1, 8, 1},
    [FS_OP_LOAD128] = {1, 16, 1},       [FS_OP_STORE64] = {1, 8, 1},
    [FS_OP_STORE128] = {2, 8, 1},       [FS_OP_LOAD2X64] = {2, 8, 2},
    [FS_OP_LOAD64_STORE64] = {2, 8, 2}, [FS_OP_LOAD2X64_STORE64] = {3, 8, 3},
};

static uint64_t part_of(uint64_t number, double percent) { /* to a whole one, half up */
    const uint64_t scaled = (uint64_t)(percent * (WHOLE / 100.0) + 0.5);
    return (number * scaled + WHOLE / 2) / WHOLE;
}

static uint64_t ceil_of(uint64_t values, int64_t lanes) {
    return (values + (uint64_t)lanes - 1) / (uint64_t)lanes;
}

/* Operations that are issued for those that an event counts. */
static void issue(const fs_event *event, const fs_tile_params *p, uint64_t op[FS_OP_COUNT]) {
    static const fs_op singles[] = {FS_OP_ADD, FS_OP_MUL, FS_OP_CMP},
                       twos[] = {FS_OP_F16X2, FS_OP_EXP_F16X2, FS_OP_LOG_F16X2, FS_OP_TANH_F16X2};
    const int64_t f32 = p->lanes_f32 > 0 ? p->lanes_f32 : FS_IPU_LANES_F32,
                  f16 = p->lanes_f16 > 0 ? p->lanes_f16 : FS_IPU_LANES_F16;
    for (int i = 0; i < FS_OP_COUNT; i++)
        op[i] = event->op[i];
    op[FS_OP_F32X2] = ceil_of(FS_IPU_LANES_F32 * op[FS_OP_F32X2], f32);
    op[FS_OP_F32X2_MAC] = ceil_of(FS_IPU_LANES_F32 * op[FS_OP_F32X2_MAC], f32);
    op[FS_OP_F16X4] = ceil_of(FS_IPU_LANES_F16 * op[FS_OP_F16X4], f16);
    op[FS_OP_F16X4_MAC] = ceil_of(FS_IPU_LANES_F16 * op[FS_OP_F16X4_MAC], f16);
    for (size_t i = 0; i < sizeof twos / sizeof twos[0]; i++)
        op[twos[i]] *= f16 == 1 ? 2 : 1;
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
        const uint64_t vectors = part_of(op[singles[i]], p->vectorised);
        op[singles[i]] += ceil_of(vectors, f32) - vectors;
    }
}

/* Slots of operations on each pipe. */
static void sum_pipes(const uint64_t op[FS_OP_COUNT], const fs_tile_params *p, uint64_t pipe[2]) {
    pipe[MAIN] = pipe[AUX] = 0;
    for (int i = 0; i < FS_OP_COUNT; i++)
        pipe[pipe_of[i]] += op[i] * (uint64_t)p->cost[i];
}

/* Slots that hold an operation of each pipe. */
static uint64_t saved_by_pairing(const fs_event *event, const fs_tile_params *p, const uint64_t pipe[2]) {
    uint64_t counted[FS_OP_COUNT], before[2];
    if (p->dual_issue == FS_DUAL_NONE)
        return 0;
    if (p->dual_issue == FS_DUAL_FULL)
        return pipe[MAIN] < pipe[AUX] ? pipe[MAIN] : pipe[AUX];
    for (int i = 0; i < FS_OP_COUNT; i++)
        counted[i] = event->op[i];
    sum_pipes(counted, p, before);
    const uint64_t saved = part_of(event->paired, p->pairing);
    return pipe[AUX] < before[AUX] && saved > pipe[AUX] ? pipe[AUX] : saved;
}

fs_status fs_event_price(const fs_program *program, const fs_event *event, const fs_tile_params *params,
                         uint32_t *slots, fs_error *err) {
    uint64_t op[FS_OP_COUNT], pipe[2];
    issue(event, params, op);
    sum_pipes(op, params, pipe);
    const uint64_t sum = pipe[MAIN] + pipe[AUX], saved = saved_by_pairing(event, params, pipe);
    if (saved > sum)
        return fs_fail(err, FS_INPUT,
                       "machine.cost: event \"%s\" of the %s would take a negative number of slots: its "
                       "operations cost %llu, %llu bundles are paired; raise the costs or lower cost.pairing",
                       event->name, program->name, (unsigned long long)sum, (unsigned long long)saved);
    if (sum - saved > UINT32_MAX)
        return fs_fail(err, FS_INPUT,
                       "machine.cost: event \"%s\" of the %s would take %llu slots, more than %u",
                       event->name, program->name, (unsigned long long)(sum - saved), UINT32_MAX);
    *slots = (uint32_t)(sum - saved);
    return FS_OK;
}

uint32_t fs_event_accesses(const fs_event *event, const fs_tile_params *params) {
    const int64_t width = params->sram_width > 0 ? params->sram_width : FS_IPU_SRAM_WIDTH;
    uint32_t accesses = 0;
    for (int i = 0; i < FS_OP_COUNT; i++) {
        const op_accesses *of = &accesses_of[i];
        const bool together = params->sram_ports == 0 && of->count > 0;
        const uint32_t count = of->count, each = together ? count / of->together : count;
        accesses += (uint32_t)(event->op[i] * each * ceil_of(of->bytes, width));
    }
    return accesses;
}
