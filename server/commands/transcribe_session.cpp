#include "server/commands/transcribe_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "platform/cpu.h"
#include "protocol/docx/transcript_files.h"
#include "protocol/turn_writers.h"
#include "protocol/word_speakers.h"
#include "server/base/counted.h"
#include "server/commands/command.h"
#include "server/commands/speaker_options.h"
#include "server/inputs/input.h"
#include "server/transcription/channels.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

// Carries the failure of an output out of a segment's callback.
struct OutputFailure : std::runtime_error {
  explicit OutputFailure(Error e) : std::runtime_error(e.message), error(std::move(e)) {}
  Error error;
};

int thread_count(int wanted) {
  return wanted > 0 ? wanted : platform::probe_cpu().physical_cores;
}

}  // namespace

TranscribeSession::TranscribeSession(const asio::any_io_executor& executor,
                                     const TranscribeArguments& arguments, OutputPlan outputs,
                                     std::filesystem::path decoder_program, WorkerSetup worker,
                                     int interrupt_fd)
    : arguments_(arguments),
      outputs_(std::move(outputs)),
      decoders_(std::move(decoder_program)),
      model_name_(worker.load.model_name),
      worker_(std::make_shared<ModelWorker>(executor, std::move(worker))),
      interrupt_fd_(interrupt_fd),
      stdout_is_terminal_(::isatty(STDOUT_FILENO) == 1),
      progress_(!arguments.quiet && ::isatty(STDERR_FILENO) == 1),
      live_line_(!arguments.quiet && ::isatty(STDERR_FILENO) == 1 &&
                 (stdout_is_terminal_ || !outputs_.files.empty())),
      enough_(executor),
      options_(arguments.options) {}

asio::awaitable<Result<void>> TranscribeSession::read_known_speakers() {
  auto reading = read_speakers(decoders_, parse_speakers(arguments_.speakers).value());
  auto known = co_await std::move(reading);
  if (!known) co_return known.error();
  options_.known_speakers = *std::move(known);
  co_return Result<void>();
}

asio::awaitable<ExitCode> TranscribeSession::run() {
  ExitCode first = ExitCode::ok;
  const auto known = co_await read_known_speakers();
  if (!known) co_return report_error(known.error());
  for (std::size_t index = 0; index < arguments_.inputs.size(); ++index) {
    if (is_done(index)) continue;
    auto result = co_await transcribe_input(index);
    clear_line();
    for (const auto& warning : transcript_.warnings) say("warning: " + subject() + warning);
    if (result) continue;
    if (result.error().code == reader_gone) break;
    // An error of the model or its worker concerns every input.
    const bool is_last_word = worker_->load_error().has_value();
    if (is_last_word) warn_of_unused_cards("");
    const auto code = report_error(is_last_word ? "" : subject(), result.error());
    if (first == ExitCode::ok) first = code;
    if (is_last_word) break;
  }
  worker_->discard();  // the worker's stderr would keep the event loop busy
  co_return first;
}

asio::awaitable<Result<void>> TranscribeSession::transcribe_input(std::size_t index) {
  index_ = index;
  transcript_ = {};
  transcript_.model = model_name_;
  meter_ = ProgressMeter(arguments_.options.clip_timestamps);
  auto input = open_input(arguments_.inputs[index]);
  if (!input) co_return input.error();
  if (auto opened = open_output_of(index); !opened) co_return opened;
  progress_.start(arguments_.inputs.size() > 1 ? shown_on_stderr(subject()) : "");
  TranscriptionRequest request{.job = std::to_string(index + 1),
                               .input = std::move(input->fd),
                               .input_may_pause = input->may_pause,
                               .decoder = arguments_.decoder,
                               .options = options_,
                               .work_class = arguments_.options.live_chunk
                                                 ? protocol::WorkClass::live
                                                 : protocol::WorkClass::interactive,
                               .enough = &enough_};
  request.decoder.extension = extension_of(arguments_.inputs[index]);
  try {
    const bool splits = arguments_.channels == "split";
    if (splits) request.channels.assign(2, options_);
    request.channel_labels = arguments_.writer.channel_labels;
    const auto run = splits ? transcribe_channels : transcribe;
    protocol::TranscriptSink sink = [this](const protocol::TranscriptEvent& event) {
      std::visit([this](const auto& alternative) { take(alternative); }, event);
    };
    auto running = run(decoders_, *worker_, std::move(request), transcript_, std::move(sink));
    auto result = co_await std::move(running);
    clear_line();
    // A failure leaves no output, unless segments were decided.
    if (!result && transcript_.segments.empty()) {
      output_.reset();
      co_return result;
    }
    auto finished = finish_output(static_cast<bool>(result));
    co_return result ? finished : result;
  } catch (const OutputFailure& failure) {
    output_.reset();
    co_return failure.error;
  }
}

bool TranscribeSession::is_done(std::size_t index) {
  if (!arguments_.skip_existing || !outputs_.exists(index)) return false;
  index_ = index;
  say(subject() + "has its transcript already; skipped");
  return true;
}

// With --skip-existing formats that are there already are left as they are.
Result<void> TranscribeSession::open_output_of(std::size_t index) {
  std::vector<TranscriptOutput::Part> parts;
  for (std::size_t i = 0; i < arguments_.formats.size(); ++i) {
    if (arguments_.skip_existing && outputs_.exists(index, i)) continue;
    auto sink = outputs_.open(index, i, interrupt_fd_, arguments_.keep_partial);
    if (!sink) return sink.error();
    parts.push_back({.sink = *std::move(sink), .writer = make_writer(arguments_.formats[i])});
  }
  output_.emplace(std::move(parts), arguments_.options.word_timestamps);
  return {};
}

