#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/torch/step_graphs.h"
#include "engine/whisper/model/model.h"

namespace engine {

// Prompts of several decodes as one batch: a shape and the numbers in it. The shape's windows are
// places for prompts, and its rows are places for rows that get a copy of another's history, since
// a decode's prompt is read into its first row alone; both are rounded up, and so is the length.
//
// Padding behind a prompt's end changes nothing: no position looks at later ones, and the
// decode's own steps write over it. Places that are left over repeat the first prompt or copy, and
// so write what it writes.
class PromptBatch {
 public:
  explicit PromptBatch(int n_text_ctx) : n_text_ctx_(n_text_ctx) {}

  // slots   of the decode's rows
  // window  the slot of its window
  void add(const Prompt& prompt, std::span<const int> slots, int window);

  // choice  the shape of the first choice, which has places for all rows
  StepShape shape(const ChoiceShape& choice) const;
  // The numbers lie one after the other, as one tensor of numbers goes to the device:
  //   tokens   [prompts·length]
  //   slots    [prompts]                of the histories that prompts are read into
  //   windows  [prompts]
  //   wanted   [prompts + choice.rows]  of the flat tokens: of each prompt sot, of each row the
  //   last from, to [rows] each              slots of the copies
  std::vector<std::int64_t> numbers(const StepShape& shape) const;

  // Return how many numbers a shape has, and how many so many prompts of decodes with so many rows
  // have at most.
  static std::int64_t count_numbers(const StepShape& shape);
  static std::int64_t most_numbers(int prompts, int rows, int n_text_ctx);

 private:
  struct Place {
    std::span<const int> tokens;
    int sot = 0;
    int slot = 0;
    int window = 0;
    std::size_t rows = 1;
  };

  int n_text_ctx_;
  std::vector<Place> prompts_;
  std::vector<std::int64_t> from_;
  std::vector<std::int64_t> to_;
};

// Returns the indices of prompts that are read together: they are about equally long, so that
// little is padding, and at most `most`.
std::vector<std::vector<std::size_t>> prompt_groups(std::span<const Prompt> prompts, int most);

}  // namespace engine
