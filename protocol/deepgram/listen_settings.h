#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/error.h"
#include "protocol/live/adapter.h"

// The parameters of Deepgram's `/v1/listen`, as they stand in the address of a request
// (developers.deepgram.com, API specification of deepgram-sdk 7.17.0).
namespace protocol::deepgram {

// The code of errors of parameters, which clients get as `err_code`.
inline constexpr char bad_parameter[] = "INVALID_QUERY_PARAMETER";

// The limit of all key terms together, which are the hotwords of the model.
inline constexpr std::size_t most_keyterm_bytes = 8192;
// Each channel of `multichannel` is a session of its own.
inline constexpr int most_channels = 8;
// Ends of speech are heard in steps of 32 ms, and shorter silences stand within words.
inline constexpr int least_endpointing_ms = 100;

struct ListenSettings {
  std::string model{};     // a name of the server's; empty: the default, as for Deepgram's names
  std::string language{};  // a code; empty: detect it
  // The format of raw sound; unset: the audio has a file format (WebM, Ogg, MP3 …), which says it.
  std::optional<live::SoundFormat> raw{};
  bool multichannel = false;
  std::vector<std::string> keyterms{};
  // Of sockets.
  bool interim_results = false;
  bool vad_events = false;
  std::optional<int> endpointing_ms = 300;  // unset: ends of speech are not told
  std::optional<int> utterance_end_ms{};
  // Of recordings.
  std::optional<bool> diarize{};  // unset: as the server does by itself
  bool utterances = false;
  double utt_split_s = 0.8;
  bool paragraphs = false;
  // Parameters that have no effect here and may have been meant to have one.
  std::vector<std::string> ignored{};
};

using Query = std::vector<std::pair<std::string, std::string>>;

// Who listens: a WebSocket gives results while audio comes, and a request has a file.
enum class ListenKind { socket, file };

// Reads the parameters. Those that nobody knows, and those of features that only add to a text, are
// ignored and named in `ignored`; what would change or hide text (`redact`, `replace`, `callback`)
// is refused. Errors: bad_parameter.
Result<ListenSettings> read_listen_query(const Query& query, ListenKind kind);

// Joins key terms as hotwords.
std::string hotwords_of(const std::vector<std::string>& keyterms);

// Writes {"err_code", "err_msg", "request_id"}, with what to do in the message.
std::string error_answer(const Error& error, std::string_view request_id);

}  // namespace protocol::deepgram
