#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/whisper/model/model.h"

namespace engine {

// Prompts of several decodes as one batch, padded to the longest. What is read behind a prompt's
// end changes nothing: no position looks at later ones, and the decode's own steps write over it.
class PromptBatch {
 public:
  // Windows beside each other, of prompts beside each other: one piece of cross-attention.
  struct Run {
    int first_prompt = 0;
    int first_window = 0;
    int count = 0;
  };

  // row     the slot whose history it becomes
  // window  the slot of its window; in ascending order there are the fewest runs
  void add(const Prompt& prompt, int row, int window);

  int size() const { return static_cast<int>(rows_.size()); }
  int length() const { return length_; }
  const std::vector<Run>& runs() const { return runs_; }
  // The numbers lie one after the other, as one tensor of numbers goes to the device:
  //   tokens [size·length]
  //   rows   [size]
  //   wanted [2·size]  of the flat tokens: each prompt's sot token, and its last
  std::vector<std::int64_t> numbers() const;

 private:
  std::vector<std::span<const int>> tokens_;
  std::vector<std::int64_t> rows_;
  std::vector<int> sots_;
  std::vector<Run> runs_;
  int length_ = 0;
};

// Returns the indices of prompts that are read together: they are about equally long, so that
// little is padding, and at most `most`.
std::vector<std::vector<std::size_t>> prompt_groups(std::span<const Prompt> prompts, int most);

}  // namespace engine
