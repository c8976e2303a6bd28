#include "engine/media/decode.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>
#include <optional>
#include <vector>

#include "engine/media/audio_decoder.h"
#include "engine/media/container.h"
#include "engine/media/opened_track.h"
#include "engine/media/pcm_writer.h"
#include "engine/media/placed_sound.h"
#include "engine/media/sound_copy.h"
#include "engine/media/tracks.h"

namespace engine::media {
namespace {

// The most that FFmpeg may allocate at once: sizes come from headers, so a few bytes can request
// gigabytes. The largest honest blocks are pictures within a recording's description.
constexpr std::size_t max_block_bytes = 256UL << 20;

// An inversion of music may be meant, and is shorter.
constexpr double told_inversion_s = 1;

std::string one_decimal(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", seconds);
  return text;
}

std::string inversion_of(const Polarity& polarity, bool is_stereo) {
  const auto& [left, right, place] = polarity.pair();
  const std::string name(place);
  const auto channel = [&](int index, const char* side) {
    return "channel " + std::to_string(index + 1) +
           (name.empty() ? "" : " (" + name + " " + side + ")");
  };
  const std::string seconds = "For " + one_decimal(polarity.inverted_seconds()) + " seconds ";
  if (is_stereo) {
    return seconds +
           "the right channel is the inverse of the left one, so their mix would be silent. The "
           "left channel was transcribed there.";
  }
  return seconds + channel(right, "right") + " is the inverse of " + channel(left, "left") +
         ", so they would cancel each other in the mix. The latter was mixed alone there.";
}

// One decoding run, from the opened track to the last sample.
class Run {
 public:
  Run(DescriptorInput& input, Container& container, Track track, AudioDecoder decoder,
      const Options& options, PcmWriter& writer, SoundCopy& copy, Report& report)
      : input_(input),
        container_(container),
        track_(std::move(track)),
        decoder_(std::move(decoder)),
        sound_(options, writer, copy),
        writer_(writer),
        copy_(copy),
        is_packed_(options.packed),
        unbuffered_(options.unbuffered),
        report_(report) {}

  Result<void> decode_all() {
    Packet packet(av_packet_alloc());
    if (!packet) throw std::bad_alloc();
    while (!writer_.reader_gone()) {
      const int read = av_read_frame(container_.get(), packet.get());
      if (read == AVERROR(EAGAIN)) continue;
      if (read < 0) {
        read_error_ = read == AVERROR_EOF ? 0 : read;
        break;
      }
      const AVStream& stream = *container_.get()->streams[packet->stream_index];
      const bool ours = &stream == track_.stream;
      if (!ours) track_.timeline.see(stream, *packet);
      if (ours) decoder_.feed(packet.get());
      av_packet_unref(packet.get());
      if (!ours) continue;
      if (const auto passed = pass_on(); !passed) return passed;
      if (sound_.stands_still()) {
        read_error_ = AVERROR_INVALIDDATA;
        break;
      }
    }
    return finish();
  }

  // Judges the result after decode_all() succeeded: fails where no sound came out, warns where some
  // is missing.
  Result<void> judge() {
    if (writer_.reader_gone()) return {};
    if (writer_.samples() == 0) return no_sound();
    if (!copy_.problem().empty()) {
      report_.warn("sound_not_kept", "The audio could not be stored: " + copy_.problem() + ".");
    }
    if (const int damaged = decoder_.damaged_packets(); damaged > 0) {
      report_.warn("damaged_audio", "The audio track is damaged in " + std::to_string(damaged) +
                                        (damaged == 1 ? " place" : " places") +
                                        ", which may cost some words.");
    }
    tell_mix();
    tell_quiet();
    const auto& declared = track_.ends_s;
    // The tolerance is needed because containers round, and codecs add some frames at either end.
    const bool is_overstated = track_.timeline.had_discontinuity();
    // Packed sound lacks the silence that the declared length counts.
    const double end = is_packed_ ? track_.timeline.end() : writer_.seconds();
    const double missing = declared && !is_overstated ? *declared - end : 0;
    if (missing > 0.5 + 0.01 * declared.value_or(0)) {
      report_.warn("shorter_than_declared", "The file promises " + one_decimal(*declared) +
                                                " seconds of sound, but only " + one_decimal(end) +
                                                " could be read; it may be cut off.");
    } else if (read_error_ != 0) {
      report_.warn("damaged_container", "The file is damaged after " +
                                            one_decimal(writer_.seconds()) +
                                            " seconds of sound; what follows could not be read.");
    }
    return {};
  }

  int damaged_packets() const { return decoder_.damaged_packets(); }

