#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[4096];

int scratch_enter(void **state) {
    (void)state;
    const char *place = getenv("TMPDIR");
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/foamsim-test-XXXXXX",
             place != NULL && place[0] == '/' ? place : "/tmp");
    return getcwd(home, sizeof home) == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static void remove_all(const char *folder) {
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return;
    char path[4096];
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0)
            remove_all(path);
    }
    closedir(directory);
    rmdir(folder);
}

int scratch_leave(void **state) {
    (void)state;
    char folder[4096];
    if (getcwd(folder, sizeof folder) == NULL || chdir(home) != 0)
        return 1;
    remove_all(folder);
    return 0;
}

void scratch_put(const char *path, const void *data, size_t bytes) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

void scratch_write(const char *path, const char *text) {
    scratch_put(path, text, strlen(text));
}

bool scratch_there(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}
