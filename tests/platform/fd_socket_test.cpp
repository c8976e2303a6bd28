#include "platform/fd_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <system_error>
#include <thread>

#include "protocol/frame.h"

namespace platform {
namespace {

struct SocketPair {
  SocketPair() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw "socketpair";
    left.reset(ends[0]);
    right.reset(ends[1]);
  }
  UniqueFd left;
  UniqueFd right;
};

TEST(FdSocket, FramesKeepTheirBorders) {
  SocketPair pair;
  for (const char* payload : {"one", "", "three"}) {
    ASSERT_TRUE(send_frame(pair.left.get(), payload));
  }
  for (const char* payload : {"one", "", "three"}) {
    EXPECT_EQ(receive_frame(pair.right.get())->payload, payload);
  }
}

TEST(FdSocket, ALargeFrameArrivesWhole) {
  SocketPair pair;
  const std::string payload(protocol::max_frame_payload, 'x');
  std::jthread sender([&] { send_frame(pair.left.get(), payload); });
  EXPECT_EQ(receive_frame(pair.right.get())->payload, payload);
}

TEST(FdSocket, DescriptorsRideWithTheirFrame) {
  SocketPair pair;
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(::pipe2(pipe_ends.data(), O_CLOEXEC), 0);
  UniqueFd reader(pipe_ends[0]);
  UniqueFd writer(pipe_ends[1]);
  ASSERT_TRUE(send_frame(pair.left.get(), "without"));
  ASSERT_TRUE(send_frame(pair.left.get(), "with", std::array{reader.get()}));
  EXPECT_TRUE(receive_frame(pair.right.get())->descriptors.empty());
  auto frame = receive_frame(pair.right.get());
  ASSERT_EQ(frame->descriptors.size(), 1U);
  ASSERT_EQ(::write(writer.get(), "!", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(frame->descriptors[0].get(), &byte, 1), 1);
  EXPECT_EQ(byte, '!');
}

TEST(FdSocket, AClosedPeerIsAnEndNotAnError) {
  SocketPair pair;
  pair.left.reset();
  EXPECT_FALSE(receive_frame(pair.right.get()).has_value());
  EXPECT_FALSE(send_frame(pair.right.get(), "late"));
}

TEST(FdSocket, ALengthAboveTheLimitIsRefusedBeforeItIsAllocated) {
  SocketPair pair;
  const std::array<unsigned char, 4> header{0xff, 0xff, 0xff, 0x7f};
  ASSERT_EQ(::write(pair.left.get(), header.data(), header.size()), 4);
  EXPECT_THROW(receive_frame(pair.right.get()), std::system_error);
}

}  // namespace
}  // namespace platform
