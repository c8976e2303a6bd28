#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "protocol/transcribe_options.h"
#include "protocol/writers.h"
#include "server/base/error.h"
#include "server/device/device_arguments.h"
#include "server/process/decoder_options.h"

namespace server {

// `scribed transcribe` as it was asked for.
struct TranscribeArguments {
  std::vector<std::string> inputs{};  // "-" is stdin
  std::string model = "base";
  std::string format = "txt";
  std::string output = "-";
  DeviceArguments device{};
  int threads = 0;  // 0: as many as there are physical cores
  bool quiet = false;
  bool live = false;
  double live_chunk = 1;  // seconds
  std::vector<double> temperature{0};
  std::optional<double> temperature_increment = 0.2;
  DecoderOptions decoder{};
  std::string channels = "mix";  // or "split"
  protocol::WriterOptions writer{};
  protocol::TranscribeOptions options{};  // its temperatures are set by finish_options
};

// Puts the options on `command`. `arguments` must outlive it.
void add_transcribe_options(CLI::App& command, TranscribeArguments& arguments);

// What can only be said of several options together. Call it once the line was parsed.
Result<void> finish_options(TranscribeArguments& arguments);

// Options that were given and change nothing, or not for the better; a sentence each.
std::vector<std::string> useless_options(const TranscribeArguments& arguments);

}  // namespace server
