/* A file's header in a POSIX archive (IEEE Std 1003.1, pax: ustar interchange format). Private to sim/results. */
#ifndef FOAMSIM_SIM_RESULTS_ARCHIVE_FORMAT_H
#define FOAMSIM_SIM_RESULTS_ARCHIVE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

enum { FS_ARCHIVE_BLOCK = 512 };

/* Numbers are octal digits; texts end with a NUL where they do not fill their place. */
typedef struct fs_archive_header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], kind, link[100], magic[6],
        version[2], user[32], group[32], major[8], minor[8], prefix[155], rest[12];
} fs_archive_header;

/* The sum of its bytes, those of `sum` taken for blanks. */
static inline unsigned fs_archive_sum(const fs_archive_header *header) {
    const unsigned char *byte = (const unsigned char *)header;
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof *header; i++)
        sum += i >= offsetof(fs_archive_header, sum) && i < offsetof(fs_archive_header, kind) ? ' ' : byte[i];
    return sum;
}

#endif
