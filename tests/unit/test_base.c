/* The base library against independent methods: halves against rounding in double, elementary functions
 * against libm, the random streams against what random means, SHA-256 against published vectors. */
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/check.h"
#include "sim/base/detmath.h"
#include "sim/base/digest.h"
#include "sim/base/error.h"
#include "sim/base/fp16.h"
#include "sim/base/rng.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static fs_rng random_stream(const char *path) {
    const uint64_t seed = 20260101;
    print_message("seed %" PRIu64 "\n", seed);
    return fs_rng_stream(seed, path);
}

/* ---- names and lists ---- */

TEST(found_by_name) {
    typedef struct {
        double weight;
        const char *name;
    } item;
    const item list[] = {{1, "tile"}, {2, "tiles"}, {3, "tile"}}, *none = NULL;
    const char *const words[] = {"a", "b"};
    assert_int_equal(FS_PLACE(list, 3, name, "tile"), 0); /* the first of two */
    assert_int_equal(FS_PLACE(list, 3, name, "tiles"), 1);
    assert_int_equal(FS_PLACE(list, 3, name, "til"), 3);
    assert_int_equal(FS_PLACE(none, 0, name, "tile"), 0);
    assert_true(FS_HAS(list, 3, name, "tiles") && !FS_HAS(list, 1, name, "tiles"));
    assert_ptr_equal(FS_FOUND(list, 3, name, "tiles"), &list[1]);
    assert_null(FS_FOUND(list, 3, name, ""));
    assert_null(FS_FOUND(none, 0, name, "tile"));
    assert_int_equal(FS_WORD_PLACE(words, 2, "b"), 1);
    assert_int_equal(FS_WORD_PLACE(words, 2, "c"), 2);
}

TEST(joined) {
    fs_arena *arena = test_arena();
    const char *list = "";
    for (int i = 0; i < 3; i++)
        list = fs_arena_append(arena, list, ", ", "%d%%", i);
    assert_string_equal(list, "0%, 1%, 2%");
    assert_string_equal(fs_arena_append(arena, "", ", ", "%s", ""), "");
}

/* ---- halves ---- */

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The half by its definition: sign, and |x| in units of the last place of its binade, rounded by rint. */
static uint16_t half_by_double(float x) {
    if (isnan(x))
        return 0;
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double a = fabs((double)x);
    if (a >= 65520.0)
        return sign | 0x7bff;
    int exponent;
    frexp(a, &exponent); /* a in [2^(exponent-1), 2^exponent) */
    int binade = a == 0.0 || exponent - 1 < -14 ? -14 : exponent - 1;
    int units = (int)rint(ldexp(a, 10 - binade));
    return (uint16_t)(sign |
                      ((binade + 14) * 1024 + units)); /* the carry into the exponent is right by design */
}

static double value_of_half(uint16_t h) {
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    double a = exponent == 0 ? ldexp(mantissa, -24) : ldexp(1024 + mantissa, exponent - 25);
    return h & 0x8000 ? -a : a;
}

TEST(every_half) {
    for (uint32_t h = 0; h < 65536; h++) {
        float x = fs_f32_from_f16((uint16_t)h);
        if ((h & 0x7c00) == 0x7c00) { /* never stored: infinities saturate, NaN becomes 0 */
            assert_true((h & 1023) == 0 ? isinf(x) : isnan(x));
            assert_int_equal(fs_f16_from_f32(x), (h & 1023) == 0 ? (h & 0x8000) | 0x7bff : 0);
            continue;
        }
        assert_true((double)x == value_of_half((uint16_t)h) && (signbit(x) != 0) == (h >> 15 != 0));
        assert_int_equal(fs_f16_from_f32(x), h);
        assert_true(fs_f16_round(x) == x);
    }
}

