/* Bundles on hosts of any kind. */
#include "workloads/foam/march/bundle_core.h"

LANES bool fs_bundle_plain(const fs_journey *journey, fs_eye *eye, fs_bundle *bundle) {
    return journey->scene->exact.degree == 0 ? march(journey, eye, bundle, false)
                                             : march(journey, eye, bundle, true);
}
