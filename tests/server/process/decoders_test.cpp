#include "server/process/decoders.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server {
namespace {

// Decoders of raw PCM, which is 0.1 s of a rising line.
class DecodersTest : public testing::Test {
 protected:
  // A decoder, and the end of its input to write to.
  struct Call {
    std::unique_ptr<Decoder> decoder{};
    platform::UniqueFd sound{};
  };

  Call start() { return start(decoders_); }
  Call start(Decoders& decoders) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    platform::UniqueFd read(ends[0]), write(ends[1]);
    auto decoder = decoders.spawn(io_.get_executor(), raw_, std::move(read));
    EXPECT_TRUE(decoder) << decoder.error().message;
    return {*std::move(decoder), std::move(write)};
  }

  void send_line(const platform::UniqueFd& sound) const {
    EXPECT_EQ(::write(sound.get(), line_.data(), line_.size() * 2),
              static_cast<ssize_t>(line_.size() * 2));
  }

  // Returns the PCM until the decoder's end.
  std::vector<float> finish(Call& call) {
    send_line(call.sound);
    call.sound.reset();
    const auto pcm = call.decoder->take_pcm();
    std::vector<float> samples(2 * line_.size());
    std::size_t size = 0;
    ssize_t got = 0;
    while ((got = ::read(pcm.get(), reinterpret_cast<char*>(samples.data()) + size,
                         samples.size() * sizeof(float) - size)) > 0) {
      size += static_cast<std::size_t>(got);
    }
    samples.resize(size / sizeof(float));
    EXPECT_TRUE(test::run(io_, call.decoder->ended()).ok());
    return samples;
  }

  // Returns the first decoder that is a fork; the server takes a moment to be ready.
  Call forked() { return forked(decoders_); }
  Call forked(Decoders& decoders) {
    for (int i = 0; i < 200; ++i) {
      auto call = start(decoders);
      if (is_fork(*call.decoder)) return call;
      call = {};
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "there is no fork";
    return start(decoders);
  }

  static std::string read_file(const Decoder& decoder, const char* name) {
    std::ifstream file("/proc/" + std::to_string(decoder.pid()) + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static bool is_fork(const Decoder& decoder) {
    return read_file(decoder, "cmdline").find("--fork-server") != std::string::npos;
  }

  static std::string line_of(const std::string& text, const std::string& name) {
    const auto begin = text.find(name);
    return begin == text.npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
  }

  const std::vector<std::int16_t> line_ = [] {
    std::vector<std::int16_t> line(1600);
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<std::int16_t>(i);
    return line;
  }();
  DecoderOptions raw_ = [] {
    DecoderOptions options;
    options.input_format = "s16le";
    return options;
  }();
  boost::asio::io_context io_;
  Decoders decoders_{SCRIBED_DECODE_PATH};
};

TEST_F(DecodersTest, AreExecutedForASingleInput) {
  auto call = start();
  EXPECT_FALSE(is_fork(*call.decoder));
}

TEST_F(DecodersTest, AreForkedForManyInputs) {
  auto executed = start();
  const auto samples = finish(executed);
  ASSERT_EQ(samples.size(), line_.size());
  EXPECT_EQ(samples[100], 100 / 32768.0F);
  auto fork = forked();
  EXPECT_EQ(finish(fork), samples);
  EXPECT_EQ(fork.decoder->report().format->codec, "pcm_s16le");
  EXPECT_FALSE(fork.decoder->error());
}

TEST_F(DecodersTest, AreChildrenOfOursAndNamedAsDecoders) {
  auto call = forked();
  send_line(call.sound);
  ASSERT_TRUE(test::run(io_, call.decoder->opened()));  // it has named itself by now
  const auto status = read_file(*call.decoder, "status");
  EXPECT_EQ(line_of(status, "PPid:"), "PPid:\t" + std::to_string(::getpid()));
  EXPECT_EQ(line_of(status, "Name:"), "Name:\tscribed-decode");
}

TEST_F(DecodersTest, AreInTheSandboxAsForks) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "this build is instrumented by a sanitizer, and has no sandbox";
#endif
  auto call = forked();
  send_line(call.sound);
  ASSERT_TRUE(test::run(io_, call.decoder->opened()));  // it has read its input by now
  EXPECT_EQ(line_of(read_file(*call.decoder, "status"), "Seccomp:"), "Seccomp:\t2");
}

TEST_F(DecodersTest, LeaveTheProcessorToOthers) {
  const auto niceness = [](const Call& call) {
    return ::getpriority(PRIO_PROCESS, static_cast<id_t>(call.decoder->pid()));
  };
  EXPECT_EQ(niceness(start()), 5);
  EXPECT_EQ(niceness(forked()), 5);
  raw_.gives_way = true;
  EXPECT_EQ(niceness(start()), 19);
}

TEST_F(DecodersTest, WorkBesideEachOtherAsForks) {
  auto first = forked();
  auto second = forked();
  const auto samples = finish(second);
  EXPECT_EQ(samples.size(), line_.size());
  EXPECT_EQ(finish(first), samples);
}

TEST_F(DecodersTest, AreKilledWithTheirOwnersAsForks) {
  auto call = forked();
  const pid_t pid = call.decoder->pid();
  call.decoder.reset();
  EXPECT_EQ(::kill(pid, 0), 0) << "this thread has waited for it";
  test::run_until(io_, [pid] { return ::kill(pid, 0) != 0; });  // reaped too
}

TEST_F(DecodersTest, SurviveTheEndOfTheirServer) {
  std::optional<Decoders> others(SCRIBED_DECODE_PATH);
  auto call = forked(*others);
  others.reset();  // and the server with it
  EXPECT_EQ(finish(call).size(), line_.size());
}

}  // namespace
}  // namespace server
