#include "engine/whisper/device_choice/device_chooser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda_kernels/twin_kernels.h"
#include "engine/torch/upload.h"
#include "tests/engine/whisper/device_choice/both_choosers.h"

namespace engine {
namespace {

using test::BothChoosers;
using test::context;
using test::n_tokens;
using test::random_logits;
using test::rules;
using test::special_ids;

constexpr int letter_x = 120;

template <class Change>
ChoiceOptions with(ChoiceOptions options, Change change) {
  change(options);
  return options;
}

// A forbidden token is minus infinity on both sides.
void expect_near(float found, float expected, const std::string& what) {
  EXPECT_TRUE(found == expected || std::abs(found - expected) < 1e-3)
      << found << " instead of " << expected << ", " << what;
}

void expect_same(const StepOutcome& found, const StepOutcome& expected, const std::string& what) {
  ASSERT_EQ(found.finite, expected.finite) << what;
  ASSERT_EQ(found.no_speech_prob.has_value(), expected.no_speech_prob.has_value()) << what;
  if (expected.no_speech_prob) {
    EXPECT_NEAR(*found.no_speech_prob, *expected.no_speech_prob, 1e-6) << what;
  }
  if (!expected.finite) return;
  ASSERT_EQ(found.rows.size(), expected.rows.size()) << what;
  for (std::size_t i = 0; i < expected.rows.size(); ++i) {
    // A beam for which no token is left takes any that is forbidden.
    if (std::isinf(expected.rows[i].logprob)) {
      ASSERT_EQ(found.rows[i].logprob, expected.rows[i].logprob) << what << ", row " << i;
      continue;
    }
    ASSERT_EQ(found.rows[i].token, expected.rows[i].token) << what << ", row " << i;
    ASSERT_EQ(found.rows[i].source, expected.rows[i].source) << what << ", row " << i;
    expect_near(found.rows[i].logprob, expected.rows[i].logprob, what);
    expect_near(found.rows[i].sum_logprob, expected.rows[i].sum_logprob, what);
  }
  ASSERT_EQ(found.ended.size(), expected.ended.size()) << what;
  for (std::size_t i = 0; i < expected.ended.size(); ++i) {
    ASSERT_EQ(found.ended[i].source, expected.ended[i].source) << what;
    expect_near(found.ended[i].sum_logprob, expected.ended[i].sum_logprob, what);
  }
}

void expect_same(const BothChoosers& both, const std::string& what) {
  for (std::size_t i = 0; i < both.expected.size(); ++i) {
    expect_same(both.found[i], both.expected[i], what + ", decode " + std::to_string(i));
  }
}

struct Rules {
  const char* name;
  ChoiceOptions options;
};

std::vector<Rules> all_rules() {
  return {
      {"greedy", rules()},
      {"greedy, several rows", rules(3)},
      {"two beams", rules(2, true)},
      {"three beams", rules(3, true)},
      {"four beams", rules(4, true)},
      {"five beams", rules(5, true)},
      {"no suppression", with(rules(2, true), [](auto& o) { o.suppress.clear(); })},
      {"blanks", with(rules(), [](auto& o) { o.blank.clear(); })},
      {"a blank that is suppressed too", with(rules(),
                                              [](auto& o) {
                                                o.suppress = {220, 105};
                                              })},
      {"no timestamps", with(rules(), [](auto& o) { o.timestamps = false; })},
      {"no timestamps, beams", with(rules(4, true), [](auto& o) { o.timestamps = false; })},
      {"any first timestamp",
       with(rules(), [](auto& o) { o.max_initial_timestamp_index.reset(); })},
      {"the first timestamp is zero",
       with(rules(2, true), [](auto& o) { o.max_initial_timestamp_index = 0; })},
      {"a first timestamp beyond the last",
       with(rules(), [](auto& o) { o.max_initial_timestamp_index = 1'000'000; })},
      {"a repetition penalty", with(rules(2), [](auto& o) { o.repetition_penalty = 1.4; })},
      {"a repetition reward", with(rules(), [](auto& o) { o.repetition_penalty = 0.8; })},
      {"no token twice", with(rules(), [](auto& o) { o.no_repeat_ngram_size = 1; })},
      {"no pair twice", with(rules(3, true), [](auto& o) { o.no_repeat_ngram_size = 2; })},
      {"no three twice, and a penalty", with(rules(4, true),
                                             [](auto& o) {
                                               o.no_repeat_ngram_size = 3;
                                               o.repetition_penalty = 1.1;
                                             })},
  };
}

// Libtorch's operations, or the twins of the kernels.
class DeviceChoosers : public testing::TestWithParam<bool> {
 protected:
  StepKernels* kernels() { return GetParam() ? twins_.get() : nullptr; }

