#pragma once

#include <string>
#include <string_view>

#include "protocol/transcribe_options.h"
#include "protocol/writers.h"
#include "server/api/form_values.h"
#include "server/http/exchange.h"

namespace server {

// The options of whisper-asr-webservice's /asr, which are in the address, and scribed's own for
// subtitles.
struct AsrQuery {
  bool encode = true;          // false: the sound is s16le without a header, 16 kHz, one channel
  std::string output = "txt";  // txt, vtt, srt, tsv or json
  protocol::TranscribeOptions options{};
  protocol::WriterOptions lines{};  // only its options for the lines of subtitles are set
};

// Reads the address of a request. Parameters that nobody knows are ignored, as that service does:
// Bazarr sends the path of its video. Empty ones count as left out. The code of errors is `usage`.
boost::system::result<AsrQuery, FormError> read_asr_query(
    const Exchange& exchange, const protocol::TranscribeOptions& defaults = {});

// Returns an error as that service answers it. Where a subtitle is asked for it has no body, since
// Bazarr stores whatever comes.
Response asr_error(const Error& error, std::string_view output);

// Returns a mistake of a client as that service answers it with status 422.
Response asr_mistake(const Exchange& exchange, const FormError& mistake);

}  // namespace server
