/* Paths on hosts with AVX2. */
#define FS_LANES_AVX2
#include "workloads/smallpaint/walk/core.h"
