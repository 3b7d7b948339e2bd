#define _GNU_SOURCE /* sync_file_range */
#include "sim/results/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

FILE *fs_file_open(const char *path, fs_error *err) {
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(errno));
    return file;
}

static void begin_writing(int fd) {
#if defined(SYNC_FILE_RANGE_WRITE)
    (void)sync_file_range(fd, 0, 0,
                          SYNC_FILE_RANGE_WRITE); /* a hint; what fails is told when it is waited for */
#else
    (void)fd;
#endif
}

static fs_status finish(FILE *file, const char *path, bool sync, fs_error *err) {
    int failed_before = ferror(file), reason = 0;
    if (fflush(file) != 0 || (sync && fsync(fileno(file)) != 0))
        reason = errno;
    if (!sync)
        begin_writing(fileno(file));
    if (fclose(file) != 0 && reason == 0)
        reason = errno;
    if (reason != 0)
        return fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(reason));
    if (failed_before) /* the reason is long gone, but what is missing stays missing */
        return fs_fail(err, FS_IO, "%s: cannot write: not everything reached the disk", path);
    return FS_OK;
}

fs_status fs_file_finish(FILE *file, const char *path, fs_error *err) {
    return finish(file, path, true, err);
}

fs_status fs_file_close(FILE *file, const char *path, fs_error *err) {
    return finish(file, path, false, err);
}

fs_status fs_file_sync(const char *path, fs_error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC), reason = 0;
    if (fd < 0 || fsync(fd) != 0)
        reason = errno;
    if (fd >= 0)
        close(fd);
    return reason == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(reason));
}