// If there is a live line below the text, words appear there until a line of text is complete.
std::unique_ptr<protocol::Writer> TranscribeSession::make_writer(const std::string& format) const {
  const std::string& input = arguments_.inputs[index_];
  auto options = arguments_.writer;
  options.recording = input == "-" ? "stdin" : std::filesystem::path(input).stem().string();
  if (arguments_.only_speakers) {
    return protocol::make_turn_writer(format, options.recording).value();
  }
  const bool on_line = stdout_is_terminal_ && live_line_.enabled();
  const bool is_text = format != protocol::docx_format;
  const bool by_word = arguments_.options.live_chunk && is_text && !(on_line && format == "txt");
  auto writer = by_word ? protocol::make_live_writer(format, options)
                        : protocol::make_file_writer(format, options);
  return std::move(writer).value();
}

void TranscribeSession::clear_line() {
  progress_.clear();
  live_line_.clear();
}

// The sound of a live transcription does not come again, so what was decided is all of it.
Result<void> TranscribeSession::finish_output(bool is_whole) {
  const bool is_final = is_whole || arguments_.live;
  auto result = is_final || output_->keeps_partial() ? write_kept_segments() : Result<void>();
  if (result) result = is_final ? output_->finish(transcript_) : output_->cut_short(transcript_);
  output_.reset();
  return result;
}

// Segments whose speakers were to be found out are written at the end.
Result<void> TranscribeSession::write_kept_segments() {
  if (!arguments_.options.diarize) return {};
  for (const auto& segment : transcript_.segments) {
    if (const auto written = output_->segment(segment); !written) return written;
  }
  return {};
}

void TranscribeSession::keep_what_was_decided() {
  worker_->discard();
  clear_line();
  if (!output_ || transcript_.segments.empty()) return;
  const double until = transcript_.segments.back().end;
  const bool is_kept = arguments_.live || output_->keeps_partial();
  const auto finished = finish_output(false);
  if (finished) {
    say(fmt::format("{}interrupted; the first {} are transcribed{}", subject(), clock_text(until),
                    is_kept ? "" : ", and not written: see --keep-partial"));
  } else if (finished.error().code != reader_gone) {
    report_error(subject(), finished.error());
  }
}

void TranscribeSession::say(const std::string& line) {
  if (arguments_.quiet) return;
  clear_line();
  fmt::print(stderr, "scribed: {}\n", shown_on_stderr(line));
}

std::string TranscribeSession::subject() const {
  const auto& name = arguments_.inputs[index_];
  return (name == "-" ? "stdin" : name) + ": ";
}

void TranscribeSession::name_model(const protocol::ModelLoaded& model) {
  const platform::Verdict& device = worker_->device();
  std::string how = model.compute_type;
  if (device.backend == platform::Backend::cpu) {
    const auto threads = static_cast<std::uint64_t>(thread_count(arguments_.threads));
    how += ", " + counted(threads, "thread");
  }
  // If a card was passed over, a warning has given the reason already.
  const std::string reason =
      worker_->passed_over().empty() ? ": " + worker_->device_reason() : std::string();
  say(fmt::format("{} on {} ({}){}", model_name_, model.device, how, reason));
  for (const auto& note : model.notes) say(note);
}

// Warns with --quiet, too, because an unused card must never go unnoticed. Each card is named once.
bool TranscribeSession::warn_of_unused_cards(const std::string& consequence) {
  const auto& cards = worker_->passed_over();
  const bool any = cards_named_ < cards.size();
  for (; cards_named_ < cards.size(); ++cards_named_) {
    clear_line();
    report_warning(warning_of(cards[cards_named_]) + consequence);
  }
  return any;
}

void TranscribeSession::take(const protocol::ModelLoading&) {
  meter_.enter(TranscriptionPhase::loading_model);
  show_progress();
}

// A worker that is started anew can find its card gone, so this is asked for every input.
void TranscribeSession::take(const protocol::ModelLoaded& model) {
  const platform::Verdict& device = worker_->device();
  const bool on_cpu = device.backend == platform::Backend::cpu;
  const bool device_changed = warn_of_unused_cards(fmt::format(
      "; transcribing on {}. See: scribed doctor",
      on_cpu ? "the CPU" : fmt::format("{} ({})", device.device_name, device.device())));
  if (!std::exchange(model_was_named_, true) || device_changed) name_model(model);
  output_->begin();
}

void TranscribeSession::take(const protocol::Progress& progress) {
  meter_.take(progress, std::chrono::steady_clock::now());
  show_progress();
}

void TranscribeSession::show_progress() {
  if (!(arguments_.live && live_line_.enabled())) progress_.update(meter_.figures());
}

void TranscribeSession::take(const protocol::SpeakersFound& found) {
  transcript_.segments = protocol::name_speakers(transcript_.segments, found.exclusive);
}

void TranscribeSession::take(const protocol::Segment& segment) {
  if (arguments_.options.diarize) return;
  if (stdout_is_terminal_) clear_line();
  if (const auto written = output_->segment(segment); !written) {
    throw OutputFailure(written.error());
  }
}

void TranscribeSession::take(const protocol::LiveText& live) {
  if (const auto written = output_->partial(live); !written) throw OutputFailure(written.error());
  live_line_.update(live);
}

}  // namespace server
