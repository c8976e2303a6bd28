#include "server/commands/input_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "server/commands/parsed_option.h"
#include "server/commands/speaker_options.h"
#include "server/options/option_values.h"
#include "server/options/text_limits.h"

namespace server {
namespace {

void add_live(CLI::App& command, TranscribeArguments& a) {
  const char* group = "Live";
  command
      .add_flag(
          "--live", a.live,
          "Transcribe while audio arrives: raw 16 kHz mono s16le, or the format of --input-format")
      ->group(group);
  command.add_option("--live-chunk", a.live_chunk, "Seconds of new audio for each pass")
      ->check(CLI::Range(0.2, 10.0))
      ->capture_default_str()
      ->group(group);
  // It is for measuring, and not in --help.
  command.add_option("--live-margin", a.live_margin)->check(CLI::Range(0, 250))->group("");
}

Result<void> finish_channels(const TranscribeArguments& arguments) {
  const bool split = arguments.channels == "split";
  const auto labels =
      check_labels("option --channel-labels", arguments.writer.channel_labels, split);
  if (!labels) return labels;
  if (split && (arguments.decoder.channel || arguments.live)) {
    return Error{errc::usage, "--channels split cannot be used with --channel or --live", ""};
  }
  if (split && std::ranges::find(arguments.inputs, "-") != arguments.inputs.end()) {
    return Error{errc::usage, "--channels split reads its input twice, so it cannot be stdin",
                 "Save it in a file."};
  }
  return {};
}

Result<void> finish_live(TranscribeArguments& arguments) {
  const auto& formats = arguments.formats;
  if (!arguments.live && std::ranges::find(formats, "jsonl") != formats.end()) {
    return Error{errc::usage, "the format jsonl needs --live", "Use --format json."};
  }
  if (!arguments.live) return {};
  auto& options = arguments.options;
  if (arguments.inputs.size() > 1) {
    return Error{errc::usage, "--live reads one input", "Start a command for each."};
  }
  if (options.long_form == protocol::LongForm::parallel || options.vad_filter || options.diarize ||
      !options.clip_timestamps.empty()) {
    return Error{errc::usage,
                 "--live cannot be used with --long-form parallel, --vad-filter, --diarize or "
                 "--clip-timestamps",
                 "Leave these out, or transcribe the recording when it is whole."};
  }
  options.live_chunk = arguments.live_chunk;
  options.live_margin = arguments.live_margin;
  arguments.decoder.unbuffered = true;
  if (arguments.decoder.input_format.empty()) arguments.decoder.input_format = "s16le";
  return {};
}

}  // namespace

void add_decoder_options(CLI::App& command, DecoderOptions& d) {
  const char* group = "Input";
  add_parsed(command, "--track", d.track, parse_audio_track, "")->group("");  // its earlier name
  add_parsed(command, "--audio-track", d.track, parse_audio_track,
             "Audio track: its number, counted from 1, or its language; default: the track in "
             "--language, else the file's default track")
      ->group(group);
  command
      .add_option("--channel", d.channel,
                  "Transcribe this channel instead of the mix, counted from 1")
      ->check(CLI::Range(1, 64))
      ->group(group);
  command
      .add_option("--input-format", d.input_format,
                  "Format of input without a header, such as s16le, mulaw or g722")
      ->group(group);
  command
      .add_option("--input-sample-rate", d.input_sample_rate, "Sample rate of --input-format in Hz")
      ->check(CLI::Range(1000, 768000))
      ->group(group);
  command.add_option("--input-channels", d.input_channels, "Number of channels of --input-format")
      ->check(CLI::Range(1, 64))
      ->group(group);
  command
      .add_option("--timeline", d.timeline,
                  "player: times as a player shows them, with silence for late starts and gaps; "
                  "packed: the decoded audio alone, without gaps")
      ->check(CLI::IsMember(std::vector<std::string>(timelines.begin(), timelines.end())))
      ->default_str(std::string(timelines.front()))
      ->group(group);
  command.add_option("--max-seconds", d.max_seconds, "Refuse inputs with more audio than this")
      ->check(CLI::PositiveNumber)
      ->group(group);
}

void add_channel_options(CLI::App& command, TranscribeArguments& a) {
  const char* group = "Input";
  command
      .add_option("--channels", a.channels,
                  "mix, or split: transcribe the first two channels separately, for phone calls")
      ->check(CLI::IsMember({"mix", "split"}))
      ->capture_default_str()
      ->group(group);
  add_parsed(command, "--channel-labels", a.writer.channel_labels, parse_labels,
             "Labels of the channels with split, such as Agent,Caller")
      ->group(group);
}

void add_input_options(CLI::App& command, TranscribeArguments& arguments) {
  add_decoder_options(command, arguments.decoder);
  add_channel_options(command, arguments);
  add_live(command, arguments);
}

Result<void> finish_input_options(TranscribeArguments& arguments) {
  const auto speakers = parse_speakers(arguments.speakers, arguments.options.num_speakers);
  if (!speakers) return speakers.error();
  // Whoever names a voice wants to know who speaks; `scribed diarize` tells that anyway.
  arguments.options.diarize |= !speakers->empty() && !arguments.only_speakers;
  if (auto ok = finish_live(arguments); !ok) return ok;
  if (auto ok = finish_channels(arguments); !ok) return ok;
  const DecoderOptions& d = arguments.decoder;
  if (d.input_format.empty() && (d.input_sample_rate || d.input_channels)) {
    return Error{errc::usage, "a sample rate or channel count needs --input-format", ""};
  }
  return {};
}

}  // namespace server
