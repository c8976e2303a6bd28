#pragma once

#include <boost/system/result.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// JSON-RPC 2.0 (jsonrpc.org/specification) as MCP uses it: ids are strings or integers, params are
// objects.
namespace protocol::jsonrpc {

using Json = nlohmann::json;

inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;

struct Error {
  int code = internal_error;
  std::string message{};
  Json data{};  // null: none
};

struct Request {
  Json id{};
  std::string method{};
  Json params = Json::object();
};

struct Notification {
  std::string method{};
  Json params = Json::object();
};

// The other side's answer to a request of ours: a result or an error.
struct Response {
  Json id{};
  Json result{};
  std::optional<Error> error{};
};

using Message = std::variant<Request, Notification, Response>;

// A message that could not be read, with the id to answer under; null if it has no readable one.
struct Malformed {
  Json id{};
  Error error{};
};

// value() of a result without a value throws by this function: the caller must check before.
[[noreturn]] void throw_exception_from_error(const Malformed& malformed,
                                             const boost::source_location& where);
[[noreturn]] void throw_exception_from_error(const Error& error,
                                             const boost::source_location& where);

template <class T>
using Parsed = boost::system::result<T, Malformed>;

// A request's parameters, or the error that answers it.
template <class T>
using Checked = boost::system::result<T, Error>;

// Makes a good result. It is needed because a Json would also convert itself to the error.
template <class Result>
Result good(Json value) {
  return Result(boost::system::in_place_value, std::move(value));
}

// Parses the text as JSON without giving it a meaning: at most 64 levels deep and of 10,000 values.
Parsed<Json> parse_json(std::string_view text);

Parsed<Message> parse(const Json& value);

Json result_message(const Json& id, Json result);
Json error_message(const Json& id, const Error& error);
Json request_message(const Json& id, std::string_view method, Json params);
Json notification_message(std::string_view method, Json params);

}  // namespace protocol::jsonrpc
