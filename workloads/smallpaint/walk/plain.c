/* Paths on any host. */
#include "workloads/smallpaint/walk/core.h"
