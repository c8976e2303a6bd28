#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>

// Expected failures of the engine, as values. The worker hands `name(code)` to the daemon, which
// maps it to exit codes and HTTP statuses; nothing here knows of either.
namespace engine {

enum class Errc {
  not_found = 1,       // a file or folder that was named does not exist
  unreadable,          // it exists and cannot be read
  unknown_format,      // no known kind of model or vocabulary
  damaged_model,       // sizes, shapes or checksums of a model do not fit
  refused_model,       // would need code to be run, or a feature that is not supported
  damaged_vocabulary,  // the tokens do not fit together
  invalid_option,      // a transcription option has no meaning or is out of range
  unusable_clip,       // the clip of a known speaker does not tell one voice
  device_unavailable,  // the device was asked for and cannot be used
  out_of_memory,
  out_of_disk,        // the spool file could not grow
  non_finite_logits,  // NaN or Inf came out of the model
  input_failed,       // the PCM pipe could not be read
  cancelled,
  internal,
};

// Returns the stable word for a code, as it appears in messages and JSON: "damaged_model".
const char* name(Errc code);

// One sentence that says what happened with both sides (found, expected), and what to do about it.
struct Error {
  Errc code = Errc::internal;
  std::string message;
  std::string fix;
};

template <class T>
using Result = boost::system::result<T, Error>;

// Carries an Error through code that is too deep for values; caught at the engine's border.
struct Exception : std::runtime_error {
  explicit Exception(Error e) : std::runtime_error(e.message), error(std::move(e)) {}
  Error error;
};

// boost::system::result finds it when value() is asked of a failure.
BOOST_NORETURN void throw_exception_from_error(const Error& error,
                                               const boost::source_location& location);

}  // namespace engine
