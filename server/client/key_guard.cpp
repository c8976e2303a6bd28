#include "server/client/key_guard.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "protocol/json_parse.h"
#include "server/base/peer_user.h"
#include "server/base/private_fds.h"
#include "server/base/random_bytes.h"
#include "server/http/key_proof.h"

namespace server {
namespace {

// The user of the installed service (packaging/sysusers.d). Root alone can make one of that name.
constexpr char service_user[] = "scribed";

constexpr char stranger_fix[] =
    "Another program may listen there. A scribed of an earlier version proves nothing: upgrade it. "
    "One behind a proxy or a container's port cannot: then add --trust-server.";

bool is_trusted(uid_t user) {
  if (user == ::geteuid() || user == 0) return true;
  const passwd* service = ::getpwnam(service_user);
  return service != nullptr && service->pw_uid == user;
}

std::string new_nonce() {
  std::array<unsigned char, 16> bytes{};
  if (!fill_with_random(bytes)) throw std::runtime_error("[client] there are no random numbers");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string text_of_server(std::string_view address, int port) {
  return address.find(':') == address.npos ? fmt::format("{}:{}", address, port)
                                           : fmt::format("[{}]:{}", address, port);
}

}  // namespace

KeyGuard::KeyGuard(const ServerAddress& address, const std::string& key, bool trusts_server)
    : address_(address),
      key_(key),
      needs_proof_(!key.empty() && !trusts_server && address.socket.empty() && address.is_local() &&
                   address.url.starts_with("http://")) {}

void KeyGuard::watch(CURL* curl) {
  if (key_.empty()) return;
  if (!address_.socket.empty()) {
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, this);
  }
  curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, before_request);
  curl_easy_setopt(curl, CURLOPT_PREREQDATA, this);
}

std::string KeyGuard::challenge() {
  proven_port_.reset();
  has_lost_connection_ = false;
  refusal_.reset();
  nonce_ = new_nonce();
  return fmt::format("/v1/proof?key_id={}&nonce={}", key_id(hash_of_key(key_)), nonce_);
}

Result<void> KeyGuard::take_proof(long status, const std::string& body) {
  const auto answer = protocol::json::parse_object(body);
  const auto proofs = answer ? answer->find("proofs") : nlohmann::json::const_iterator();
  const bool is_read = status == 200 && answer && proofs != answer->end() && proofs->is_array();
  if (!is_read) return unproven(stranger_fix);
  const std::string wanted = key_proof(hash_of_key(key_), nonce_, server_);
  if (std::ranges::any_of(*proofs, [&](const auto& proof) { return proof == wanted; })) {
    proven_port_ = own_port_;
    return {};
  }
  if (!proofs->empty()) return unproven(stranger_fix);
  if (answer->value("keys_required", nlohmann::json(true)) == false) {
    return unproven("It asks for no key: unset SCRIBED_API_KEY, and leave out --api-key-file.");
  }
  return Error{errc::unauthorized, address_.text() + " does not know this key, which was not sent",
               "Set SCRIBED_API_KEY, or name a file that holds the key with --api-key-file."};
}

Error KeyGuard::unproven(const char* fix) const {
  return {unproven_server,
          fmt::format("the program at {} did not prove that it is scribed; the key was not sent",
                      address_.text()),
          fix};
}

curl_socket_t KeyGuard::open_socket(void* user, curlsocktype, curl_sockaddr* address) {
  auto& guard = *static_cast<KeyGuard*>(user);
  guard.socket_ = private_socket(address->family, address->socktype, address->protocol);
  return guard.socket_;
}

std::optional<Error> KeyGuard::distrust_of_socket() const {
  const auto user = peer_user(socket_);
  if (user && is_trusted(*user)) return std::nullopt;
  const passwd* entry = user ? ::getpwuid(*user) : nullptr;
  return Error{unproven_server,
               fmt::format("the program at {} is {}'s; the key was not sent", address_.text(),
                           entry != nullptr ? entry->pw_name : "another user"),
               fmt::format("The key goes to programs of this user, of root and of {} alone. Name "
                           "the server's other address with --server.",
                           service_user)};
}

int KeyGuard::before_request(void* user, char* their_address, char*, int their_port, int own_port) {
  auto& guard = *static_cast<KeyGuard*>(user);
  guard.own_port_ = own_port;
  if (!guard.address_.socket.empty()) {
    guard.refusal_ = guard.distrust_of_socket();
  } else {
    guard.server_ = text_of_server(their_address, their_port);
    guard.has_lost_connection_ = guard.proven_port_ && *guard.proven_port_ != own_port;
  }
  return guard.refusal_ || guard.has_lost_connection_ ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

}  // namespace server
