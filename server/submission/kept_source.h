#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/base/error.h"
#include "server/submission/job_input.h"
#include "server/submission/services.h"
#include "server/submission/source.h"

// Sound that lies here or with other daemons already, as the input of a job.
namespace server {

// The error is upload_not_found, upload_unfinished, or one of the places where sound lies.
boost::asio::awaitable<Result<JobInput>> take(const Services& services, UploadSource source,
                                              SourceTerms terms);
// The bytes are those that kept sound has, see begin_job_sound(). The error is no_sound, or as
// above.
boost::asio::awaitable<Result<JobInput>> take(const Services& services, HeardSource source,
                                              SourceTerms terms);

}  // namespace server
