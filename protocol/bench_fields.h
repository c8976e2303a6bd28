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
    Field{"run_on", &worker::Bench::run_on},         Field{"batches", &worker::Bench::batches},
    Field{"seconds", &worker::Bench::seconds},       Field{"model_of", &worker::Bench::model_of}};

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
inline constexpr auto fields<worker::BenchCardStep> =
    std::tuple{Field{"batch", &worker::BenchCardStep::batch},
               Field{"megabytes", &worker::BenchCardStep::megabytes},
               Field{"giga_operations", &worker::BenchCardStep::giga_operations},
               Field{"ideal_ms", &worker::BenchCardStep::ideal_ms},
               Field{"bound", &worker::BenchCardStep::bound},
               Field{"launches", &worker::BenchCardStep::launches},
               Field{"ms", &worker::BenchCardStep::ms},
               Field{"launches_of_libtorch", &worker::BenchCardStep::launches_of_libtorch},
               Field{"ms_of_libtorch", &worker::BenchCardStep::ms_of_libtorch},
               Field{"tokens_per_s", &worker::BenchCardStep::tokens_per_s},
               Field{"times_real_time", &worker::BenchCardStep::times_real_time},
               Field{"fits", &worker::BenchCardStep::fits}};

template <>
inline constexpr auto fields<worker::BenchCard> =
    std::tuple{Field{"name", &worker::BenchCard::name},
               Field{"giga_operations_per_s", &worker::BenchCard::giga_operations_per_s},
               Field{"gigabytes_per_s", &worker::BenchCard::gigabytes_per_s},
               Field{"memory_gigabytes", &worker::BenchCard::memory_gigabytes},
               Field{"launch_us", &worker::BenchCard::launch_us},
               Field{"encoder", &worker::BenchCard::encoder},
               Field{"steps", &worker::BenchCard::steps}};

template <>
inline constexpr auto fields<worker::BenchEncoderBatch> =
    std::tuple{Field{"batch", &worker::BenchEncoderBatch::batch},
               Field{"ms_of_a_window", &worker::BenchEncoderBatch::ms_of_a_window}};

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
    Field{"encoder_batches", &worker::BenchResult::encoder_batches},
    Field{"steps", &worker::BenchResult::steps},
    Field{"card", &worker::BenchResult::card},
};

}  // namespace protocol::json
