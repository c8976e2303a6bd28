#include "engine/media/opened_track.h"

#include <algorithm>
#include <string>

#include "engine/media/silent_tracks.h"
#include "engine/media/tracks.h"

namespace engine::media {

Result<OpenedTrack> open_track(DescriptorInput& input, Container& container,
                               const Options& options) {
  auto ranked = rank_tracks(container, options.track);
  if (!ranked) return ranked.error();
  std::vector<int> silent;
  if (ranked->size() > 1 && input.seekable()) {
    auto found = find_silent_tracks(input, container, *ranked, options);
    if (!found) return found.error();
    silent = *std::move(found);
    ranked = rank_tracks(container, options.track);
    if (!ranked) return ranked.error();
  }
  std::optional<Error> failure;
  std::string passed_over;
  for (const AudioTrack& candidate : *ranked) {
    auto decoder = AudioDecoder::open(*candidate.stream);
    if (!decoder) {
      if (!failure) failure = decoder.error();
      continue;
    }
    if (std::ranges::find(silent, candidate.number) != silent.end()) {
      passed_over += "Audio track " + std::to_string(candidate.number) + " is silent. ";
      continue;
    }
    take_only(container, *candidate.stream);
    const AVStream& stream = *candidate.stream;
    Track track{.stream = candidate.stream, .timeline = Timeline(*container.get(), stream)};
    const double start = options.packed ? start_of(stream) : track.timeline.start();
    track.declared_s = declared_seconds(container, stream, start);
    if (declares_end(container)) {
      track.ends_s = declared_seconds(container, stream, track.timeline.start());
    }
    if (failure) track.warnings.push_back({"track_undecodable", failure->message});
    if (!passed_over.empty()) {
      track.warnings.push_back({"silent_track", passed_over + "Another one was transcribed."});
    }
    if (const auto choice = tell_choice(container, candidate);
        !choice.empty() && options.track.number == 0) {
      track.warnings.push_back({"several_tracks", choice});
    }
    return OpenedTrack{std::move(track), std::move(*decoder)};
  }
  if (failure) return *failure;
  return Error{Errc::nothing_decodable, "The file changed while it was read.", "Try again."};
}

}  // namespace engine::media
