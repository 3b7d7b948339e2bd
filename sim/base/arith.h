/* Arithmetic too small for a file of its own, once. */
#ifndef FOAMSIM_SIM_BASE_ARITH_H
#define FOAMSIM_SIM_BASE_ARITH_H

/* Elements of an array; not of a pointer. */
#define FS_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