/* Around each midpoint of two halves: it goes to the even one, the floats beside it to the nearer one. */
TEST(midpoints) {
    for (uint16_t h = 0; h < 0x7bff; h++) {
        float middle = (float)((value_of_half(h) + value_of_half((uint16_t)(h + 1))) / 2.0);
        uint16_t even = (uint16_t)(h + (h & 1));
        assert_int_equal(fs_f16_from_f32(middle), even);
        assert_int_equal(fs_f16_from_f32(-middle), even | 0x8000);
        assert_int_equal(fs_f16_from_f32(nextafterf(middle, 0.0f)), h);
        assert_int_equal(fs_f16_from_f32(nextafterf(middle, 1e9f)), h + 1);
    }
    assert_int_equal(fs_f16_from_f32(nextafterf(65520.0f, 0.0f)), 0x7bff);
    assert_int_equal(fs_f16_from_f32(65520.0f), 0x7bff);
    assert_int_equal(fs_f16_from_f32(-1e30f), 0xfbff);
}

TEST(random_halves) {
    fs_rng rng = random_stream("test/base/half");
    for (int i = 0; i < 5000000; i++) {
        uint64_t bits = fs_rng_u64(&rng);
        float any = float_of((uint32_t)bits); /* all exponents */
        float near = float_of((uint32_t)(bits >> 32 & 0x807fffff) | (102 + (uint32_t)bits % 42) << 23);
        if (fs_f16_from_f32(any) != half_by_double(any) || fs_f16_from_f32(near) != half_by_double(near))
            fail_msg("%a or %a", (double)any, (double)near);
    }
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) static uint16_t half_by_hardware(float x) {
    uint16_t h = (uint16_t)_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
    if (isnan(x))
        return 0;
    return (h & 0x7fff) == 0x7c00 ? (uint16_t)(h - 1) : h; /* infinity saturates */
}

__attribute__((target("f16c"))) static void compare_halves(void) {
    for (uint32_t bits = 0; bits < 0xffffffff - 211; bits += 211)
        if (fs_f16_from_f32(float_of(bits)) != half_by_hardware(float_of(bits)))
            fail_msg("%a", (double)float_of(bits));
    for (uint32_t h = 0; h < 65536; h++) {
        float ours = fs_f32_from_f16((uint16_t)h), theirs = _cvtsh_ss((unsigned short)h);
        if (!isnan(ours) || !isnan(theirs))
            assert_memory_equal(&ours, &theirs, sizeof ours);
    }
}
#endif

TEST(hardware_halves) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) { /* whatever has AVX2 has F16C */
        compare_halves();
        return;
    }
#endif
    print_message("skipped: no F16C here\n");
    skip();
}

/* ---- elementary functions ---- */

static double relative(double found, double expected) {
    return fabs(found - expected) / fabs(expected);
}

static void keep_worst(double *worst, double error) {
    if (!(error <= *worst)) /* NaN is kept too */
        *worst = error;
}

enum { TRIES = 1000000 };

TEST(exponential) {
    fs_rng rng = random_stream("test/base/exp");
    double worst = 0;
    for (int i = 0; i < TRIES; i++) {
        double wide = fs_rng_range(&rng, -700.0, 700.0), narrow = fs_rng_range(&rng, -1.0, 1.0);
        keep_worst(&worst, relative(fs_exp(wide), exp(wide)));
        keep_worst(&worst, relative(fs_exp(narrow), exp(narrow)));
    }
    for (int k = -1009; k <= 1009; k++) { /* where the reduction changes its mind */
        double edge = (k + 0.5) * 0.693147180559945309;
        double around[3] = {nextafter(edge, -1e9), edge, nextafter(edge, 1e9)};
        for (int i = 0; i < 3; i++)
            keep_worst(&worst, relative(fs_exp(around[i]), exp(around[i])));
    }
    keep_worst(&worst, relative(fs_exp(700.0), exp(700.0)));
    keep_worst(&worst, relative(fs_exp(-700.0), exp(-700.0)));
    print_message("exp: relative error up to %.2g\n", worst);
    assert_true(worst < 1e-15);
    assert_true(fs_exp(0.0) == 1.0 && fs_exp(-0.0) == 1.0 && fs_exp(-701.0) == 0.0);
    assert_true(isinf(fs_exp(701.0)) && isinf(fs_exp(INFINITY)) && fs_exp(-INFINITY) == 0.0);
    assert_true(isnan(fs_exp(NAN)));
}

