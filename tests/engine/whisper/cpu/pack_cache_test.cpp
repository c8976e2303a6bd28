#include "engine/whisper/cpu/pack_cache.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "tests/engine/whisper/cpu/unpacked.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace engine::cpu {
namespace {

namespace fs = std::filesystem;

// No file of this process grows beyond `bytes` while it lives.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handled_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handled_);
  }

 private:
  rlimit before_{};
  void (*handled_)(int);
};

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
  PackedWhisper load(const fs::path& cache, MatrixType type = MatrixType::int8) {
    notes_.clear();
    return load_packed(weights(), type, cache, notes_);
  }
  PackedWhisper load() { return load(cache()); }

  std::vector<fs::path> cached() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(cache())) files.push_back(entry.path());
    return files;
  }

  static void expect_same(const PackedWhisper& found, const PackedWhisper& expected) {
    ASSERT_EQ(found.type, expected.type);
    ASSERT_EQ(outputs(found.to_logits), outputs(expected.to_logits));
    const std::size_t number_bytes = found.type == MatrixType::float32 ? 4
                                     : found.type == MatrixType::int8  ? 1
                                                                       : 2;
    const auto bytes = static_cast<std::size_t>(outputs(found.to_logits)) *
                       static_cast<std::size_t>(found.dims.n_text_state) * number_bytes;
    EXPECT_EQ(std::memcmp(place_of(found.to_logits), place_of(expected.to_logits), bytes), 0);
    EXPECT_EQ(bias_of(found.encoder[0].attention.qkv, 5),
              bias_of(expected.encoder[0].attention.qkv, 5));
    EXPECT_EQ(found.encoder.size(), expected.encoder.size());
  }

  fs::path folder_;
  std::vector<std::string> notes_;
};

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(PackCache, TheSecondLoadMapsWhatTheFirstHasWritten) {
  expect_same(load(), pack_whisper(weights(), MatrixType::int8));
  ASSERT_EQ(cached().size(), 1U);
  const auto written = fs::last_write_time(cached()[0]);
  expect_same(load(), pack_whisper(weights(), MatrixType::int8));
  EXPECT_EQ(fs::last_write_time(cached()[0]), written);
}

TEST_F(PackCache, EveryTypeHasAFileOfItsOwn) {
  for (const MatrixType type :
       {MatrixType::float32, MatrixType::float16, MatrixType::bfloat16, MatrixType::int8}) {
    expect_same(load(cache(), type), pack_whisper(weights(), type));
  }
  EXPECT_EQ(cached().size(), 4U);
  expect_same(load(cache(), MatrixType::float32), pack_whisper(weights(), MatrixType::float32));
  EXPECT_EQ(cached().size(), 4U);
}

TEST_F(PackCache, AChangedModelIsPackedAnewAndItsOldFileGoes) {
  load();
  const fs::path before = cached().at(0);
  auto tensors = toy::tensors();
  for (float& value : tensors.at("decoder.token_embedding.weight").values) value = -value;
  write_model(tensors);
  fs::last_write_time(model(), fs::last_write_time(model()) + std::chrono::seconds(5));
  expect_same(load(), pack_whisper(weights(), MatrixType::int8));
  ASSERT_EQ(cached().size(), 1U);
  EXPECT_NE(cached()[0], before);
}

TEST_F(PackCache, ADamagedFileIsReplaced) {
  load();
  fs::resize_file(cached().at(0), 5000);
  expect_same(load(), pack_whisper(weights(), MatrixType::int8));
  EXPECT_GT(fs::file_size(cached().at(0)), 5000U);
}

