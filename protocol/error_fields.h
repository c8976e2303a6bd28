#pragma once

#include "protocol/json_fields.h"

namespace protocol::json {

template <>
inline constexpr auto fields<Error> = std::tuple{
    Field{"code", &Error::code}, Field{"message", &Error::message}, Field{"fix", &Error::fix}};

}  // namespace protocol::json
