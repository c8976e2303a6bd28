#include "engine/whisper/choice/host_chooser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tests/engine/whisper/choice/chosen.h"

// The rules have tests of their own (LogitFilters), and so have the ways to take tokens (Greedy,
// BeamSearch).
namespace engine {
namespace {

constexpr int vocabulary_size = 51865;

const SpecialTokens& specials() {
  static const SpecialTokens ids = special_tokens(vocabulary_size).value();
  return ids;
}

ChoiceOptions options_of(int n_rows, bool beam_search) {
  ChoiceOptions options;
  options.n_rows = n_rows;
  options.beam_search = beam_search;
  options.timestamps = false;
  return options;
}

std::vector<float> row_with(std::vector<std::pair<int, float>> likely) {
  std::vector<float> row(vocabulary_size);
  for (const auto& [token, logit] : likely) row[static_cast<std::size_t>(token)] = logit;
  return row;
}

TEST(HostChooser, ReadsTheProbabilityOfNoSpeechBehindTheSotToken) {
  HostChooser chooser(options_of(1, false), specials());
  const auto after_sot = row_with({{specials().no_speech, std::log(vocabulary_size - 1.0F)}});
  const StepOutcome first = chooser.choose_first(after_sot, row_with({{77, 20}}), 3);
  EXPECT_NEAR(first.no_speech_prob.value(), 0.5, 1e-5);
  EXPECT_EQ(tokens_of(first), std::vector<int>{77});
  EXPECT_EQ(chooser.next_tokens(), std::vector<int>{77});
  EXPECT_TRUE(chooser.source_rows().empty());
}

TEST(HostChooser, TellsWhoseHistoryEachBeamContinues) {
  HostChooser chooser(options_of(2, true), specials());
  const auto even = row_with({{10, 9}, {11, 8.5F}});
  chooser.choose_first(even, even, 3);
  EXPECT_EQ(chooser.next_tokens(), (std::vector<int>{10, 11}));
  // The second beam goes on twice, since the first one knows nothing likely.
  Rows logits = equal_rows(2, vocabulary_size);
  logits[1][20] = logits[1][21] = 30;
  chooser.choose(logits);
  EXPECT_EQ(chooser.next_tokens(), (std::vector<int>{20, 21}));
  EXPECT_EQ(std::vector<int>(chooser.source_rows().begin(), chooser.source_rows().end()),
            (std::vector<int>{1, 1}));
}

TEST(HostChooser, SaysThatLogitsAreNoNumbers) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    HostChooser chooser(options_of(2, false), specials());
    const auto good = row_with({{10, 9}});
    EXPECT_TRUE(chooser.choose_first(good, good, 3).finite);
    Rows logits = equal_rows(2, vocabulary_size);
    logits[1][vocabulary_size - 1] = bad;
    EXPECT_FALSE(chooser.choose(logits).finite);
  }
}

TEST(HostChooser, DrawsForEachRowAndPositionAnew) {
  ChoiceOptions options = options_of(3, false);
  options.temperature = 1;
  options.seed = 5;
  const auto drawn = [&](int position) {
    HostChooser chooser(options, specials());
    const auto even = row_with({});
    chooser.choose_first(even, even, position);
    std::vector<int> tokens = chooser.next_tokens();
    Rows logits = equal_rows(3, vocabulary_size);
    chooser.choose(logits);
    for (const int token : chooser.next_tokens()) tokens.push_back(token);
    return tokens;
  };
  const auto tokens = drawn(3);
  EXPECT_EQ(drawn(3), tokens);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NE(tokens[i], tokens[(i + 1) % 3]);
    EXPECT_NE(tokens[i], tokens[i + 3]);
    EXPECT_EQ(drawn(4)[i], tokens[i + 3]) << "it is the position that counts";
  }
}

}  // namespace
}  // namespace engine
