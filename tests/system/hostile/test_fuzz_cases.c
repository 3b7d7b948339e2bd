/* Every seed of the fuzz targets and every input that one of them once failed at, read again. */
#include "tests/support/fuzz/targets.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <sys/stat.h>

/* Reads all files of a folder, and how many they were. */
static size_t replay(const fuzz_target *target, const char *folder) {
    DIR *all = opendir(folder);
    size_t count = 0;
    for (struct dirent *e; all != NULL && (e = readdir(all)) != NULL;) {
        char path[1024];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        size_t size;
        char *bytes = file_read(path, &size);
        target->run((const uint8_t *)bytes, size);
        count++;
    }
    if (all != NULL)
        closedir(all);
    return count;
}

TEST(every_target_reads_its_files) {
    for (const fuzz_target *t = fuzz_targets; t->name != NULL; t++) {
        char folder[256];
        snprintf(folder, sizeof folder, "tests/fuzz/seeds/%s", t->name);
        size_t count = replay(t, folder);
        snprintf(folder, sizeof folder, "tests/fuzz/cases/%s", t->name);
        const size_t found = replay(t, folder);
        snprintf(folder, sizeof folder, "configs/%s", t->seeds);
        count += t->seeds[0] != '\0' ? replay(t, folder) : 0;
        print_message("%s: %zu seeds, %zu cases\n", t->name, count, found);
        assert_true(count > 0);
    }
}

RUN_TESTS(NULL, NULL)
