/* Image quality against closed forms and against sums written out naively; the depth picture's order. */
#include "sim/base/rng.h"
#include "tests/support/test.h"
#include "workloads/image/image.h"

#include <omp.h>

static const uint64_t seed = 20260205;

enum { W = 37, H = 23, PIXELS = W * H };

static void draw(fs_rng *rng, uint8_t *image, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        image[i] = (uint8_t)fs_rng_below(rng, 256);
}

TEST(colours_round_and_clamp) {
    assert_int_equal(fs_colour8(0.0f), 0);
    assert_int_equal(fs_colour8(-1.0f), 0);
    assert_int_equal(fs_colour8(NAN), 0);
    assert_int_equal(fs_colour8(1.0f), 255);
    assert_int_equal(fs_colour8(7.0f), 255);
    for (int i = 0; i < 256; i++)
        assert_int_equal(fs_colour8((float)i / 255.0f), i);
    assert_int_equal(fs_colour8(0.49f / 255.0f), 0);
    assert_int_equal(fs_colour8(0.51f / 255.0f), 1);
}

TEST(psnr_of_a_constant_difference) {
    uint8_t a[3 * PIXELS], b[3 * PIXELS];
    float fa[3 * PIXELS], fb[3 * PIXELS];
    for (int d = 1; d <= 100; d++) {
        for (int i = 0; i < 3 * PIXELS; i++) {
            a[i] = (uint8_t)(i % 100);
            b[i] = (uint8_t)(a[i] + d);
            fa[i] = 0.25f;
            fb[i] = 0.25f + (float)d / 256.0f;
        }
        assert_true(fabs(fs_psnr_rgb8(a, b, PIXELS) - 20.0 * log10(255.0 / d)) < 1e-12);
        assert_true(fabs(fs_psnr_float(fa, fb, PIXELS) - 20.0 * log10(256.0 / d)) < 1e-12);
    }
    assert_true(isinf(fs_psnr_rgb8(a, a, PIXELS)) && isinf(fs_psnr_float(fa, fa, PIXELS)));
    memcpy(b, a, sizeof a);
    b[5] ^= 1; /* one unit in one of n samples */
    assert_true(fabs(fs_psnr_rgb8(a, b, PIXELS) - 10.0 * log10(255.0 * 255.0 * 3 * PIXELS)) < 1e-12);
}

static double grey(const uint8_t *image, int x, int y) {
    const uint8_t *p = image + 3 * (y * W + x);
    return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
}

/* One window by its definition: weighted means, then weighted squares of the differences from them. */
static double window_ssim(const uint8_t *a, const uint8_t *b, int x0, int y0) {
    double weight[11][11], sum = 0, ma = 0, mb = 0, va = 0, vb = 0, vab = 0;
    for (int y = 0; y < 11; y++)
        for (int x = 0; x < 11; x++)
            sum += weight[y][x] = exp(-((x - 5) * (x - 5) + (y - 5) * (y - 5)) / 4.5);
    for (int y = 0; y < 11; y++)
        for (int x = 0; x < 11; x++) {
            ma += weight[y][x] / sum * grey(a, x0 + x, y0 + y);
            mb += weight[y][x] / sum * grey(b, x0 + x, y0 + y);
        }
    for (int y = 0; y < 11; y++)
        for (int x = 0; x < 11; x++) {
            double da = grey(a, x0 + x, y0 + y) - ma, db = grey(b, x0 + x, y0 + y) - mb,
                   w = weight[y][x] / sum;
            va += w * da * da;
            vb += w * db * db;
            vab += w * da * db;
        }
    double c1 = 6.5025, c2 = 58.5225;
    return (2 * ma * mb + c1) * (2 * vab + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
}

TEST(ssim_by_its_definition) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "ssim");
    uint8_t a[3 * PIXELS], b[3 * PIXELS];
    for (int n = 0; n < 5; n++) {
        draw(&rng, a, sizeof a);
        draw(&rng, b, sizeof b);
        for (int i = 0; i < 3 * PIXELS && n > 0; i++) /* from no likeness to near equality */
            b[i] = (uint8_t)(a[i] + ((int)b[i] - a[i]) / (1 << (2 * n)));
        double sum = 0;
        for (int y = 0; y + 11 <= H; y++)
            for (int x = 0; x + 11 <= W; x++)
                sum += window_ssim(a, b, x, y);
        double expected = sum / ((H - 10) * (W - 10)), found = fs_ssim_rgb8(a, b, W, H);
        assert_true(fabs(found - expected) < 1e-10);
        assert_true(found == fs_ssim_rgb8(b, a, W, H));
        assert_true(fs_ssim_rgb8(a, a, W, H) == 1.0);
        omp_set_num_threads(1);
        assert_true(found == fs_ssim_rgb8(a, b, W, H));
        omp_set_num_threads(4);
        assert_true(found == fs_ssim_rgb8(a, b, W, H));
    }
}

TEST(ssim_of_flat_images) {
    uint8_t a[3 * PIXELS], b[3 * PIXELS];
    memset(a, 100, sizeof a);
    memset(b, 130, sizeof b);
    double expected = (2.0 * 100 * 130 + 6.5025) / (100.0 * 100 + 130.0 * 130 + 6.5025);
    assert_true(fabs(fs_ssim_rgb8(a, b, W, H) - expected) < 1e-9);
    assert_true(fabs(fs_ssim_rgb8(a, b, 4, 3) - expected) < 1e-9); /* smaller than the window */
    assert_true(fs_ssim_rgb8(a, a, 1, 1) == 1.0);
}

TEST(near_is_bright_and_never_is_black) {
    float depth[1000];
    uint16_t out[1000];
    float near, far;
    for (int i = 0; i < 1000; i++)
        depth[i] = i < 200 ? 0.0f : (float)i; /* 200 ... 999: 800 depths */
    fs_depth_grey16(depth, 100, 10, out, &near, &far);
    assert_true(near == 207.0f && far == 992.0f); /* ranks 7 and 792 of 0 ... 799 */
    for (int i = 0; i < 1000; i++) {
        assert_true(i < 200 ? out[i] == 0 : out[i] >= 6553);
        assert_true(i <= 200 || out[i] <= out[i - 1]);
    }
    assert_int_equal(out[207], 65535);
    assert_int_equal(out[992], 6553);
    for (int i = 0; i < 1000; i++)
        depth[i] = 0.0f;
    fs_depth_grey16(depth, 100, 10, out, &near, &far);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(out[i], 0);
    depth[17] = 3.0f;
    fs_depth_grey16(depth, 100, 10, out, &near, &far);
    assert_true(out[17] == 65535 && near == 3.0f && far == 3.0f);
}

RUN_TESTS(NULL, NULL)
