// The 64 steps of RFC 1321, section 3.4, for vectors of any width: `word` is anything that adds, rotates and takes
// bitwise operators lane by lane, a plain uint32_t included.
#ifndef MD5_STEPS_H
#define MD5_STEPS_H

#include <stddef.h>
#include <stdint.h>

// Where a compiler for some other machine declines to unroll, the code is slower and just as right.
#pragma clang diagnostic ignored "-Wpass-failed"

#define MD5_BLOCK 64

static const uint32_t md5_constants[64] = {
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
  0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
  0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
  0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
  0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
  0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
  0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
  0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const uint32_t md5_shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

#define MD5_ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
// For plain words: the compiler would take the shifts above apart and add both halves, twice the latency.
#define MD5_ROTATE_ONE(x, n) __builtin_rotateleft32(x, n)

// The functions F, G, H, I of RFC 1321. G is in two halves that have no bit in common, so that they can be added: the
// first does not wait for the step before, which has just made b.
#define MD5_EARLY(round, c, d) ((round) == 1 ? (~(d) & (c)) : (c) ^ (c))
#define MD5_MIX(round, b, c, d)                 \
  ((round) == 0   ? ((d) ^ ((b) & ((c) ^ (d)))) \
   : (round) == 1 ? ((d) & (b))                 \
   : (round) == 2 ? ((b) ^ ((c) ^ (d)))         \
                  : ((c) ^ ((b) | ~(d))))

// The word of the block that a step takes.
#define MD5_WORD(step)                      \
  ((step) < 16   ? (step)                   \
   : (step) < 32 ? (5 * (step) + 1) % 16    \
   : (step) < 48 ? (3 * (step) + 5) % 16    \
                 : (7 * (step)) % 16)

// All steps on the `groups` states s[group][4] with the blocks w[group][16]. The registers change roles from step
// to step (A becomes D, D becomes C, …), hence the indices; unrolled, every index and choice is a constant.
//
// Within a step the groups do not depend on each other. One group keeps the vector units busy for about half the
// time, for each operation waits on the one before it; a second group fills those gaps and doubles the rate. A
// third would have no registers left.
#define MD5_STEPS(word, rotate, groups, s, w)                                                       \
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 64; i++) {                               \
    _Pragma("clang loop unroll(full)") for (int g = 0; g < groups; g++) {                         \
      word b = s[g][(1 - i) & 3], c = s[g][(2 - i) & 3], d = s[g][(3 - i) & 3];                   \
      word a = s[g][-i & 3] + w[g][MD5_WORD(i)] + md5_constants[i];                               \
      a += MD5_EARLY(i / 16, c, d);                                                               \
      a += MD5_MIX(i / 16, b, c, d);                                                              \
      s[g][-i & 3] = b + rotate(a, md5_shifts[i / 16][i % 4]);                                    \
    }                                                                                             \
  }

#endif
