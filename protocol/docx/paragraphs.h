#pragma once

#include <span>
#include <string>
#include <vector>

#include "protocol/transcript.h"

namespace protocol::docx {

// A paragraph has what one speaker says without a pause.
struct Paragraph {
  double start = 0;
  std::string speaker{};  // empty: unknown
  bool is_new_speaker = false;
  std::string language{};  // of all of it
  std::string text{};      // without white space at its ends
};

// Cuts the segments into paragraphs.
std::vector<Paragraph> paragraphs_of(const Transcript& transcript,
                                     std::span<const std::string> channel_labels);

}  // namespace protocol::docx
