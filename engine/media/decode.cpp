#include "engine/media/decode.h"

#include <cmath>
#include <cstdio>
#include <new>

#include "engine/media/audio_decoder.h"
#include "engine/media/container.h"
#include "engine/media/pcm_writer.h"
#include "engine/media/resampler.h"
#include "engine/media/sound_copy.h"
#include "engine/media/tracks.h"

namespace engine::media {
namespace {

// The most that FFmpeg may allocate at once: sizes come from headers, so a few bytes can request
// gigabytes. The largest honest blocks are pictures within a recording's description.
constexpr std::size_t max_block_bytes = 256UL << 20;

std::string one_decimal(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", seconds);
  return text;
}

// One decoding run, from the opened track to the last sample.
class Run {
 public:
  Run(DescriptorInput& input, Container& container, AVStream& track, AudioDecoder decoder,
      const Options& options, PcmWriter& writer, SoundCopy& copy, Report& report)
      : input_(input),
        container_(container),
        track_(track),
        decoder_(std::move(decoder)),
        resampler_(options.channel, options.resampling),
        writer_(writer),
        copy_(copy),
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
      const bool ours = packet->stream_index == track_.index;
      if (ours) decoder_.feed(packet.get());
      av_packet_unref(packet.get());
      if (!ours) continue;
      if (const auto passed = pass_on(); !passed) return passed;
    }
    return finish();
  }

  // Judges the result after decode_all() succeeded: fails where no sound came out, warns where some
  // is missing.
  Result<void> judge() {
    if (writer_.reader_gone()) return {};
    if (writer_.samples() == 0) return no_sound();
    if (!copy_.problem().empty()) {
      report_.warn("sound_not_kept", "The sound could not be kept: " + copy_.problem() + ".");
    }
    if (const int damaged = decoder_.damaged_packets(); damaged > 0) {
      report_.warn("damaged_audio", "The audio track is damaged in " + std::to_string(damaged) +
                                        (damaged == 1 ? " place" : " places") +
                                        ", which may cost some words.");
    }
    const auto declared = declared_seconds(container_, track_);
    // The tolerance is needed because containers round, and codecs add some frames at either end.
    const double missing = declared ? *declared - writer_.seconds() : 0;
    if (missing > 0.5 + 0.01 * *declared) {
      report_.warn("shorter_than_declared",
                   "The file promises " + one_decimal(*declared) + " seconds of sound, but only " +
                       one_decimal(writer_.seconds()) + " could be read; it may be cut off.");
    } else if (read_error_ != 0) {
      report_.warn("damaged_container", "The file is damaged after " +
                                            one_decimal(writer_.seconds()) +
                                            " seconds of sound; what follows could not be read.");
    }
    return {};
  }

  int damaged_packets() const { return decoder_.damaged_packets(); }

 private:
  // Passes all frames that the decoder has ready to the writer.
  Result<void> pass_on() {
    while (const AVFrame* frame = decoder_.next()) {
      const auto samples = resampler_.convert(*frame);
      if (!samples) return samples.error();
      if (const auto copied = copy_.take(*frame, *samples); !copied) return copied;
      if (const auto written = writer_.write(*samples); !written) return written;
    }
    return unbuffered_ ? writer_.flush() : Result<void>{};
  }

  Result<void> finish() {
    if (const auto status = input_.status(); !status) return status;
    if (writer_.reader_gone()) return {};
    decoder_.feed(nullptr);
    if (const auto passed = pass_on(); !passed) return passed;
    const auto rest = resampler_.finish();
    if (!rest) return rest.error();
    if (const auto copied = copy_.finish(*rest); !copied) return copied;
    if (const auto written = writer_.write(*rest); !written) return written;
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
    const auto declared = declared_seconds(container_, track_);
    if (read_error_ == 0 && decoder_.damaged_packets() == 0 && !declared) {
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
  AVStream& track_;
  AudioDecoder decoder_;
  Resampler resampler_;
  PcmWriter& writer_;
  SoundCopy& copy_;
  bool unbuffered_;
  Report& report_;
  int read_error_ = 0;  // FFmpeg's error when the container broke off
};

protocol::decoder::Format describe(const Container& container, const AVStream& track) {
  protocol::decoder::Format format;
  format.container = container.name();
  format.codec = avcodec_get_name(track.codecpar->codec_id);
  format.sample_rate = track.codecpar->sample_rate;
  format.channels = track.codecpar->ch_layout.nb_channels;
  format.duration_s = declared_seconds(container, track);
  format.tracks = count_audio_tracks(container);
  return format;
}

}  // namespace

Result<protocol::decoder::Finished> decode(DescriptorInput& input, int pcm_fd,
                                           const Options& options, Report& report) {
  av_max_alloc(max_block_bytes);
  auto container = Container::open(input, options);
  if (!container) return container.error();
  const auto track = choose_track(*container, options.track);
  if (!track) return track.error();
  auto decoder = AudioDecoder::open(**track);
  if (!decoder) return decoder.error();
  report.send(describe(*container, **track));

  PcmWriter writer(pcm_fd,
                   static_cast<std::int64_t>(std::ceil(options.max_seconds * output_rate_hz)));
  SoundCopy copy({.fd = options.sound_fd,
                  .max_bytes = static_cast<std::uint64_t>(options.sound_bytes),
                  .is_of_one_channel = options.channel != 0,
                  .resampling = options.resampling},
                 declared_seconds(*container, **track));
  Run run(input, *container, **track, std::move(*decoder), options, writer, copy, report);
  if (const auto decoded = run.decode_all(); !decoded) return decoded.error();
  if (const auto sound = run.judge(); !sound) return sound.error();
  return protocol::decoder::Finished{writer.seconds(), input.bytes_read(), run.damaged_packets()};
}

}  // namespace engine::media
