#include "server/commands/subtitles_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "protocol/option_table.h"
#include "protocol/subtitles/check.h"
#include "protocol/text_rules.h"
#include "server/base/counted.h"
#include "server/log/escaped_text.h"

namespace server {
namespace {

constexpr char check_footer[] = R"(Examples:
  scribed subtitles check film.srt
  scribed subtitles check --subtitle-style bbc --language en *.vtt

Exit code 0: no violation. 1: there are some. 3: a file is not readable.)";

// Violations end with 1, as findings of linters do.
constexpr auto found_some = ExitCode::internal;
static_assert(static_cast<int>(found_some) == 1);

struct CheckArguments {
  std::vector<std::string> files{};
  std::string style = "default";
  std::string language{};
};

struct CheckedFile {
  std::size_t cues = 0;
  std::size_t violations = 0;
};

Result<std::string> read_subtitle_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) {
    return Error{errno == ENOENT ? errc::input_not_found : errc::input_unreadable,
                 fmt::format("cannot read {}: {}", name, std::strerror(errno)), ""};
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::optional<protocol::subtitles::Rules> rules_of_name(const std::string& style) {
  protocol::TranscribeOptions options;
  protocol::set_option_value(*protocol::find_option("subtitle_style"), style, options);
  return protocol::subtitles::rules_of(options.subtitle_style);
}

Result<CheckedFile> check_file(const std::string& name, const CheckArguments& arguments) {
  const auto text = read_subtitle_file(name);
  if (!text) return text.error();
  const auto cues = protocol::subtitles::read_cues(*text);
  if (!cues)
    return Error{errc::input_unreadable, name + ": " + cues.error().message, cues.error().fix};
  const auto rules = rules_of_name(arguments.style);
  CheckedFile checked{.cues = cues->size()};
  for (std::size_t i = 0; i < cues->size(); ++i) {
    const auto& read = (*cues)[i];
    const auto* before = i > 0 ? &(*cues)[i - 1].cue : nullptr;
    const auto* after = i + 1 < cues->size() ? &(*cues)[i + 1].cue : nullptr;
    auto found =
        protocol::subtitles::violations_of(read.cue, before, after, arguments.language, rules);
    if (auto written = protocol::subtitles::violation_of_writing(read)) {
      found.insert(found.begin(), *std::move(written));
    }
    checked.violations += found.size();
    for (const auto& violation : found) {
      fmt::print("{}: cue {} at {}: {}: {}\n", printable_line(name), read.number,
                 protocol::format_timestamp(read.cue.start, protocol::Hours::always, '.'),
                 violation.rule, printable_line(violation.what));
    }
  }
  return checked;
}

ExitCode check_files(const CheckArguments& arguments) {
  ExitCode code = ExitCode::ok;
  for (const auto& name : arguments.files) {
    const auto checked = check_file(name, arguments);
    if (!checked) {
      const auto failed = report_error(checked.error());
      if (code == ExitCode::ok || code == found_some) code = failed;
      continue;
    }
    fmt::print("{}: {} in {}\n", printable_line(name), counted(checked->violations, "violation"),
               counted(checked->cues, "cue"));
    if (checked->violations > 0 && code == ExitCode::ok) code = found_some;
  }
  return code;
}

}  // namespace

void add_subtitles_command(CLI::App& app, Command& chosen) {
  auto* subtitles = app.add_subcommand("subtitles", "Check subtitle files");
  subtitles->require_subcommand(1);
  auto* check = subtitles->add_subcommand(
      "check", "List cues of srt and vtt files that are too long, too fast or badly broken");
  const auto arguments = std::make_shared<CheckArguments>();
  check->add_option("FILE", arguments->files, "Subtitle files, srt or vtt")->required();
  const auto& styles = protocol::json::names<protocol::SubtitleStyle>;
  check
      ->add_option("--subtitle-style", arguments->style,
                   "Limits to check; whisper: only what players need")
      ->check(CLI::IsMember(std::set<std::string>(styles.begin(), styles.end())))
      ->capture_default_str();
  check
      ->add_option("--language", arguments->language,
                   "Language code, such as en; keeps articles with their nouns")
      ->type_name("CODE");
  check->footer(check_footer);
  check->callback(
      [arguments, &chosen] { chosen = [arguments] { return check_files(*arguments); }; });
}

}  // namespace server