TEST(logarithm) {
    fs_rng rng = random_stream("test/base/log");
    double worst = 0;
    for (int i = 0; i < TRIES; i++) {
        double wide = ldexp(fs_rng_range(&rng, 1.0, 2.0), (int)fs_rng_below(&rng, 2097) - 1074);
        double narrow = fs_rng_range(&rng, 0.5, 2.0);
        keep_worst(&worst, relative(fs_log(wide), log(wide)));
        keep_worst(&worst, fabs(fs_log(narrow) - log(narrow)) / fmin(1.0, fabs(log(narrow))));
    }
    for (int e = -1074; e <= 1023; e++)
        if (e != 0)
            keep_worst(&worst, relative(fs_log(ldexp(1.0, e)), log(ldexp(1.0, e))));
    print_message("log: relative error up to %.2g\n", worst);
    assert_true(worst < 1e-15);
    assert_true(fs_log(1.0) == 0.0);
    assert_true(fs_log(nextafter(1.0, 2.0)) > 0.0 && fs_log(nextafter(1.0, 0.0)) < 0.0);
}

TEST(circular) {
    fs_rng rng = random_stream("test/base/sin");
    double worst = 0, worst_tan = 0;
    for (int i = 0; i < TRIES + 12800; i++) {
        double x = i % 2 ? fs_rng_range(&rng, -1e4, 1e4) : fs_rng_range(&rng, -4.0, 4.0);
        if (i >= TRIES) /* multiples of a quarter turn and of an eighth */
            x = (i - TRIES - 6400) * 0.785398163397448310;
        keep_worst(&worst, fabs(fs_sin(x) - sin(x)));
        keep_worst(&worst, fabs(fs_cos(x) - cos(x)));
        if (fabs(cos(x)) > 1e-3 && fabs(sin(x)) > 1e-3)
            keep_worst(&worst_tan, relative(fs_tan(x), tan(x)));
    }
    print_message("sin, cos: absolute error up to %.2g; tan: relative error up to %.2g\n", worst, worst_tan);
    assert_true(worst < 1e-15);
    assert_true(worst_tan < 2e-15);
    assert_true(fs_sin(0.0) == 0.0 && fs_cos(0.0) == 1.0 && fs_tan(0.0) == 0.0);
    for (int i = 0; i < 1000; i++) {
        double x = fs_rng_range(&rng, 0.0, 1e4);
        assert_true(fs_sin(-x) == -fs_sin(x) && fs_cos(-x) == fs_cos(x) && fs_tan(-x) == -fs_tan(x));
    }
}

TEST(power) {
    fs_rng rng = random_stream("test/base/pow");
    double worst = 0, worst_small = 0;
    for (int i = 0; i < TRIES; i++) {
        double x = fs_exp(fs_rng_range(&rng, -25.0, 25.0)), y = fs_rng_range(&rng, -27.0, 27.0);
        double error = relative(fs_pow(x, y), pow(x, y));
        keep_worst(&worst, error);
        if (fabs(y * log(x)) < 10.0)
            keep_worst(&worst_small, error);
    }
    print_message("pow: relative error up to %.2g, for small results %.2g\n", worst, worst_small);
    assert_true(worst < 2e-13 && worst_small < 1e-14);
    assert_true(fs_pow(7.0, 0.0) == 1.0);
}

TEST(exponential_of_march) {
    double worst = 0;
    float before = 1.0f;
    for (uint32_t bits = 0x80000000; bits < 0xc2ae0000; bits += 499) { /* -0 to -87 */
        float x = float_of(bits), found = fs_expf_neg(x);
        double expected = exp((double)x);
        int exponent;
        frexp(expected, &exponent);
        keep_worst(&worst, fabs((double)found - expected) / ldexp(1.0, exponent - 24));
        assert_true(found <= before * 1.0000002f && found > 0.0f && found <= 1.0f);
        before = found;
    }
    print_message("expf: up to %.3f units in the last place\n", worst);
    assert_true(worst < 1.5);
    assert_true(fs_expf_neg(0.0f) == 1.0f && fs_expf_neg(-0.0f) == 1.0f);
    assert_true(fs_expf_neg(-87.0f) == 0.0f && fs_expf_neg(-INFINITY) == 0.0f && fs_expf_neg(NAN) == 0.0f);
}

