/* Short names for tables of programs; included by files of such tables alone.
 *
 *     static const fs_event events[] = {
 *         FS_EVENT("take", "a ray taken", "treelets.md 2", OPS(L = 16, S = 8, INT = 14, BR = 5), .paired = 4)};
 *     const fs_program rays = {PROGRAM("rays", events), .code_bytes = 1024};
 */
#pragma once

#include "models/tile/tile.h"

/* Of a program: one segment with all events of an array. */
#define PROGRAM(word, list)                                                                                  \
    .name = (word), .segments = 1, .events = (list), .event_count = sizeof(list) / sizeof *(list)

#define OPS(...) .op = {__VA_ARGS__}
#define L        [FS_OP_LOAD]
#define L64      [FS_OP_LOAD64]
#define S        [FS_OP_STORE]
#define S64      [FS_OP_STORE64]
#define HS       [FS_OP_STORE_HALF]
#define ADD      [FS_OP_ADD]
#define MUL      [FS_OP_MUL]
#define DIV      [FS_OP_DIV]
#define SQRT     [FS_OP_SQRT]
#define RSQRT    [FS_OP_RSQRT]
#define EXP      [FS_OP_EXP]
#define LOG      [FS_OP_LOG]
#define SINCOS   [FS_OP_SINCOS]
#define SIN64    [FS_OP_SIN_F64]
#define CMP      [FS_OP_CMP]
#define CAST     [FS_OP_CAST]
#define INT      [FS_OP_INT]
#define IDIV     [FS_OP_INT_DIV]
#define CDIV     [FS_OP_CONST_DIV]
#define BR       [FS_OP_BRANCH]
#define X2       [FS_OP_F32X2]
#define H2       [FS_OP_F16X2]
#define H4       [FS_OP_F16X4]
#define RANDOM   [FS_OP_RANDOM]
