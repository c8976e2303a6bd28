#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/error.h"

// A message of the Wyoming protocol (https://github.com/OHF-Voice/wyoming) is a line of JSON with
// its type and the lengths of what follows: a JSON object with its data, and bytes.
namespace protocol::wyoming {

// Clients send some kilobytes at a time. A client has no key, so a message that it holds back must
// take little memory: 256 connections have 96 MiB at most.
inline constexpr std::size_t max_head_bytes = 64 * 1024;
inline constexpr std::size_t max_data_bytes = 64 * 1024;
inline constexpr std::size_t max_payload_bytes = 256 * 1024;
inline constexpr int max_depth = 32;               // of JSON
inline constexpr std::size_t max_values = 10'000;  // of JSON

struct Message {
  std::string type{};
  nlohmann::json data = nlohmann::json::object();
  std::string payload{};

  friend bool operator==(const Message&, const Message&) = default;
};

// Writes a message. Its data stands behind the line and not in it: readers in Python take no line
// longer than 64 KiB.
std::string encode(const Message& message);

// Cuts a stream into messages, whatever the sizes that its bytes arrive in. Call next() until it is
// empty after each append: then the reader holds no more than one message and the last appended
// bytes.
class MessageReader {
 public:
  void append(std::string_view bytes);

  // Returns the next whole message; empty until more bytes come. Data in the line is taken, too;
  // that behind it comes before. After an error (bad_message, frame_too_large) the stream is lost:
  // every later call gives the same error.
  Result<std::optional<Message>> next();

 private:
  struct Head {
    Message message{};
    std::size_t data_bytes = 0;
    std::size_t payload_bytes = 0;
  };

  Result<std::optional<Message>> read();
  Result<bool> read_head();
  static Result<Head> parse_head(std::string_view line);
  std::string_view rest() const { return std::string_view(buffer_).substr(taken_); }

  std::string buffer_{};
  std::size_t taken_ = 0;     // bytes of buffer_ that were used
  std::size_t searched_ = 0;  // bytes of rest() that hold no line end
  std::optional<Head> head_{};
  std::optional<Error> failure_{};
};

}  // namespace protocol::wyoming
