#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "protocol/transcribe_options.h"
#include "protocol/writers.h"
#include "server/base/error.h"
#include "server/commands/connection_options.h"
#include "server/device/device_arguments.h"
#include "server/process/decoder_options.h"

namespace server {

// The arguments of `scribed transcribe`.
struct TranscribeArguments {
  std::vector<std::string> inputs{};  // "-" is stdin
  std::string model = "base";
  std::vector<std::string> formats{};  // set by finish_formats, if empty
  std::string output = "-";
  bool keep_partial = false;   // what was transcribed of an interrupted recording
  bool skip_existing = false;  // transcripts that are there already
  DeviceArguments device{};
  int threads = 0;  // 0: as many as there are physical cores
  bool quiet = false;
  bool live = false;
  bool only_speakers = false;        // tell who speaks when, and transcribe nothing
  double live_chunk = 0.4;           // seconds
  std::optional<int> live_margin{};  // see protocol::TranscribeOptions
  std::vector<double> temperature{0};
  std::optional<double> temperature_increment = 0.2;
  DecoderOptions decoder{};
  std::vector<std::string> speakers{};  // "NAME=FILE"
  std::string channels = "mix";         // or "split"
  ConnectionOptions connection{};       // of the server that is to do it, if one is named
  protocol::WriterOptions writer{};
  protocol::TranscribeOptions options{};  // its temperatures are set by finish_options
};

// Adds the options to `command`. `arguments` must outlive it.
void add_transcribe_options(CLI::App& command, TranscribeArguments& arguments);

// Adds the options of `scribed diarize`, which is to tell speakers apart alone.
void add_diarize_options(CLI::App& command, TranscribeArguments& arguments);

// Adds only what a form of the REST API takes, too: most decoding options and the channels.
void add_form_options(CLI::App& command, TranscribeArguments& arguments);

// Sets the formats that the options and the name of the output ask for. Errors: usage. It is part
// of finish_options.
Result<void> finish_formats(TranscribeArguments& arguments);

// Refuses inputs that are addresses, which no command fetches. The error is usage.
Result<void> check_no_addresses(const std::vector<std::string>& inputs);

// Checks what depends on several options together, and sets what follows from them. Call it once
// the line was parsed.
Result<void> finish_options(TranscribeArguments& arguments);

// Returns a sentence for each option that was given and changes nothing, or not for the better.
std::vector<std::string> useless_options(const TranscribeArguments& arguments);

}  // namespace server
