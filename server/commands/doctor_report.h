#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/commands/page.h"
#include "server/device/device_summary.h"
#include "server/device/pack_check.h"
#include "server/device/sandbox_check.h"
#include "server/device/survey.h"

namespace server {

// The findings of what doctor has tried out, beside the survey.
struct DoctorChecks {
  std::vector<SandboxCheck> sandboxes{};
  std::vector<PackCheck> packs{};
};

// Writes what `scribed doctor` says to a person: the answer in its first line, then what was seen,
// the runtime packs, and a verdict for each pack on each device with everything that was found.
std::string doctor_report(const Survey& survey, const platform::ChoiceResult& choice,
                          const DoctorChecks& checks, Page::Form form);

// The layout of the report's rows, in columns of the terminal.
inline constexpr std::size_t doctor_indent = 2, doctor_label_width = 16;

// Its middle: the system, the GPUs, the vendors' drivers and libraries.
void add_machine(Page& page, const Survey& survey);

std::string readable_bytes(std::int64_t bytes);  // "11.6 GiB"

}  // namespace server
