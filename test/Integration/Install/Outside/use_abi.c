/* The C ABI alone: misuse is answered with a status and a text. */
#include "tt/runtime/tt.h"
#include <stdio.h>

int main(void) {
  tt_sizes sizes = {.struct_size = sizeof sizes};
  if (tt_model_query(NULL, 1, &sizes) == TT_OK)
    return 1;
  printf("use-abi: %s\n", tt_last_error());
  return 0;
}
