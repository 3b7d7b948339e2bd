/* Numbers as tables show them. */
#include "validation/cases/words.h"

#include <math.h>
#include <stdio.h>

const char *fs_shown_number(double value, char out[FS_SHOWN]) {
    const double size = fabs(value);
    const int digits = size >= 1000 || value == floor(value) ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    if (isfinite(value))
        snprintf(out, FS_SHOWN, "%.*f", digits, value);
    else
        snprintf(out, FS_SHOWN, "-");
    return out;
}

const char *fs_shown_percent(double ratio, char out[FS_SHOWN]) {
    if (isfinite(ratio))
        snprintf(out, FS_SHOWN, "%+.*f %%", fabs(ratio) < 0.0995 ? 1 : 0, 100 * ratio);
    else
        snprintf(out, FS_SHOWN, "-");
    return out;
}

const char *fs_shown_share(double share, char out[FS_SHOWN]) {
    if (isfinite(share))
        snprintf(out, FS_SHOWN, "%.1f %%", 100 * share);
    else
        snprintf(out, FS_SHOWN, "-");
    return out;
}
