#include "engine/media/silent_tracks.h"

#include <new>

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

enum class Loudness { silent, audible, longer_than_allowed };

// Passes over what the decoder has ready.
Loudness listen(AudioDecoder& decoder, double max_seconds, double& seconds) {
  while (const AVFrame* frame = decoder.next()) {
    if (peak(*frame) > silent_peak) return Loudness::audible;
    if (frame->sample_rate > 0) {
      seconds += static_cast<double>(frame->nb_samples) / frame->sample_rate;
    }
    if (max_seconds > 0 && seconds > max_seconds) return Loudness::longer_than_allowed;
  }
  return Loudness::silent;
}

// Returns whether the track is audible; a track that cannot be decoded is not.
bool is_audible(const Container& container, const AVStream& track, double max_seconds) {
  auto decoder = AudioDecoder::open(track);
  if (!decoder) return false;
  take_only(container, track);
  Packet packet(av_packet_alloc());
  if (!packet) throw std::bad_alloc();
  double seconds = 0;
  for (int read = 0;;) {
    read = av_read_frame(container.get(), packet.get());
    if (read == AVERROR(EAGAIN)) continue;
    const bool is_ours = read < 0 || packet->stream_index == track.index;
    if (is_ours) decoder->feed(read < 0 ? nullptr : packet.get());
    av_packet_unref(packet.get());
    const auto heard = is_ours ? listen(*decoder, max_seconds, seconds) : Loudness::silent;
    if (heard != Loudness::silent || read < 0) return heard == Loudness::audible;
  }
}

}  // namespace

Result<std::vector<int>> find_silent_tracks(DescriptorInput& input, Container& container,
                                            const std::vector<AudioTrack>& ranked,
                                            const Options& options) {
  std::vector<int> indices;
  for (const AudioTrack& track : ranked) indices.push_back(track.stream->index);
  std::vector<int> silent;
  bool found = false;
  for (std::size_t i = 0; i < ranked.size() && !found; ++i) {
    if (const auto opened = open_anew(input, container, options); !opened) return opened.error();
    const auto index = static_cast<unsigned>(indices[i]);
    if (index >= container.get()->nb_streams) continue;
    const AVStream& stream = *container.get()->streams[index];
    found = is_audible(container, stream, options.max_seconds);
    if (!found) silent.push_back(ranked[i].number);
  }
  if (const auto opened = open_anew(input, container, options); !opened) return opened.error();
  if (!found) silent.clear();
  return silent;
}

}  // namespace engine::media
