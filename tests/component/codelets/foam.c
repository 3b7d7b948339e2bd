/* Stand-ins of the public Radiant Foam codelets' loops, in words of our own, for test_codelets.sh: a compiler is asked
 * whether it leaves of them what docs/facts/compiler.md counts. Nothing here is run, and no header is needed. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

enum { NONE = 65535, LANES = 5 };

typedef struct vector {
    float x, y, z;
} vector;
typedef struct site {
    vector at;
    u8 colour[3];
    float density;
    u16 begin, end; /* faces */
} site;
typedef struct face {
    vector at; /* the neighbour's */
    u16 cell, shard;
} face;
/* 20 bytes, words: the program of 11 September. */
typedef struct ray {
    u16 x, y;
    u16 t, transmittance; /* floats of 16 bits */
    u32 colour;
    u32 depth;
    u16 shard, cell;
} ray;
typedef struct long_ray { /* 24 bytes, the program of 2 September */
    ray ray;
    u32 more;
} long_ray;

extern float exponential(float x);

/* As GLM has them: value by value, the sum of a dot product behind its products. */
static inline vector plus(vector a, vector b) {
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vector minus(vector a, vector b) {
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vector times(vector a, float b) {
    return (vector){a.x * b, a.y * b, a.z * b};
}
static inline float dot(vector a, vector b) {
    const vector product = {a.x * b.x, a.y * b.y, a.z * b.z};
    return product.x + product.y + product.z;
}

/* The tracer's march through the cells of a shard: the loop over faces is the inner one. */
u16 march(const site *sites, const face *faces, const vector *from, const vector *along, float *colour,
          u16 cell, u16 shard) {
    float transmittance = 1, before = 0;
    for (;;) {
        const site *s = &sites[cell];
        float nearest = 1e30F;
        u16 next = NONE;
        for (u16 f = s->begin; f < s->end; f++) {
            const vector normal = minus(faces[f].at, s->at);
            const float facing = dot(normal, *along);
            if (facing > 0) {
                const vector middle = times(plus(faces[f].at, s->at), 0.5F);
                const float t = dot(minus(middle, *from), normal) / facing;
                if (t > 0 && t < nearest) {
                    nearest = t;
                    next = f;
                }
            }
        }
        const float left = exponential((before - nearest) * s->density);
        for (int c = 0; c < 3; c++)
            colour[c] += transmittance * (1 - left) * ((float)s->colour[c] / 255.0F);
        transmittance *= left;
        before = nearest;
        if (next == NONE || transmittance < 0.01F || faces[next].shard != shard)
            return next;
        cell = faces[next].cell;
    }
}

/* A router's first pass: each slot's lane, until the first empty one. */
void count(const ray *slots, u32 bytes, const u16 *lane_of, u32 *lanes) {
    for (u32 i = 0; i < bytes / sizeof(ray); i++) {
        if (slots[i].x == NONE)
            break;
        if (slots[i].x == NONE - 1)
            continue;
        lanes[lane_of[slots[i].shard]]++;
    }
}

/* Its last pass: a ray of words, from one aligned buffer into another. */
void forward(ray *to, const ray *from) {
    __builtin_memcpy(to, from, sizeof *to);
}
void forward_long(long_ray *to, const long_ray *from) {
    __builtin_memcpy(to, from, sizeof *to);
}
/* Ten words are more than the eight stores that are left in line. */
void forward_two(ray *to, const ray *from) {
    __builtin_memcpy(to, from, 2 * sizeof *to);
}

/* The generator's new ray, made in registers and copied to bytes. */
void new_ray(u8 *to, u16 x, u16 y, u16 shard, u16 cell) {
    const ray r = {.x = x, .y = y, .transmittance = 0x3C00, .shard = shard, .cell = cell};
    __builtin_memcpy(to, &r, sizeof r);
}
/* A ray of its ring, from bytes to bytes. */
void ring_ray(u8 *to, const u8 *from) {
    __builtin_memmove(to, from, sizeof(ray));
}

u32 word_by_constant(u32 bytes) {
    return bytes / 24;
}
u16 half_by_constant(u16 pixel) {
    return pixel / 20;
}
u32 word_by_variable(u32 bytes, u32 size) {
    return bytes % size;
}

/* A constant without suffix is a double. */
int passes_half(float t) {
    return t > 0.48;
}
