#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace protocol {

// The urgency of a transcription, which follows from who waits for it: somebody who speaks, a
// client that holds its request open, or nobody.
enum class WorkClass { live, interactive, background };

inline constexpr std::array<const char*, 3> work_class_names{"live", "interactive", "background"};

constexpr const char* name(WorkClass work_class) {
  return work_class_names.at(static_cast<std::size_t>(work_class));
}

constexpr std::optional<WorkClass> work_class_of(std::string_view wanted) {
  for (std::size_t i = 0; i < work_class_names.size(); ++i) {
    if (wanted == work_class_names.at(i)) return static_cast<WorkClass>(i);
  }
  return std::nullopt;
}

}  // namespace protocol
