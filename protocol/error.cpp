#include "protocol/error.h"

#include <stdexcept>

namespace protocol {

void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw std::runtime_error("[protocol] " + error.code + ": " + error.message);
}

}  // namespace protocol
