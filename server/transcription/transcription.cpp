#include "server/transcription/transcription.h"

#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <utility>

#include "protocol/option_table.h"
#include "protocol/worker_messages.h"
#include "server/base/race.h"
#include "server/process/decoder.h"
#include "server/transcription/known_speakers.h"

namespace server {
namespace {

namespace wire = protocol::worker;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The time that a decoder has to open a file: it reads a few megabytes at most.
constexpr milliseconds open_limit{60'000};

// Adds to the transcript what is decided.
void record(const protocol::TranscriptEvent& event, protocol::Transcript& transcript) {
  if (const auto* detected = std::get_if<protocol::LanguageDetected>(&event)) {
    transcript.language = detected->language;
  } else if (const auto* likeliest = std::get_if<protocol::LikeliestLanguages>(&event)) {
    transcript.languages = likeliest->languages;
  } else if (const auto* speakers = std::get_if<protocol::SpeakersFound>(&event)) {
    transcript.turns = speakers->turns;
  } else if (const auto* segment = std::get_if<protocol::Segment>(&event)) {
    transcript.segments.push_back(*segment);
    transcript.text += segment->text;
  }
}

// If reading breaks off, the text of what came before is kept; other failures end the job.
bool ends_the_job(const Error& decoder_error) {
  return decoder_error.code != "read_failed";
}

// The result of a coroutine that race() waits for.
struct Happened {};

asio::awaitable<Happened> happened(OnceEvent& event) {
  co_await event.wait();
  co_return Happened{};
}

// Ends the input early when its sound is enough, unless it ends before.
asio::awaitable<void> end_of_input(Decoder& decoder, OnceEvent* enough) {
  if (enough) {
    const auto first = co_await race(decoder.ended(), happened(*enough));
    if (first.index() == 1) decoder.cut_short();
  }
  co_await decoder.ended();
}

void tell_decoded(const Decoder& decoder, const TranscriptionRequest& request) {
  if (const auto& finished = decoder.report().finished) request.on_decoded(finished->seconds);
}

// Ends only if the decoder fails in a way that ends the job.
asio::awaitable<Error> decoder_failure(Decoder& decoder, const TranscriptionRequest& request) {
  co_await end_of_input(decoder, request.enough);
  tell_decoded(decoder, request);
  if (const auto error = decoder.error(); error && ends_the_job(*error)) co_return *error;
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer never(executor, steady_clock::time_point::max());
  co_await never.async_wait(asio::use_awaitable);
  co_return Error{};
}

asio::awaitable<Result<void>> run_job(ModelWorker& models, Worker& worker, Decoder& decoder,
                                      const TranscriptionRequest& request,
                                      protocol::Transcript& transcript,
                                      const protocol::TranscriptSink& sink) {
  JobListener listener;
  listener.sink = [&](const protocol::TranscriptEvent& event) {
    record(event, transcript);
    sink(event);
  };
  listener.must_move_on = [&] {
    const bool may_pause = request.input_may_pause || decoder.waits_for_memory();
    return !may_pause || decoder.report().exit;
  };
  wire::Transcribe job{request.job, request.options, name(request.work_class), request.owner};
  if (!request.request_id.empty()) job.request_id = request.request_id;
  auto running = worker.transcribe(std::move(job), decoder.take_pcm(), std::move(listener));
  auto failing = decoder_failure(decoder, request);
  auto winner = co_await race(std::move(running), std::move(failing));
  if (winner.index() == 1) co_return std::get<1>(std::move(winner));
  const auto& done = std::get<0>(winner);
  co_await decoder.stop();
  tell_decoded(decoder, request);
  auto decoder_error = decoder.error();
  if (done) {
    transcript.language = done->language;
    transcript.duration = done->duration_s;
    transcript.timings.transcribe_s = done->transcribe_s;
    transcript.warnings = done->warnings;
    transcript.windows = done->windows;
  }
  // The decoder's failure comes first: the worker's may follow from it.
  if (decoder_error) co_return *std::move(decoder_error);
  if (!done) co_return models.explain(done.error());
  co_return Result<void>{};
}

void add_decoder_facts(protocol::Transcript& transcript, const DecoderReport& report) {
  transcript.warnings.insert(transcript.warnings.begin(), report.warnings.begin(),
                             report.warnings.end());
  transcript.timings.decode_s = report.wall_s;
  if (report.finished) transcript.duration = report.finished->seconds;
}

void add_worker_facts(protocol::Transcript& transcript, const ModelWorker& worker) {
  if (!worker.loaded()) return;
  for (const auto& shield : worker.loaded()->missing_shields) {
    transcript.warnings.push_back("The worker runs without " + shield + ".");
  }
}

void add_unheard(const protocol::TranscribeOptions& options, protocol::Transcript& transcript) {
  auto warning = warning_of_unheard(options.known_speakers, transcript);
  if (!warning.empty()) transcript.warnings.push_back(std::move(warning));
}

// Reports the most wanted card.
std::optional<protocol::DeviceFallback> fallback(const ModelWorker& models) {
  if (models.passed_over().empty()) return std::nullopt;
  const platform::Fallback& first = models.passed_over().front().fallback;
  return protocol::DeviceFallback{first.wanted, first.finding.code, first.finding.headline};
}

Error no_answer() {
  return {errc::decoder_died, "scribed-decode could not detect the format of the input",
          "Try to convert the input with another program."};
}

asio::awaitable<Result<void>> decode_and_transcribe(Decoder& decoder, ModelWorker& models,
                                                    const TranscriptionRequest& request,
                                                    protocol::Transcript& transcript,
                                                    const protocol::TranscriptSink& sink) {
  // A file that cannot be decoded is refused before a model is loaded for it. The first byte of a
  // pipe may be slow to come, so the model is loaded meanwhile.
  if (!request.input_may_pause) {
    auto understood = co_await within(open_limit, decoder.opened());
    while (!understood && decoder.waits_for_memory()) {
      understood = co_await within(open_limit, decoder.opened());
    }
    if (!understood) {
      co_return no_answer();
    }
    if (!*understood) {
      co_await decoder.stop();
      const auto error = decoder.error();
      co_return error ? *error : no_answer();
    }
    if (const auto& format = decoder.report().format) sink(*format);
  }
  const auto worker = co_await models.ready();
  if (!worker) co_return worker.error();
  const auto& loaded = *models.loaded();
  transcript.device = loaded.device;
  transcript.device_reason = models.device_reason();
  transcript.fallback = fallback(models);
  transcript.compute_type = loaded.compute_type;
  transcript.timings.load_s = loaded.load_s;
  sink(protocol::ModelLoaded{loaded.device, loaded.compute_type, loaded.notes, (*worker)->pid()});
  co_return co_await run_job(models, **worker, decoder, request, transcript, sink);
}

}  // namespace

asio::awaitable<Result<void>> transcribe(Decoders& decoders, ModelWorker& worker,
                                         TranscriptionRequest request,
                                         protocol::Transcript& transcript,
                                         protocol::TranscriptSink sink) {
  const auto started = steady_clock::now();
  // The worker loads its libraries while the decoder opens the input.
  if (const auto worker_started = worker.start(); !worker_started) {
    co_return worker_started.error();
  }
  if (!worker.is_loaded()) sink(protocol::ModelLoading{});
  const auto executor = co_await asio::this_coro::executor;
  request.decoder.preferred_language = request.options.language;
  request.decoder.owner = request.owner;
  request.decoder.gives_way = request.work_class == protocol::WorkClass::background;
  auto decoder = decoders.spawn(executor, request.decoder, std::move(request.input), request.copy);
  if (!decoder) co_return decoder.error();
  transcript.task = protocol::json::name_of(request.options.task);
  auto result = co_await decode_and_transcribe(**decoder, worker, request, transcript, sink);
  add_decoder_facts(transcript, (*decoder)->report());
  add_worker_facts(transcript, worker);
  // Who is not heard on one channel may be on the other.
  if (result && request.channels.empty()) add_unheard(request.options, transcript);
  transcript.timings.total_s = std::chrono::duration<double>(steady_clock::now() - started).count();
  co_return result;
}

}  // namespace server
