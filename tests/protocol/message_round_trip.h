#pragma once

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "protocol/worker_messages.h"

namespace protocol::worker {

// Return a message, and an event of a job, as they arrive.
template <class M>
M round_trip(const M& message) {
  const auto parsed = parse(encode(message));
  EXPECT_TRUE(parsed.has_value()) << encode(message);
  return std::get<M>(parsed.value());
}

template <class E>
E event_round_trip(const E& event) {
  return std::get<E>(round_trip(Event{"j", event}).event);
}

// Returns what is said of a message that is refused.
inline std::string problem(const std::string& payload) {
  const auto parsed = parse(payload);
  if (parsed.has_value()) return "no error";
  EXPECT_EQ(parsed.error().code, bad_message);
  return parsed.error().message;
}

}  // namespace protocol::worker
