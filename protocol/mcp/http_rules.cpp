#include "protocol/mcp/http_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "protocol/base64.h"
#include "protocol/jsonrpc_id.h"
#include "protocol/mcp/envelope.h"
#include "protocol/mcp/http_mirrors.h"
#include "protocol/mcp/meta_keys.h"

namespace protocol::mcp {
namespace {

using jsonrpc::Error;

constexpr char version_header[] = "mcp-protocol-version";

Json id_of(const Json& message) {
  const auto id = message.is_object() ? message.find("id") : message.end();
  return id != message.end() && jsonrpc::is_id(*id) ? *id : Json();
}

Refusal refusal(const Json& id, Error error, int status = 400) {
  return {status, jsonrpc::error_message(id, error)};
}

// Returns the revision that the body itself names; nullptr if it names none, as legacy bodies
// do.
const Json* claim_of(const Json& message) {
  const Json* at = &message;
  for (const char* key : {"params", "_meta", version_key}) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return at;
}

// Dates compare as text, so later revisions than the known ones count as modern too.
bool is_modern(const std::string& revision) {
  return revision >= newest_modern;
}

std::variant<Posted, Refusal> check_legacy(const std::optional<std::string>& version, Posted post) {
  const Json id = id_of(post.body);
  const bool opens = post.body.value("method", "") == "initialize";
  if (version && is_modern(*version) && post.kind == Posted::Kind::request && !opens) {
    return refusal(id, {jsonrpc::invalid_params,
                        "params._meta must repeat the protocol version and the capabilities.",
                        {}});
  }
  post.revision = version.value_or(std::string(unnamed_http));
  if (opens) {
    post.revision = newest_legacy;  // until a revision is negotiated
  } else if (!era_of(post.revision)) {
    return refusal(id, unsupported_revision(post.revision));
  }
  // A modern client's notification changes nothing that a legacy client would receive, so it
  // passes.
  if (era_of(post.revision) == Era::modern) post.era = Era::modern;
  return post;
}

std::variant<Posted, Refusal> check_modern(const Features& features, const HeaderLookup& header,
                                           const std::optional<std::string>& version, Posted post) {
  const Json id = id_of(post.body);
  const Json& claim = *claim_of(post.body);
  post.era = Era::modern;
  if (claim.is_string() && version != claim.get<std::string>()) {
    return refusal(id, header_mismatch("MCP-Protocol-Version"));
  }
  const auto envelope = read_envelope(post.body["params"]);
  if (!envelope) return refusal(id, envelope.error());
  post.revision = envelope->modern->revision;
  if (post.kind != Posted::Kind::request) return post;
  const auto agree = check_mirrors(features, header, post.body);
  if (!agree) return refusal(id, agree.error());
  return post;
}

std::variant<Posted, Refusal> check_batch(const std::optional<std::string>& version, Json batch) {
  for (const auto& message : batch) {
    if (claim_of(message) || !jsonrpc::parse(message)) {
      return refusal({}, {jsonrpc::invalid_request,
                          "This batch cannot be answered. Send its messages one by one.",
                          {}});
    }
  }
  const std::string revision = version.value_or(std::string(unnamed_http));
  const bool allowed = revision >= batches_came && revision < batches_went && !batch.empty();
  if (!allowed)
    return refusal(
        {},
        {jsonrpc::invalid_request, "Batches are not supported. Send the messages one by one.", {}});
  return Posted{Posted::Kind::batch, Era::legacy, revision, std::move(batch)};
}

// Returns whether a list of media types names `type`, perhaps by a wildcard.
bool lists(std::string list, std::string_view type) {
  std::ranges::transform(list, list.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string any = std::string(type.substr(0, type.find('/'))) + "/*";
  return list.find(type) != std::string::npos || list.find("*/*") != std::string::npos ||
         list.find(any) != std::string::npos;
}

}  // namespace

std::variant<Posted, Refusal> check_post(const Features& features, const HeaderLookup& header,
                                         std::string_view body) {
  auto value = jsonrpc::parse_json(body);
  if (!value) return refusal({}, value.error().error);
  const auto version = header(version_header);
  if (value->is_array()) return check_batch(version, *std::move(value));
  const auto message = jsonrpc::parse(*value);
  if (!message) return refusal(message.error().id, message.error().error);
  Posted post{.body = *std::move(value)};
  if (std::holds_alternative<jsonrpc::Notification>(*message)) {
    post.kind = Posted::Kind::notification;
  } else if (std::holds_alternative<jsonrpc::Response>(*message)) {
    post.kind = Posted::Kind::response;
  }
  if (!claim_of(post.body)) return check_legacy(version, std::move(post));
  return check_modern(features, header, version, std::move(post));
}

int check_media_types(const HeaderLookup& header) {
  const auto type = header("content-type");
  if (!type || !lists(*type, "application/json")) return 415;
  const auto accepted = header("accept");
  return !accepted || lists(*accepted, "application/json") ? 0 : 406;
}

bool accepts_event_stream(const HeaderLookup& header) {
  const auto accepted = header("accept");
  return accepted && lists(*accepted, "text/event-stream");
}

int http_status(Era era, const Json& answer) {
  // Legacy clients treat any other status as a failure of the transport.
  if (era == Era::legacy || !answer.is_object() || !answer.contains("error")) return 200;
  const int code = answer["error"].value("code", 0);
  if (code == jsonrpc::method_not_found) return 404;
  constexpr std::array of_the_transport{jsonrpc::parse_error, jsonrpc::invalid_request, -32020,
                                        -32021, -32022};
  return std::ranges::find(of_the_transport, code) != of_the_transport.end() ? 400 : 200;
}

std::optional<std::string> decode_header(std::string_view value) {
  constexpr std::string_view begin = "=?base64?", end = "?=";
  const bool wrapped =
      value.size() >= begin.size() + end.size() && value.starts_with(begin) && value.ends_with(end);
  if (!wrapped) return std::string(value);
  return decode_base64(value.substr(begin.size(), value.size() - begin.size() - end.size()));
}

}  // namespace protocol::mcp
