#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/api.h"
#include "server/api/clip_field.h"
#include "server/api/route.h"
#include "server/api/transcription_form.h"
#include "server/http/exchange.h"
#include "server/inputs/spool.h"
#include "server/submission/submission.h"

namespace server {

// A multipart form whose file was written to the spool as it arrived.
struct ReceivedForm {
  std::vector<FormField> fields{};
  std::vector<SentClip> clips{};    // of its known speakers
  std::optional<SpoolFile> file{};  // the part with the sound
  std::string file_name{};          // the client's name for the file
  std::string file_begin{};         // its first bytes, four at most
  std::string fingerprint{};        // SHA-256 of all parts, in hex
};

// Receives a form whose sound is the part `file_part`. `create_file` makes the files of the sound
// and of clips; all else is held in memory. Errors: bad_request (a broken form),
// unsupported_media_type (no form), too_large, those of the spool, and the exchange's.
asio::awaitable<Result<ReceivedForm>> receive_form(Exchange& exchange, CreateFile create_file,
                                                   std::uint64_t max_bytes,
                                                   std::string_view file_part = "file");

// Returns the length that the head announces for the body; 0: none.
std::uint64_t announced_bytes(const Exchange& exchange);

// The part of a form that has the sound, and how many bytes the whole form may have.
struct SoundPart {
  std::string_view name = "file";
  std::uint64_t max_bytes = 0;
};

// Receives a form for a job, if there is a place for it; its file goes to the spool. Errors: those
// of Submission::admit() and receive_form().
asio::awaitable<Result<ReceivedForm>> receive_sound(Api& api, ApiCall& call, SoundPart part,
                                                    std::string idempotency_key = {});

// Tells which fields of a form were ignored: the client by a header of the answer, and whoever
// reads the log.
void tell_of_ignored(const Api& api, Exchange& exchange, const std::vector<std::string>& fields);

// Tells likewise which fields have a value that is none, so that the default counts.
void tell_of_unusable(const Api& api, Exchange& exchange, const std::vector<std::string>& fields);

// Tells likewise which parameters ask for more than the format of the answer can show.
void tell_of_left_out(const Api& api, Exchange& exchange, const TranscriptionForm& form);

// Drops a chunking_strategy that needs the model for voice activity detection if that can neither
// be found nor downloaded, and tells the client: it only makes long recordings faster.
asio::awaitable<void> fit_chunking(const Api& api, Exchange& exchange, TranscriptionForm& form);

// A client's request by a form, and the way it wants the answer.
struct FormSubmission {
  SubmissionRequest request;
  TranscriptionForm form;
};

// Receives a form and reads it, if there is a place for its job. Errors: those of
// Submission::admit(), receive_form() and read_form(); usage if it has no sound, or two.
asio::awaitable<boost::system::result<FormSubmission, FormError>> receive_submission(Api& api,
                                                                                     ApiCall& call,
                                                                                     FormKind kind);

// Returns what is submitted for a form, without a key of the client's. The speakers who are known
// are moved out of the form.
SubmissionRequest submission_request(const ApiCall& call, TranscriptionForm& form,
                                     SoundSource source);

// Returns the parameter that Submission::submit() did not like; empty: the request as a whole.
std::string_view parameter_of(const Error& error);

}  // namespace server
