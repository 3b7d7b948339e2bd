/* Stand-ins of the loops of the neural path tracer's walks, in words of our own, for test_codelets.sh: does a compiler leave
 * of them what docs/facts/neural_path_tracing.md 4 counts? Nothing here is run. */
typedef unsigned short u16;
typedef unsigned int u32;
typedef float pair __attribute__((vector_size(8)));

typedef struct ray {
    float origin[3], least, direction[3], most;
} ray;
typedef struct node {
    float low[3];
    u32 link;
    _Float16 wide[3];
    u16 geometry;
} node;
typedef struct shape shape;
typedef struct meeting {
    u32 geometry, primitive;
    float t;
    const shape *with;
    float normal[3];
} meeting;
struct shape {
    void (*const *test)(meeting *, const shape *, u32, const ray *);
};

/* The driver joins no files: these are of others. */
extern int test_node(const node *of, const float *origin, const float *inverse, float *from, float *to);
extern const shape *look_up(u32 geometry, u32 primitive);

/* One axis: the interval lies in memory, four comparisons. */
static inline int slab(float inverse, float origin, float low, float high, float *from, float *to) {
    pair at = {low, high};
    at -= (pair){origin, origin};
    at *= (pair){inverse, inverse};
    if (at[0] > at[1]) {
        const float other = at[1];
        at[1] = at[0];
        at[0] = other;
    }
    at[1] *= 1.0000004F;
    *from = at[0] > *from ? at[0] : *from;
    *to = at[1] < *to ? at[1] : *to;
    return !(*from > *to);
}

int box(const node *of, const float *origin, const float *inverse, float *from, float *to) {
    if (!slab(inverse[0], origin[0], of->low[0], of->low[0] + (float)of->wide[0], from, to))
        return 0;
    if (!slab(inverse[1], origin[1], of->low[1], of->low[1] + (float)of->wide[1], from, to))
        return 0;
    return slab(inverse[2], origin[2], of->low[2], of->low[2] + (float)of->wide[2], from, to);
}

/* A segment: reciprocals, a stack of a size that is not constant, second child pushed first. */
void walk(meeting *out, const node *nodes, u32 depth, const ray *by) {
    u32 stack[depth], held = 1;
    const float inverse[3] = {1 / by->direction[0], 1 / by->direction[1], 1 / by->direction[2]};
    stack[0] = 0;
    out->t = by->most;
    out->with = 0;
    while (held != 0) {
        const u32 at = stack[--held];
        float from = by->least, to = out->t;
        if (!test_node(&nodes[at], by->origin, inverse, &from, &to))
            continue;
        if (nodes[at].geometry == 0xffff) {
            stack[held++] = nodes[at].link;
            stack[held++] = at + 1;
            continue;
        }
        const shape *with = look_up(nodes[at].geometry, nodes[at].link);
        meeting found;
        (*with->test)(&found, with, nodes[at].link, by);
        found.with = with;
        if (found.t > by->least && found.t < out->t) {
            found.geometry = nodes[at].geometry;
            *out = found;
        }
    }
}

/* Camera ray: one over a root, three numbers. */
void unit(float v[3]) {
    const float by = 1 / __builtin_sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] *= by;
}