 private:
  std::unique_ptr<StepKernels> twins_ = make_twin_kernels();
};
INSTANTIATE_TEST_SUITE_P(WithKernels, DeviceChoosers, testing::Bool());

TEST_P(DeviceChoosers, ChooseWhatTheHostChoosesByEachRule) {
  at::manual_seed(1);
  for (const Rules& row : all_rules()) {
    BothChoosers both({row.options}, kernels());
    both.begin();
    expect_same(both, std::string(row.name) + ", first");
    for (int i = 0; i < 20 && !::testing::Test::HasFailure(); ++i) {
      both.step(random_logits(both.n_rows()));
      expect_same(both, row.name + (", step " + std::to_string(i)));
    }
  }
}

TEST_P(DeviceChoosers, ChooseTheSameForDecodesOfAllKindsTogether) {
  at::manual_seed(2);
  const auto kinds = all_rules();
  for (std::size_t first = 0; first < kinds.size(); first += 7) {
    std::vector<ChoiceOptions> options;
    for (std::size_t i = first; i < std::min(first + 7, kinds.size()); ++i) {
      options.push_back(kinds[i].options);
    }
    BothChoosers both(options, kernels());
    both.begin();
    expect_same(both, "first");
    for (int i = 0; i < 8 && !::testing::Test::HasFailure(); ++i) {
      both.step(random_logits(both.n_rows()));
      expect_same(both, "step " + std::to_string(i));
    }
  }
}

// One token after the other is made the likeliest, through all that the timestamps' rules tell
// apart.
TEST_P(DeviceChoosers, FollowTimestampsThroughPairs) {
  const int ts = special_ids().timestamp_begin;
  BothChoosers both({rules(), rules(2)}, kernels());
  const auto favour = [&](int token, std::int64_t rows) {
    at::Tensor logits = at::randn({rows, n_tokens});
    logits.select(1, token).add_(30);
    return logits;
  };
  both.begin(favour(ts + 10, 2));
  expect_same(both, "first");
  for (const int token : {letter_x, letter_x, ts + 5, ts + 30, letter_x, ts + 30, ts + 29, letter_x,
                          ts + 30, ts + 31, ts + 31, ts + 40, letter_x, ts + 1500, ts + 1500,
                          special_ids().no_timestamps, special_ids().eot, letter_x}) {
    both.step(favour(token, both.n_rows()));
    expect_same(both, "after " + std::to_string(token));
  }
  EXPECT_EQ(both.found[0].rows[0].token, special_ids().eot) << "a row that has ended stays so";
}

// A word, a mark and padding behind the timestamps, and special tokens among the text.
TEST(DeviceChooserOfChangedVocabularies, SaysWhatTheHostSays) {
  at::manual_seed(5);
  SpecialTokens specials = special_ids();
  specials.n_tokens = n_tokens + 2;
  specials.n_vocab = n_tokens + 9;
  specials.text = {{0, 110}, {112, specials.eot}, {n_tokens, n_tokens + 1}};
  auto own = rules();
  for (int id = specials.n_tokens; id < specials.n_vocab; ++id) own.suppress.push_back(id);
  auto without = own;
  without.timestamps = false;
  auto beams = own;
  beams.n_rows = 3;
  beams.beam_search = true;
  auto wary = own;
  wary.repetition_penalty = 1.3;
  BothChoosers both({own, without, beams, wary}, nullptr, specials);
  const auto logits = [&](std::int64_t rows) {
    at::Tensor random = random_logits(rows, specials.n_vocab);
    random.narrow(1, n_tokens, 2).add_(12);
    return random;
  };
  both.begin(logits(4));
  expect_same(both, "first");
  int words = 0;
  for (int step = 0; step < 40; ++step) {
    both.step(logits(both.n_rows()));
    expect_same(both, "step " + std::to_string(step));
    words += both.found[0].rows[0].token == n_tokens ? 1 : 0;
  }
  EXPECT_GT(words, 0);
}

// After text and the last timestamp only that timestamp and the end are allowed: fewer tokens than
// beams.
TEST_P(DeviceChoosers, TakeNoTokenTwiceWhereFewAreAllowed) {
  at::manual_seed(4);
  const int last = special_ids().timestamp_begin + 1500;
  const auto favour = [](int token, int count, std::int64_t rows) {
    at::Tensor logits = at::randn({rows, n_tokens});
    logits.narrow(1, token, count).add_(30);
    return logits;
  };
  for (const int token : {special_ids().eot, last}) {
    BothChoosers both({rules(5, true)}, kernels());
    both.begin(favour(special_ids().timestamp_begin + 10, 1, 1));
    both.step(favour(letter_x, 5, both.n_rows()));
    both.step(favour(last, 1, both.n_rows()));
    for (const auto& row : both.found[0].rows) EXPECT_EQ(row.token, last);
    both.step(favour(token, 1, both.n_rows()));
    expect_same(both, "after " + std::to_string(token));
  }
}

TEST_P(DeviceChoosers, SayOfEachDecodeByItselfThatItsLogitsAreNoNumbers) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    BothChoosers both({rules(), rules(3, true), rules(2)}, kernels());
    both.begin();
    at::Tensor logits = random_logits(both.n_rows());
    logits[2][17] = bad;
    both.step(logits);
    EXPECT_TRUE(both.found[0].finite);
    EXPECT_FALSE(both.found[1].finite) << bad;
    EXPECT_TRUE(both.found[2].finite);
    expect_same(both, "beside numbers that are none");
  }
}

