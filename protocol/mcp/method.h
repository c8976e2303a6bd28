#pragma once

#include <string_view>

#include "protocol/mcp/connection.h"

// Connection finds the function that answers a method by these types.
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
  bool before_initialize;  // allowed before `initialize` in the legacy era
  bool (*is_offered)(const Features& features);
  Actions (Connection::*handle)(const Incoming& in);
};

}  // namespace protocol::mcp
