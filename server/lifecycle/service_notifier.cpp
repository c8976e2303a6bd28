#include "server/lifecycle/service_notifier.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include "server/base/private_fds.h"

namespace server {
namespace {

#if defined(__APPLE__)
constexpr int notify_flags = 0;  // datagrams raise no signal
#else
constexpr int notify_flags = MSG_NOSIGNAL;
#endif

// Returns the address for "/path", or for "@name" (one without a file); empty if `text` is no
// address.
std::string socket_address(const std::string& text) {
  sockaddr_un address{};
  if (text.size() < 2 || text.size() >= sizeof address.sun_path) return "";
  if (text.front() != '/' && text.front() != '@') return "";
  address.sun_family = AF_UNIX;
  std::ranges::copy(text, address.sun_path);
  if (text.front() == '@') address.sun_path[0] = '\0';
  return {reinterpret_cast<const char*>(&address), offsetof(sockaddr_un, sun_path) + text.size()};
}

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end || value <= 0) return std::nullopt;
  return value;
}

}  // namespace

ServiceNotifier::ServiceNotifier(const Environment& environment)
    : address_(socket_address(environment("NOTIFY_SOCKET"))) {
  if (address_.empty()) return;
  socket_.reset(nonblocking_socket(AF_UNIX, SOCK_DGRAM));
  const auto time = number(environment("WATCHDOG_USEC"));
  const auto process = number(environment("WATCHDOG_PID"));
  if (time && (!process || *process == ::getpid())) {
    interval_ = std::chrono::microseconds(std::max<std::int64_t>(*time / 2, 1));
  }
}

void ServiceNotifier::ready() {
  send("READY=1");
}

void ServiceNotifier::stopping() {
  send("STOPPING=1");
}

void ServiceNotifier::status(std::string_view text) {
  std::string line(text.substr(0, 200));
  // A second line in `text` would be another message.
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  send("STATUS=" + line);
}

void ServiceNotifier::extend_timeout(std::chrono::microseconds time) {
  send("EXTEND_TIMEOUT_USEC=" + std::to_string(time.count()));
}

void ServiceNotifier::watchdog() {
  send("WATCHDOG=1");
}

void ServiceNotifier::send(const std::string& message) {
  if (!socket_) return;
  // A message that cannot be sent now is not worth a wait: the next one says more.
  ::sendto(socket_.get(), message.data(), message.size(), notify_flags,
           reinterpret_cast<const sockaddr*>(address_.data()),
           static_cast<socklen_t>(address_.size()));
}

}  // namespace server
