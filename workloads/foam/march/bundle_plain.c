/* Bundles on hosts of any kind. */
#include "workloads/foam/march/bundle_core.h"

LANES bool fs_bundle_plain(const fs_journey *journey, fs_eye *eye, fs_bundle *bundle) {
    return march(journey, eye, bundle);
}
