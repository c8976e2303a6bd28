#include "engine/whisper/choice/device_chooser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/torch/upload.h"
#include "engine/whisper/choice/host_chooser.h"

namespace engine {
namespace {

constexpr int n_tokens = 51865;
constexpr int n_slots = 40;
constexpr int context = 448;
constexpr int letter_x = 120;

const SpecialTokens& special_ids() {
  static const SpecialTokens ids = special_tokens(n_tokens).value();
  return ids;
}

ChoiceOptions rules(int n_rows = 1, bool beam_search = false) {
  ChoiceOptions options;
  options.n_rows = n_rows;
  options.beam_search = beam_search;
  options.suppress = {1, 2, 7, 50258, 50359};
  options.blank = {220, special_ids().eot};
  options.max_initial_timestamp_index = 50;
  return options;
}

template <class Change>
ChoiceOptions with(ChoiceOptions options, Change change) {
  change(options);
  return options;
}

// Logits as of a model that is unsure: text, timestamps and the end all come to be chosen.
at::Tensor random_logits(std::int64_t rows) {
  at::Tensor logits = at::randn({rows, n_tokens}) * 3;
  logits.narrow(1, 100, 20).add_(6);  // few tokens, so that text repeats itself
  logits.select(1, special_ids().eot).add_(8);
  return logits;
}

// Decodes that are chosen for on the device and, beside it, by a HostChooser each.
class BothChoosers {
 public:
  explicit BothChoosers(std::vector<ChoiceOptions> all) : options_(std::move(all)) {
    int slot = n_slots;
    for (const ChoiceOptions& options : options_) {
      hosts_.emplace_back(options, special_ids());
      auto& own = slots_.emplace_back();
      while (std::ssize(own) < options.n_rows) own.push_back(slot -= 1);
      batch_.add(own, options);
    }
  }

  // Chooses the first tokens after these logits of each prompt's last token, [decodes, n_vocab].
  void begin(const at::Tensor& after_last) {
    const at::Tensor after_sot = random_logits(std::ssize(options_));
    std::vector<at::Tensor> rows;
    expected.clear();
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      device_.begin(slots_[i], options_[i], /*prompt_length=*/4);
      rows.push_back(after_last[index].expand({options_[i].n_rows, -1}));
      expected.push_back(hosts_[i].choose_first(after_sot[index], after_last[index]));
    }
    choose(at::cat(rows), after_sot);
    for (std::size_t i = 0; i < options_.size(); ++i) device_.allow_blanks(slots_[i], options_[i]);
  }
  void begin() { begin(random_logits(std::ssize(options_))); }

  // logits  of all rows, [rows, n_vocab]
  void step(const at::Tensor& logits) {
    expected.clear();
    std::int64_t row = 0;
    for (HostChooser& host : hosts_) {
      expected.push_back(host.choose(logits.narrow(0, row, host.n_rows()).clone()));
      row += host.n_rows();
    }
    choose(logits, {});
  }

  std::int64_t n_rows() const {
    return std::accumulate(options_.begin(), options_.end(), std::int64_t{0},
                           [](auto sum, const ChoiceOptions& o) { return sum + o.n_rows; });
  }

  std::vector<StepOutcome> expected;  // of the last choice
  std::vector<StepOutcome> found;

 private:
  void choose(const at::Tensor& logits, const at::Tensor& after_sot) {
    const ChoiceShape shape = batch_.shape();
    std::vector<std::int64_t> numbers;
    batch_.append_numbers(numbers);
    ASSERT_EQ(std::ssize(numbers), ChoiceBatch::count_numbers(shape));
    ASSERT_LE(std::ssize(numbers), ChoiceBatch::most_numbers(n_slots));
    const at::Tensor padding = at::zeros({shape.rows - logits.size(0), n_tokens});
    const DeviceChoice choice =
        device_.choose(at::cat({logits, padding}), shape, upload(numbers, at::kCPU), after_sot);
    found = batch_.outcomes(choice.said);
    moves(choice);
  }
  // The histories move from slot to slot as the outcomes say.
  void moves(const DeviceChoice& choice) const {
    if (!choice.from.defined()) return;
    std::vector<std::int64_t> origin(n_slots + 1);
    std::iota(origin.begin(), origin.end(), 0);
    for (std::int64_t i = 0; i < choice.from.numel(); ++i) {
      const auto to = static_cast<std::size_t>(choice.to[i].item<std::int64_t>());
      origin[to] = choice.from[i].item<std::int64_t>();
    }
    for (std::size_t i = 0; i < options_.size(); ++i) {
      for (std::size_t row = 0; row < slots_[i].size(); ++row) {
        const auto source = static_cast<std::size_t>(found[i].rows[row].source);
        EXPECT_EQ(origin[static_cast<std::size_t>(slots_[i][row])], slots_[i][source]);
      }
    }
  }

