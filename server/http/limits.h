#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace server {

// Limits of what one client, and all clients together, may use of this process.
struct HttpLimits {
  std::size_t header_bytes = 16 * 1024;  // first line and fields of a request
  std::size_t header_fields = 100;
  std::uint64_t body_bytes = 1024 * 1024;  // unless the handler allows more

  // Memory for bodies that are held, of all clients together, and how long one waits for some of it
  // (BodyRoom).
  std::size_t held_body_bytes = 128 * 1024 * 1024;
  std::chrono::milliseconds body_patience{5'000};

  std::size_t connections = 2048;             // at most half of the descriptors we may have
  std::size_t connections_per_address = 256;  // does not count for loopback

  // The time for a header counts from its first byte, or from the connection.
  std::chrono::milliseconds header_time{10'000};
  std::chrono::milliseconds idle_time{75'000};  // between two requests
  // A body may take the grace and a second more for each body_bytes_per_second that have come.
  // Only the time in which we wait for the client counts.
  std::chrono::milliseconds body_grace{10'000};
  std::uint64_t body_bytes_per_second = 1024;
  // Within this time the client must take some of an answer. The whole answer may take this time
  // and a second more for each answer_bytes_per_second.
  std::chrono::milliseconds write_time{30'000};
  std::uint64_t answer_bytes_per_second = 1024;

  // After a refusal the client may still be sending, and would not read the answer if we closed at
  // once: for this long, what comes is thrown away.
  std::chrono::milliseconds linger_time{2'000};
  std::uint64_t linger_bytes = 32 * 1024 * 1024;
};

}  // namespace server
