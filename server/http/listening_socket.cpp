#include "server/http/listening_socket.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cstring>
#include <memory>
#include <optional>

#include "server/base/peer_user.h"
#include "server/base/private_fds.h"

namespace server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Endpoint = asio::generic::stream_protocol::endpoint;
using boost::system::error_code;

Error cannot_listen(const ListenAddress& address, const error_code& failure) {
  const bool is_taken = failure == asio::error::address_in_use;
  return {is_taken ? "address_in_use" : errc::cannot_listen,
          "Cannot listen on " + address.text() + ": " + failure.message() + ".",
          address.path.empty()
              ? "Choose another address or port, or end the program that uses it."
              : "Check that its folder exists and this user may write there, and that no other "
                "scribed uses it."};
}

std::optional<tcp::endpoint> tcp_endpoint(const Endpoint& endpoint) {
  const int family = endpoint.data()->sa_family;
  if (family != AF_INET && family != AF_INET6) return std::nullopt;
  tcp::endpoint found;
  std::memcpy(found.data(), endpoint.data(), std::min(endpoint.size(), found.capacity()));
  found.resize(endpoint.size());
  return found;
}

std::optional<ListenAddress> listen_address(const Endpoint& endpoint) {
  if (const auto found = tcp_endpoint(endpoint)) {
    return ListenAddress{.host = found->address().to_string(), .port = found->port()};
  }
  if (endpoint.data()->sa_family != AF_UNIX) return std::nullopt;
  sockaddr_un address{};
  std::memcpy(&address, endpoint.data(), std::min<std::size_t>(endpoint.size(), sizeof address));
  if (address.sun_path[0] != '/') return std::nullopt;  // it has no file
  return ListenAddress{
      .path = std::string(address.sun_path, ::strnlen(address.sun_path, sizeof address.sun_path))};
}

#if defined(__APPLE__)

// macOS changes no mode of a socket without a file. Before listen() nobody can connect by the file.
bool keep_to_owner(int) {
  return true;
}

bool keep_to_owner(const std::string& path) {
  return ::chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0;
}

#else

// The file gets this mode the moment that it is there.
bool keep_to_owner(int socket) {
  return ::fchmod(socket, S_IRUSR | S_IWUSR) == 0;
}

bool keep_to_owner(const std::string&) {
  return true;
}

#endif

Result<ListeningSocket> open_socket(const asio::any_io_executor& executor,
                                    const ListenAddress& address, const Endpoint& endpoint) {
  StreamAcceptor acceptor(executor);
  error_code failure;
  acceptor.open(endpoint.protocol(), failure);
  const bool is_file = endpoint.data()->sa_family == AF_UNIX;
  if (!failure && is_file && !keep_to_owner(acceptor.native_handle())) {
    failure.assign(errno, boost::system::system_category());
  }
  if (!failure && !is_file) acceptor.set_option(asio::socket_base::reuse_address(true), failure);
  // Each family has its own address, so that both can be listened on.
  if (!failure && endpoint.data()->sa_family == AF_INET6) {
    acceptor.set_option(asio::ip::v6_only(true), failure);
  }
  if (!failure) acceptor.bind(endpoint, failure);
  if (failure) return cannot_listen(address, failure);
  SocketFile file(is_file ? address.path : std::string());
  if (is_file && !keep_to_owner(address.path)) {
    failure.assign(errno, boost::system::system_category());
    return cannot_listen(address, failure);
  }
  acceptor.listen(asio::socket_base::max_listen_connections, failure);
  Endpoint real;
  if (!failure) real = acceptor.local_endpoint(failure);
  if (failure) return cannot_listen(address, failure);
  return ListeningSocket{std::move(acceptor), listen_address(real).value_or(address),
                         std::move(file)};
}

// Removes the file of a socket on which nobody listens any more.
void remove_stale_file(const std::string& path) {
  struct ::stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return;
  const platform::UniqueFd probe(private_socket(AF_UNIX, SOCK_STREAM));
  const asio::local::stream_protocol::endpoint there(path);
  const bool is_answered =
      ::connect(probe.get(), there.data(), static_cast<socklen_t>(there.size())) == 0;
  if (!is_answered && errno == ECONNREFUSED) ::unlink(path.c_str());
}

Result<std::vector<Endpoint>> resolve(const ListenAddress& address) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  const int failed =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &wanted, &list);
  if (failed != 0) {
    return Error{errc::cannot_listen,
                 "Cannot listen on " + address.text() + ": " + ::gai_strerror(failed) + ".",
                 "Use a name that resolves to this machine, or one of its addresses."};
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, ::freeaddrinfo);
  std::vector<Endpoint> found;
  for (const addrinfo* one = list; one; one = one->ai_next) {
    const Endpoint endpoint(one->ai_addr, one->ai_addrlen);
    if (std::ranges::find(found, endpoint) == found.end()) found.push_back(endpoint);
  }
  return found;
}