  std::vector<ChoiceOptions> options_;
  std::vector<HostChooser> hosts_;
  std::vector<std::vector<int>> slots_;
  DeviceChooser device_{special_ids(), n_slots, context, at::kCPU};
  ChoiceBatch batch_{device_.nobody()};
};

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

TEST(DeviceChooser, ChoosesWhatTheHostChoosesByEachRule) {
  at::manual_seed(1);
  for (const Rules& row : all_rules()) {
    BothChoosers both({row.options});
    both.begin();
    expect_same(both, std::string(row.name) + ", first");
    for (int i = 0; i < 20 && !::testing::Test::HasFailure(); ++i) {
      both.step(random_logits(both.n_rows()));
      expect_same(both, row.name + (", step " + std::to_string(i)));
    }
  }
}

TEST(DeviceChooser, ChoosesTheSameForDecodesOfAllKindsTogether) {
  at::manual_seed(2);
  const auto kinds = all_rules();
  for (std::size_t first = 0; first < kinds.size(); first += 7) {
    std::vector<ChoiceOptions> options;
    for (std::size_t i = first; i < std::min(first + 7, kinds.size()); ++i) {
      options.push_back(kinds[i].options);
    }
    BothChoosers both(options);
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
TEST(DeviceChooser, FollowsTimestampsThroughPairs) {
  const int ts = special_ids().timestamp_begin;
  BothChoosers both({rules(), rules(2)});
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

TEST(DeviceChooser, SaysOfEachDecodeByItselfThatItsLogitsAreNoNumbers) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    BothChoosers both({rules(), rules(3, true), rules(2)});
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
    device.begin(slots, options, 4);
    const DeviceChoice choice =
        device.choose(logits, batch.shape(), upload(numbers, at::kCPU), logits);
    device.allow_blanks(slots, options);
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
  EXPECT_THROW(device.begin(std::vector<int>{0}, options, 4), c10::Error);
}

// Draws tokens for three rows of one seed, whatever else is drawn beside.
std::vector<int> drawn(std::uint64_t seed, bool beside_others) {
  ChoiceOptions options = rules(3);
  options.temperature = 1;
  options.seed = seed;
  options.timestamps = false;
  std::vector<ChoiceOptions> all{options};
  if (beside_others) all = {rules(2, true), rules(), options};
  BothChoosers both(all);
  at::Tensor logits = at::zeros({both.n_rows(), n_tokens});
  both.begin(logits.narrow(0, 0, std::ssize(all)));
  std::vector<int> tokens;
  for (int i = 0; i < 4; ++i) {
    for (const ChosenToken& row : both.found.back().rows) tokens.push_back(row.token);
    both.step(logits);
  }
  return tokens;
}

TEST(DeviceChooser, TheSameSeedDrawsTheSameTokensAloneAndBesideOthers) {
  const auto tokens = drawn(7, false);
  EXPECT_EQ(drawn(7, false), tokens);
  EXPECT_EQ(drawn(7, true), tokens);
  EXPECT_NE(drawn(8, false), tokens);
  const std::set<int> different(tokens.begin(), tokens.end());
  EXPECT_EQ(different.size(), tokens.size()) << "rows and steps draw for themselves";
}

TEST(DeviceChooser, ALowTemperatureStaysWithTheLikeliest) {
  at::manual_seed(5);
  ChoiceOptions cold = rules();
  cold.temperature = 1e-3;
  BothChoosers both({cold, rules()});
  both.begin();
  for (int i = 0; i < 5; ++i) {
    const at::Tensor one = random_logits(1);
    both.step(one.expand({2, -1}));
    EXPECT_EQ(both.found[0].rows[0].token, both.found[1].rows[0].token);
  }
}

TEST(DeviceChooser, TheLogprobOfASampleIsThatOfTheUnscaledLogits) {
  at::manual_seed(4);
  ChoiceOptions hot = rules();
  hot.temperature = 2;
  hot.timestamps = false;
  hot.suppress.clear();
  BothChoosers both({hot});
  both.begin();
  const at::Tensor logits = random_logits(1);
  both.step(logits);
  const ChosenToken row = both.found[0].rows[0];
  EXPECT_NEAR(row.logprob, at::log_softmax(logits, -1)[0][row.token].item<float>(), 1e-4);
}

}  // namespace
}  // namespace engine
