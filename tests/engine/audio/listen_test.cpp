#include "engine/audio/listen.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <numeric>
#include <thread>
#include <vector>

#include "engine/audio/pcm_pipe.h"
#include "engine/audio/sample_rate.h"
#include "platform/unique_fd.h"

namespace engine {
namespace {

class Recorder : public PcmSink {
 public:
  explicit Recorder(std::size_t fails_at = SIZE_MAX) : fails_at_(fails_at) {}

  Result<void> push(std::span<const float> pcm) override {
    EXPECT_FALSE(finished);
    samples.insert(samples.end(), pcm.begin(), pcm.end());
    if (samples.size() >= fails_at_) return Error{Errc::out_of_disk, "full", ""};
    return {};
  }
  Result<void> finish() override {
    finished = true;
    return {};
  }

  std::vector<float> samples;
  bool finished = false;

 private:
  std::size_t fails_at_;
};

// The read end of a pipe through which `samples` come.
class Source {
 public:
  explicit Source(const std::vector<float>& samples) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_end_ = platform::UniqueFd(ends[0]);
    writer_ = std::jthread([&samples, end = platform::UniqueFd(ends[1])] {
      const auto bytes = std::as_bytes(std::span(samples));
      for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t n = ::write(end.get(), bytes.data() + at, bytes.size() - at);
        if (n <= 0) return;
        at += static_cast<std::size_t>(n);
      }
    });
  }
  int get() const { return read_end_.get(); }

 private:
  platform::UniqueFd read_end_;
  std::jthread writer_;
};

std::vector<float> counted(std::size_t count) {
  std::vector<float> samples(count);
  std::iota(samples.begin(), samples.end(), 0.0F);
  return samples;
}

bool wants_all(double) {
  return true;
}

TEST(Listen, EveryListenerHearsEverySampleInOrderAndThenTheEnd) {
  const auto samples = counted(std::size_t{31} * sample_rate_hz);
  const Source source(samples);
  Recorder one, other;
  PcmSink* const listeners[] = {&one, &other};
  std::vector<double> heard;
  const auto count = listen(source.get(), listeners,
                            [&](double seconds) {
                              heard.push_back(seconds);
                              return true;
                            },
                            {});
  EXPECT_EQ(count.value(), static_cast<std::int64_t>(samples.size()));
  EXPECT_EQ(one.samples, samples);
  EXPECT_EQ(other.samples, samples);
  EXPECT_TRUE(one.finished && other.finished);
  EXPECT_EQ(heard, (std::vector<double>{30, 31}));
}

TEST(Listen, StopsWhenNoMoreIsWanted) {
  const auto samples = counted(std::size_t{91} * sample_rate_hz);
  const Source source(samples);
  Recorder listener;
  PcmSink* const listeners[] = {&listener};
  const auto is_wanted = [](double seconds) { return seconds < 60; };
  EXPECT_EQ(listen(source.get(), listeners, is_wanted, {}).value(), 60 * sample_rate_hz);
  EXPECT_TRUE(listener.finished);
  // The writer waits for somebody who reads the rest.
  std::vector<float> rest(samples.size());
  EXPECT_EQ(read_samples(source.get(), rest, rest.size(), {}).value(),
            samples.size() - listener.samples.size());
}

TEST(Listen, OfNothingTellsTheEnd) {
  const std::vector<float> nothing;
  const Source source(nothing);
  Recorder listener;
  PcmSink* const listeners[] = {&listener};
  EXPECT_EQ(listen(source.get(), listeners, wants_all, {}).value(), 0);
  EXPECT_TRUE(listener.finished);
}

TEST(Listen, EndsWithTheFirstErrorOfAListener) {
  const auto samples = counted(100);
  const Source source(samples);
  Recorder full(50), behind;
  PcmSink* const listeners[] = {&full, &behind};
  EXPECT_EQ(listen(source.get(), listeners, wants_all, {}).error().code, Errc::out_of_disk);
  EXPECT_FALSE(full.finished);
  EXPECT_TRUE(behind.samples.empty());
}

TEST(Listen, EndsWhenItIsStopped) {
  const auto samples = counted(100);
  const Source source(samples);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(listen(source.get(), {}, wants_all, stop.get_token()).error().code, Errc::cancelled);
}

}  // namespace
}  // namespace engine
