#include "Bound.h"

#include <functional>

using namespace tt::runtime::test;

namespace {

/// A copy of the tiny model whose rows a test can damage.
struct Damaged {
  Damaged()
      : model(*tiny_model()),
        kernels(model.kernels, model.kernels + model.num_kernels),
        parameters(model.parameters, model.parameters + model.num_parameters),
        states(model.states, model.states + model.num_states),
        entries(model.entries, model.entries + model.num_entries),
        inputs(entries[0].inputs, entries[0].inputs + 3),
        outputs(entries[0].outputs, entries[0].outputs + 2),
        operands(entries[0].operands, entries[0].operands + 7),
        launches(entries[0].launches, entries[0].launches + 3),
        phases(kernels[1].phases, kernels[1].phases + 3) {
    kernels[1].phases = phases.data();
    entries[0].inputs = inputs.data();
    entries[0].outputs = outputs.data();
    entries[0].operands = operands.data();
    entries[0].launches = launches.data();
    model.kernels = kernels.data();
    model.parameters = parameters.data();
    model.states = states.data();
    model.entries = entries.data();
  }

  tt_model_desc model;
  std::vector<tt_kernel_row> kernels;
  std::vector<tt_tensor_row> parameters, states;
  std::vector<tt_entry_row> entries;
  std::vector<tt_tensor_row> inputs, outputs;
  std::vector<tt_operand_row> operands;
  std::vector<tt_launch_row> launches;
  std::vector<tt_phase_row> phases;
};

struct BindArguments {
  const tt_model_desc *model = tiny_model();
  Memory regions{tiny_model(), 2};
  tt_memory memory = regions.get();
  tt_bind_options options = regions.options;

  tt_status bind() {
    tt_instance *instance = reinterpret_cast<tt_instance *>(64);
    tt_status status = tt_model_bind(model, &memory, &options, &instance);
    EXPECT_EQ(instance != nullptr, status == TT_OK);
    tt_release(instance);
    return status;
  }
};

} // namespace

TEST(Query, SizesAddUp) {
  tt_sizes sizes = {};
  sizes.struct_size = sizeof(sizes);
  ASSERT_EQ(tt_model_query(tiny_model(), 3, &sizes), TT_OK);
  EXPECT_EQ(sizes.abi_version, TT_ABI_VERSION);
  EXPECT_EQ(sizes.threads, 3u);
  EXPECT_EQ(sizes.alignment, 64u);
  EXPECT_EQ(sizes.instance_bytes % 64, 0u);
  EXPECT_EQ(sizes.worker_bytes, 3u * 64);
  EXPECT_EQ(sizes.arena_bytes,
            sizes.io_bytes + sizes.worker_bytes + sizes.gradient_bytes +
                sizes.activation_bytes + sizes.workspace_bytes);
  ASSERT_EQ(tt_model_query(tiny_model(), 0, &sizes), TT_OK);
  EXPECT_EQ(sizes.threads, 1u);
}

TEST(Query, Misuse) {
  tt_sizes sizes = {};
  sizes.struct_size = sizeof(sizes);
  EXPECT_STATUS(tt_model_query(nullptr, 1, &sizes), TT_ERR_ARGUMENT, "NULL");
  EXPECT_STATUS(tt_model_query(tiny_model(), 1, nullptr), TT_ERR_ARGUMENT,
                "NULL");
  EXPECT_STATUS(tt_model_query(tiny_model(), 257, &sizes), TT_ERR_ARGUMENT,
                "at most 256", "got 257");
  for (size_t wrong : {size_t(0), sizeof(sizes) - 1, sizeof(sizes) + 1}) {
    sizes.struct_size = wrong;
    EXPECT_STATUS(tt_model_query(tiny_model(), 1, &sizes), TT_ERR_ARGUMENT,
                  "tt_sizes", "struct_size");
  }
}

TEST(Query, DamagedRoot) {
  using Damage = std::function<void(Damaged &)>;
  const Damage damages[] = {
      [](Damaged &d) { d.model.magic ^= 1; },
      [](Damaged &d) { d.model.abi_version = 2; },
      [](Damaged &d) { d.model.struct_size -= 1; },
      [](Damaged &d) { d.model.io_bytes += 1; },
      [](Damaged &d) { d.model.worker_bytes = 63; },
      [](Damaged &d) { d.model.worker_bytes = ~0ull << 6; },
      [](Damaged &d) { d.model.planned_bytes += 1; },
      [](Damaged &d) { d.model.gradient_bytes = ~0ull; },
      [](Damaged &d) { d.model.entries = nullptr; }};
  for (const Damage &damage : damages) {
    Damaged damaged;
    damage(damaged);
    tt_sizes sizes = {};
    sizes.struct_size = sizeof(sizes);
    EXPECT_EQ(tt_model_query(&damaged.model, 4, &sizes), TT_ERR_STATE)
        << &damage - damages;
  }
}