 private:
  // Tells a mix that people may not expect. That of stereo is what they know.
  void tell_mix() {
    const int channels = sound_.mixed_channels();
    if (channels <= 2) return;
    report_.warn("mixed_channels",
                 "All " + std::to_string(channels) +
                     " channels of the audio track were mixed. If each speaker has a channel of "
                     "their own, transcribe the channels one by one.");
  }

  // Warns if there is nothing to hear, or would not be in the usual mix.
  void tell_quiet() {
    for (const Polarity& pair : sound_.pairs()) {
      if (pair.inverted_seconds() >= told_inversion_s) {
        report_.warn("inverted_stereo", inversion_of(pair, sound_.mixed_channels() <= 2));
      }
    }
    const bool has_others = count_audio_tracks(container_) > 1;
    if (!sound_.is_audible() && has_others) {
      report_.warn("silent_track",
                   "The audio track that was transcribed is silent. The file has other audio "
                   "tracks: choose one by its number or its language.");
    }
  }

  // Passes all frames that the decoder has ready to the writer.
  Result<void> pass_on() {
    while (const AVFrame* frame = decoder_.next()) {
      const auto begin = track_.timeline.place(*frame);
      const auto taken = sound_.take(*frame, is_packed_ ? std::nullopt : begin);
      if (!taken) return taken;
    }
    return unbuffered_ ? writer_.flush() : Result<void>{};
  }

  Result<void> finish() {
    if (const auto status = input_.status(); !status) return status;
    if (writer_.reader_gone()) return {};
    decoder_.feed(nullptr);
    if (const auto passed = pass_on(); !passed) return passed;
    if (const auto finished = sound_.finish(); !finished) return finished;
    return writer_.flush();
  }

  Error no_sound() const {
    if (container_.referred_elsewhere()) return refers_to_other_files(container_.name());
    if (input_.refused_seek() && read_error_ != 0) {
      return {
          Errc::needs_seekable_input,
          "This " + container_.name() +
              " file keeps its table of contents at the end, so it cannot be read from a pipe.",
          "Give it as a file, or write it with the table in front (ffmpeg -movflags +faststart)."};
    }
    if (read_error_ == 0 && decoder_.damaged_packets() == 0 && !track_.declared_s) {
      return {Errc::empty_audio, "The audio track is empty: it does not hold a single sample.",
              "Check that the recording was saved completely."};
    }
    return {Errc::nothing_decodable,
            "The file has an audio track, but nothing of it could be decoded: it is damaged or cut "
            "off.",
            "Play it in another program; if that works, convert it to wav or flac and try again."};
  }

  DescriptorInput& input_;
  Container& container_;
  Track track_;
  AudioDecoder decoder_;
  PlacedSound sound_;
  PcmWriter& writer_;
  SoundCopy& copy_;
  bool is_packed_;
  bool unbuffered_;
  Report& report_;
  int read_error_ = 0;  // FFmpeg's error where the container broke off, or went on for nothing
};

protocol::decoder::Format describe(const Container& container, const Track& track) {
  const AVCodecParameters& codec = *track.stream->codecpar;
  protocol::decoder::Format format;
  format.container = container.name();
  format.codec = avcodec_get_name(codec.codec_id);
  format.sample_rate = codec.sample_rate;
  format.channels = codec.ch_layout.nb_channels;
  format.duration_s = track.declared_s;
  format.tracks = count_audio_tracks(container);
  return format;
}

}  // namespace

Result<protocol::decoder::Finished> decode(DescriptorInput& input, int pcm_fd,
                                           const Options& options, Report& report) {
  av_max_alloc(max_block_bytes);
  auto container = Container::open(input, options);
  if (!container) return container.error();
  auto opened = open_track(input, *container, options);
  if (!opened) return opened.error();
  Track& track = opened->track;
  report.send(describe(*container, track));
  for (const auto& warning : track.warnings) report.send(warning);

  PcmWriter writer(pcm_fd,
                   static_cast<std::int64_t>(std::ceil(options.max_seconds * output_rate_hz)));
  SoundCopy copy({.fd = options.sound_fd,
                  .max_bytes = static_cast<std::uint64_t>(options.sound_bytes),
                  .is_of_one_channel = options.channel != 0,
                  .resampling = options.resampling},
                 track.declared_s);
  Run run(input, *container, std::move(track), std::move(opened->decoder), options, writer, copy,
          report);
  if (const auto decoded = run.decode_all(); !decoded) return decoded.error();
  if (const auto sound = run.judge(); !sound) return sound.error();
  return protocol::decoder::Finished{writer.seconds(), input.bytes_read(), run.damaged_packets()};
}

}  // namespace engine::media
