// MD5 of many messages at a time, one message in each lane of the CPU's vectors.
//
// A single MD5 is a chain of dependent steps and can't be made faster; independent messages can go side by side.
// Padding and reading are the caller's: these functions only take whole blocks of 64 bytes.
#ifndef CDIGESTS_H
#define CDIGESTS_H

#include <stddef.h>
#include <stdint.h>

// Advances every lane of a kernel by `blocks` blocks. `state` is [4][lanes]: word A of all lanes, then B, C, D.
// Each of the `lanes` pointers is readable for blocks * 64 bytes and needs no alignment; pointers may be equal.
typedef void (*cd_md5_blocks)(uint32_t *state, const uint8_t *const *lanes, size_t blocks);

typedef struct {
  const char *name;
  int lanes;
  cd_md5_blocks blocks;
} cd_md5_kernel;

// The kernels that this CPU can run, fastest first; at least one.
int cd_md5_kernel_count(void);

// `index` is from 0 to the count, exclusive.
cd_md5_kernel cd_md5_kernel_at(int index);

// Advances one message by `blocks` blocks, without vectors: faster than a kernel that has one lane in use.
void cd_md5_one(uint32_t state[4], const uint8_t *data, size_t blocks);

#endif
