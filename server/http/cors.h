#pragma once

#include "server/http/exchange.h"
#include "server/http/origin_guard.h"

// These functions tell a browser that a page of another origin may use this server (CORS, in the
// Fetch standard). A permission never includes cookies: a page sends the key itself.
namespace server {

// The pages that may read an answer: those that OriginGuard lists, or all, if the request needs a
// key.
enum class Readers { listed, all };

// Returns the fields that every answer carries, also errors and streams.
Headers cors_headers(const OriginGuard& guard, const http::fields& request, Readers readers);

// Returns the method of a request. For a preflight it is the method that the preflight asks about.
http::verb asked_method(http::verb method, const http::fields& request);

// Returns whether a request is the question that a browser asks before another one.
bool is_preflight(http::verb method, const http::fields& request);

// Answers a preflight. It needs no key, since browsers send none with it. The error is forbidden,
// for pages that may not read the answer.
Result<Response> preflight_answer(const OriginGuard& guard, const http::fields& request,
                                  Readers readers);

}  // namespace server
