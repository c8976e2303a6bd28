#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/engine/whisper/model/cpu_model_fixture.h"
#include "tests/engine/whisper/model/heard.h"

namespace engine {
namespace {

INSTANTIATE_TEST_SUITE_P(Types, CpuModelTest, all_matrix_types,
                         [](const auto& type) { return cpu::name(type.param); });

TEST_P(CpuModelTest, TextLongerThanABatchIsReadWholeAsItIsStepByStep) {
  const auto model = load();
  HeardDecode decode(*model, model->encode(mel()), samples(1), prompt());
  for (int i = 0; i < cpu::Decoder::max_rows + 20; ++i) step(*model, {&decode});
  expect_as_read(decode, *model, decode.window, 1e-3, "alone");
  std::vector<int> longer = prompt();
  for (const ChosenToken& token : decode.history(0)) longer.push_back(token.token);
  HeardDecode continued(*model, decode.window, samples(1), longer);
  step(*model, {&continued});
  expect_as_read(continued, *model, decode.window, 1e-3, "behind a prompt");
}

TEST_P(CpuModelTest, DecodesOfSeveralWindowsDoNotSeeEachOther) {
  const auto model = load();
  std::vector<HeardDecode> decodes;
  std::vector<HeardDecode*> together;
  decodes.reserve(3);
  for (const std::uint64_t seed : std::array<std::uint64_t, 3>{1, 2, 3}) {
    decodes.emplace_back(*model, model->encode(mel(seed)), samples(2, seed), prompt());
    together.push_back(&decodes.back());
  }
  for (int i = 0; i < 5; ++i) step(*model, together);
  for (const HeardDecode& decode : decodes) {
    expect_as_read(decode, *model, decode.window, 1e-4, "its own window");
  }
}

TEST_P(CpuModelTest, ABeamGoesOnWithTheHistoryItIsGiven) {
  const auto model = load();
  HeardDecode decode(*model, model->encode(mel()), beams(4), prompt());
  for (int i = 0; i < 20; ++i) step(*model, {&decode});
  expect_as_read(decode, *model, decode.window, 1e-4, "beams");
}

// A history has a capacity of 64 tokens at first, and of 64 more when they are used up.
TEST_P(CpuModelTest, HistoriesGrowWithTheirText) {
  const auto model = load();
  const EncodedWindow window = model->encode(mel());
  std::vector<int> longer = prompt();
  longer.resize(100, 7);
  HeardDecode decode(*model, window, beams(4), prompt());
  HeardDecode behind_a_prompt(*model, window, samples(2), longer);
  for (int i = 0; i < 130; ++i) step(*model, {&decode, &behind_a_prompt});
  expect_as_read(decode, *model, window, 1e-3, "beams");
  expect_as_read(behind_a_prompt, *model, window, 1e-3, "behind a prompt");
}

// The process may have no more addresses than it has, and nothing large of those is free.
class NoMoreMemory {
 public:
  NoMoreMemory() {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit full = before_;
    full.rlim_cur = static_cast<rlim_t>(address_space());
    ::setrlimit(RLIMIT_AS, &full);
    while (void* free_block = std::malloc(std::size_t{4} << 20)) taken_.emplace_back(free_block);
  }
  ~NoMoreMemory() { ::setrlimit(RLIMIT_AS, &before_); }
  NoMoreMemory(const NoMoreMemory&) = delete;

 private:
  static std::int64_t address_space() {
    std::int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * ::sysconf(_SC_PAGESIZE);
  }
  struct Free {
    void operator()(void* block) const { std::free(block); }
  };
  rlimit before_{};
  std::deque<std::unique_ptr<void, Free>> taken_;
};

// The logits of so many rows have no memory.
TEST_P(CpuModelTest, AStepThatLacksMemoryMayBeTakenAgainAndIsTheSame) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need the whole address space";
#endif
  const auto play = [&](bool lacks) {
    const auto model = load();
    HeardDecode few(*model, model->encode(mel()), beams(4), prompt());
    for (int i = 0; i < 3; ++i) step(*model, {&few});
    HeardDecode many(*model, few.window, beams(40), prompt());
    HeardDecode others(*model, few.window, samples(20), prompt());
    if (lacks) {
      const NoMoreMemory limited;
      EXPECT_THROW(step(*model, {&few, &many, &others}), std::bad_alloc);
    }
    step(*model, {&few, &many});
    step(*model, {&few, &many, &others});
    return std::vector{few.said, many.said, others.said};
  };
  EXPECT_TRUE(load()->may_try_again());
  const bool are_the_same = play(true) == play(false);
  EXPECT_TRUE(are_the_same);
}

TEST_P(CpuModelTest, ItHasPlacesForRowsOnceItsMemoryIsKnown) {
  const auto weights = toy_->weights();
  CpuModel model(weights, cpu::pack_whisper(*weights, GetParam()),
                 special_tokens(weights->dims().n_vocab).value(),
                 kernels::isas_of_this_cpu().back(), 1);
  EXPECT_EQ(model.plan().rows, 0) << "any number";
  model.plan_for(std::int64_t{1} << 30, {.windows = 4, .rows_per_window = 50, .part = 1});
  EXPECT_EQ(model.plan().rows, 200);
  EXPECT_EQ(model.plan().windows, 0);
  EXPECT_EQ(model.plan().encodes, 1);
}

// And the next window is as if it had not been.
TEST_P(CpuModelTest, SoundThatIsNoNumbersGivesNoneInEveryVariant) {
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    const auto model = load(isa);
    const auto expected = model->logits(model->encode(mel()), prompt_);
    for (const float broken : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      MelWindow sound = mel();
      sound[40 * window_frames + 1200] = broken;
      const HeardDecode decode(*model, model->encode(sound), samples(1), prompt());
      EXPECT_FALSE(decode.said[0].finite) << name(isa) << ' ' << broken;
    }
    EXPECT_EQ(model->logits(model->encode(mel()), prompt_), expected) << name(isa);
  }
}

