#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <vector>

#include "engine/torch/step_graphs.h"
#include "engine/whisper/choice/choice_options.h"
#include "engine/whisper/choice/step_outcome.h"

namespace engine {

// The decodes of one choice on the device, their rows one below the other: what the device has to
// know of them, and how to read what it says.
class ChoiceBatch {
 public:
  // `nobody` is a slot that belongs to no decode; places that are left over have it.
  explicit ChoiceBatch(int nobody) : nobody_(nobody) {}

  // slots  of the decode's rows
  void add(std::span<const int> slots, const ChoiceOptions& options);

  // Returns the sizes, rounded up so that there are few.
  ChoiceShape shape() const;
  // The numbers lie one after the other, as one tensor of numbers goes to the device:
  //   slots        [rows]                the slot of each row
  //   search_rows  [searches·beam_size]  of each beam its row here; a narrower search has its first
  //                                      row in the places that are left over
  //   beam_sizes   [searches]            places that are left over repeat the first search
  void append_numbers(std::vector<std::int64_t>& numbers) const;
  // Returns how many numbers a shape has, and how many decodes of so many rows have at most.
  static std::int64_t count_numbers(const ChoiceShape& shape);
  static std::int64_t most_numbers(int rows);

  // Reads what DeviceChooser::choose said, copied to the CPU, by decode.
  std::vector<StepOutcome> outcomes(const at::Tensor& said) const;

 private:
  struct Decode {
    int first_row = 0;
    int n_rows = 0;
    int search = -1;  // its number among those with beams
  };

  int nobody_;
  std::vector<std::int64_t> slots_;
  std::vector<Decode> decodes_;
  std::vector<std::size_t> searches_;  // of decodes_
  int beam_size_ = 0;
  bool samples_ = false;
  int history_ = 0;
};

// The device's report of a choice, as int32 numbers that lie one after the other; those of floats
// are their bits.
struct SaidChoice {
  // Each [rows]
  at::Tensor tokens;
  at::Tensor logprobs;
  at::Tensor sum_logprobs;
  at::Tensor checks;  // sums of the logits: finite only if each of them is
  // Each [searches·beam_size]; undefined where nobody searches
  at::Tensor sources;
  at::Tensor ended_sources;  // -1: none ended
  at::Tensor ended_sums;
  at::Tensor no_speech_probs;  // [decodes] of a first choice, else undefined

  at::Tensor packed() const;
};

}  // namespace engine
