#include "protocol/decoder_messages.h"

#include "protocol/error_fields.h"
#include "protocol/message_codec.h"
#include "protocol/transcript_event_fields.h"

namespace protocol::json {

template <>
inline constexpr const char* type_name<decoder::Warning> = "warning";
template <>
inline constexpr auto fields<decoder::Warning> = std::tuple{
    Field{"code", &decoder::Warning::code}, Field{"message", &decoder::Warning::message}};

template <>
inline constexpr const char* type_name<decoder::Failed> = "failed";
template <>
inline constexpr auto fields<decoder::Failed> = std::tuple{Field{"error", &decoder::Failed::error}};

template <>
inline constexpr const char* type_name<decoder::Finished> = "finished";
template <>
inline constexpr auto fields<decoder::Finished> =
    std::tuple{Field{"seconds", &decoder::Finished::seconds},
               Field{"bytes_read", &decoder::Finished::bytes_read},
               Field{"damaged_packets", &decoder::Finished::damaged_packets}};

}  // namespace protocol::json

namespace protocol::decoder {

std::string encode(const Message& message) {
  return json::write_message(message) + '\n';
}

Result<Message> parse(std::string_view line) {
  if (line.size() > max_line_bytes) {
    return json::bad<Message>("a line of " + std::to_string(line.size()) +
                              " bytes is over the limit of " + std::to_string(max_line_bytes));
  }
  const auto object = json::parse_object(line);
  if (object.has_error()) return json::bad<Message>(object.error().message);
  const auto type = json::read_type(*object);
  if (type.has_error()) return json::bad<Message>(type.error().message);
  return json::read_message<Message>(*object, *type);
}

}  // namespace protocol::decoder
