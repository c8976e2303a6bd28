#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/api/api.h"
#include "server/api/received_form.h"
#include "server/api/transcription_form.h"
#include "server/jobs/job.h"

namespace server {

// The job for a form: its input is the form's file, or the upload that it names. Errors: usage
// (no input, or two), upload_not_found, and those of the model and of the disk.
Result<JobRequest> make_job_request(Api& api, const std::string& owner, ReceivedForm received,
                                    const TranscriptionForm& form, bool detached);

}  // namespace server
