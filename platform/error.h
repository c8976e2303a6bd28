#pragma once

#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>

namespace platform {

struct Error {
  std::string message{};  // a sentence for users, without a full stop
  std::string fix{};      // what to do about it; may be empty

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = boost::system::result<T, Error>;

}  // namespace platform

namespace boost::system {

// value() of a failed result throws by this function: the caller must check before.
[[noreturn]] inline void throw_exception_from_error(const platform::Error& error,
                                                    const boost::source_location&) {
  throw std::logic_error(error.message);
}

}  // namespace boost::system
