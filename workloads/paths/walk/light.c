/* Light from outside: directions as a network takes them, and an analytic sky. */
#include "sim/base/detmath.h"
#include "workloads/paths/walk/walk.h"

#include <math.h>
#include <stdbool.h>

static float between_0_and_1(float x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

void fs_walk_uv(const float direction[3], float azimuth, float uv[2]) {
    const double y = (double)direction[1];
    const double turn = (fs_atan2((double)direction[2], (double)direction[0]) + (double)azimuth) / FS_TURN;
    uv[0] = between_0_and_1((float)(fs_acos(y < -1 ? -1 : y > 1 ? 1 : y) / FS_PI));
    uv[1] = between_0_and_1((float)(turn - floor(turn)));
}

/* Colours of the sky: at the horizon, overhead, of the ground and of the sun with the glow around it. */
static void sky(float u, float v, bool with_disc, float rgb[3]) {
    static const float horizon[3] = {0.95f, 0.85f, 0.75f}, zenith[3] = {0.25f, 0.45f, 0.9f},
                       ground[3] = {0.2f, 0.18f, 0.15f}, sun[3] = {16, 14.5f, 12};
    const double up = fs_cos((double)u * FS_PI), level = fs_sin((double)u * FS_PI),
                 turn = (double)v * FS_TURN;
    const double east = level * fs_cos(turn), south = level * fs_sin(turn);
    /* the sun stands 45 degrees high to the front and left */
    const double towards = 0.7071067811865476 * up - 0.5 * east - 0.5 * south;
    const double disc = with_disc && towards > 0.995 ? 1 : 0,
                 glow = towards > 0 ? towards * towards * towards * towards : 0;
    const double height = up > 0 ? sqrt(up) : 0;
    for (int c = 0; c < 3; c++) {
        const double sky = (double)horizon[c] + ((double)zenith[c] - (double)horizon[c]) * height;
        rgb[c] = (float)((up < 0 ? (double)ground[c] : sky) + (double)sun[c] * (disc + 0.01 * glow * glow));
    }
}

void fs_walk_sky(const void *self, float u, float v, float rgb[3]) {
    (void)self;
    sky(u, v, true, rgb);
}

void fs_walk_sky_without_sun(const void *self, float u, float v, float rgb[3]) {
    (void)self;
    sky(u, v, false, rgb);
}

void fs_walk_radiance(const fs_walk_path *path, float azimuth, fs_walk_light light, const void *self,
                      float rgb[3]) {
    float uv[2], from[3] = {0, 0, 0};
    if (path->end == FS_WALK_ESCAPED) {
        fs_walk_uv(path->direction, azimuth, uv);
        light(self, uv[0], uv[1], from);
    }
    for (int c = 0; c < 3; c++)
        rgb[c] = path->emitted[c] + path->throughput[c] * from[c];
}