TEST_P(CpuModelTest, WhatAThreadThrowsIsThrownToTheCallerAndTheModelGoesOn) {
  const auto whole = toy_->weights();
  WeightsContent content;
  content.dims = whole->dims();
  content.tensors = whole->tensors();
  content.tensors.erase("decoder.token_embedding.weight");
  const auto lacking =
      std::make_shared<const Weights>(std::vector<MappedFile>{}, std::move(content));
  CpuModel model(lacking, cpu::pack_whisper(*whole, GetParam()),
                 special_tokens(whole->dims().n_vocab).value(), kernels::isas_of_this_cpu().back(),
                 3);
  for (int i = 0; i < 20; ++i) {
    EXPECT_THROW(HeardDecode(model, model.encode(mel()), samples(1), prompt()), std::out_of_range);
  }
}

TEST_P(CpuModelTest, WindowsThatAreEncodedAtOnceEqualThoseAlone) {
  const std::vector<MelWindow> mels{mel(1), mel(2)};
  const auto model = load(kernels::isas_of_this_cpu().back(), 40);
  ASSERT_EQ(model->encodes_at_once(), 2);
  EXPECT_EQ(model->plan().encodes, 1) << "an urgent window has all threads";
  const auto together = model->encode(mels);
  ASSERT_EQ(together.size(), mels.size());
  for (std::size_t i = 0; i < mels.size(); ++i) {
    EXPECT_EQ(model->logits(together[i], prompt_), model->logits(model->encode(mels[i]), prompt_))
        << i;
  }
}

// Five seconds of sound; the decoder reads 413 of 1500 rows.
TEST_P(CpuModelTest, AShortWindowIsNearTheFullOne) {
  const auto model = load();
  const MelWindow part = short_window(5, 500);
  MelWindow whole = part;
  whole.frames = window_frames;
  const EncodedWindow full = model->encode(whole), shortened = model->encode(part);
  EXPECT_FALSE(full->is_short());
  EXPECT_TRUE(shortened->is_short());
  const auto expected = model->logits(full, prompt_), found = model->logits(shortened, prompt_);
  double off = 0, all = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    off += std::pow(double{found[i]} - double{expected[i]}, 2);
    all += std::pow(double{expected[i]}, 2);
  }
  EXPECT_LT(std::sqrt(off / all), 0.05);
  EXPECT_NE(found, expected);
}

// Each window after the first uses the store of an earlier one, or a new one if it has more rows.
TEST_P(CpuModelTest, AWindowIsTheSameWhateverItsStoreHasHeldBefore) {
  const auto model = load();
  for (const int frames : {500, 1500, 3000, 200, 1500}) {
    MelWindow part = mel();
    part.frames = frames;
    const auto fresh = load();
    EXPECT_EQ(model->logits(model->encode(part), prompt_),
              fresh->logits(fresh->encode(part), prompt_))
        << frames;
  }
}

TEST_P(CpuModelTest, AttentionToAShortWindowIsToldOfAllPositions) {
  const auto model = load();
  MelWindow part = mel();
  part.frames = 500;
  const std::vector<std::pair<int, int>> heads{{0, 0}, {1, 1}};
  const TokenAttention found = model->attend(model->encode(part), prompt_, 50257, heads);
  ASSERT_EQ(found.weights.size(), heads.size() * prompt_.size() * audio_positions);
  for (auto row = found.weights.begin(); row != found.weights.end(); row += audio_positions) {
    EXPECT_NEAR(std::accumulate(row, row + audio_positions, 0.0), 1, 1e-4);
    EXPECT_EQ(row[300], row[303]) << "positions that share a row";
    EXPECT_EQ(row[500], row[515]);
    EXPECT_NE(row[299], row[300]);
  }
}

TEST_P(CpuModelTest, AShortWindowTakesAPartOfAPlace) {
  EXPECT_EQ(load()->positions_of(500), 512);
  EXPECT_EQ(load()->positions_of(window_frames), audio_positions);
}

TEST_P(CpuModelTest, AToyHasShortWindowsOnRequest) {
  EXPECT_EQ(load()->short_windows(), ShortWindows::on_request);
}

TEST_P(CpuModelTest, AWindowOfTheWrongSizeIsRefused) {
  EXPECT_THROW(load()->encode(MelWindow(12 * 34)), std::invalid_argument);
}

}  // namespace
}  // namespace engine
