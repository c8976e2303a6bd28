#include "protocol/worker_messages.h"

#include "protocol/message_codec.h"
#include "protocol/worker_fields.h"

namespace protocol::worker {
namespace {

// Returns an error text for a work class that is not known; empty if it is known.
std::string unknown_class(const Message& message) {
  const auto* transcribe = std::get_if<Transcribe>(&message);
  if (transcribe == nullptr || work_class_of(transcribe->work_class)) return {};
  return "message 'transcribe': field 'work_class' must be 'live', 'interactive' or 'background'";
}

// A Hello or Load of another version may have other fields; its version must be readable even so.
std::optional<Message> other_version(const nlohmann::json& object, std::string_view type) {
  int theirs = version;
  json::Reader reader;
  reader.read_field(object, "", "version", theirs);
  if (reader.failed() || theirs == version) return std::nullopt;
  if (type == json::type_name<Hello>) return Hello{.version = theirs};
  if (type == json::type_name<Load>) return Load{.version = theirs};
  return std::nullopt;
}

// The turns of days of conversation, in one message; frames have a limit of their own.
constexpr std::size_t most_values = 4'000'000;

Result<void> check(const std::string& peer, int theirs, const std::string& self) {
  if (theirs == version) return {};
  return Error{version_mismatch,
               peer + " speaks version " + std::to_string(theirs) + ", this " + self + " version " +
                   std::to_string(version),
               "install both from one build"};
}

}  // namespace

std::string encode(const Message& message) {
  return json::write_message(message);
}

Result<Message> parse(std::string_view payload) {
  const auto object = json::parse_object(payload, {.values = most_values});
  if (object.has_error()) return object.error();
  const auto type = json::read_type(*object);
  if (type.has_error()) return type.error();
  if (auto message = other_version(*object, *type)) return std::move(*message);
  auto message = json::read_message<Message>(*object, *type);
  if (message.has_value()) {
    if (auto problem = unknown_class(*message); !problem.empty()) {
      return Error{bad_message, std::move(problem)};
    }
  }
  return message;
}

Result<void> check_version(const Hello& hello) {
  return check("scribed-worker", hello.version, "scribed");
}

Result<void> check_version(const Load& load) {
  return check("scribed", load.version, "scribed-worker");
}

}  // namespace protocol::worker
