#pragma once

#include <ATen/ATen.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cuda_kernels/choice_columns.h"
#include "engine/cuda_kernels/step_kernels.h"
#include "engine/whisper/choice/choice_options.h"
#include "engine/whisper/device_choice/choice_batch.h"
#include "engine/whisper/text/special_tokens.h"

namespace engine {

struct Beams;

// A decode whose prompt is read.
struct BegunDecode {
  std::span<const int> slots;  // of its rows
  const ChoiceOptions& options;
  int prompt_length = 0;  // in tokens
};

// The result of DeviceChooser::choose.
struct DeviceChoice {
  at::Tensor said;  // for ChoiceBatch::outcomes
  // If somebody searches, these are the slots [searches·beam_size] int64 whose histories have to go
  // from one to the other, all at once. Some may be there twice.
  at::Tensor from;
  at::Tensor to;
};

// Chooses tokens where the logits are, by the rules that HostChooser has on the CPU and with the
// same results. What it knows of each row lies in tables by
// slot, which stay where they are: a choice reads and writes them on the device, nothing of it is
// waited for, and it can be recorded. The tables are the device's counterpart of LogitFilters, as
// ranges: a token is allowed where the row's bitmap does not forbid it, from `text_from` on if it
// is text, and from `timestamp_from` to before `timestamp_to` if it is a timestamp.
class DeviceChooser : cuda_kernels::ChoiceColumns {
 public:
  DeviceChooser(const SpecialTokens& specials, int slots, int n_text_ctx, const at::Device& device);

  // Returns the slot that belongs to no decode.
  int nobody() const { return nobody_; }

  // Begins decodes; whatever their number is, it takes the same few operations.
  void begin(std::span<const BegunDecode> decodes);

  // Chooses for the rows of a batch.
  //   logits     [shape.rows, n_vocab] float32
  //   numbers    those of the batch, on the device
  //   after_sot  of a first choice [decodes, n_vocab] float32, for no_speech_prob; else undefined
  DeviceChoice choose(const at::Tensor& logits, const ChoiceShape& shape, const at::Tensor& numbers,
                      const at::Tensor& after_sot = {});
  // Does the same for a choice that is no first one, on fused kernels in two launches. In `to`
  // places that are left over are -1.
  DeviceChoice choose(StepKernels& kernels, const at::Tensor& logits, const ChoiceShape& shape,
                      const at::Tensor& numbers);
  // Returns whether kernels can: they have no rules that need the text, and few beams.
  static bool kernels_can(const ChoiceShape& shape);
  // Says that the first tokens of decodes are chosen, so that blanks are allowed from now on.
  void allow_blanks(std::span<const BegunDecode> decodes);

  // Return by slot the token that the row took last, and the position where it is to be read;
  // views.
  at::Tensor tokens() const { return column(numbers_, token); }
  at::Tensor positions() const { return column(numbers_, position); }
  // Returns the table that has both, [slots + 1, n_numbers] int64, see ChoiceColumns.
  const at::Tensor& table() const { return numbers_; }

 private:
  static at::Tensor column(const at::Tensor& table, std::int64_t which) {
    return table.select(1, which);
  }

  // One choice: the rows of the tables that it concerns.
  struct Rows;

  // Takes the beams' choice into what was said; returns whose row each row continues.
  at::Tensor search(const at::Tensor& logprobs, const Beams& beams, SaidChoice& said) const;
  at::Tensor masked(const at::Tensor& logits, const ChoiceShape& shape, const Rows& rows) const;
  at::Tensor likeliest(const at::Tensor& masked, const ChoiceShape& shape, const Rows& rows) const;
  void keep(Rows rows, const at::Tensor& sources, const at::Tensor& tokens, const at::Tensor& sums,
            const ChoiceShape& shape);
  // Returns what a row's numbers are before its first choice.
  std::array<std::int64_t, n_numbers> first_numbers(const BegunDecode& decode, int row) const;
  // Appends the places in the bitmaps where a decode's rows have these tokens.
  void append_bits(std::span<const int> slots, std::span<const int> tokens,
                   std::vector<std::int64_t>& bits) const;
  // Sets these places of the bitmaps.
  void forbid(std::span<const std::int64_t> bits, bool forbidden);

  SpecialTokens specials_;
  int nobody_;
  at::Tensor numbers_;     // [slots + 1, n_numbers] int64, see ChoiceColumns
  at::Tensor reals_;       // [slots + 1, n_reals] float64
  at::Tensor sums_;        // [slots + 1] float32
  at::Tensor forbidden_;   // [slots + 1, n_vocab] bool
  at::Tensor texts_;       // [slots + 1, n_text_ctx] int64, kept up where a rule needs them
  at::Tensor timestamps_;  // [1, timestamps] int64: their ids
  at::Tensor levels_;      // [1, n_vocab] int64, see levels_of; of no use for timestamps
  // [6, 4] int64: for a row's pairing, and whether it takes a timestamp now, its next pairing, text
  // and timestamps that follow, and whether the last timestamp may be there again.
  at::Tensor pairings_;
};

}  // namespace engine
