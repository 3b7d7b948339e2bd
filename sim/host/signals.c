/* A note that a signal came. */
#include "sim/host/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
    (void)number;
    interrupted = 1;
}

bool fs_interrupted(void) {
    return interrupted != 0;
}

void fs_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
