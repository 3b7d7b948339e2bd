/* main: waits of OpenMP are made polite, then the command line is dispatched with the registry in hand. */
#include "registry/registry.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One thread has nobody to wait for. */
static bool is_alone(char **argv) {
    const char *threads = getenv("OMP_NUM_THREADS");
    for (char **arg = argv; *arg != NULL; arg++)
        if (strcmp(*arg, "--threads") == 0 && arg[1] != NULL)
            threads = arg[1];
        else if (strncmp(*arg, "--threads=", strlen("--threads=")) == 0)
            threads = *arg + strlen("--threads=");
    return threads != NULL && strcmp(threads, "1") == 0;
}

/* A thread that waits for the others sleeps. By default the OpenMP runtimes spin for so long that a second busy
 * process slows a run many times over, and they read their settings before main: so the program sets them and
 * starts itself once more, unless the user has chosen. */
static void wait_politely(char **argv) {
    if (getenv("OMP_WAIT_POLICY") == NULL && getenv("GOMP_SPINCOUNT") == NULL &&
        getenv("KMP_BLOCKTIME") == NULL && !is_alone(argv) && setenv("OMP_WAIT_POLICY", "passive", 0) == 0)
        execv("/proc/self/exe", argv); /* where that fails the run is merely slower */
}

int main(int argc, char **argv) {
    wait_politely(argv);
    return fs_cli_main(&fs_registry_cli, argc, argv);
}
