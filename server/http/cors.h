#pragma once

#include <optional>

#include "server/http/exchange.h"
#include "server/http/origin_guard.h"

// What a browser wants to hear before a page of another origin may use this server (CORS, in the
// Fetch standard). Only pages that OriginGuard was told of get a permission. It is never one for
// cookies: a page sends the key itself.
namespace server {

// The fields of every answer, errors and streams too.
Headers cors_headers(const OriginGuard& guard, const http::fields& request);

// The answer to the question that a browser asks before a request ("preflight"); nothing where this
// is none, or none of an allowed page. It needs no key, since browsers send none with it.
std::optional<Response> preflight_answer(const OriginGuard& guard, http::verb method,
                                         const http::fields& request);

}  // namespace server
