#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/deepgram/channel.h"
#include "protocol/deepgram/listen_settings.h"
#include "protocol/deepgram/messages.h"
#include "protocol/live/adapter.h"
#include "protocol/live/whole_frames.h"

namespace protocol::deepgram {

// Deepgram's socket `/v1/listen`: sound in binary frames, wishes and results as JSON in text
// frames. With `multichannel` each channel is a session.
class DeepgramAdapter final : public live::Adapter {
 public:
  // Without `settings.raw` the audio is a stream of a file format. `model` is the server's own name
  // of the model, `options` are its defaults.
  struct Setup {
    ListenSettings settings{};
    std::string request_id{};
    std::string created{};  // when, as in StreamFacts
    std::string model{};
    TranscribeOptions options{};
  };

  // A client that sends neither sound nor KeepAlive for so long has gone.
  static constexpr double longest_silence_s = 60;

  explicit DeepgramAdapter(Setup setup);
  DeepgramAdapter(const DeepgramAdapter&) = delete;

  live::Actions begin() override;
  live::Actions receive_text(std::string_view text) override;
  live::Actions receive_bytes(std::string_view bytes) override;
  live::Actions tell(int session, const TranscriptEvent& event) override;
  live::Actions tell_end(int session) override;
  live::Actions tell_failure(int session, const Error& error) override;
  live::Actions tell_undecodable(int session, const Error& error) override;
  live::Actions tell_limit(const Error& error) override;
  live::Actions tick(double silent_s) override;

 private:
  int channels() const { return static_cast<int>(channels_.size()); }
  LiveSettings live_settings() const;
  live::Actions finalize(const nlohmann::json& message);
  live::Actions configure(const nlohmann::json& message);
  live::Actions close_stream();

  Setup setup_;
  StreamFacts facts_;
  std::vector<Channel> channels_{};
  live::WholeFrames whole_frames_{};
  std::int64_t frames_ = 0;  // samples of a channel that have come
  double heard_s_ = 0;       // audio, as the session told last
  int open_ = 0;             // sessions that have not ended
  bool is_closing_ = false;  // the client has said CloseStream
  bool is_closed_ = false;
};

}  // namespace protocol::deepgram
