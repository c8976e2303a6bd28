#pragma once

#include <vector>

#include "engine/error.h"
#include "engine/whisper/constants.h"

namespace engine {

// The ids from `begin` to before `end`.
struct IdRange {
  int begin = 0;
  int end = 0;

  bool operator==(const IdRange&) const = default;
};

// The ids of the tokens that are no text, but for languages. Timestamps alone are always one block,
// behind no_timestamps. In the models that OpenAI published text comes first, then end of text,
// start of transcript, languages, tasks, markers and timestamps; who adds tokens puts them behind.
struct SpecialTokens {
  bool multilingual = false;
  int n_vocab = 0;   // of the model's logits; those that no token has are padding
  int n_tokens = 0;  // the ids of the vocabulary's tokens are below it
  int eot = 0;
  int sot = 0;
  int translate = 0;
  int transcribe = 0;
  int sot_lm = 0;
  int sot_prev = 0;
  int no_speech = 0;
  int no_timestamps = 0;
  int timestamp_begin = 0;
  std::vector<IdRange> text{};  // ascending; [0, eot) in published models

  int timestamp_end() const { return timestamp_begin + n_timestamps; }
  bool is_timestamp(int id) const { return id >= timestamp_begin && id < timestamp_end(); }
  bool is_text(int id) const;
  // Returns how many of the first ids are text; 0 where special tokens come first.
  int leading_text() const;

  // Returns whether all text comes before all else, and the timestamps last: what an accelerator's
  // own kernels know.
  bool is_in_published_order() const;
};

// Returns those of the models that OpenAI published, which the vocabulary's size alone tells apart:
// 51864 (English), 51865, 51866 (with Cantonese). Fails for any other size.
Result<SpecialTokens> special_tokens(int n_vocab);

// The error for a model that only a tokenizer could tell the tokens of.
Error unknown_size(int n_vocab);

}  // namespace engine
