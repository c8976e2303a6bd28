#pragma once

#include "protocol/bench_messages.h"
#include "protocol/message_codec.h"

// This table has the names of Bench, BenchResult and their fields on the wire, and in `scribed
// bench --json`.
namespace protocol::json {

template <>
inline constexpr auto fields<worker::DeviceSettings> =
    std::tuple{Field{"device", &worker::DeviceSettings::device},
               Field{"compute_type", &worker::DeviceSettings::compute_type},
               Field{"threads", &worker::DeviceSettings::threads},
               Field{"flash_attn", &worker::DeviceSettings::flash_attn}};

template <>
inline constexpr const char* type_name<worker::Bench> = "bench";
template <>
inline constexpr auto fields<worker::Bench> = std::tuple{
    Field{"model_path", &worker::Bench::model_path}, Field{"synthetic", &worker::Bench::synthetic},
    Field{"run_on", &worker::Bench::run_on}, Field{"batches", &worker::Bench::batches},
    Field{"seconds", &worker::Bench::seconds}};

template <>
inline constexpr auto fields<worker::BenchTime> =
    std::tuple{Field{"ms", &worker::BenchTime::ms}, Field{"ideal_ms", &worker::BenchTime::ideal_ms},
               Field{"bound", &worker::BenchTime::bound},
               Field{"giga_operations", &worker::BenchTime::giga_operations},
               Field{"megabytes", &worker::BenchTime::megabytes}};

template <>
inline constexpr auto fields<worker::BenchStep> =
    std::tuple{Field{"batch", &worker::BenchStep::batch}, Field{"time", &worker::BenchStep::time},
               Field{"tokens_per_s", &worker::BenchStep::tokens_per_s}};

template <>
inline constexpr auto fields<worker::BenchKernel> = std::tuple{
    Field{"part", &worker::BenchKernel::part}, Field{"kernel", &worker::BenchKernel::kernel},
    Field{"reason", &worker::BenchKernel::reason}};

template <>
inline constexpr const char* type_name<worker::BenchResult> = "bench_result";
template <>
inline constexpr auto fields<worker::BenchResult> = std::tuple{
    Field{"device", &worker::BenchResult::device},
    Field{"device_name", &worker::BenchResult::device_name},
    Field{"isa", &worker::BenchResult::isa},
    Field{"compute_type", &worker::BenchResult::compute_type},
    Field{"threads", &worker::BenchResult::threads},
    Field{"notes", &worker::BenchResult::notes},
    Field{"kernels", &worker::BenchResult::kernels},
    Field{"giga_operations_per_s", &worker::BenchResult::giga_operations_per_s},
    Field{"gigabytes_per_s", &worker::BenchResult::gigabytes_per_s},
    Field{"cache_megabytes", &worker::BenchResult::cache_megabytes},
    Field{"encoder", &worker::BenchResult::encoder},
    Field{"steps", &worker::BenchResult::steps},
};

}  // namespace protocol::json
