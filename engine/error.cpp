#include "engine/error.h"

namespace engine {

const char* name(Errc code) {
  switch (code) {
    case Errc::not_found:
      return "not_found";
    case Errc::unreadable:
      return "unreadable";
    case Errc::unknown_format:
      return "unknown_format";
    case Errc::damaged_model:
      return "damaged_model";
    case Errc::refused_model:
      return "refused_model";
    case Errc::damaged_vocabulary:
      return "damaged_vocabulary";
    case Errc::invalid_option:
      return "invalid_option";
    case Errc::unusable_clip:
      return "unusable_clip";
    case Errc::device_unavailable:
      return "device_unavailable";
    case Errc::out_of_memory:
      return "out_of_memory";
    case Errc::out_of_disk:
      return "out_of_disk";
    case Errc::non_finite_logits:
      return "non_finite_logits";
    case Errc::input_failed:
      return "input_failed";
    case Errc::cancelled:
      return "cancelled";
    case Errc::internal:
      return "internal";
  }
  return "internal";
}

void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw Exception(error);
}

}  // namespace engine
