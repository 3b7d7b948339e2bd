/* Bundles on hosts with AVX2. */
#define FS_LANES_AVX2
#include "workloads/foam/march/bundle_core.h"

LANES bool fs_bundle_avx2(const fs_journey *journey, fs_eye *eye, fs_bundle *bundle) {
    return journey->scene->exact.degree == 0 ? march(journey, eye, bundle, false)
                                             : march(journey, eye, bundle, true);
}
