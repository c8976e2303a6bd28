#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/api/form_values.h"
#include "server/http/exchange.h"

// The fields of the protocol tus 1.0, by which uploads come in parts.
namespace server {

inline constexpr char tus_version[] = "1.0.0";

// Returns whether a request is about uploads, where every answer has the field Tus-Resumable.
bool is_about_uploads(const Exchange& exchange);
// Returns whether a request speaks tus.
bool speaks_tus(const Exchange& exchange);
// Returns the method of a request. On paths of uploads, a POST with X-HTTP-Method-Override has the
// method in that field: tus clients use it behind proxies that block PATCH.
http::verb meant_method(const Exchange& exchange);
// Refuses tus extensions that are not offered; ignoring them would store wrong data. The error is
// usage.
FormProblem check_tus_extensions(const Exchange& exchange);
// Checks the version of a request about uploads that speaks tus; OPTIONS is answered for all. A
// POST that begins an upload without Tus-Resumable is of no version. The error is
// unsupported_tus_version.
Result<void> check_tus_version(const Exchange& exchange);

// Reads a number of bytes. The error is usage, also where the field is missing.
boost::system::result<std::uint64_t, FormError> tus_number(const Exchange& exchange,
                                                           const char* field);

// Returns the field Upload-Metadata as it was sent. The error is usage: it is too long.
boost::system::result<std::string, FormError> tus_metadata(const Exchange& exchange);

// Returns the name of the file in a field Upload-Metadata: pairs of a key and its value in Base64;
// empty if it has none.
boost::system::result<std::string, FormError> tus_file_name(std::string_view metadata);

}  // namespace server
