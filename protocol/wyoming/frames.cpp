#include "protocol/wyoming/frames.h"

#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"

namespace protocol::wyoming {
namespace {

// The version of the protocol's reference, whose messages these are.
constexpr char wyoming_version[] = "1.10.2";

Error broken(std::string what) {
  return {bad_message, "This is not the Wyoming protocol: " + std::move(what),
          "Send a line of JSON with a type, and the lengths of what follows."};
}

Result<nlohmann::json> parse_limited(std::string_view text) {
  return json::parse_object(text, {.depth = max_depth, .values = max_values});
}

// Returns a length of the head; one that is missing or null is 0.
Result<std::size_t> length_of(const nlohmann::json& head, const char* name, std::size_t most) {
  const auto found = head.find(name);
  if (found == head.end() || found->is_null()) return std::size_t{0};
  if (!found->is_number_unsigned()) return broken(std::string(name) + " is no length.");
  const auto length = found->get<std::uint64_t>();
  if (length > most) {
    return Error{frame_too_large,
                 "The field " + std::string(name) + " is more than " + std::to_string(most) + ".",
                 "Send less in one message."};
  }
  return static_cast<std::size_t>(length);
}

}  // namespace

std::string encode(const Message& message) {
  nlohmann::ordered_json head{{"type", message.type}, {"version", wyoming_version}};
  const std::string data = message.data.empty() ? "" : json::dump(message.data);
  if (!data.empty()) head["data_length"] = data.size();
  if (!message.payload.empty()) head["payload_length"] = message.payload.size();
  return json::dump(head) + "\n" + data + message.payload;
}

void MessageReader::append(std::string_view bytes) {
  buffer_.erase(0, taken_);
  taken_ = 0;
  buffer_ += bytes;
}

Result<std::optional<Message>> MessageReader::next() {
  if (failure_) return *failure_;
  auto message = read();
  if (!message) failure_ = message.error();
  return message;
}

Result<std::optional<Message>> MessageReader::read() {
  const auto has_head = read_head();
  if (!has_head) return has_head.error();
  if (!*has_head) return std::optional<Message>();
  const std::size_t wanted = head_->data_bytes + head_->payload_bytes;
  if (rest().size() < wanted) return std::optional<Message>();
  Message message = std::move(head_->message);
  if (head_->data_bytes > 0) {
    const auto data = parse_limited(rest().substr(0, head_->data_bytes));
    if (!data) return broken(data.error().message);
    message.data.update(*data);
  }
  message.payload = rest().substr(head_->data_bytes, head_->payload_bytes);
  taken_ += wanted;
  head_.reset();
  return std::optional(std::move(message));
}

Result<bool> MessageReader::read_head() {
  if (head_) return true;
  const std::size_t end = rest().find('\n', searched_);
  const bool is_whole = end != std::string_view::npos;
  if ((is_whole ? end : rest().size()) > max_head_bytes) {
    return Error{frame_too_large,
                 "A line has more than " + std::to_string(max_head_bytes) + " bytes.",
                 "Send what is long after the line."};
  }
  searched_ = is_whole ? 0 : rest().size();
  if (!is_whole) return false;
  auto head = parse_head(rest().substr(0, end));
  if (!head) return head.error();
  head_ = *std::move(head);
  taken_ += end + 1;
  return true;
}

Result<MessageReader::Head> MessageReader::parse_head(std::string_view line) {
  const auto fields = parse_limited(line);
  if (!fields) return broken(fields.error().message);
  const auto type = fields->find("type");
  if (type == fields->end() || !type->is_string()) return broken("A message has no type.");
  const auto data_bytes = length_of(*fields, "data_length", max_data_bytes);
  if (!data_bytes) return data_bytes.error();
  const auto payload_bytes = length_of(*fields, "payload_length", max_payload_bytes);
  if (!payload_bytes) return payload_bytes.error();
  Head head{.message = {.type = type->get<std::string>()},
            .data_bytes = *data_bytes,
            .payload_bytes = *payload_bytes};
  const auto data = fields->find("data");
  if (data != fields->end() && data->is_object()) head.message.data = *data;
  return head;
}

}  // namespace protocol::wyoming