TEST(DeviceChooser, KnowsNothingOfADecodeThatHadTheSlotBefore) {
  at::manual_seed(3);
  DeviceChooser device(special_ids(), 2, context, at::kCPU);
  const auto first_tokens = [&](const ChoiceOptions& options, const at::Tensor& logits) {
    ChoiceBatch batch(device.nobody());
    const std::vector<int> slots{1};
    batch.add(slots, options);
    std::vector<std::int64_t> numbers;
    batch.append_numbers(numbers);
    const std::array begun{BegunDecode{slots, options, 4}};
    device.begin(begun);
    const DeviceChoice choice =
        device.choose(logits, batch.shape(), upload(numbers, at::kCPU), logits);
    device.allow_blanks(begun);
    return batch.outcomes(choice.said)[0];
  };
  const at::Tensor logits = random_logits(1);
  ChoiceOptions other = rules();
  other.suppress = {100, 101, 102};
  other.repetition_penalty = 3;
  other.timestamps = false;
  const StepOutcome alone = first_tokens(rules(), logits);
  first_tokens(other, at::full({1, n_tokens}, NAN));
  EXPECT_EQ(first_tokens(rules(), logits), alone);
}

TEST(DeviceChooser, ATokenThatDoesNotExistIsRefused) {
  DeviceChooser device(special_ids(), 2, context, at::kCPU);
  ChoiceOptions options = rules();
  options.suppress = {n_tokens};
  const std::array slots{0};
  EXPECT_THROW(device.begin(std::array{BegunDecode{slots, options, 4}}), c10::Error);
}

}  // namespace
}  // namespace engine