// The damage is that of a page that was half written, a failing disk or another program.
TEST_F(PackCache, AFlippedBitAnywhereIsNoticedAndSaid) {
  load();
  EXPECT_TRUE(notes_.empty());
  const fs::path file = cached().at(0);
  const std::string whole = read_file(file);
  std::vector<std::size_t> places{0, 20, 4087, 4088, 4095, 4096, whole.size() - 1};
  for (std::size_t at = 4097; at < whole.size(); at += whole.size() / 61) places.push_back(at);
  for (const std::size_t at : places) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ (1 << at % 8));
    std::ofstream(file, std::ios::binary) << broken;
    expect_same(load(), pack_whisper(weights(), MatrixType::int8));
    ASSERT_EQ(notes_.size(), 1U) << at;
    EXPECT_NE(notes_[0].find("was damaged; it is made again"), std::string::npos);
    ASSERT_EQ(cached(), std::vector{file});
    EXPECT_EQ(read_file(file), whole) << at;
    load();
    EXPECT_TRUE(notes_.empty()) << at;
  }
}

TEST_F(PackCache, ADamagedFileGoesAlsoWhereNoneCanTakeItsPlace) {
  load();
  const fs::path file = cached().at(0);
  std::fstream(file, std::ios::binary | std::ios::in | std::ios::out).seekp(5000) << "damage";
  const FullDisk full(1000);
  expect_same(load(), pack_whisper(weights(), MatrixType::int8));
  EXPECT_TRUE(cached().empty());
}

TEST_F(PackCache, AFullDiskIsNoFailure) {
  fs::create_directories(cache());
  const FullDisk full(8000);
  expect_same(load(), pack_whisper(weights(), MatrixType::int8));
  EXPECT_TRUE(cached().empty());
}

// A container's image that is made anew with other weights has such files.
TEST_F(PackCache, AnotherModelOfTheSamePathSizeAndTimeHasAPackOfItsOwn) {
  const auto written = fs::last_write_time(model());
  load();
  auto tensors = toy::tensors();
  for (auto& [name, tensor] : tensors) {
    for (float& value : tensor.values) value = -value;
  }
  write_model(tensors);
  fs::last_write_time(model(), written);
  expect_same(load(), pack_whisper(weights(), MatrixType::int8));
  EXPECT_TRUE(notes_.empty());
}

TEST_F(PackCache, APackOfAnotherLayoutIsNotUsed) {
  load();
  const fs::path file = cached().at(0);
  std::string older = read_file(file);
  older[13] = '4';
  fs::remove(file);
  std::ofstream(cache() / "1.int8", std::ios::binary) << older;
  expect_same(load(), pack_whisper(weights(), MatrixType::int8));
  EXPECT_EQ(cached(), std::vector{file});
}

TEST_F(PackCache, WhatAKilledProcessHasLeftIsRemovedInTime) {
  fs::create_directories(cache());
  const fs::path old = cache() / "1.int8.aB3xyZ";
  const fs::path fresh = cache() / "2.int8.aB3xyZ";
  const fs::path others = cache() / "notes.txt";
  for (const auto& path : {old, fresh, others}) std::ofstream(path) << "x";
  for (const auto& path : {old, others}) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  load();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_TRUE(fs::exists(others));
}

TEST_F(PackCache, AWeightThatIsNoNumberIsADamagedModel) {
  for (const std::string tensor :
       {"encoder.conv1.weight", "encoder.blocks.0.attn.query.weight", "decoder.ln.weight",
        "encoder.blocks.1.mlp.0.bias", "decoder.token_embedding.weight",
        "decoder.positional_embedding", "decoder.blocks.0.cross_attn.key.weight"}) {
    for (const float broken : {std::nanf(""), -std::numeric_limits<float>::infinity()}) {
      auto tensors = toy::tensors();
      tensors.at(tensor).values.back() = broken;
      write_model(tensors);
      const Error error = toy::error_of([&] { load(); });
      EXPECT_EQ(error.code, Errc::damaged_model) << tensor;
      EXPECT_NE(error.message.find(tensor), std::string::npos) << error.message;
      EXPECT_FALSE(error.fix.empty());
      EXPECT_TRUE(cached().empty());
    }
  }
}

TEST_F(PackCache, WithoutAFolderTheModelIsPackedInMemory) {
  expect_same(load({}), pack_whisper(weights(), MatrixType::int8));
  expect_same(load("/proc/scribed"), pack_whisper(weights(), MatrixType::int8));
}

}  // namespace
}  // namespace engine::cpu
