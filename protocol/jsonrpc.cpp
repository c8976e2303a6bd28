#include "protocol/jsonrpc.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include "protocol/error_text.h"
#include "protocol/json_parse.h"
#include "protocol/jsonrpc_id.h"

namespace protocol::jsonrpc {
namespace {

// The largest messages have some hundred values; a handler copies its message's parameters several
// times.
constexpr json::Limits limits{.values = 10'000};

// Returns the id of a message that cannot be read further, so that its sender knows which one it
// was.
Json id_of(const Json& value) {
  const auto id = value.find("id");
  return id != value.end() && is_id(*id) ? *id : Json();
}

Malformed malformed(const Json& value, const char* what) {
  return {id_of(value), {invalid_request, what, {}}};
}

Parsed<Json> params_of(const Json& value) {
  const auto params = value.find("params");
  if (params == value.end()) return good<Parsed<Json>>(Json::object());
  if (params->is_object()) return good<Parsed<Json>>(*params);
  return Malformed{id_of(value), {invalid_params, "The field params must be an object.", {}}};
}

Parsed<Message> parse_call(const Json& value) {
  const Json& method = value["method"];
  if (!method.is_string()) return malformed(value, "The field method must be a string.");
  auto params = params_of(value);
  if (!params) return params.error();
  const auto id = value.find("id");
  if (id == value.end()) {
    return Message(Notification{method.get<std::string>(), *std::move(params)});
  }
  if (!is_id(*id))
    return malformed(value, "The field id must be an integer, or a string of at most 1024 bytes.");
  return Message(Request{*id, method.get<std::string>(), *std::move(params)});
}

Parsed<Message> parse_response(const Json& value) {
  Response response{.id = id_of(value)};
  const auto result = value.find("result");
  const auto error = value.find("error");
  if ((result != value.end()) == (error != value.end())) {
    return malformed(value, "A message needs a method, a result or an error.");
  }
  if (result != value.end()) {
    response.result = *result;
    return Message(std::move(response));
  }
  const bool whole = error->is_object() && error->contains("code") &&
                     (*error)["code"].is_number_integer() && error->contains("message") &&
                     (*error)["message"].is_string();
  if (!whole) return malformed(value, "The field error needs a code and a message.");
  response.error = Error{(*error)["code"].get<int>(), (*error)["message"].get<std::string>(),
                         error->value("data", Json())};
  return Message(std::move(response));
}

}  // namespace

void throw_exception_from_error(const Malformed& malformed, const boost::source_location&) {
  throw std::logic_error(malformed.error.message);
}

void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw std::logic_error(error.message);
}

Parsed<Json> parse_json(std::string_view text) {
  auto value = json::parse_text(text, limits);
  if (!value)
    return Malformed{{}, {parse_error, value.error().message + " Send one JSON-RPC message.", {}}};
  return good<Parsed<Json>>(*std::move(value));
}

Parsed<Message> parse(const Json& value) {
  if (!value.is_object()) return malformed(Json::object(), "A message must be an object.");
  const auto version = value.find("jsonrpc");
  if (version == value.end() || *version != "2.0") {
    return malformed(value, "The field jsonrpc must be \"2.0\".");
  }
  return value.contains("method") ? parse_call(value) : parse_response(value);
}

Json result_message(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error_message(const Json& id, const Error& error) {
  Json body{{"code", error.code}, {"message", whole_sentence(error.message)}};
  if (!error.data.is_null()) body["data"] = error.data;
  Json message{{"jsonrpc", "2.0"}, {"error", std::move(body)}};
  if (!id.is_null()) message["id"] = id;  // MCP's schema allows no null there
  return message;
}

Json request_message(const Json& id, std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

Json notification_message(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace protocol::jsonrpc
