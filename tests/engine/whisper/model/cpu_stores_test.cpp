#include "engine/whisper/model/cpu_stores.h"

#include <gtest/gtest.h>

#include <utility>

#include "engine/whisper/cpu/window_rows.h"

namespace engine {
namespace {

using cpu::MatrixType;
using kernels::KvFormat;

const ModelDims base_sizes{.n_audio_ctx = 1500,
                           .n_audio_state = 512,
                           .n_audio_head = 8,
                           .n_audio_layer = 6,
                           .n_text_ctx = 448,
                           .n_text_state = 512,
                           .n_text_head = 8,
                           .n_text_layer = 6};

// Returns the capacity for a window with this number of frames of audio.
int capacity_for(int frames) {
  return window_capacity(base_sizes, cpu::WindowRows(base_sizes.n_audio_ctx, frames).count());
}

TEST(CpuStores, AHistoryHasACapacityOfAboutItsTokens) {
  EXPECT_EQ(history_capacity(base_sizes, 1), 64);
  EXPECT_EQ(history_capacity(base_sizes, 64), 64);
  EXPECT_EQ(history_capacity(base_sizes, 65), 128);
  EXPECT_EQ(history_capacity(base_sizes, 448), 448) << "at most the context";
}

TEST(CpuStores, AShortWindowHasACapacityOfAboutItsRows) {
  EXPECT_EQ(capacity_for(100), 256) << "225 rows";
  EXPECT_EQ(capacity_for(500), 512) << "413 rows";
  EXPECT_EQ(capacity_for(520), capacity_for(500)) << "stores are used again";
  EXPECT_EQ(capacity_for(1500), 896) << "881 rows";
  EXPECT_EQ(capacity_for(3000), 1500) << "at most that of all positions";
}

TEST(CpuStores, AStoreHasTheCapacityThatIsTaken) {
  cpu::KvPool pool = window_pool(base_sizes, MatrixType::int8);
  EXPECT_EQ(pool.take(capacity_for(500))->capacity(), 512);
}

TEST(CpuStores, WindowsAreInInt8OnlyIfTheModelIs) {
  const auto formats = [](MatrixType type) {
    return std::pair{window_pool(base_sizes, type).take(16)->format(),
                     history_pool(base_sizes, type).take(16)->format()};
  };
  EXPECT_EQ(formats(MatrixType::int8), std::pair(KvFormat::int8, KvFormat::bfloat16));
  EXPECT_EQ(formats(MatrixType::bfloat16), std::pair(KvFormat::bfloat16, KvFormat::bfloat16));
  EXPECT_EQ(formats(MatrixType::float32), std::pair(KvFormat::float32, KvFormat::float32));
  EXPECT_EQ(formats(MatrixType::float16), std::pair(KvFormat::float32, KvFormat::float32));
  EXPECT_EQ(history_value_bytes(MatrixType::int8), 2);
  EXPECT_EQ(history_value_bytes(MatrixType::float16), 4);
}

}  // namespace
}  // namespace engine
