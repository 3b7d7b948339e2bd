/* The library for C: numbers are read and written with a point, whatever the locale of its host program is. */
#include "api/private.h"

#include <pthread.h>

static locale_t plain;

static void make_plain(void) {
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t fs_api_enter(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return uselocale(plain);
}

void fs_api_leave(const locale_t *before) {
    uselocale(*before);
}
