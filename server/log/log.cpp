#include "server/log/log.h"

#include <fmt/format.h>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "server/log/log_line.h"
#include "server/log/patient_sink.h"

namespace server {
namespace {

constexpr std::size_t max_waiting_lines = 4096;

double system_now() {
  using seconds = std::chrono::duration<double>;
  return seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Returns the priority of syslog as the journal takes it.
const char* journal_prefix(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "<7>";
    case LogLevel::info:
      return "<6>";
    case LogLevel::warning:
      return "<4>";
    case LogLevel::error:
      break;
  }
  return "<3>";
}

}  // namespace

// JSON has no number for NaN and infinity, so they are written as texts.
LogField::LogField(std::string_view key, double number)
    : key(key), value(fmt::format("{:.6g}", number)), is_text(!std::isfinite(number)) {}

Log::Log(Settings settings)
    : settings_(settings),
      level_(settings.level),
      writer_(std::make_shared<spdlog::details::thread_pool>(max_waiting_lines, 1)),
      logger_(std::make_shared<spdlog::async_logger>(
          "scribed", std::make_shared<PatientSink>(settings.fd), writer_,
          spdlog::async_overflow_policy::overrun_oldest)) {
  if (settings_.now == nullptr) settings_.now = system_now;
}

// The writer's thread ends first, when it has written what waits.
Log::~Log() {
  writer_.reset();
}

void Log::debug(std::string_view message, LogFields fields) {
  write(LogLevel::debug, message, fields);
}

void Log::info(std::string_view message, LogFields fields) {
  write(LogLevel::info, message, fields);
}

void Log::warning(std::string_view message, LogFields fields) {
  write(LogLevel::warning, message, fields);
}

void Log::error(std::string_view message, LogFields fields) {
  write(LogLevel::error, message, fields);
}

void Log::write(LogLevel level, std::string_view message, LogFields fields) {
  if (level < level_.load()) return;
  const std::string time = settings_.is_journal ? "" : utc_time(settings_.now());
  const std::string line =
      (settings_.is_journal ? journal_prefix(level) : "") +
      log_line(settings_.form, time, level, message, fields, settings_.spoken_text);
  logger_->log(spdlog::level::critical, spdlog::string_view_t(line.data(), line.size()));
}

bool is_journal_stream(const Environment& environment, int fd) {
  const std::string stream = environment("JOURNAL_STREAM");
  struct ::stat info {};
  return !stream.empty() && ::fstat(fd, &info) == 0 &&
         stream == fmt::format("{}:{}", info.st_dev, info.st_ino);
}

}  // namespace server
