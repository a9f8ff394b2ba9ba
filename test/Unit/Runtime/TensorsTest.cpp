#include "Bound.h"

using namespace tt::runtime::test;

static tt_tensor_info emptyInfo() {
  tt_tensor_info info = {};
  info.struct_size = sizeof(info);
  return info;
}

TEST(Tensors, Tables) {
  EXPECT_EQ(tt_tensor_count(tiny_model(), 0), 2u);
  EXPECT_EQ(tt_tensor_count(tiny_model(), 1), 3u);
  EXPECT_EQ(tt_tensor_count(tiny_model(), 2), 0u);
  tt_tensor_info info = emptyInfo();
  ASSERT_EQ(tt_tensor_at(tiny_model(), 0, TINY_W, &info), TT_OK);
  EXPECT_STREQ(info.name, "w");
  EXPECT_EQ(info.dtype, TT_F32);
  EXPECT_EQ(info.rank, 2u);
  EXPECT_EQ(info.shape[0], TINY_VOCABULARY);
  EXPECT_EQ(info.shape[1], TINY_WIDTH);
  EXPECT_EQ(info.bytes, 4u * TINY_VOCABULARY * TINY_WIDTH);
  EXPECT_EQ(info.index_limit, 0);
  ASSERT_EQ(tt_tensor_at(tiny_model(), 1, TINY_STEP, &info), TT_OK);
  EXPECT_STREQ(info.name, "step");
  uint32_t index = 99;
  EXPECT_EQ(tt_param_find(tiny_model(), "b", &index), TT_OK);
  EXPECT_EQ(index, uint32_t(TINY_B));
  EXPECT_STATUS(tt_param_find(tiny_model(), "c", &index), TT_ERR_ARGUMENT,
                "'c'");
}

TEST(Tensors, Entries) {
  EXPECT_EQ(tt_entry_count(tiny_model()), 2u);
  EXPECT_STREQ(tt_entry_name(tiny_model(), TINY_TRAIN_STEP), "train_step");
  EXPECT_EQ(tt_entry_name(tiny_model(), 2), nullptr);
  uint32_t entry = 99;
  EXPECT_EQ(tt_entry_find(tiny_model(), "logits", &entry), TT_OK);
  EXPECT_EQ(entry, uint32_t(TINY_LOGITS));
  EXPECT_STATUS(tt_entry_find(tiny_model(), "eval", &entry), TT_ERR_ARGUMENT,
                "'eval'");
  EXPECT_EQ(tt_entry_input_count(tiny_model(), TINY_LOGITS), 3u);
  EXPECT_EQ(tt_entry_output_count(tiny_model(), TINY_LOGITS), 2u);
  EXPECT_EQ(tt_entry_input_count(tiny_model(), 2), 0u);
  tt_tensor_info info = emptyInfo();
  ASSERT_EQ(tt_entry_input(tiny_model(), TINY_LOGITS, 0, &info), TT_OK);
  EXPECT_STREQ(info.name, "ids");
  EXPECT_EQ(info.index_limit, TINY_VOCABULARY);
  EXPECT_EQ(info.index_ignore, TINY_IGNORE);
  ASSERT_EQ(tt_entry_output(tiny_model(), TINY_LOGITS, 1, &info), TT_OK);
  EXPECT_STREQ(info.name, "level");
  EXPECT_EQ(info.rank, 0u);
}

