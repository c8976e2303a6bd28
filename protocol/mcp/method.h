#pragma once

#include <string_view>

#include "protocol/mcp/connection.h"

// How Connection finds what answers a method.
namespace protocol::mcp {

struct Connection::Incoming {
  const jsonrpc::Request& request;
  const Envelope& envelope;
  const Caller& caller;
};

struct Connection::Method {
  std::string_view name;
  bool legacy;
  bool modern;
  bool before_initialize;  // of the legacy era
  bool (*is_offered)(const Features& features);
  Actions (Connection::*handle)(const Incoming& in);
};

}  // namespace protocol::mcp
