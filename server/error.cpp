#include "server/error.h"

#include <algorithm>
#include <array>

namespace server {
namespace {

struct Row {
  std::string_view code;
  ExitCode exit;
};

constexpr std::array table{
    Row{errc::internal, ExitCode::internal},
    Row{errc::usage, ExitCode::usage},
    Row{errc::input_not_found, ExitCode::input},
    Row{errc::input_unreadable, ExitCode::input},
    Row{errc::output_not_writable, ExitCode::output},
    Row{errc::out_of_disk, ExitCode::exhausted},
    Row{errc::out_of_memory, ExitCode::exhausted},
    Row{errc::program_missing, ExitCode::worker},
    Row{errc::decoder_died, ExitCode::worker},
    Row{errc::worker_died, ExitCode::worker},
    Row{errc::worker_hung, ExitCode::worker},
    Row{errc::device_blocked, ExitCode::worker},
    Row{errc::device_unavailable, ExitCode::worker},
    // server/store/error.h
    Row{"unknown_model", ExitCode::model},
    Row{"not_installed", ExitCode::model},
    Row{"already_installed", ExitCode::model},
    Row{"damaged_model", ExitCode::model},
    Row{"invalid_model", ExitCode::model},
    Row{"missing_vocabulary", ExitCode::model},
    Row{"unreachable", ExitCode::model},
    Row{"refused", ExitCode::model},
    Row{"not_on_server", ExitCode::model},
    Row{"wrong_content", ExitCode::model},
    Row{"store_busy", ExitCode::model},
    Row{"no_permission", ExitCode::model},
    Row{"missing_tool", ExitCode::model},
    Row{"io_error", ExitCode::model},
    // protocol/error.h
    Row{protocol::bad_message, ExitCode::worker},
    Row{protocol::frame_too_large, ExitCode::worker},
    Row{protocol::version_mismatch, ExitCode::worker},
    // engine/media/error.h
    Row{"invalid_options", ExitCode::usage},
    Row{"empty_input", ExitCode::audio},
    Row{"unsupported_format", ExitCode::audio},
    Row{"refers_to_other_files", ExitCode::audio},
    Row{"no_audio_track", ExitCode::audio},
    Row{"unsupported_codec", ExitCode::audio},
    Row{"nothing_decodable", ExitCode::audio},
    Row{"empty_audio", ExitCode::audio},
    Row{"track_not_found", ExitCode::audio},
    Row{"channel_not_found", ExitCode::audio},
    Row{"needs_seekable_input", ExitCode::audio},
    Row{"too_long", ExitCode::audio},
    Row{"too_large", ExitCode::audio},
    Row{"read_failed", ExitCode::input},
    Row{"write_failed", ExitCode::worker},
    // engine/error.h
    Row{"not_found", ExitCode::model},
    Row{"unreadable", ExitCode::model},
    Row{"unknown_format", ExitCode::model},
    Row{"refused_model", ExitCode::model},
    Row{"damaged_vocabulary", ExitCode::model},
    Row{"invalid_option", ExitCode::usage},
    Row{"non_finite_logits", ExitCode::worker},
    Row{"input_failed", ExitCode::worker},
    Row{"cancelled", ExitCode::interrupted},
    // engine/worker
    Row{"busy", ExitCode::worker},
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

bool is_known(std::string_view error_code) {
  return find(error_code) != nullptr;
}

}  // namespace server
