/* A check of 64 bits for what the program itself wrote and reads again: a cache, at the pace of memory.
 *
 * It notices damage, not intent: a change within any eight bytes changes the check for certain, any other one
 * all but certainly. What names a content, or must withstand somebody, is a digest (digest.h).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Of `bytes` bytes at any address, going on from another check (0 to begin with). The same on every host of
 * one byte order. */
uint64_t fs_check64(uint64_t so_far, const void *data, size_t bytes);
