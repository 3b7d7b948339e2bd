/* Stand-ins of the loops of the path tracer on Poplar and of two public kernels, in words of our own, for test_codelets.sh: does
 * a compiler leave of them what docs/facts/poplar_path_tracer.md 3 and measurements.md 5 count? Nothing here is run. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

typedef struct vector {
    float x, y, z;
} vector;
typedef struct object object;
struct object {
    float (*const *test)(const object *, const vector *);
    vector normal;
    float offset;
};
typedef struct thing {
    const object *shape;
    float colour[7];
} thing;
typedef struct hit {
    const object *shape;
    const float *material;
    vector normal;
    float t;
    u8 valid;
} hit;

/* Of the library, without an effect. */
extern float tangent(float angle) __attribute__((const));
extern u16 half_of(float value) __attribute__((const));

/* Camera rays: the tangent of half the height's angle is asked for at every point. */
void rays(u16 *to, const float *noise, u32 count, u32 rows, u32 columns, const u32 *width,
          const u32 *height) {
    u32 n = 0, k = 0;
    for (u32 y = 0; y < rows; y++)
        for (u32 x = 0; x < columns; x++, k += 3) {
            const float w = (float)*width, h = (float)*height, up = tangent(h / w * 0.785398F);
            to[k] = half_of((2 * (float)x - w) / w + noise[n]);
            n = n + 1 == count ? 0 : n + 1;
            to[k + 1] = half_of(-((2 * (float)y - h) / h) * up + noise[n]);
            n = n + 1 == count ? 0 : n + 1;
            to[k + 2] = 0xBC00;
        }
}

/* All objects are tested by calls through their tables; the nearest hit is kept in memory. */
void nearest(const thing *things, u32 count, const vector *ray, hit *out) {
    *out = (hit){.t = 1e30F};
    for (u32 i = 0; i < count; i++) {
        const float t = (*things[i].shape->test)(things[i].shape, ray);
        if (t > 1e-5F && t < out->t) {
            out->shape = things[i].shape;
            out->material = things[i].colour;
            out->t = t;
            out->valid = 1;
        }
    }
}

/* A blur of nine points over pixels of four numbers, one by one. */
void blur(const float *from, float *to, const u32 *size) {
    for (u32 y = 0; y < size[1]; y++)
        for (u32 x = 0; x < size[0]; x++)
            for (u32 c = 0; c < 4; c++) {
                const float *up = from + 4 * ((size[0] + 2) * y + x) + c, *here = up + 4 * (size[0] + 2),
                            *down = here + 4 * (size[0] + 2);
                to[4 * (size[0] * y + x) + c] = 0.0625F * (up[0] + up[8] + down[0] + down[8]) +
                                                0.25F * here[4] +
                                                0.125F * (here[8] + here[0] + down[4] + up[4]);
            }
}
