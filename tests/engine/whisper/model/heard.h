#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engine/whisper/choice/logit_filters.h"
#include "engine/whisper/model/model.h"

namespace engine {

// A decode, with all that a model said of it.
struct HeardDecode {
  // Begins with the prompt, whose first token is sot.
  HeardDecode(Model& model, EncodedWindow audio, const ChoiceOptions& options,
              std::vector<int> tokens)
      : window(audio),
        rules(options),
        prompt(std::move(tokens)),
        state(model.start(std::move(audio), options)) {
    const Prompt first{state.get(), prompt};
    said = model.read_prompts({&first, 1})->outcomes();
  }

  // Returns the tokens of a row, from its sources; with the logprob of each.
  std::vector<ChosenToken> history(std::size_t row) const {
    std::vector<ChosenToken> tokens;
    for (std::size_t i = said.size(); i-- > 0;) {
      tokens.insert(tokens.begin(), said[i].rows[row]);
      row = static_cast<std::size_t>(said[i].rows[row].source);
    }
    return tokens;
  }

  EncodedWindow window;
  ChoiceOptions rules;
  std::vector<int> prompt;
  std::unique_ptr<DecodeState> state;
  std::vector<StepOutcome> said;
};

// Steps several decodes together.
inline void step(Model& model, const std::vector<HeardDecode*>& decodes) {
  std::vector<DecodeState*> states;
  for (HeardDecode* decode : decodes) states.push_back(decode->state.get());
  const auto outcomes = model.step(states)->outcomes();
  for (std::size_t i = 0; i < decodes.size(); ++i) decodes[i]->said.push_back(outcomes[i]);
}

// Expects that each row's tokens had the probabilities that `model` gives them when it reads them
// all at once in the same sound, `window`, by the decode's rules.
inline void expect_as_read(const HeardDecode& decode, Model& model, const EncodedWindow& window,
                           double tolerance, const std::string& what) {
  const LogitFilters filters(decode.rules, special_tokens(model.dims().n_vocab).value());
  for (std::size_t row = 0; row < decode.said.back().rows.size(); ++row) {
    const std::vector<ChosenToken> tokens = decode.history(row);
    std::vector<int> all = decode.prompt;
    for (const ChosenToken& token : tokens) all.push_back(token.token);
    all.pop_back();
    std::vector<float> logits = model.logits(window, all);
    const int n_vocab = model.dims().n_vocab;
    const LogitRows read{logits.data(), static_cast<int>(all.size()), n_vocab};
    std::vector<std::vector<int>> sampled(1);
    float sum = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto after = read[static_cast<int>(decode.prompt.size() + i - 1)];
      filters.apply({after.data(), 1, n_vocab}, sampled);
      const float expected = log_softmax(after)(after[static_cast<std::size_t>(tokens[i].token)]);
      ASSERT_NEAR(tokens[i].logprob, expected, tolerance) << what << " row " << row << " at " << i;
      sum += tokens[i].logprob;
      ASSERT_NEAR(tokens[i].sum_logprob, sum, 1e-3) << what << " row " << row << " at " << i;
      sampled[0].push_back(tokens[i].token);
    }
  }
}

inline ChoiceOptions beams(int count) {
  ChoiceOptions options;
  options.n_rows = count;
  options.beam_search = true;
  options.timestamps = false;
  return options;
}

inline ChoiceOptions samples(int count, std::uint64_t seed = 5) {
  ChoiceOptions options;
  options.n_rows = count;
  options.temperature = 1;
  options.seed = seed;
  options.timestamps = false;
  return options;
}

}  // namespace engine
