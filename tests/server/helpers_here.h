#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/base/error.h"

namespace server::test {

// For Services::fetch_helper: every helper model is there.
inline boost::asio::awaitable<Result<void>> has_helper(std::string) {
  co_return Result<void>();
}

}  // namespace server::test
