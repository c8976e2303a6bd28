#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>

#include "server/api/api.h"
#include "server/api/route.h"
#include "server/base/error.h"

// Asked before the bytes of a recording are, so that nobody sends for nothing.
namespace server {

// How long the body says that it is; 0 where it does not.
std::uint64_t announced_bytes(const Exchange& exchange);

// Whether the disk has room for it. Errors: those of DiskRoom.
Result<void> admit_bytes(const Api& api, const ApiCall& call);
// Also whether one more job would be taken. Errors: those of DiskRoom and JobQueue::check().
asio::awaitable<Result<void>> admit_job(Api& api, const ApiCall& call);

}  // namespace server
