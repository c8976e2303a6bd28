#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/recognizer/recognizer.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/transcriber/short_trial.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// The parts of a loaded Whisper.
struct WhisperParts {
  std::unique_ptr<const Tokenizer> tokenizer;
  std::vector<std::pair<int, int>> alignment_heads;  // see TranscriptionOptions
  std::unique_ptr<Runner> runner;
};

class WhisperRecognizer : public Recognizer {
 public:
  explicit WhisperRecognizer(WhisperParts parts);

  const Capabilities& capabilities() const override { return capabilities_; }
  protocol::DeviceUse use() const override;
  Result<std::unique_ptr<Transcription>> start(const TranscriptionRequest& request,
                                               const std::stop_token& stop) override;
  Result<Recognized> transcribe_live(const TranscriptionRequest& request,
                                     const protocol::LiveOptions& live, LiveSource& source,
                                     const protocol::TranscriptSink& sink,
                                     const std::stop_token& stop) override;

 private:
  Result<TranscriptionOptions> options_of(const TranscriptionRequest& request) const;

  WhisperParts parts_;
  Capabilities capabilities_;
  std::unique_ptr<ShortTrial> trial_;  // unset where nothing is to be found out; it uses parts_
};

}  // namespace engine
