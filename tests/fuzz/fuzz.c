/* A libFuzzer program of one target (tests/support/fuzz/targets.h): `make fuzz` builds one of each. */
#include "tests/support/fuzz/targets.h"

#include <stdlib.h>

#ifndef FUZZ_TARGET
#define FUZZ_TARGET "experiment"
#endif

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    setenv("OMP_NUM_THREADS", "1", 1);
    return fuzz_target_find(FUZZ_TARGET) == NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_target_find(FUZZ_TARGET)->run(data, size);
    return 0;
}
