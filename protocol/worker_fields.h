#pragma once

#include "protocol/bench_fields.h"
#include "protocol/error_fields.h"
#include "protocol/live_fields.h"
#include "protocol/message_codec.h"
#include "protocol/option_table.h"
#include "protocol/transcript_event_fields.h"
#include "protocol/worker_messages.h"

// This table has the names of the worker's messages and of their fields on the wire.
namespace protocol::json {

template <>
inline constexpr const char* type_name<worker::Hello> = "hello";
template <>
inline constexpr auto fields<worker::Hello> =
    std::tuple{Field{"version", &worker::Hello::version}, Field{"build", &worker::Hello::build},
               Field{"isa", &worker::Hello::isa}};

template <>
inline constexpr auto fields<DeviceUse> =
    std::tuple{Field{"windows", &DeviceUse::windows},
               Field{"windows_held", &DeviceUse::windows_held},
               Field{"rows", &DeviceUse::rows},
               Field{"rows_held", &DeviceUse::rows_held},
               Field{"cache_bytes", &DeviceUse::cache_bytes},
               Field{"records_graphs", &DeviceUse::records_graphs},
               Field{"graphs", &DeviceUse::graphs},
               Field{"graph_failures", &DeviceUse::graph_failures},
               Field{"graphs_off", &DeviceUse::graphs_off},
               Field{"kernel_rows", &DeviceUse::kernel_rows},
               Field{"kernel_choice", &DeviceUse::kernel_choice},
               Field{"kernels_off", &DeviceUse::kernels_off},
               Field{"encoder_window", &DeviceUse::encoder_window}};

template <>
inline constexpr const char* type_name<worker::Loaded> = "loaded";
template <>
inline constexpr auto fields<worker::Loaded> = std::tuple{
    Field{"device", &worker::Loaded::device},
    Field{"compute_type", &worker::Loaded::compute_type},
    Field{"family", &worker::Loaded::family},
    Field{"multilingual", &worker::Loaded::multilingual},
    Field{"load_s", &worker::Loaded::load_s},
    Field{"memory_bytes", &worker::Loaded::memory_bytes},
    Field{"notes", &worker::Loaded::notes},
    Field{"device_name", &worker::Loaded::device_name},
    Field{"device_free_bytes", &worker::Loaded::device_free_bytes},
    Field{"device_total_bytes", &worker::Loaded::device_total_bytes},
    Field{"smoke_s", &worker::Loaded::smoke_s},
    Field{"shields", &worker::Loaded::shields},
    Field{"missing_shields", &worker::Loaded::missing_shields},
    Field{"use", &worker::Loaded::use},
};

template <>
inline constexpr const char* type_name<worker::Failed> = "failed";
template <>
inline constexpr auto fields<worker::Failed> =
    std::tuple{Field{"job", &worker::Failed::job}, Field{"error", &worker::Failed::error}};

template <>
inline constexpr const char* type_name<worker::Event> = "event";
template <>
inline constexpr auto fields<worker::Event> =
    std::tuple{Field{"job", &worker::Event::job}, Field{"event", &worker::Event::event}};

template <>
inline constexpr const char* type_name<worker::Done> = "done";
template <>
inline constexpr auto fields<worker::Done> =
    std::tuple{Field{"job", &worker::Done::job},
               Field{"language", &worker::Done::language},
               Field{"duration_s", &worker::Done::duration_s},
               Field{"transcribe_s", &worker::Done::transcribe_s},
               Field{"cancelled", &worker::Done::cancelled},
               Field{"warnings", &worker::Done::warnings},
               Field{"windows", &worker::Done::windows},
               Field{"use", &worker::Done::use}};

template <>
inline constexpr const char* type_name<worker::Pong> = "pong";
template <>
inline constexpr auto fields<worker::Pong> =
    std::tuple{Field{"nonce", &worker::Pong::nonce}, Field{"use", &worker::Pong::use}};

template <>
inline constexpr const char* type_name<worker::Stats> = "stats";
template <>
inline constexpr auto fields<worker::Stats> = std::tuple{
    Field{"rss_bytes", &worker::Stats::rss_bytes},
    Field{"peak_rss_bytes", &worker::Stats::peak_rss_bytes}, Field{"jobs", &worker::Stats::jobs}};

template <>
inline constexpr const char* type_name<worker::Load> = "load";
template <>
inline constexpr auto fields<worker::Load> =
    std::tuple{Field{"model_path", &worker::Load::model_path},
               Field{"model_name", &worker::Load::model_name},
               Field{"run_on", &worker::Load::run_on},
               Field{"smoke_test", &worker::Load::smoke_test},
               Field{"auxiliary", &worker::Load::auxiliary},
               Field{"require_sandbox", &worker::Load::require_sandbox},
               Field{"windows", &worker::Load::windows},
               Field{"gpu_windows", &worker::Load::gpu_windows},
               Field{"rows", &worker::Load::rows},
               Field{"memory_part", &worker::Load::memory_part},
               Field{"version", &worker::Load::version}};

template <>
inline constexpr const char* type_name<worker::Transcribe> = "transcribe";
template <>
inline constexpr auto fields<worker::Transcribe> =
    std::tuple{Field{"job", &worker::Transcribe::job},
               Field{"options", &worker::Transcribe::options},
               Field{"work_class", &worker::Transcribe::work_class},
               Field{"owner", &worker::Transcribe::owner},
               Field{"request_id", &worker::Transcribe::request_id},
               Field{"live", &worker::Transcribe::live}};

template <>
inline constexpr std::array names<worker::Live::Wish> = {"commit", "clear", "configure"};

template <>
inline constexpr const char* type_name<worker::Live> = "live";
template <>
inline constexpr auto fields<worker::Live> =
    std::tuple{Field{"job", &worker::Live::job}, Field{"sample", &worker::Live::sample},
               Field{"wish", &worker::Live::wish}, Field{"settings", &worker::Live::settings}};

template <>
inline constexpr const char* type_name<worker::Cancel> = "cancel";
template <>
inline constexpr auto fields<worker::Cancel> = std::tuple{Field{"job", &worker::Cancel::job}};

template <>
inline constexpr const char* type_name<worker::Unload> = "unload";

template <>
inline constexpr const char* type_name<worker::Ping> = "ping";
template <>
inline constexpr auto fields<worker::Ping> = std::tuple{Field{"nonce", &worker::Ping::nonce}};

template <>
inline constexpr const char* type_name<worker::StatsRequest> = "get_stats";

}  // namespace protocol::json
