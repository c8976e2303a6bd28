#include "server/base/error.h"

#include <algorithm>
#include <array>

#include "server/base/exhausted.h"

namespace server {
namespace {

struct Row {
  std::string_view code;
  ExitCode exit;
  int http;  // status; 400 to 499: the client can do something about it
};

constexpr std::array table{
    Row{errc::internal, ExitCode::internal, 500},
    Row{errc::usage, ExitCode::usage, 400},
    Row{errc::input_not_found, ExitCode::input, 404},
    Row{errc::input_unreadable, ExitCode::input, 400},
    Row{errc::output_not_writable, ExitCode::output, 500},
    Row{errc::out_of_descriptors, ExitCode::exhausted, 503},
    Row{errc::out_of_disk, ExitCode::exhausted, 507},
    Row{errc::out_of_memory, ExitCode::exhausted, 503},
    Row{errc::program_missing, ExitCode::worker, 500},
    Row{errc::decoder_died, ExitCode::worker, 500},
    Row{errc::worker_died, ExitCode::worker, 500},
    Row{errc::worker_hung, ExitCode::worker, 500},
    Row{errc::device_blocked, ExitCode::worker, 503},
    Row{errc::device_unavailable, ExitCode::worker, 503},
    Row{errc::backup_running, ExitCode::try_again, 409},
    Row{errc::bad_config, ExitCode::usage, 500},
    Row{errc::bad_request, ExitCode::usage, 400},
    Row{"address_in_use", ExitCode::try_again, 500},
    Row{errc::cannot_listen, ExitCode::usage, 500},
    Row{errc::client_gone, ExitCode::interrupted, 499},
    Row{errc::draining, ExitCode::exhausted, 503},
    Row{errc::forbidden, ExitCode::usage, 403},
    Row{errc::helper_missing, ExitCode::model, 409},
    Row{errc::header_too_large, ExitCode::usage, 431},
    Row{errc::job_not_ended, ExitCode::try_again, 409},
    Row{errc::job_not_found, ExitCode::usage, 404},
    Row{errc::key_reused, ExitCode::usage, 422},
    Row{errc::model_in_use, ExitCode::try_again, 409},
    Row{errc::missing_parameter, ExitCode::usage, 400},
    Row{errc::no_model, ExitCode::model, 503},
    Row{"no_sound", ExitCode::input, 404},
    Row{errc::no_pull, ExitCode::model, 404},
    Row{errc::overloaded, ExitCode::exhausted, 503},
    Row{errc::pull_running, ExitCode::try_again, 409},
    Row{errc::queue_full, ExitCode::exhausted, 503},
    Row{errc::route_not_found, ExitCode::usage, 404},
    Row{errc::share_not_found, ExitCode::usage, 404},
    Row{errc::timed_out, ExitCode::interrupted, 504},
    Row{errc::too_many_connections, ExitCode::exhausted, 503},
    Row{"too_many_bytes", ExitCode::exhausted, 429},
    Row{errc::too_many_jobs, ExitCode::exhausted, 429},
    Row{errc::too_many_pulls, ExitCode::exhausted, 429},
    Row{errc::too_many_requests, ExitCode::exhausted, 429},
    Row{errc::too_many_sessions, ExitCode::exhausted, 429},
    Row{errc::too_many_shares, ExitCode::exhausted, 429},
    Row{errc::too_many_uploads, ExitCode::exhausted, 429},
    Row{errc::too_much_sound, ExitCode::exhausted, 429},
    Row{errc::rate_limited, ExitCode::exhausted, 429},
    Row{errc::too_slow, ExitCode::usage, 408},
    Row{errc::unauthorized, ExitCode::usage, 401},
    Row{errc::unknown_parameter, ExitCode::usage, 400},
    Row{errc::unsupported, ExitCode::usage, 400},
    Row{errc::unsupported_expectation, ExitCode::usage, 417},
    Row{errc::unsupported_media_type, ExitCode::usage, 415},
    Row{errc::unsupported_tus_version, ExitCode::usage, 412},
    Row{errc::upload_busy, ExitCode::try_again, 423},
    Row{errc::upload_not_found, ExitCode::input, 404},
    Row{errc::upload_unfinished, ExitCode::input, 409},
    Row{errc::url_refused, ExitCode::usage, 400},
    Row{errc::wrong_offset, ExitCode::usage, 409},
    Row{"checksum_mismatch", ExitCode::input, 460},
    // server/client; the last two are OpenAI's, as a server's answers have them
    Row{"no_server", ExitCode::try_again, 500},
    Row{"unproven_server", ExitCode::usage, 500},
    Row{"invalid_value", ExitCode::usage, 400},
    Row{"model_not_found", ExitCode::model, 404},
    // server/jobs
    Row{"bad_edit", ExitCode::usage, 422},
    Row{errc::edit_too_large, ExitCode::usage, 413},
    Row{"claim_lost", ExitCode::internal, 500},
    Row{"answer_lost", ExitCode::try_again, 503},
    Row{"database_unavailable", ExitCode::try_again, 503},
    Row{errc::store_timeout, ExitCode::try_again, 503},
    Row{"outdated_store", ExitCode::model, 500},
    Row{"too_many_versions", ExitCode::exhausted, 409},
    Row{errc::version_conflict, ExitCode::try_again, 412},
    Row{errc::version_missing, ExitCode::usage, 428},
    Row{errc::version_not_found, ExitCode::usage, 404},
    Row{"damaged_store", ExitCode::model, 500},
    Row{"damaged_backup", ExitCode::model, 500},
    Row{"newer_store", ExitCode::model, 500},
    Row{"too_many_attempts", ExitCode::worker, 500},
    // server/inputs/input.h
    Row{"input_lost", ExitCode::input, 404},
    Row{"recordings_unavailable", ExitCode::try_again, 503},
    // server/models/error.h
    Row{"unknown_model", ExitCode::model, 404},
    Row{"not_installed", ExitCode::model, 404},
    Row{"already_installed", ExitCode::model, 409},
    Row{"damaged_model", ExitCode::model, 500},
    Row{"invalid_model", ExitCode::model, 500},
    Row{"missing_vocabulary", ExitCode::model, 500},
    Row{"unreachable", ExitCode::model, 502},
    Row{"refused", ExitCode::model, 500},
    Row{"not_on_server", ExitCode::model, 500},
    Row{"wrong_content", ExitCode::model, 500},
    Row{"store_busy", ExitCode::try_again, 503},
    Row{"no_permission", ExitCode::model, 500},
    Row{"missing_tool", ExitCode::model, 500},
    Row{"io_error", ExitCode::model, 500},
    // protocol/error.h
    Row{protocol::bad_message, ExitCode::worker, 500},
    Row{protocol::frame_too_large, ExitCode::worker, 500},
    Row{protocol::version_mismatch, ExitCode::worker, 500},
    // protocol/speaker_names.h, protocol/known_speaker.h
    Row{"bad_speaker_name", ExitCode::usage, 400},
    Row{"unusable_clip", ExitCode::audio, 400},
    // server/device/sandbox_check.h, engine/media/error.h, engine/worker
    Row{"sandbox_missing", ExitCode::worker, 503},
    // engine/media/error.h
    Row{"invalid_options", ExitCode::usage, 400},
    Row{"empty_input", ExitCode::audio, 400},
    Row{"unsupported_format", ExitCode::audio, 400},
    Row{"refers_to_other_files", ExitCode::audio, 400},
    Row{"no_audio_track", ExitCode::audio, 400},
    Row{"unsupported_codec", ExitCode::audio, 400},
    Row{"nothing_decodable", ExitCode::audio, 400},
    Row{"empty_audio", ExitCode::audio, 400},
    Row{"track_not_found", ExitCode::audio, 400},
    Row{"channel_not_found", ExitCode::audio, 400},
    Row{"needs_seekable_input", ExitCode::audio, 400},
    Row{"too_long", ExitCode::audio, 413},
    Row{"too_large", ExitCode::audio, 413},
    Row{"read_failed", ExitCode::input, 400},
    Row{"write_failed", ExitCode::worker, 500},
    // engine/error.h
    Row{"not_found", ExitCode::model, 409},  // a helper model
    Row{"unreadable", ExitCode::model, 500},
    Row{"unknown_format", ExitCode::model, 500},
    Row{"refused_model", ExitCode::model, 500},
    Row{"damaged_vocabulary", ExitCode::model, 500},
    Row{"invalid_option", ExitCode::usage, 400},
    Row{"non_finite_logits", ExitCode::worker, 500},
    Row{"input_failed", ExitCode::worker, 500},
    Row{"cancelled", ExitCode::interrupted, 409},
    // engine/worker, protocol/worker_contract.h
    Row{"smoke_run_failed", ExitCode::worker, 503},
    Row{"busy", ExitCode::worker, 503},
};

const Row* find(std::string_view code) {
  const auto row = std::ranges::find(table, code, &Row::code);
  return row == table.end() ? nullptr : &*row;
}

}  // namespace

ExitCode exit_code(std::string_view error_code) {
  const Row* row = find(error_code);
  return row ? row->exit : ExitCode::internal;
}

int http_status(std::string_view error_code) {
  const Row* row = find(error_code);
  return row ? row->http : 500;
}

bool is_known(std::string_view error_code) {
  return find(error_code) != nullptr;
}

}  // namespace server
