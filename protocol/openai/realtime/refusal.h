#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <utility>

namespace protocol::openai::realtime {

// Why something that a client has sent is refused, in the words of OpenAI's errors.
struct Refusal {
  Refusal() = default;
  Refusal(std::string code, std::string message, std::string param = {})
      : code(std::move(code)), message(std::move(message)), param(std::move(param)) {}

  std::string code{};
  std::string message{};
  std::string param{};  // the field at fault; empty: none

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

template <class T>
using Checked = boost::system::result<T, Refusal>;

inline constexpr char invalid_value[] = "invalid_value";

}  // namespace protocol::openai::realtime
