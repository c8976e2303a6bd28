#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "platform/unique_fd.h"
#include "server/base/peer_user.h"

namespace server {
namespace {

namespace ip = boost::asio::ip;

struct Question {
  nlmsghdr head{};
  inet_diag_req_v2 request{};
};

void set_address(__be32* place, const ip::address& address) {
  const auto copy = [place](const auto& bytes) { std::memcpy(place, bytes.data(), bytes.size()); };
  if (address.is_v4())
    copy(address.to_v4().to_bytes());
  else
    copy(address.to_v6().to_bytes());
}

// The system knows a socket by its own end first, so the other program's has the ends turned round.
Question question_about(const ip::tcp::endpoint& own, const ip::tcp::endpoint& remote) {
  Question question;
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  auto& request = question.request;
  request.sdiag_family = remote.address().is_v4() ? AF_INET : AF_INET6;
  request.sdiag_protocol = IPPROTO_TCP;
  request.idiag_states = ~0U;
  request.id.idiag_sport = htons(remote.port());
  request.id.idiag_dport = htons(own.port());
  set_address(request.id.idiag_src, remote.address());
  set_address(request.id.idiag_dst, own.address());
  std::ranges::fill(request.id.idiag_cookie, INET_DIAG_NOCOOKIE);
  return question;
}

}  // namespace

std::optional<uid_t> peer_user(int socket) {
  ucred user{};
  socklen_t size = sizeof user;
  const bool is_known = ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &user, &size) == 0;
  return is_known ? std::optional(user.uid) : std::nullopt;
}

std::optional<uid_t> loopback_user(const ip::tcp::endpoint& own, const ip::tcp::endpoint& remote) {
  const platform::UniqueFd kernel(
      ::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG));
  if (!kernel) return std::nullopt;
  const Question question = question_about(own, remote);
  if (::send(kernel.get(), &question, sizeof question, 0) != ssize_t{sizeof question}) {
    return std::nullopt;
  }
  // The kernel has answered when send() returns.
  alignas(nlmsghdr) std::array<char, 1024> answer{};
  const ssize_t size = ::recv(kernel.get(), answer.data(), answer.size(), 0);
  if (size < ssize_t{NLMSG_LENGTH(sizeof(inet_diag_msg))}) return std::nullopt;
  nlmsghdr head{};
  inet_diag_msg found{};
  std::memcpy(&head, answer.data(), sizeof head);
  std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof found);
  // The kernel answers with user 0 for a socket that is closed already; it has no inode.
  if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY || found.idiag_inode == 0) return std::nullopt;
  return found.idiag_uid;
}

}  // namespace server
