#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <string>
#include <utility>

namespace protocol {

// An error for a program (`code`) and for a person (`message`, and in `fix` what to do about it,
// empty if nobody can do anything). It travels in messages unchanged, so the code of an engine or
// decoder error arrives as it was given.
struct Error {
  Error() = default;
  Error(std::string code, std::string message, std::string fix = {})
      : code(std::move(code)), message(std::move(message)), fix(std::move(fix)) {}

  std::string code;
  std::string message;
  std::string fix;

  friend bool operator==(const Error&, const Error&) = default;
};

// These are the codes of errors that this folder itself gives.
inline constexpr char bad_message[] = "bad_message";
inline constexpr char frame_too_large[] = "frame_too_large";
inline constexpr char version_mismatch[] = "version_mismatch";
inline constexpr char unknown_format[] = "unknown_format";

template <class T>
using Result = boost::system::result<T, Error>;

// boost::system::result calls this, found by argument lookup, when value() is called on an error.
[[noreturn]] void throw_exception_from_error(const Error& error,
                                             const boost::source_location& where);

}  // namespace protocol
