#include <nlohmann/json.hpp>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/hosts/host_texts.h"
#include "server/hosts/json_object.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

// Hosts keep more than settings in these files, as their history.
constexpr protocol::json::Limits limits{.depth = 256, .values = 10'000'000};

Json json_entry(const McpHost& host, const McpCommand& command) {
  Json entry = Json::object();
  if (host.names_transport) entry["type"] = "stdio";
  entry["command"] = command.program;
  entry["args"] = command.arguments;
  return entry;
}

std::string whole_text(const McpHost& host, const McpCommand& command) {
  const Json whole{{host.key, Json{{"scribed", json_entry(host, command)}}}};
  return protocol::json::dump(whole, 2) + "\n";
}

// An entry that starts a program keeps what the user has added, as an environment. One that names
// an address instead is replaced as a whole.
bool is_kept(const nlohmann::json& entry) {
  return entry.is_object() && entry.contains("command");
}

std::optional<TextSpan> own_entry(std::string_view text, const McpHost& host) {
  const auto servers = member_value(text, root_object(text), host.key);
  return servers ? member_value(text, *servers, "scribed") : std::nullopt;
}

// Returns the text with the members of `entry` in the entry that is there.
std::string merged(std::string text, const McpHost& host, const Json& entry) {
  for (const auto& [key, member] : entry.items()) {
    const auto own = own_entry(text, host);
    if (!own) return text;
    const std::string value = protocol::json::dump(member, 2);
    const auto place = member_value(text, *own, key);
    text = place ? with_value(text, *place, value) : with_member(text, *own, key, value);
  }
  return text;
}

// Returns the edited text, with the whole entry. Anything that is not understood gives a text that
// the caller's comparison refuses.
std::string edited(std::string_view text, const McpHost& host, const Json& entry) {
  const std::string value = protocol::json::dump(entry, 2);
  const TextSpan root = root_object(text);
  const auto servers = member_value(text, root, host.key);
  if (!servers) {
    return with_member(text, root, host.key, protocol::json::dump(Json{{"scribed", entry}}, 2));
  }
  if (const auto own = member_value(text, *servers, "scribed")) {
    return with_value(text, *own, value);
  }
  return with_member(text, *servers, "scribed", value);
}

}  // namespace

std::string json_lines(const McpHost& host, const McpCommand& command) {
  return whole_text(host, command);
}

std::optional<std::string> json_with_scribed(std::string_view text, const McpHost& host,
                                             const McpCommand& command) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) return whole_text(host, command);
  const auto before = protocol::json::parse_object(text, limits);
  if (!before) return std::nullopt;
  const Json entry = json_entry(host, command);
  nlohmann::json wanted = *before;
  if (wanted.contains(host.key) && !wanted[host.key].is_object()) return std::nullopt;
  nlohmann::json& own = wanted[host.key]["scribed"];
  const bool keeps = is_kept(own);
  if (!keeps) own = nlohmann::json::object();
  own.update(nlohmann::json(entry));
  if (wanted == *before) return std::string(text);
  std::string changed = keeps ? merged(std::string(text), host, entry) : edited(text, host, entry);
  const auto after = protocol::json::parse_object(changed, limits);
  if (!after || *after != wanted) return std::nullopt;
  return changed;
}

}  // namespace server
