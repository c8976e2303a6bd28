#include <algorithm>
#include <csignal>

#include "server/process/decoder.h"

namespace server {
namespace {

namespace decoding = protocol::decoder;

// More warnings help nobody, and a decoder's output must not fill our memory.
constexpr std::size_t max_warnings = 100;

void add_warning(DecoderReport& report, std::string text) {
  const auto known = std::ranges::find(report.warnings, text);
  if (known == report.warnings.end() && report.warnings.size() < max_warnings) {
    report.warnings.push_back(std::move(text));
  }
}

Error died(const DecoderReport& report) {
  const ExitStatus& exit = *report.exit;
  Error error{errc::decoder_died, "scribed-decode " + describe(exit), ""};
  if (exit.signal == SIGKILL && report.out_of_memory) {
    error = {errc::out_of_memory, error.message + " because memory ran out",
             "Close other programs and try again."};
  } else if (exit.signal == SIGXCPU) {
    error.message += " after using up its processor time";
    error.fix = "The input is damaged or made to be slow; try to convert it with another program.";
  } else if (exit.signal) {
    error.fix =
        "The input is probably damaged; try to convert it with another program. If others play "
        "it, please report it.";
  }
  if (!report.last_words.empty()) error.message += ": " + report.last_words;
  return error;
}

}  // namespace

void add_report_line(DecoderReport& report, std::string_view line) {
  auto message = decoding::parse(line);
  if (!message) {
    if (!report.failed) report.failed = message.error();
  } else if (auto* format = std::get_if<decoding::Format>(&*message)) {
    report.format = std::move(*format);
  } else if (auto* warning = std::get_if<decoding::Warning>(&*message)) {
    add_warning(report, std::move(warning->message));
  } else if (auto* failed = std::get_if<decoding::Failed>(&*message)) {
    report.failed = std::move(failed->error);
  } else if (auto* finished = std::get_if<decoding::Finished>(&*message)) {
    report.finished = *finished;
  }
}

std::optional<Error> decoder_error(const DecoderReport& report) {
  if (report.failed) return report.failed;
  if (!report.exit) return std::nullopt;  // the decoder is still at work
  if (report.exit->signal || !report.exit->ok() || !report.finished) return died(report);
  return std::nullopt;
}

}  // namespace server
