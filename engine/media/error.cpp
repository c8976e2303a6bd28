#include "engine/media/error.h"

#include <stdexcept>

namespace engine::media {

const char* name(Errc code) {
  switch (code) {
    case Errc::invalid_options:
      return "invalid_options";
    case Errc::empty_input:
      return "empty_input";
    case Errc::unsupported_format:
      return "unsupported_format";
    case Errc::refers_to_other_files:
      return "refers_to_other_files";
    case Errc::no_audio_track:
      return "no_audio_track";
    case Errc::unsupported_codec:
      return "unsupported_codec";
    case Errc::nothing_decodable:
      return "nothing_decodable";
    case Errc::empty_audio:
      return "empty_audio";
    case Errc::track_not_found:
      return "track_not_found";
    case Errc::channel_not_found:
      return "channel_not_found";
    case Errc::needs_seekable_input:
      return "needs_seekable_input";
    case Errc::too_long:
      return "too_long";
    case Errc::too_large:
      return "too_large";
    case Errc::read_failed:
      return "read_failed";
    case Errc::write_failed:
      return "write_failed";
    case Errc::out_of_memory:
      return "out_of_memory";
    case Errc::internal:
      return "internal";
    case Errc::sandbox_missing:
      return "sandbox_missing";
  }
  return "internal";
}

void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw std::runtime_error("[media] " + error.message);
}

}  // namespace engine::media