TEST(Tensors, Misuse) {
  tt_tensor_info info = emptyInfo();
  uint32_t number;
  EXPECT_EQ(tt_tensor_count(nullptr, 0), 0u);
  EXPECT_EQ(tt_entry_count(nullptr), 0u);
  EXPECT_EQ(tt_entry_name(nullptr, 0), nullptr);
  EXPECT_EQ(tt_entry_output_count(nullptr, 0), 0u);
  EXPECT_STATUS(tt_tensor_at(nullptr, 0, 0, &info), TT_ERR_ARGUMENT, "model");
  EXPECT_STATUS(tt_tensor_at(tiny_model(), 2, 0, &info), TT_ERR_ARGUMENT,
                "kind");
  EXPECT_STATUS(tt_tensor_at(tiny_model(), 0, 2, &info), TT_ERR_ARGUMENT,
                "below 2");
  EXPECT_STATUS(tt_tensor_at(tiny_model(), 0, 0, nullptr), TT_ERR_ARGUMENT,
                "NULL");
  EXPECT_STATUS(tt_entry_input(tiny_model(), 2, 0, &info), TT_ERR_ARGUMENT,
                "entry below 2");
  EXPECT_STATUS(tt_entry_output(tiny_model(), 2, 0, &info), TT_ERR_ARGUMENT,
                "entry below 2");
  EXPECT_STATUS(tt_entry_input(nullptr, 0, 0, &info), TT_ERR_ARGUMENT, "model");
  EXPECT_STATUS(tt_entry_output(nullptr, 0, 0, &info), TT_ERR_ARGUMENT,
                "model");
  EXPECT_STATUS(tt_entry_input(tiny_model(), 0, 3, &info), TT_ERR_ARGUMENT,
                "input below 3");
  EXPECT_STATUS(tt_entry_output(tiny_model(), 0, 2, &info), TT_ERR_ARGUMENT,
                "output below 2");
  EXPECT_STATUS(tt_param_find(nullptr, "w", &number), TT_ERR_ARGUMENT, "model");
  EXPECT_STATUS(tt_param_find(tiny_model(), nullptr, &number), TT_ERR_ARGUMENT,
                "NULL");
  EXPECT_STATUS(tt_param_find(tiny_model(), "w", nullptr), TT_ERR_ARGUMENT,
                "NULL");
  EXPECT_STATUS(tt_entry_find(nullptr, "w", &number), TT_ERR_ARGUMENT, "model");
  EXPECT_STATUS(tt_entry_find(tiny_model(), nullptr, &number), TT_ERR_ARGUMENT,
                "NULL");
  EXPECT_STATUS(tt_entry_find(tiny_model(), "w", nullptr), TT_ERR_ARGUMENT,
                "NULL");
  for (int delta : {-1, 1}) {
    info.struct_size = sizeof(info) + delta;
    EXPECT_STATUS(tt_tensor_at(tiny_model(), 0, 0, &info), TT_ERR_ARGUMENT,
                  "tt_tensor_info");
  }
}

TEST(Tensors, GetAndSet) {
  Bound bound(1);
  std::vector<float> w(TINY_VOCABULARY * TINY_WIDTH), back(w.size());
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = float(i) * 0.25f;
  uint64_t bytes = w.size() * sizeof(float);
  ASSERT_EQ(tt_param_set(bound.handle, TINY_W, w.data(), bytes), TT_OK);
  ASSERT_EQ(tt_param_get(bound.handle, TINY_W, back.data(), bytes), TT_OK);
  EXPECT_EQ(w, back);
  int64_t step = 12, stepBack = 0;
  ASSERT_EQ(tt_state_set(bound.handle, TINY_STEP, &step, 8), TT_OK);
  ASSERT_EQ(tt_state_get(bound.handle, TINY_STEP, &stepBack, 8), TT_OK);
  EXPECT_EQ(stepBack, 12);
}

TEST(Tensors, GetAndSetMisuse) {
  Bound bound(1);
  char buffer[4096] = {};
  const uint64_t bytes = 4 * TINY_VOCABULARY * TINY_WIDTH;
  for (uint64_t wrong : {uint64_t(0), bytes - 1, bytes + 1, ~uint64_t(0)}) {
    EXPECT_STATUS(tt_param_get(bound.handle, TINY_W, buffer, wrong),
                  TT_ERR_ARGUMENT, "1184 bytes", "'w'");
    EXPECT_STATUS(tt_param_set(bound.handle, TINY_W, buffer, wrong),
                  TT_ERR_ARGUMENT, "1184 bytes", "'w'");
    EXPECT_STATUS(tt_state_get(bound.handle, TINY_M, buffer, wrong),
                  TT_ERR_ARGUMENT, "1184 bytes", "'sgd.m.w'");
    EXPECT_STATUS(tt_state_set(bound.handle, TINY_M, buffer, wrong),
                  TT_ERR_ARGUMENT, "1184 bytes", "'sgd.m.w'");
  }
  EXPECT_STATUS(tt_param_get(bound.handle, 2, buffer, 10), TT_ERR_ARGUMENT,
                "below 2");
  EXPECT_STATUS(tt_param_set(bound.handle, TINY_B, nullptr, 10),
                TT_ERR_ARGUMENT, "NULL");
  EXPECT_STATUS(tt_state_get(nullptr, 0, buffer, 10), TT_ERR_ARGUMENT, "NULL");
  EXPECT_STATUS(
      tt_state_set(reinterpret_cast<tt_instance *>(buffer + 1), 0, buffer, 10),
      TT_ERR_ARGUMENT, "multiple of 64");
}

TEST(Tensors, WorkerTasksMisuse) {
  Bound bound(2);
  uint64_t tasks[3];
  EXPECT_STATUS(tt_worker_tasks(bound.handle, nullptr, 2), TT_ERR_ARGUMENT,
                "NULL");
  EXPECT_STATUS(tt_worker_tasks(bound.handle, tasks, 1), TT_ERR_ARGUMENT, "2");
  EXPECT_STATUS(tt_worker_tasks(bound.handle, tasks, 3), TT_ERR_ARGUMENT, "2");
  EXPECT_STATUS(tt_worker_tasks(nullptr, tasks, 2), TT_ERR_ARGUMENT, "NULL");
}
