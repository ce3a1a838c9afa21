// One kernel of two interleaved groups of vectors. Included once for every vector width, with these defined:
//
//   KERNEL        name of the function
//   WIDTH         words in a vector
//   TARGET        attribute that turns the instruction set on for this function
//   ZIP32(a, b, hi)   within every 128 bits, the low words (hi 0) or high words (hi 2) of a and b in turn
//   ZIP64(a, b, hi)   the same for pairs of words
//   EVERY128(a, b, odd)   the even (odd 0) or odd (odd 4) 128-bit pieces of a, then those of b; not where WIDTH is 4

#define NAMED(name, kernel) NAMED_(name, kernel)
#define NAMED_(name, kernel) name##_##kernel
#define WORDS NAMED(words, KERNEL)
#define UNALIGNED NAMED(unaligned, KERNEL)
#define TRANSPOSE NAMED(transpose, KERNEL)

typedef uint32_t WORDS __attribute__((vector_size(4 * WIDTH)));
typedef uint32_t UNALIGNED __attribute__((vector_size(4 * WIDTH), aligned(1), may_alias));

// Loads WIDTH words from each of WIDTH messages and turns rows into columns: columns[i] has word i of each message.
TARGET static inline void TRANSPOSE(const uint8_t *const *rows, size_t offset, WORDS *columns) {
  WORDS quads[WIDTH];
  // 4 by 4 within every 128 bits: quads[r + k], r a multiple of 4, has word 4 p + k of rows r to r + 3 in piece p.
  for (int r = 0; r < WIDTH; r += 4) {
    WORDS row[4], pairs[4];
    for (int i = 0; i < 4; i++) row[i] = *(const UNALIGNED *)(rows[r + i] + offset);
    pairs[0] = ZIP32(row[0], row[1], 0), pairs[1] = ZIP32(row[0], row[1], 2);
    pairs[2] = ZIP32(row[2], row[3], 0), pairs[3] = ZIP32(row[2], row[3], 2);
    quads[r + 0] = ZIP64(pairs[0], pairs[2], 0), quads[r + 1] = ZIP64(pairs[0], pairs[2], 2);
    quads[r + 2] = ZIP64(pairs[1], pairs[3], 0), quads[r + 3] = ZIP64(pairs[1], pairs[3], 2);
  }
  // Then the 128-bit pieces as the elements of a matrix of WIDTH / 4 by WIDTH / 4.
  for (int k = 0; k < 4; k++) {
#if WIDTH == 4
    columns[k] = quads[k];
#elif WIDTH == 8
    columns[k] = EVERY128(quads[k], quads[4 + k], 0);
    columns[4 + k] = EVERY128(quads[k], quads[4 + k], 4);
#else
    WORDS even01 = EVERY128(quads[k], quads[4 + k], 0), odd01 = EVERY128(quads[k], quads[4 + k], 4);
    WORDS even23 = EVERY128(quads[8 + k], quads[12 + k], 0), odd23 = EVERY128(quads[8 + k], quads[12 + k], 4);
    columns[k] = EVERY128(even01, even23, 0);
    columns[4 + k] = EVERY128(odd01, odd23, 0);
    columns[8 + k] = EVERY128(even01, even23, 4);
    columns[12 + k] = EVERY128(odd01, odd23, 4);
#endif
  }
}

TARGET static void KERNEL(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
  WORDS s[2][4];
  for (int g = 0; g < 2; g++)
    for (int i = 0; i < 4; i++) s[g][i] = *(const UNALIGNED *)(state + (2 * i + g) * WIDTH);

  for (size_t offset = 0; offset < blocks * MD5_BLOCK; offset += MD5_BLOCK) {
    WORDS w[2][16], before[2][4];
    _Pragma("clang loop unroll(full)") for (int g = 0; g < 2; g++) {
      for (int i = 0; i < 16; i += WIDTH) TRANSPOSE(lanes + g * WIDTH, offset + 4 * i, w[g] + i);
      for (int i = 0; i < 4; i++) before[g][i] = s[g][i];
    }
    MD5_STEPS(WORDS, MD5_ROTATE, 2, s, w)
    for (int g = 0; g < 2; g++)
      for (int i = 0; i < 4; i++) s[g][i] += before[g][i];
  }

  for (int g = 0; g < 2; g++)
    for (int i = 0; i < 4; i++) *(UNALIGNED *)(state + (2 * i + g) * WIDTH) = s[g][i];
}

#undef NAMED
#undef NAMED_
#undef WORDS
#undef UNALIGNED
#undef TRANSPOSE
#undef KERNEL
#undef WIDTH
#undef TARGET
#undef ZIP32
#undef ZIP64
#undef EVERY128
