#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "server/api/api.h"
#include "server/api/received_form.h"
#include "server/api/transcription_form.h"
#include "server/http/api_keys.h"
#include "server/jobs/job.h"

namespace server {

// What a principal's wish for keep_alive comes to. It is about everybody's model: who may not
// manage models has no say in it, and the server's setting holds.
std::optional<double> granted_keep_alive(const Principal& principal, std::optional<double> wish);

// The job for a form: its input is the form's file, or the upload that it names. Errors: usage
// (no input, or two), upload_not_found, and those of the model and of the disk.
asio::awaitable<Result<JobRequest>> make_job_request(Api& api, const Principal& principal,
                                                     ReceivedForm received,
                                                     const TranscriptionForm& form, bool detached);

}  // namespace server