Result<std::vector<ListeningSocket>> one_of(Result<ListeningSocket> opened) {
  if (!opened) return opened.error();
  std::vector<ListeningSocket> sockets;
  sockets.push_back(*std::move(opened));
  return sockets;
}

// Listens in both families. A machine without one of them has all of its addresses in the other.
Result<std::vector<ListeningSocket>> listen_on_every(const asio::any_io_executor& executor,
                                                     const ListenAddress& address) {
  auto v4 = open_socket(executor, address, tcp::endpoint(tcp::v4(), address.port));
  // Any free port is the same one in both.
  const auto port = v4 ? v4->address.port : address.port;
  auto v6 = open_socket(executor, address, tcp::endpoint(tcp::v6(), port));
  if (!v4 && !v6) return v4.error();
  const bool has_no_room = (!v4 && v4.error().code != errc::cannot_listen) ||
                           (!v6 && v6.error().code != errc::cannot_listen);
  if (has_no_room) return v4 ? v6.error() : v4.error();
  std::vector<ListeningSocket> sockets;
  if (v4) sockets.push_back(*std::move(v4));
  if (v6) sockets.push_back(*std::move(v6));
  return sockets;
}

// Returns "127.0.0.1:8080" or "[::1]:8080".
std::string text_of_endpoint(const asio::ip::tcp::endpoint& endpoint) {
  const auto address = plain_address(endpoint.address());
  const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  return host + ":" + std::to_string(endpoint.port());
}

}  // namespace

void SocketFile::remove() {
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
}

// The file goes first: once the socket is closed, it may be the next one's.
void ListeningSocket::close() {
  file.remove();
  error_code ignored;
  acceptor.close(ignored);
}

Result<std::vector<ListeningSocket>> listen_on(asio::any_io_executor executor,
                                               const ListenAddress& address) {
  if (!address.path.empty()) {
    remove_stale_file(address.path);
    const asio::local::stream_protocol::endpoint file(address.path);
    return one_of(open_socket(executor, address, file));
  }
  if (address.host.empty()) return listen_on_every(executor, address);
  if (!address.has_name()) {
    const tcp::endpoint endpoint(asio::ip::make_address(address.host), address.port);
    return one_of(open_socket(executor, address, endpoint));
  }
  const auto endpoints = resolve(address);
  if (!endpoints) return endpoints.error();
  std::vector<ListeningSocket> sockets;
  for (const auto& endpoint : *endpoints) {
    auto opened = open_socket(executor, address, endpoint);
    if (!opened) return opened.error();
    sockets.push_back(*std::move(opened));
  }
  return sockets;
}

Result<ListenAddress> address_of(int socket) {
  Endpoint endpoint;
  auto size = static_cast<socklen_t>(endpoint.capacity());
  if (::getsockname(socket, endpoint.data(), &size) == 0) {
    endpoint.resize(size);
    if (auto found = listen_address(endpoint)) return *std::move(found);
  }
  return Error{errc::cannot_listen, "A socket that scribed was given is of an unknown kind.",
               "Give it stream sockets of IPv4, IPv6 or the file system."};
}

Result<ListeningSocket> take_over(asio::any_io_executor executor, platform::UniqueFd socket) {
  auto address = address_of(socket.get());
  if (!address) return address.error();
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &size);
  StreamAcceptor acceptor(executor);
  error_code failure;
  acceptor.assign({own.ss_family, 0}, socket.get(), failure);
  if (failure) return cannot_listen(*address, failure);
  socket.release();
  return ListeningSocket{std::move(acceptor), *std::move(address), SocketFile()};
}

Result<Peer> peer_of(StreamSocket& socket) {
  const Error gone{errc::client_gone, "The client has closed the connection."};
  error_code failure;
  const auto remote = socket.remote_endpoint(failure);
  if (failure) return gone;
  if (const auto found = tcp_endpoint(remote)) {
    const auto own = tcp_endpoint(socket.local_endpoint(failure));
    if (!own) return gone;
    const auto address = plain_address(found->address());
    Peer peer{.address = address, .here = text_of_endpoint(*own)};
    if (address.is_loopback()) {
      peer.user =
          loopback_user({plain_address(own->address()), own->port()}, {address, found->port()});
    }
    return peer;
  }
  const auto user = peer_user(socket.native_handle());
  if (!user) return gone;
  return Peer{.address = asio::ip::address_v4::loopback(), .user = *user};
}

}  // namespace server
