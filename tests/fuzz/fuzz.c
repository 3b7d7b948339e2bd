/* The libFuzzer program of all targets (tests/support/fuzz/targets.h): the name it is called by is its target's. */
#include "tests/support/fuzz/targets.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    const char *name = strrchr((*argv)[0], '/');
    target = fuzz_target_find(name == NULL ? (*argv)[0] : name + 1);
    if (target == NULL)
        abort();
    return setenv("OMP_NUM_THREADS", "1", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target->run(data, size);
    return 0;
}
