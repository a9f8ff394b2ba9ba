/* Opens a model library and finds its parameter. */
#include "tt/runtime/tt.h"
#include <dlfcn.h>
#include <stdio.h>

typedef const tt_model_desc *(*model_fn)(void);
typedef uint32_t (*count_fn)(const tt_model_desc *);

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!library) {
    fprintf(stderr, "use-model: %s\n", argc == 2 ? dlerror() : "usage: use-model LIBRARY");
    return 1;
  }
  model_fn model = (model_fn)dlsym(library, "model_model");
  count_fn entries = (count_fn)dlsym(library, "tt_entry_count");
  if (!model || !entries) {
    fprintf(stderr, "use-model: expected model_model and tt_entry_count\n");
    return 1;
  }
  printf("use-model: %u entries\n", entries(model()));
  return entries(model()) == 0;
}
