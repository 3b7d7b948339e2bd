/* main: waits of OpenMP are made polite, then the command line is dispatched. */
#include "sim/cli/cli.h"

#include <stdlib.h>
#include <unistd.h>

/* Threads that wait for the next iteration should look for it a few microseconds and then sleep. By default
 * the OpenMP runtimes spin for so long that a second busy process slows a run many times over, and they read
 * their settings before main: so the program sets them and starts itself once more, unless the user has
 * chosen. */
static void wait_politely(char **argv) {
    if (getenv("OMP_WAIT_POLICY") != NULL || getenv("GOMP_SPINCOUNT") != NULL ||
        getenv("KMP_BLOCKTIME") != NULL)
        return;
    if (setenv("GOMP_SPINCOUNT", "10000", 0) == 0 && setenv("KMP_BLOCKTIME", "0", 0) == 0)
        execv("/proc/self/exe", argv); /* where that fails the run is merely slower */
}

int main(int argc, char **argv) {
    wait_politely(argv);
    return fs_cli_main(argc, argv);
}