TEST(Bind, DefaultOptions) {
  Memory regions(tiny_model(), 1);
  tt_memory memory = regions.get();
  tt_instance *instance;
  ASSERT_EQ(tt_model_bind(tiny_model(), &memory, nullptr, &instance), TT_OK);
  tt_release(instance);
}

TEST(Bind, Nulls) {
  BindArguments a;
  tt_instance *instance = nullptr;
  EXPECT_STATUS(tt_model_bind(nullptr, &a.memory, &a.options, &instance),
                TT_ERR_ARGUMENT, "model", "NULL");
  EXPECT_STATUS(tt_model_bind(a.model, nullptr, &a.options, &instance),
                TT_ERR_ARGUMENT, "memory", "NULL");
  EXPECT_STATUS(tt_model_bind(a.model, &a.memory, &a.options, nullptr),
                TT_ERR_ARGUMENT, "NULL");
}

TEST(Bind, StructSizes) {
  for (int delta : {-1, 1}) {
    BindArguments a;
    a.memory.struct_size += delta;
    EXPECT_STATUS(a.bind(), TT_ERR_ARGUMENT, "tt_memory");
    BindArguments b;
    b.options.struct_size += delta;
    EXPECT_STATUS(b.bind(), TT_ERR_ARGUMENT, "tt_bind_options");
  }
}

TEST(Bind, Options) {
  BindArguments a;
  a.options.threads = 257;
  EXPECT_STATUS(a.bind(), TT_ERR_ARGUMENT, "at most 256");
  BindArguments b;
  b.options.isa_level = 2;
  EXPECT_STATUS(b.bind(), TT_ERR_ARGUMENT, "isa_level");
  BindArguments c;
  c.options.parallel_for_ctx = &c;
  EXPECT_STATUS(c.bind(), TT_ERR_ARGUMENT, "parallel_for");
}

TEST(Bind, OneByteLessIsRefused) {
  const std::pair<uint64_t tt_memory::*, const char *> sizes[] = {
      {&tt_memory::instance_bytes, "instance"},
      {&tt_memory::parameter_bytes, "parameter"},
      {&tt_memory::state_bytes, "state"},
      {&tt_memory::arena_bytes, "arena"}};
  for (auto [member, name] : sizes) {
    BindArguments a;
    a.memory.*member -= 1;
    EXPECT_STATUS(a.bind(), TT_ERR_MEMORY, name);
    a.memory.*member += 1;
    EXPECT_EQ(a.bind(), TT_OK);
  }
}

TEST(Bind, AlignmentNullAndOverlap) {
  const std::pair<void * tt_memory::*, const char *> starts[] = {
      {&tt_memory::instance, "instance"},
      {&tt_memory::parameters, "parameter"},
      {&tt_memory::state, "state"},
      {&tt_memory::arena, "arena"}};
  for (auto [member, name] : starts) {
    BindArguments a;
    for (int offset : {1, 8, 32}) {
      a.memory = a.regions.get();
      a.memory.*member = static_cast<char *>(a.memory.*member) + offset;
      EXPECT_STATUS(a.bind(), TT_ERR_ARGUMENT, name, "aligned");
    }
    a.memory = a.regions.get();
    a.memory.*member = nullptr;
    if (member != &tt_memory::state) {
      EXPECT_STATUS(a.bind(), TT_ERR_ARGUMENT, name, "NULL");
    }
    a.memory = a.regions.get();
    a.memory.*member = reinterpret_cast<void *>(~uintptr_t(63));
    EXPECT_STATUS(a.bind(), TT_ERR_ARGUMENT, name, "address space");
  }
  BindArguments b;
  b.memory.state = b.memory.arena;
  b.memory.state_bytes = 1 << 20;
  EXPECT_STATUS(b.bind(), TT_ERR_ARGUMENT, "state", "arena", "overlap");
}

TEST(Bind, WithoutState) {
  BindArguments a;
  a.memory.state = nullptr;
  a.memory.state_bytes = 0;
  tt_instance *instance;
  ASSERT_EQ(tt_model_bind(a.model, &a.memory, &a.options, &instance), TT_OK);
  EXPECT_EQ(tt_init(instance, 1), TT_OK);
  float x[TINY_WIDTH] = {};
  const void *inputs[] = {x};
  EXPECT_STATUS(tt_call(instance, TINY_TRAIN_STEP, inputs, nullptr),
                TT_ERR_STATE, "'train_step'", "optimizer state");
  float m[TINY_VOCABULARY * TINY_WIDTH];
  EXPECT_STATUS(tt_state_get(instance, TINY_M, m, sizeof(m)), TT_ERR_STATE,
                "sgd.m.w");
  EXPECT_STATUS(tt_save(instance, "/tmp/never", 1, nullptr, 0), TT_ERR_STATE,
                "optimizer state");
  tt_release(instance);
}

