#include "workloads/packets/calls/first_order.h"

#include "sim/base/arith.h"

#include <stdlib.h>

enum { STEP = 128, MOST_STEPS = 1 << 17, MOST_HOPS = 1 << 22 };
static const double rate_of_width = 28.1 / 32, link_of_width = 30.0 / 32;

/* A transfer under way. */
typedef struct flow {
    double left, begins;
    uint32_t first, links; /* of its way, in `way` */
} flow;

typedef struct model {
    flow *of; /* [count] */
    uint32_t count, way_count;
    uint32_t *way;     /* links of all ways: of a plane [links + ends], then the ports into it [ends] */
    double *asked;     /* [each x planes] B/cycle in this step */
    uint32_t each;     /* links and ports of a plane */
    double rate, link; /* B/cycle */
} model;

static void add_flow(model *m, const fs_spots *spots, const fs_spots_transfer *t, double *through) {
    const fs_noc_graph *g = fs_spots_graph(spots, t->plane);
    const uint32_t links = g->links + g->ends;
    m->of = fs_grow(m->of, m->count, sizeof *m->of);
    flow *f = &m->of[m->count++];
    *f = (flow){.left = (double)t->bytes, .begins = (double)t->begins, .first = m->way_count};
    fs_spots_way(spots, t, through);
    for (uint32_t l = 0; l < links; l++)
        if (through[l] > 0) {
            m->way = fs_grow(m->way, m->way_count, sizeof *m->way);
            m->way[m->way_count++] = t->plane * m->each + l;
            through[l] = 0;
        }
    m->way = fs_grow(m->way, m->way_count, sizeof *m->way);
    m->way[m->way_count++] = t->plane * m->each + links + t->from;
    f->links = m->way_count - f->first;
}

static bool is_port(const model *m, const fs_noc_graph *g, uint32_t link) {
    return link % m->each >= g->links;
}

/* One step; the end of the last transfer that ended in it, or 0. */
static double step(model *m, const fs_noc_graph *g, double now, uint32_t *live) {
    double end = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < m->count; i++) {
            flow *f = &m->of[i];
            const double from = fmax(now, f->begins), time = now + STEP - from;
            if (!(f->left > 0) || !(time > 0))
                continue;
            double part = 1;
            for (uint32_t k = f->first; k < f->first + f->links; k++) {
                if (pass == 0)
                    m->asked[m->way[k]] += m->rate * time / STEP;
                else
                    part = fmin(part, (is_port(m, g, m->way[k]) ? m->rate : m->link) / m->asked[m->way[k]]);
            }
            if (pass == 0)
                continue;
            const double moved = m->rate * part * time;
            end = moved >= f->left ? fmax(end, from + f->left / (m->rate * part)) : end;
            f->left -= fmin(f->left, moved);
            *live -= !(f->left > 0);
        }
    for (uint32_t k = 0; k < m->way_count; k++)
        m->asked[m->way[k]] = 0;
    return end;
}

double fs_estimate_first_order(const fs_spots *spots, uint32_t width) {
    uint32_t count = 0, live;
    const fs_spots_transfer *t = fs_spots_transfers(spots, &count);
    if (t == NULL || count == 0)
        return NAN;
    const fs_noc_graph *g = fs_spots_graph(spots, 0);
    model m = {.each = g->links + 2 * g->ends, .rate = rate_of_width * width, .link = link_of_width * width};
    double *through = fs_calloc((size_t)g->links + g->ends, sizeof *through), end = 0, first = INFINITY;
    uint32_t planes = 1;
    for (uint32_t i = 0; i < count && m.way_count < MOST_HOPS; i++) {
        add_flow(&m, spots, &t[i], through);
        planes = (uint32_t)fs_most(planes, t[i].plane + (uint64_t)1);
        first = fmin(first, (double)t[i].begins);
    }
    m.asked = fs_calloc((size_t)m.each * planes, sizeof *m.asked);
    live = m.count;
    uint64_t steps = 0;
    for (double now = floor(first / STEP) * STEP; live > 0 && m.count == count && steps < MOST_STEPS;
         steps++) {
        const double done = step(&m, g, now, &live);
        end = done > 0 ? done : end;
        now += STEP;
    }
    free(m.of);
    free(m.way);
    free(m.asked);
    free(through);
    return live == 0 && m.count == count ? end - first : (double)NAN;
}
