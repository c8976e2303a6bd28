#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <filesystem>

#include "server/commands/transcribe_options.h"
#include "server/transcription/model_worker.h"

namespace server {

namespace asio = boost::asio;

// The times of a recording on the way that `scribed transcribe` goes.
struct BenchTranscription {
  double sound_s = 0;       // length of the recording
  double load_s = 0;        // time until the model was ready, before the first run
  double transcribe_s = 0;  // median time from the file to the text, with the model loaded
  int runs = 0;
};

// Returns how many seconds of sound were transcribed in a second.
double times_real_time(const BenchTranscription& measured);

// Transcribes the first input of `arguments`, which are finished, three times at least and for
// `seconds` at least, and drops the text.
asio::awaitable<Result<BenchTranscription>> bench_transcription(asio::any_io_executor executor,
                                                                TranscribeArguments arguments,
                                                                WorkerSetup setup,
                                                                std::filesystem::path decoder,
                                                                double seconds);

}  // namespace server