/* ---- random streams ---- */

/* Computed from the definition with unbounded integers: a stream must not change from version to version. */
TEST(pinned_stream) {
    fs_rng rng = fs_rng_stream(42, "scene/garden/leaves");
    assert_true(fs_rng_u64(&rng) == UINT64_C(0x238c6cb82f4bd591));
    assert_true(fs_rng_u64(&rng) == UINT64_C(0xd48aa6af94730080));
    for (int i = 2; i < 999999; i++)
        fs_rng_u64(&rng);
    assert_true(fs_rng_u64(&rng) == UINT64_C(0xa52e56ba33d8903d));
    fs_rng sub = fs_rng_sub(rng, 7); /* whatever was drawn from the parent */
    assert_true(fs_rng_u64(&sub) == UINT64_C(0xf94cb83ccdf48f2e));
}

/* Two streams drawn in turns give what each gives alone, and streams of other seeds and paths differ. */
TEST(order_of_draws) {
    enum { N = 1000 };
    static uint64_t alone[2][N];
    static const char *const paths[2] = {"tile/1", "tile/2"};
    for (int s = 0; s < 2; s++) {
        fs_rng rng = fs_rng_stream(9, paths[s]);
        for (int i = 0; i < N; i++)
            alone[s][i] = fs_rng_u64(&rng);
    }
    fs_rng a = fs_rng_stream(9, paths[0]), b = fs_rng_stream(9, paths[1]), c = fs_rng_stream(10, paths[0]);
    int same = 0;
    for (int i = 0; i < N; i++) {
        assert_true(fs_rng_u64(&b) == alone[1][i]);
        assert_true(fs_rng_u64(&a) == alone[0][i]);
        same += alone[0][i] == alone[1][i] || alone[0][i] == fs_rng_u64(&c);
    }
    assert_int_equal(same, 0);
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* No value twice in a stream and its sub-streams (a chance of 1e-8 for true random numbers). */
TEST(no_repeats) {
    enum { STREAMS = 500, N = 1000 };
    uint64_t *all = test_keep(fs_malloc(STREAMS * N * sizeof *all));
    fs_rng root = fs_rng_stream(1, "test/base/repeats");
    for (uint64_t s = 0; s < STREAMS; s++) {
        fs_rng rng = s == 0 ? root : fs_rng_sub(root, s - 1);
        for (int i = 0; i < N; i++)
            all[s * N + (uint64_t)i] = fs_rng_u64(&rng);
    }
    qsort(all, STREAMS * N, sizeof *all, ascending);
    for (size_t i = 1; i < STREAMS * N; i++)
        assert_true(all[i - 1] < all[i]);
}

/* Each bit is set half of the time and differs half of the time between a stream and its sub-streams, between
 * neighbouring sub-streams, and between neighbouring seeds: within 5 standard deviations of a fair coin. */
TEST(fair_bits) {
    enum { N = 100000, PAIRS = 4 };
    static int set[PAIRS][64];
    fs_rng root = random_stream("test/base/bits");
    fs_rng pair[PAIRS][2] = {
        {root, {0, 0}},
        {root, fs_rng_sub(root, 0)},
        {fs_rng_sub(root, 5), fs_rng_sub(root, 6)},
        {fs_rng_stream(1, "same"), fs_rng_stream(2, "same")},
    };
    for (int i = 0; i < N; i++)
        for (int p = 0; p < PAIRS; p++) {
            uint64_t bits = fs_rng_u64(&pair[p][0]) ^ (p == 0 ? 0 : fs_rng_u64(&pair[p][1]));
            for (int b = 0; b < 64; b++)
                set[p][b] += (int)(bits >> b & 1);
        }
    for (int p = 0; p < PAIRS; p++)
        for (int b = 0; b < 64; b++)
            assert_true(fabs(set[p][b] - N / 2.0) < 5.0 * sqrt(N / 4.0));
}

TEST(ranges) {
    enum { N = 1000000, BINS = 7 };
    fs_rng rng = random_stream("test/base/ranges");
    double bin[BINS] = {0}, mean = 0, square = 0, lowest = 1, highest = 0;
    double normal_mean = 0, normal_square = 0, large = 0;
    for (int i = 0; i < N; i++) {
        bin[fs_rng_below(&rng, BINS)]++;
        uint32_t below =
            fs_rng_below(&rng, 3000000000u); /* of which a plain remainder makes small values likelier */
        assert_true(below < 3000000000u);
        large += below < 1500000000u;
        double u = fs_rng_unit(&rng), n = fs_rng_normal(&rng), r = fs_rng_range(&rng, -2.0, 5.0);
        assert_true(u >= 0.0 && u < 1.0 && r >= -2.0 && r < 5.0);
        lowest = fmin(lowest, u);
        highest = fmax(highest, u);
        mean += u / N;
        square += u * u / N;
        normal_mean += n / N;
        normal_square += n * n / N;
    }
    double chi = 0;
    for (int b = 0; b < BINS; b++)
        chi += (bin[b] - (double)N / BINS) * (bin[b] - (double)N / BINS) / ((double)N / BINS);
    assert_true(chi < 35.0); /* six degrees of freedom: 4e-6 */
    assert_true(fabs(large - N / 2.0) < 5.0 * sqrt(N / 4.0));
    assert_true(fabs(mean - 0.5) < 5.0 * sqrt(1.0 / 12.0 / N));
    assert_true(fabs(square - 1.0 / 3.0) < 5.0 * sqrt(4.0 / 45.0 / N));
    assert_true(lowest < 2e-5 && highest > 1.0 - 2e-5);
    assert_true(fabs(normal_mean) < 5.0 / sqrt(N) && fabs(normal_square - 1.0) < 5.0 * sqrt(2.0 / N));
    for (int i = 0; i < 100; i++)
        assert_int_equal(fs_rng_below(&rng, 1), 0);
}

/* ---- checks ---- */

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Each length from an address of each kind; every single bit and every pair of high bits of neighbouring
 * words gives another check. */
TEST(checks) {
    enum { BYTES = 200, SEEN = BYTES * 8 + BYTES };
    static unsigned char block[BYTES + 8];
    static uint64_t seen[SEEN];
    size_t n = 0;
    for (size_t i = 0; i < BYTES; i++)
        block[i] = (unsigned char)(i * 37);
    for (size_t bit = 0; bit < BYTES * 8; bit++) {
        block[bit / 8] ^= (unsigned char)(1 << bit % 8);
        seen[n++] = fs_check64(0, block, BYTES);
        block[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    for (size_t i = 0; i + 32 < BYTES; i++) { /* the same lane, one round later */
        block[i] ^= 128;
        block[i + 32] ^= 128;
        seen[n++] = fs_check64(0, block, BYTES);
        block[i] ^= 128;
        block[i + 32] ^= 128;
    }
    for (size_t bytes = BYTES - 31; bytes <= BYTES; bytes++)
        seen[n++] = fs_check64(0, block, bytes);
    const uint64_t whole = fs_check64(0, block, BYTES);
    assert_true(fs_check64(whole, block, 0) != fs_check64(0, block, 0)); /* goes on from another */
    qsort(seen, n, sizeof seen[0], by_value);
    for (size_t i = 1; i < n; i++)
        assert_true(seen[i] != seen[i - 1]);
    for (size_t shift = 1; shift < 8; shift++) {
        memmove(block + shift, block + shift - 1, BYTES);
        assert_true(fs_check64(0, block + shift, BYTES) == whole);
    }
}

/* ---- digests ---- */

TEST_IN(digests, scratch_enter, scratch_leave) {
    static const struct { /* FIPS 180-2, appendix B, and the empty message */
        const char *text, *hex;
    } vectors[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[FS_DIGEST_HEX];
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        fs_digest_memory(vectors[i].text, strlen(vectors[i].text), hex);
        assert_string_equal(hex, vectors[i].hex);
    }
    static char million[1000000]; /* the fourth vector, in pieces of growing size and as a file */
    memset(million, 'a', sizeof million);
    static const char expected[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    fs_digest d;
    fs_digest_begin(&d);
    for (size_t at = 0, piece = 0; at < sizeof million; at += piece++)
        fs_digest_add(&d, million + at, piece < sizeof million - at ? piece : sizeof million - at);
    fs_digest_end(&d, hex);
    assert_string_equal(hex, expected);
    static const char path[] = "million";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(million, 1, sizeof million, file), sizeof million);
    fclose(file);
    static fs_error err;
    err = (fs_error){0};
    assert_int_equal(fs_digest_file(path, hex, &err), FS_OK);
    assert_string_equal(hex, expected);
    unlink(path);
    assert_fails(fs_digest_file(path, hex, &err), FS_IO, &err, path);
}

/* ---- memory and errors ---- */

TEST(arena) {
    enum { BLOCKS = 3000 };
    static unsigned char *block[BLOCKS];
    static size_t bytes[BLOCKS];
    fs_rng rng = random_stream("test/base/arena");
    fs_arena *a = fs_arena_create();
    for (size_t i = 0; i < BLOCKS; i++) {
        bytes[i] = fs_rng_below(&rng, 1u << fs_rng_below(&rng, i % 100 == 0 ? 22 : 12));
        block[i] = fs_arena_alloc(a, bytes[i], 1);
        assert_int_equal((uintptr_t)block[i] % 64, 0);
        for (size_t j = 0; j < bytes[i]; j++)
            assert_int_equal(block[i][j], 0);
        memset(block[i], (int)(i % 251) + 1, bytes[i]);
    }
    for (size_t i = 0; i < BLOCKS; i++) /* no block reaches into another */
        for (size_t j = 0; j < bytes[i]; j++)
            assert_int_equal(block[i][j], i % 251 + 1);
    uint32_t *typed = FS_NEW(a, uint32_t, 3);
    assert_true(typed[0] == 0 && typed[2] == 0);
    assert_string_equal(fs_arena_strdup(a, "tile"), "tile");
    assert_string_equal(fs_arena_printf(a, "tile %d of %s", 7, "column"), "tile 7 of column");
    fs_arena_free(a);
    fs_arena_free(NULL);
}

TEST(errors) {
    static fs_error err;
    assert_int_equal(fs_fail(&err, FS_INPUT, "%s:%d: no", "a.yaml", 3), FS_INPUT);
    assert_int_equal(fs_fail(&err, FS_IO, "later"), FS_INPUT); /* the first one is kept */
    assert_int_equal(fs_fail_also(&err, FS_INPUT, "and this"), FS_INPUT);
    assert_string_equal(err.text, "a.yaml:3: no\nand this");
    static char long_text[2 * sizeof err.text];
    memset(long_text, 'x', sizeof long_text - 1);
    for (int i = 0; i < 3; i++)
        fs_fail_also(&err, FS_INPUT, "%s", long_text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    static const int expected[] = {0, 2, 1, 1, 1, 1};
    for (int s = FS_OK; s <= FS_BROKEN; s++)
        assert_int_equal(fs_exit_status((fs_status)s), expected[s]);
    assert_string_equal(fs_status_text(FS_OK), "done");
    assert_non_null(strstr(fs_status_text(FS_BROKEN), "a defect of foamsim"));
}

/* Items stay what they are, on the heap and in the arena. */
TEST(growing) {
    enum { ITEMS = 1000 };
    fs_arena *arena = test_arena();
    uint32_t *heap = NULL, *kept = NULL;
    for (uint32_t i = 0; i < ITEMS; i++) {
        heap = fs_grow(heap, i, sizeof *heap);
        kept = fs_arena_grow(arena, kept, i, sizeof *kept);
        heap[i] = kept[i] = i * i;
    }
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_true(heap[i] == i * i && kept[i] == i * i);
    free(heap);
}

RUN_TESTS(NULL, NULL)
