#pragma once

#include <boost/beast/http/fields.hpp>
#include <string>

namespace server {

// Returns the client's x-request-id where it is short and plain, else a new one of 64 random bits.
std::string request_id_of(const boost::beast::http::fields& headers);
std::string new_request_id();

}  // namespace server
