#include "server/commands/output_plan.h"

#include <fmt/format.h>

#include <map>

#include "protocol/docx/transcript_files.h"

namespace server {
namespace {

namespace fs = std::filesystem;

Error usage(std::string message, std::string fix) {
  return {errc::usage, std::move(message), std::move(fix)};
}

// Returns whether transcripts of a format can follow each other in one stream. Cue numbers and
// headers belong to a file.
bool can_be_joined(const std::string& format) {
  return format == "txt" || format == "json" || format == "rttm";
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && fs::is_directory(folder, error)) return {};
  return Error{errc::output_not_writable,
               fmt::format("cannot make the folder {}: {}", folder.string(),
                           error ? error.message() : "a file of that name is in the way"),
               ""};
}

Result<void> check_files(const std::vector<std::string>& inputs,
                         const std::vector<fs::path>& files) {
  std::map<fs::path, std::string> writers;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto [other, is_new] = writers.emplace(files[i].lexically_normal(), inputs[i]);
    if (!is_new) {
      return usage(fmt::format("{} and {} would both be written to {}", other->second, inputs[i],
                               files[i].string()),
                   "Transcribe them with two commands, into different folders.");
    }
    for (const auto& input : inputs) {
      std::error_code ignored;
      if (fs::equivalent(files[i], input, ignored) && fs::is_regular_file(input, ignored)) {
        return usage(fmt::format("the transcript of {} would replace {}", inputs[i], input),
                     "Choose another --output.");
      }
    }
  }
  return {};
}

}  // namespace

std::string transcript_name(const std::string& input, const std::string& format) {
  const std::string stem = input == "-" ? "stdin" : fs::path(input).stem().string();
  return stem + "." + format;
}

Result<OutputPlan> plan_outputs(const std::vector<std::string>& inputs, const std::string& output,
                                const std::string& format) {
  if (output == "-") {
    if (format == protocol::docx_format) {
      return usage("a docx is a file, and no text for stdout", "Name it with --output.");
    }
    if (inputs.size() > 1 && !can_be_joined(format)) {
      return usage(fmt::format("several {} transcripts cannot be joined on stdout", format),
                   "Give a folder with --output.");
    }
    return OutputPlan{};
  }
  const fs::path target(output);
  std::error_code ignored;
  const bool is_folder =
      inputs.size() > 1 || output.ends_with('/') || fs::is_directory(target, ignored);
  OutputPlan plan;
  if (is_folder) {
    if (const auto made = make_folder(target); !made) return made.error();
    for (const auto& input : inputs) plan.files.push_back(target / transcript_name(input, format));
  } else {
    plan.files.push_back(target);
  }
  if (const auto checked = check_files(inputs, plan.files); !checked) return checked.error();
  return plan;
}

}  // namespace server
