#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <filesystem>

#include "server/commands/transcribe_options.h"
#include "server/transcription/model_worker.h"

namespace server {

namespace asio = boost::asio;

// How long a recording takes on the way that `scribed transcribe` goes.
struct BenchTranscription {
  double sound_s = 0;       // of the recording
  double load_s = 0;        // until the model was ready; before the first of the runs
  double transcribe_s = 0;  // from the file to the text, the model being there: the median
  int runs = 0;
};

// How many seconds of sound were transcribed in a second.
double times_real_time(const BenchTranscription& measured);

// Transcribes the first input of `arguments`, which are finished, three times at least and for
// `seconds` at least, and drops the text.
asio::awaitable<Result<BenchTranscription>> bench_transcription(asio::any_io_executor executor,
                                                                TranscribeArguments arguments,
                                                                WorkerSetup setup,
                                                                std::filesystem::path decoder,
                                                                double seconds);

}  // namespace server
