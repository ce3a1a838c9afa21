#include "CDigests.h"

#include <string.h>

#include "md5_steps.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "MD5 takes little-endian words; these kernels load them as they are"
#endif

// Indices of words in a and then b. What `hi` or `odd` chooses lies a fixed number of words further on: 2 for the
// high half of 128 bits, 4 for the next 128.
#define SHUFFLE __builtin_shufflevector

// Vectors of four words: SSE2, NEON and whatever else the compiler knows.
#define KERNEL md5_4x2
#define WIDTH 4
#define TARGET
#define ZIP32(a, b, hi) SHUFFLE(a, b, 0 + hi, 4 + hi, 1 + hi, 5 + hi)
#define ZIP64(a, b, hi) SHUFFLE(a, b, 0 + hi, 1 + hi, 4 + hi, 5 + hi)
#include "md5_kernel.h"

#if defined(__x86_64__)

#define KERNEL md5_8x2
#define WIDTH 8
#define TARGET __attribute__((target("avx2"), min_vector_width(256)))
#define ZIP32(a, b, hi) SHUFFLE(a, b, 0 + hi, 8 + hi, 1 + hi, 9 + hi, 4 + hi, 12 + hi, 5 + hi, 13 + hi)
#define ZIP64(a, b, hi) SHUFFLE(a, b, 0 + hi, 1 + hi, 8 + hi, 9 + hi, 4 + hi, 5 + hi, 12 + hi, 13 + hi)
#define EVERY128(a, b, odd) \
  SHUFFLE(a, b, 0 + odd, 1 + odd, 2 + odd, 3 + odd, 8 + odd, 9 + odd, 10 + odd, 11 + odd)
#include "md5_kernel.h"

#define KERNEL md5_16x2
#define WIDTH 16
#define TARGET __attribute__((target("avx512f"), min_vector_width(512)))
#define ZIP32(a, b, hi)                                                                                  \
  SHUFFLE(a, b, 0 + hi, 16 + hi, 1 + hi, 17 + hi, 4 + hi, 20 + hi, 5 + hi, 21 + hi, 8 + hi, 24 + hi, 9 + hi, \
          25 + hi, 12 + hi, 28 + hi, 13 + hi, 29 + hi)
#define ZIP64(a, b, hi)                                                                                  \
  SHUFFLE(a, b, 0 + hi, 1 + hi, 16 + hi, 17 + hi, 4 + hi, 5 + hi, 20 + hi, 21 + hi, 8 + hi, 9 + hi, 24 + hi, \
          25 + hi, 12 + hi, 13 + hi, 28 + hi, 29 + hi)
#define EVERY128(a, b, odd)                                                                              \
  SHUFFLE(a, b, 0 + odd, 1 + odd, 2 + odd, 3 + odd, 8 + odd, 9 + odd, 10 + odd, 11 + odd, 16 + odd,      \
          17 + odd, 18 + odd, 19 + odd, 24 + odd, 25 + odd, 26 + odd, 27 + odd)
#include "md5_kernel.h"

#endif

static const cd_md5_kernel portable = {"4x2", 8, md5_4x2};

#if defined(__x86_64__)

static const cd_md5_kernel avx2 = {"AVX2 8x2", 16, md5_8x2};
static const cd_md5_kernel avx512 = {"AVX-512 16x2", 32, md5_16x2};

// These questions take in the operating system, which must save the wider registers.
int cd_md5_kernel_count(void) {
  return 1 + !!__builtin_cpu_supports("avx2") + !!__builtin_cpu_supports("avx512f");
}

cd_md5_kernel cd_md5_kernel_at(int index) {
  if (__builtin_cpu_supports("avx512f") && index-- == 0) return avx512;
  if (__builtin_cpu_supports("avx2") && index-- == 0) return avx2;
  return portable;
}

#else

int cd_md5_kernel_count(void) { return 1; }

cd_md5_kernel cd_md5_kernel_at(int index) {
  (void)index;
  return portable;
}

#endif

void cd_md5_one(uint32_t state[4], const uint8_t *data, size_t blocks) {
  uint32_t s[1][4];
  memcpy(s[0], state, sizeof s[0]);
  for (; blocks > 0; blocks--, data += MD5_BLOCK) {
    uint32_t w[1][16], before[4];
    memcpy(w[0], data, MD5_BLOCK);
    memcpy(before, s[0], sizeof before);
    MD5_STEPS(uint32_t, MD5_ROTATE_ONE, 1, s, w)
    for (int i = 0; i < 4; i++) s[0][i] += before[i];
  }
  memcpy(state, s[0], sizeof s[0]);
}
