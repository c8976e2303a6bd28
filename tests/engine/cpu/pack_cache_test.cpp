#include "engine/cpu/pack_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <vector>

#include "engine/cpu/packed_file.h"
#include "tests/engine/weights/toy_model.h"

namespace engine::cpu {
namespace {

namespace fs = std::filesystem;

class PackCache : public testing::Test {
 protected:
  PackCache() {
    std::string pattern = (fs::temp_directory_path() / "scribed-pack-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    write_model(toy::tensors());
  }
  ~PackCache() override { fs::remove_all(folder_); }

  fs::path model() const { return folder_ / "model.bin"; }
  fs::path cache() const { return folder_ / "cache"; }

  void write_model(const toy::Tensors& tensors) const {
    std::ofstream(model(), std::ios::binary)
        << toy::ctranslate2_file(toy::ctranslate2_variables(tensors));
  }
  Weights weights() const { return read_weights(model()).value(); }

  std::vector<fs::path> cached() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(cache())) files.push_back(entry.path());
    return files;
  }

  static void expect_same(const PackedWhisper& found, const PackedWhisper& expected) {
    const kernels::Int8Matrix& a = found.to_logits;
    const kernels::Int8Matrix& b = expected.to_logits;
    ASSERT_EQ(a.n_out, b.n_out);
    const auto bytes = static_cast<std::size_t>(a.n_out) * static_cast<std::size_t>(a.n_in);
    EXPECT_EQ(std::memcmp(a.weight, b.weight, bytes), 0);
    EXPECT_EQ(std::memcmp(found.first_attention.qkv.bias, expected.first_attention.qkv.bias,
                          sizeof(float) * 64),
              0);
    EXPECT_EQ(found.audio_mlp.size(), expected.audio_mlp.size());
  }

  fs::path folder_;
};

TEST_F(PackCache, TheSecondLoadMapsWhatTheFirstHasWritten) {
  expect_same(load_packed(weights(), cache()), pack_whisper(weights()));
  ASSERT_EQ(cached().size(), 1U);
  const auto written = fs::last_write_time(cached()[0]);
  expect_same(load_packed(weights(), cache()), pack_whisper(weights()));
  EXPECT_EQ(fs::last_write_time(cached()[0]), written);
}

TEST_F(PackCache, AChangedModelIsPackedAnewAndItsOldFileGoes) {
  load_packed(weights(), cache());
  const fs::path before = cached().at(0);
  auto tensors = toy::tensors();
  for (float& value : tensors.at("decoder.token_embedding.weight").values) value = -value;
  write_model(tensors);
  fs::last_write_time(model(), fs::last_write_time(model()) + std::chrono::seconds(5));
  expect_same(load_packed(weights(), cache()), pack_whisper(weights()));
  ASSERT_EQ(cached().size(), 1U);
  EXPECT_NE(cached()[0], before);
}

TEST_F(PackCache, ADamagedFileIsReplaced) {
  load_packed(weights(), cache());
  fs::resize_file(cached().at(0), 5000);
  expect_same(load_packed(weights(), cache()), pack_whisper(weights()));
  EXPECT_GT(fs::file_size(cached().at(0)), 5000U);
}

TEST_F(PackCache, WithoutAFolderTheModelIsPackedInMemory) {
  expect_same(load_packed(weights(), {}), pack_whisper(weights()));
  expect_same(load_packed(weights(), "/proc/scribed"), pack_whisper(weights()));
}

TEST_F(PackCache, APackThatFailsLeavesNoFile) {
  const fs::path file = folder_ / "x.int8";
  EXPECT_ANY_THROW(PackedFile::write(file, {}, 64, [](std::byte*) { throw 1; }));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);  // the model
}

}  // namespace
}  // namespace engine::cpu
