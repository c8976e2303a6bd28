#pragma once

#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/commands/live_line.h"
#include "server/commands/output_plan.h"
#include "server/commands/progress_line.h"
#include "server/commands/transcribe_options.h"
#include "server/commands/transcript_output.h"
#include "server/transcription/progress_meter.h"
#include "server/transcription/transcription.h"

namespace server {

// The inputs of one command, one after the other through one worker. Lives on one thread.
class TranscribeSession {
 public:
  // `interrupt_fd` becomes readable when the user wants to stop.
  TranscribeSession(const asio::any_io_executor& executor, const TranscribeArguments& arguments,
                    OutputPlan outputs, std::filesystem::path decoder_program, WorkerSetup worker,
                    int interrupt_fd);

  // Transcribes all inputs. The exit code is that of the first failure; the inputs after it are
  // still done.
  asio::awaitable<ExitCode> run();

  // Ends the input of a live transcription: what was said so far is decided, and run() ends.
  void end_input() { enough_.set(); }

  // Completes the current output with what was decided, if it keeps partial transcripts. Called
  // after run() was cancelled.
  void keep_what_was_decided();

 private:
  asio::awaitable<Result<void>> transcribe_input(std::size_t index);
  asio::awaitable<Result<void>> read_known_speakers();
  Result<void> open_output_of(std::size_t index);
  bool is_done(std::size_t index);
  std::unique_ptr<protocol::Writer> make_writer(const std::string& format) const;
  void show_progress();
  void clear_line();
  Result<void> finish_output(bool is_whole);
  Result<void> write_kept_segments();
  void say(const std::string& line);  // on stderr, unless quiet
  void name_model(const protocol::ModelLoaded& model);
  // Returns false if every unused card had been named before.
  bool warn_of_unused_cards(const std::string& consequence);
  std::string subject() const;  // the beginning of a message: "talk.mp3: "

  // These take the events of a transcription.
  void take(const protocol::ModelLoading&);
  void take(const protocol::ModelLoaded& model);
  void take(const protocol::Progress& progress);
  void take(const protocol::Segment& segment);
  void take(const protocol::LiveText& live);
  void take(const protocol::LikeliestLanguages&) {}
  void take(const protocol::SpeakersFound& found);
  void take(const protocol::LanguageDetected&) {}
  void take(const protocol::decoder::Format&) {}
  // The command transcribes recordings, also while they are made: their text comes in segments.
  void take(const protocol::SpeechStarted&) {}
  void take(const protocol::SpeechStopped&) {}
  void take(const protocol::LiveWords&) {}
  void take(const protocol::TurnEnded&) {}

  const TranscribeArguments& arguments_;
  OutputPlan outputs_;
  Decoders decoders_;
  std::string model_name_;
  std::shared_ptr<ModelWorker> worker_;
  int interrupt_fd_;
  bool stdout_is_terminal_;
  bool model_was_named_ = false;
  std::size_t cards_named_ = 0;  // how many of worker_->passed_over()
  ProgressLine progress_;
  LiveLine live_line_;
  OnceEvent enough_;
  protocol::TranscribeOptions options_;  // the arguments' with the clips of known speakers
  // The following members belong to the current input.
  std::size_t index_ = 0;
  std::optional<TranscriptOutput> output_{};
  protocol::Transcript transcript_{};
  ProgressMeter meter_;
};

}  // namespace server
