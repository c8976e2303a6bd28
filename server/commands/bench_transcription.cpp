#include "server/commands/bench_transcription.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/inputs/input.h"
#include "server/transcription/transcription.h"

namespace server {
namespace {

constexpr std::size_t least_runs = 3;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

double times_real_time(const BenchTranscription& measured) {
  return measured.transcribe_s > 0 ? measured.sound_s / measured.transcribe_s : 0;
}

asio::awaitable<Result<BenchTranscription>> bench_transcription(asio::any_io_executor executor,
                                                                TranscribeArguments arguments,
                                                                WorkerSetup setup,
                                                                std::filesystem::path decoder,
                                                                double seconds) {
  Decoders decoders(std::move(decoder));
  const auto worker = std::make_shared<ModelWorker>(executor, std::move(setup));
  BenchTranscription measured;
  const auto begin = std::chrono::steady_clock::now();
  const auto ready = co_await worker->ready();
  if (!ready) co_return ready.error();
  measured.load_s = seconds_since(begin);

  const protocol::TranscriptSink nobody_listens = [](const protocol::TranscriptEvent&) {};
  std::vector<double> times;
  const auto first = std::chrono::steady_clock::now();
  while (times.size() < least_runs || seconds_since(first) < seconds) {
    auto input = open_input(arguments.inputs.front());
    if (!input) co_return input.error();
    protocol::Transcript transcript;
    TranscriptionRequest request{.job = std::to_string(times.size() + 1),
                                 .input = std::move(input->fd),
                                 .decoder = arguments.decoder,
                                 .options = arguments.options};
    request.decoder.extension = extension_of(arguments.inputs.front());
    const auto run = std::chrono::steady_clock::now();
    const auto done =
        co_await transcribe(decoders, *worker, std::move(request), transcript, nobody_listens);
    if (!done) co_return done.error();
    times.push_back(seconds_since(run));
    measured.sound_s = transcript.duration;
  }
  worker->discard();
  measured.transcribe_s = median(times);
  measured.runs = static_cast<int>(times.size());
  co_return measured;
}

}  // namespace server