TEST(Bind, RefusedBindLeavesMemoryAlone) {
  BindArguments a;
  a.memory.arena_bytes -= 1;
  ASSERT_EQ(a.bind(), TT_ERR_MEMORY);
  for (const GuardedRegion *region :
       {a.regions.instance.get(), a.regions.parameters.get(),
        a.regions.state.get(), a.regions.arena.get()})
    for (uint64_t i = 0; i < region->bytes; ++i)
      ASSERT_EQ(static_cast<unsigned char>(region->data()[i]),
                GuardedRegion::kCanary);
}

TEST(Bind, DamagedTables) {
  using Damage = std::function<void(Damaged &)>;
  const Damage damages[] = {
      [](Damaged &d) { d.model.name = nullptr; },
      [](Damaged &d) { d.model.hash = nullptr; },
      [](Damaged &d) { d.model.kernels = nullptr; },
      [](Damaged &d) { d.model.constant_bytes = 1; },
      [](Damaged &d) { d.kernels[0].phases = nullptr; },
      [](Damaged &d) { d.kernels[1].repeat[0] = d.kernels[1].repeat[1] = -1; },
      [](Damaged &d) { d.kernels[1].worker_bytes = 65; },
      [](Damaged &d) { d.kernels[1].shared_bytes = 193; },
      [](Damaged &d) { d.phases[0].tasks[0] = d.phases[0].tasks[1] = -1; },
      [](Damaged &d) {
        d.phases[0].tasks[0] = d.phases[0].tasks[1] = TT_MAX_TASKS + 1;
      },
      [](Damaged &d) { d.phases[2].fn[0] = d.phases[2].fn[1] = nullptr; },
      [](Damaged &d) { d.launches[1].kernel = 5; },
      [](Damaged &d) { d.launches[0].first_operand = 4; },
      [](Damaged &d) { d.launches[0].first_operand = ~0u; },
      [](Damaged &d) { d.launches[1].shared_offset = 384; },
      [](Damaged &d) { d.launches[1].shared_offset = ~0ull; },
      [](Damaged &d) { d.operands[0].region = TT_REGION_COUNT; },
      [](Damaged &d) { d.operands[0].offset = 1 << 20; },
      [](Damaged &d) { d.operands[0].region = TT_REGION_STATE; },
      [](Damaged &d) { d.parameters[0].name = nullptr; },
      [](Damaged &d) { d.parameters[0].rank = TT_MAX_RANK + 1; },
      [](Damaged &d) { d.parameters[0].dtype = 8; },
      [](Damaged &d) { d.parameters[0].bytes -= 1; },
      [](Damaged &d) { d.parameters[0].shape[0] = -8; },
      [](Damaged &d) { d.parameters[0].shape[1] = 1ll << 62; },
      [](Damaged &d) { d.parameters[0].offset = 1280; },
      [](Damaged &d) { d.parameters[0].offset = ~0ull; },
      [](Damaged &d) { d.parameters[0].region = TT_REGION_ARENA; },
      [](Damaged &d) { d.parameters[0].region = 77; },
      [](Damaged &d) { d.parameters[0].init = 5; },
      [](Damaged &d) { d.parameters[0].init = TT_INIT_DATA; },
      [](Damaged &d) { d.states[1].init = TT_INIT_NORMAL; },
      [](Damaged &d) { d.states[1].region = TT_REGION_PARAMETERS; },
      [](Damaged &d) { d.entries[0].name = nullptr; },
      [](Damaged &d) { d.entries[0].inputs = nullptr; },
      [](Damaged &d) { d.entries[1].needs_state = 0; },
      [](Damaged &d) { d.inputs[0].region = TT_REGION_ARENA; },
      [](Damaged &d) { d.inputs[0].index_limit = -1; },
      [](Damaged &d) { d.inputs[2].index_limit = 4; },
      [](Damaged &d) { d.outputs[0].offset = 576; },
      [](Damaged &d) { d.outputs[1].region = TT_REGION_STATE; }};
  for (const Damage &damage : damages) {
    BindArguments a;
    Damaged damaged;
    damage(damaged);
    a.model = &damaged.model;
    EXPECT_EQ(a.bind(), TT_ERR_STATE) << &damage - damages;
  }
  BindArguments a;
  Damaged fine;
  a.model = &fine.model;
  EXPECT_EQ(a.bind(), TT_OK) << tt_last_error();
}
