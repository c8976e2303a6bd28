#pragma once

#include <optional>
#include <string_view>

#include "protocol/error.h"

// These are the errors of the daemon and the command. The codes of the decoder and of the worker
// arrive in messages and pass through unchanged; the table in error.cpp knows all of them.
namespace server {

using Error = protocol::Error;

template <class T>
using Result = protocol::Result<T>;

// These are the codes that server/ itself gives.
namespace errc {
inline constexpr char usage[] = "usage";
inline constexpr char internal[] = "internal";
inline constexpr char input_not_found[] = "input_not_found";
inline constexpr char input_unreadable[] = "input_unreadable";
inline constexpr char output_not_writable[] = "output_not_writable";
inline constexpr char out_of_disk[] = "out_of_disk";
inline constexpr char out_of_memory[] = "out_of_memory";
inline constexpr char program_missing[] = "program_missing";
inline constexpr char decoder_died[] = "decoder_died";
inline constexpr char worker_died[] = "worker_died";
inline constexpr char worker_hung[] = "worker_hung";
inline constexpr char device_blocked[] = "device_blocked";  // no device can do what is requested
// The same, as the worker reports it.
inline constexpr char device_unavailable[] = "device_unavailable";
inline constexpr char backup_running[] = "backup_running";
inline constexpr char bad_config[] = "bad_config";
inline constexpr char bad_request[] = "bad_request";
inline constexpr char cancelled[] = "cancelled";
inline constexpr char cannot_listen[] = "cannot_listen";
inline constexpr char client_gone[] = "client_gone";  // nobody hears this
inline constexpr char draining[] = "draining";        // scribed is about to end
inline constexpr char edit_too_large[] = "edit_too_large";
inline constexpr char forbidden[] = "forbidden";
inline constexpr char helper_missing[] = "model_not_installed";  // speakers, or silero-vad
inline constexpr char header_too_large[] = "header_too_large";
inline constexpr char io_error[] = "io_error";  // a disk or folder of ours
inline constexpr char job_not_ended[] = "job_not_ended";
inline constexpr char job_not_found[] = "job_not_found";
inline constexpr char model_in_use[] = "model_in_use";
inline constexpr char missing_parameter[] = "missing_required_parameter";
inline constexpr char key_reused[] = "idempotency_key_reused";
inline constexpr char no_model[] = "no_model";      // for live sound
inline constexpr char no_pull[] = "no_pull";        // of a model that would be stopped
inline constexpr char overloaded[] = "overloaded";  // with live sessions
inline constexpr char pull_running[] = "pull_running";
inline constexpr char queue_full[] = "queue_full";
inline constexpr char route_not_found[] = "not_found_here";
inline constexpr char share_not_found[] = "share_not_found";
inline constexpr char store_timeout[] = "store_timeout";  // of the jobs
inline constexpr char timed_out[] = "timed_out";
inline constexpr char too_large[] = "too_large";
inline constexpr char rate_limited[] = "rate_limit_exceeded";  // requests a minute of one owner
inline constexpr char too_many_connections[] = "too_many_connections";
inline constexpr char too_many_jobs[] = "too_many_jobs";  // limit of one owner, as the next three
inline constexpr char too_many_pulls[] = "too_many_pulls";
inline constexpr char too_many_requests[] = "too_many_requests";
inline constexpr char too_many_sessions[] = "too_many_sessions";
inline constexpr char too_many_shares[] = "too_many_shares";
inline constexpr char too_many_uploads[] = "too_many_uploads";
inline constexpr char too_much_sound[] = "too_much_sound";  // of one owner in a day
inline constexpr char too_slow[] = "too_slow";  // a client that sends or reads too slowly
inline constexpr char unauthorized[] = "unauthorized";
inline constexpr char unknown_parameter[] = "unknown_parameter";
inline constexpr char unreachable[] = "unreachable";
inline constexpr char unsupported[] = "unsupported_parameter";
inline constexpr char unsupported_expectation[] = "unsupported_expectation";
inline constexpr char unsupported_tus_version[] = "unsupported_tus_version";
inline constexpr char unsupported_media_type[] = "unsupported_media_type";
inline constexpr char version_conflict[] = "version_conflict";
inline constexpr char version_missing[] = "version_missing";
inline constexpr char version_not_found[] = "version_not_found";
inline constexpr char upload_busy[] = "upload_busy";
inline constexpr char upload_not_found[] = "upload_not_found";
inline constexpr char upload_unfinished[] = "upload_unfinished";
inline constexpr char url_refused[] = "url_refused";
inline constexpr char wrong_offset[] = "wrong_offset";  // of an upload in parts
}  // namespace errc

// Exit codes of the commands. docs/operations.md lists them for users; they are stable.
enum class ExitCode {
  ok = 0,
  internal = 1,
  usage = 2,
  input = 3,      // it was not found, or is not readable
  audio = 4,      // the input holds nothing that can be decoded
  model = 5,      // missing, damaged, not downloadable
  worker = 6,     // the device, or a program of ours that failed
  exhausted = 7,  // memory or disk
  output = 8,     // cannot be written
  // Something that was needed was in use, so another try may succeed: EX_TEMPFAIL of sysexits.h,
  // after which service managers start a service again.
  try_again = 75,
  hangup = 129,
  interrupted = 130,
  terminated = 143,
};

// Returns `internal` for a code that the table does not hold.
ExitCode exit_code(std::string_view error_code);
// Returns 500 for a code that the table does not hold.
int http_status(std::string_view error_code);
bool is_known(std::string_view error_code);

}  // namespace server
