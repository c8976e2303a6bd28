#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <string>

// Why an input gave no sound. One code is one exit status of scribed-decode, so the numbers stay.
namespace engine::media {

enum class Errc {
  invalid_options = 2,
  empty_input = 3,
  unsupported_format = 4,
  refers_to_other_files = 5,  // a playlist or a reference; nothing it names was opened
  no_audio_track = 6,
  unsupported_codec = 7,
  nothing_decodable = 8,
  empty_audio = 9,  // a sound track without a single sample
  track_not_found = 10,
  channel_not_found = 11,
  needs_seekable_input = 12,
  too_long = 13,
  too_large = 14,
  read_failed = 15,
  write_failed = 16,
  out_of_memory = 17,
  internal = 18,
  sandbox_missing = 19,
};

// Returns the stable name of a code, as it appears in the report: "no_audio_track".
const char* name(Errc code);

// An error for the owner of the file: one sentence, and what to do about it.
struct Error {
  Errc code = Errc::internal;
  std::string message;
  std::string fix;
};

template <class T>
using Result = boost::system::result<T, Error>;

// boost::system::result calls this, found by argument lookup, when value() is called on a failure.
BOOST_NORETURN void throw_exception_from_error(const Error& error,
                                               const boost::source_location& where);

}  // namespace engine::media
