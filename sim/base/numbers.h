/* Numbers as people read them: "1,234,568", "0.0123", "12.3 KiB", "601 ms".
 *
 * A text is valid until the 16th next call. One thread.
 */
#ifndef FOAMSIM_SIM_BASE_NUMBERS_H
#define FOAMSIM_SIM_BASE_NUMBERS_H

/* What stands for a number that does not exist: on pages and in documents; on a terminal and in CSV it is
 * "-". */
#define FS_NO_NUMBER "\xe2\x80\x93"

const char *fs_number_grouped(double value); /* whole, in groups of three */
const char *fs_number_short(double value,
                            int digits);       /* significant digits, grouped when large, no exponent */
const char *fs_number_bytes(double bytes);     /* "12.3 KiB" */
const char *fs_number_seconds(double seconds); /* "601 ms" */
const char *fs_number_joules(double joules);   /* "124 mJ" */
const char *fs_number_watts(double watts);     /* "3.41 W" */

#endif
