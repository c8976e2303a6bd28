#include "server/commands/output_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

using Files = std::vector<std::vector<fs::path>>;  // of each input, for each format

Result<void> check_file(const fs::path& file, const std::string& input,
                        const std::vector<std::string>& inputs) {
  for (const auto& other : inputs) {
    std::error_code ignored;
    if (fs::equivalent(file, other, ignored) && fs::is_regular_file(other, ignored)) {
      return usage(fmt::format("the transcript of {} would replace {}", input, other),
                   "Choose another --output.");
    }
  }
  return {};
}

Result<void> check_files(const std::vector<std::string>& inputs, const Files& files) {
  std::map<fs::path, std::string> writers;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const auto& file : files[i]) {
      const auto [other, is_new] = writers.emplace(file.lexically_normal(), inputs[i]);
      if (!is_new) {
        return usage(fmt::format("{} and {} would both be written to {}", other->second, inputs[i],
                                 file.string()),
                     "Transcribe them with two commands, into different folders.");
      }
      if (auto checked = check_file(file, inputs[i], inputs); !checked) return checked;
    }
  }
  return {};
}

std::vector<std::string> without_repeats(const std::vector<std::string>& formats) {
  std::vector<std::string> once;
  for (const auto& format : formats) {
    if (std::ranges::find(once, format) == once.end()) once.push_back(format);
  }
  return once;
}

bool is_folder(const std::string& output) {
  std::error_code ignored;
  return output.ends_with('/') || fs::is_directory(output, ignored);
}

Result<OutputPlan> plan_stdout(std::size_t inputs, const std::vector<std::string>& formats) {
  if (formats.size() > 1) {
    return usage("several formats cannot be joined on stdout", "Give a folder with --output.");
  }
  const std::string& format = formats.front();
  if (format == protocol::docx_format) {
    return usage("a docx is a file, and no text for stdout", "Name it with --output.");
  }
  if (inputs > 1 && !can_be_joined(format)) {
    return usage(fmt::format("several {} transcripts cannot be joined on stdout", format),
                 "Give a folder with --output.");
  }
  return OutputPlan{};
}

}  // namespace

Result<std::vector<std::string>> output_formats(const std::vector<std::string>& asked,
                                                const std::string& output,
                                                const std::set<std::string>& known,
                                                std::size_t inputs) {
  std::string named = fs::path(output).extension().string();
  if (!named.empty()) named.erase(0, 1);
  std::ranges::transform(named, named.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const bool names_format = inputs == 1 && known.contains(named) && !is_folder(output);
  if (!names_format)
    return asked.empty() ? std::vector<std::string>{"txt"} : without_repeats(asked);
  if (asked.empty() || (asked.size() == 1 && asked.front() == named)) return std::vector{named};
  return usage(fmt::format("--output {} is the name of a {} file, but --format is {}", output,
                           named, fmt::join(asked, ",")),
               asked.size() > 1 ? "Give a folder with --output for several formats."
                                : "Leave out --format, or change the name.");
}

bool OutputPlan::exists(std::size_t input, std::size_t format) const {
  std::error_code ignored;
  return fs::exists(files.at(input).at(format), ignored);
}

bool OutputPlan::exists(std::size_t input) const {
  for (std::size_t format = 0; format < files.at(input).size(); ++format) {
    if (!exists(input, format)) return false;
  }
  return true;
}

Result<std::unique_ptr<OutputSink>> OutputPlan::open(std::size_t input, std::size_t format,
                                                     int interrupt_fd, bool keep_partial) const {
  if (files.empty()) return stdout_sink(interrupt_fd);
  return open_output(files.at(input).at(format), interrupt_fd, keep_partial);
}

std::string transcript_name(const std::string& input, const std::string& format) {
  const std::string stem = input == "-" ? "stdin" : fs::path(input).stem().string();
  return stem + "." + format;
}

Result<OutputPlan> plan_outputs(const std::vector<std::string>& inputs, const std::string& output,
                                const std::vector<std::string>& formats) {
  if (output == "-") return plan_stdout(inputs.size(), formats);
  const fs::path target(output);
  OutputPlan plan;
  if (inputs.size() > 1 || formats.size() > 1 || is_folder(output)) {
    if (const auto made = make_folder(target); !made) return made.error();
    for (const auto& input : inputs) {
      auto& files = plan.files.emplace_back();
      for (const auto& format : formats) files.push_back(target / transcript_name(input, format));
    }
  } else {
    plan.files.push_back({target});
  }
  if (const auto checked = check_files(inputs, plan.files); !checked) return checked.error();
  return plan;
}

}  // namespace server
