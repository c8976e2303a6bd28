#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "protocol/error.h"
#include "protocol/json_fields.h"
#include "protocol/json_parse.h"
#include "protocol/json_text.h"

// A message is its struct's fields and, as "type", the struct's name on the wire.
namespace protocol::json {

template <class... Ms>
std::string write_message(const std::variant<Ms...>& message) {
  return dump(write(message));
}

// Makes an error in place, because a variant can hold an Error too: its struct Failed.
template <class T>
Result<T> bad(std::string what) {
  return Result<T>(boost::system::in_place_error, bad_message, std::move(what));
}

Result<std::string> read_type(const nlohmann::json& object);

// Tries one alternative of the variant after the other, until one has the type's name.
template <class Variant, std::size_t index = 0>
Result<Variant> read_message(const nlohmann::json& object, std::string_view type) {
  if constexpr (index == std::variant_size_v<Variant>) {
    return bad<Variant>("unknown message type '" + std::string(type.substr(0, 64)) + "'");
  } else {
    using M = std::variant_alternative_t<index, Variant>;
    if (type != type_name<M>) return read_message<Variant, index + 1>(object, type);
    M message;
    if constexpr (Object<M>) {
      Reader reader;
      reader.read(object, "", message);
      if (reader.failed())
        return bad<Variant>("message '" + std::string(type) + "': " + reader.problem());
    }
    return Variant(std::move(message));
  }
}

}  // namespace protocol::json
