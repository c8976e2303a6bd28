#include "tests/server/jobs_postgres/cutting_proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace server::test {
namespace {

constexpr char socket_name[] = ".s.PGSQL.5432";
constexpr int look_every_ms = 20;

sockaddr_un address_of(const std::filesystem::path& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder / socket_name).string();
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

bool send_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

CuttingProxy::CuttingProxy(std::filesystem::path folder)
    : server_(std::move(folder)), listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const auto address = address_of(folder_.path());
  if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_.get(), 8) != 0) {
    throw std::runtime_error("the proxy cannot listen");
  }
  thread_ = std::thread([this] { serve(); });
}

CuttingProxy::~CuttingProxy() {
  is_over_ = true;
  thread_.join();
}

std::string CuttingProxy::address() const {
  return "host=" + folder_.path().string() + " user=scribed dbname=postgres";
}

// One connection after the other, or several: each has a thread that ends with it.
void CuttingProxy::serve() {
  std::vector<std::jthread> connections;
  while (!is_over_) {
    pollfd wait{.fd = listener_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&wait, 1, look_every_ms) <= 0) continue;
    const int client = ::accept(listener_.get(), nullptr, nullptr);
    const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = address_of(server_);
    if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      ::close(client);
      ::close(server);
      continue;
    }
    connections.emplace_back([this, client, server] { carry(client, server); });
  }
}

void CuttingProxy::carry(int client, int server) {
  const platform::UniqueFd client_end(client), server_end(server);
  std::array<char, 8192> buffer{};
  while (!is_over_) {
    std::array<pollfd, 2> waits{pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    if (::poll(waits.data(), waits.size(), look_every_ms) <= 0) continue;
    if (hangs_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(look_every_ms));
      continue;
    }
    const bool is_clients = waits[0].revents != 0;
    const ssize_t read =
        ::recv(is_clients ? client : server, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (read <= 0) return;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(read));
    const bool is_commit = is_clients && bytes.find("COMMIT") != bytes.npos;
    const Loss loss = is_commit ? loss_.exchange(Loss::none) : Loss::none;
    if (loss == Loss::commit) return;
    if (!send_all(is_clients ? server : client, bytes)) return;
    if (loss == Loss::none) continue;
    static_cast<void>(::recv(server, buffer.data(), buffer.size(), 0));  // the server has done it
    return;
  }
}

}  // namespace server::test
