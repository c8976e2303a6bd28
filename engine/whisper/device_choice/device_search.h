#pragma once

#include <ATen/ATen.h>

namespace engine {

// The beams of several decodes, on the device; see ChoiceBatch::append_numbers.
struct Beams {
  at::Tensor rows;          // [searches, beam_size] int64: of the logprobs
  at::Tensor sizes;         // [searches] int64
  at::Tensor sum_logprobs;  // [rows] float32, before this choice
  bool first = false;       // the rows of each decode are still the same
};

// How the beams of each search go on, [searches, beam_size] each. Beams that a search has not, as
// it is narrower than another, repeat its first one.
struct BeamChoice {
  at::Tensor sources;  // int64: the beam of the search whose history it continues
  at::Tensor tokens;   // int64
  at::Tensor logprobs;
  at::Tensor sum_logprobs;
  at::Tensor ended_sources;  // int64: of sequences that ended, the likeliest first; -1: no more
  at::Tensor ended_sums;
};

// Takes a step of each beam search, as BeamSearch does on the host: the likeliest continuations of
// all beams of a search, of which those with eot are ended sequences.
//   logprobs  [rows, n_vocab] float32
BeamChoice search_beams(const at::Tensor& logprobs, const Beams& beams, int eot);

}  // namespace engine
