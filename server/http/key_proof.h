#pragma once

#include <string>
#include <string_view>

#include "server/http/key_line.h"

// By these a server on this machine proves to a client that it knows the client's key, before the
// client sends that. The client sends a number of its own and the id of its key; the server answers
// with a code over that number and the address at which it was asked, by which nobody else can pass
// the answer on.
namespace server {

// Returns 4 hexadecimal digits, which find a key among others and tell a stranger who hears them
// next to nothing of it.
std::string key_id(const KeyHash& key);

// Returns HMAC-SHA256 as 64 hexadecimal digits. Its key is the hash of the client's, which is all
// that a server keeps of that. `address` is the server's end of the connection: "127.0.0.1:8080".
std::string key_proof(const KeyHash& key, std::string_view nonce, std::string_view address);

// Returns whether a text is 32 hexadecimal digits in lower case.
bool is_proof_nonce(std::string_view text);

}  // namespace server
