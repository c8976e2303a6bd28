#include "engine/media/silent_tracks.h"

#include <algorithm>
#include <new>
#include <optional>
#include <span>

#include "engine/media/audio_decoder.h"
#include "engine/media/frame_levels.h"

namespace engine::media {
namespace {

Result<void> open_anew(DescriptorInput& input, Container& container, const Options& options) {
  container.close();  // first: the index of a long video needs memory
  avio_seek(input.context(), 0, SEEK_SET);
  auto opened = Container::open(input, options);
  if (!opened) return opened.error();
  container = *std::move(opened);
  return {};
}

// A file may have thousands of tracks, each of which costs its length.
constexpr std::size_t most_looked_at = 8;

// Says what the sound of a track was that has been decoded so far.
enum class Loudness { unknown, silent, audible };

struct Candidate {
  int number = 0;  // of the audio track
  int index = 0;   // of its stream
  std::optional<AudioDecoder> decoder{};
  double seconds = 0;  // that were decoded
  Loudness loudness = Loudness::unknown;

  // Passes over what the decoder has ready. A track that is longer than allowed counts as silent.
  void listen(double max_seconds) {
    while (const AVFrame* frame = decoder->next()) {
      if (peak(*frame) > silent_peak) loudness = Loudness::audible;
      if (loudness != Loudness::unknown) return;
      if (frame->sample_rate > 0) {
        seconds += static_cast<double>(frame->nb_samples) / frame->sample_rate;
      }
      if (max_seconds > 0 && seconds > max_seconds) loudness = Loudness::silent;
    }
  }
};

// Makes a decoder for each; a track that cannot be decoded counts as silent. The demuxer skips all
// other streams.
void open_decoders(const Container& container, std::vector<Candidate>& candidates) {
  AVFormatContext* format = container.get();
  for (unsigned i = 0; i < format->nb_streams; ++i) format->streams[i]->discard = AVDISCARD_ALL;
  for (Candidate& candidate : candidates) {
    if (static_cast<unsigned>(candidate.index) >= format->nb_streams) continue;
    AVStream& stream = *format->streams[candidate.index];
    stream.discard = AVDISCARD_DEFAULT;
    auto decoder = AudioDecoder::open(stream);
    if (decoder) candidate.decoder.emplace(*std::move(decoder));
  }
  for (Candidate& candidate : candidates) {
    if (!candidate.decoder) candidate.loudness = Loudness::silent;
  }
}

// Returns whether the first audible one is known, or that there is none.
bool is_decided(const std::vector<Candidate>& candidates) {
  const auto first = std::ranges::find_if(candidates, [](const Candidate& candidate) {
    return candidate.loudness != Loudness::silent;
  });
  return first == candidates.end() || first->loudness == Loudness::audible;
}

// Reads the container once, up to the end of what has to be heard.
void listen_to_all(const Container& container, std::vector<Candidate>& candidates,
                   double max_seconds) {
  Packet packet(av_packet_alloc());
  if (!packet) throw std::bad_alloc();
  while (!is_decided(candidates)) {
    const int read = av_read_frame(container.get(), packet.get());
    if (read == AVERROR(EAGAIN)) continue;
    if (read < 0) break;
    for (Candidate& candidate : candidates) {
      const bool is_ours = candidate.index == packet->stream_index;
      if (!is_ours || candidate.loudness != Loudness::unknown) continue;
      candidate.decoder->feed(packet.get());
      candidate.listen(max_seconds);
    }
    av_packet_unref(packet.get());
  }
  for (Candidate& candidate : candidates) {
    if (candidate.loudness != Loudness::unknown) continue;
    candidate.decoder->feed(nullptr);
    candidate.listen(max_seconds);
  }
}

}  // namespace

Result<std::vector<int>> find_silent_tracks(DescriptorInput& input, Container& container,
                                            const std::vector<AudioTrack>& ranked,
                                            const Options& options) {
  std::vector<Candidate> candidates;
  const std::size_t looked_at = std::min(ranked.size(), most_looked_at);
  for (const AudioTrack& track : std::span(ranked).first(looked_at)) {
    candidates.push_back({.number = track.number, .index = track.stream->index});
  }
  if (const auto opened = open_anew(input, container, options); !opened) return opened.error();
  open_decoders(container, candidates);
  listen_to_all(container, candidates, options.max_seconds);
  std::vector<int> silent;
  bool found = false;
  for (const Candidate& candidate : candidates) {
    found = candidate.loudness == Loudness::audible;
    if (found) break;
    silent.push_back(candidate.number);
  }
  if (!found) silent.clear();
  candidates.clear();  // first: decoders refer to the container
  if (const auto opened = open_anew(input, container, options); !opened) return opened.error();
  return silent;
}

}  // namespace engine::media
