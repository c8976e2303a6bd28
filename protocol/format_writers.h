#pragma once

#include <memory>

#include "protocol/writers.h"

// The writers behind make_writer, and make_live_writer, one function for each format.
namespace protocol {

std::unique_ptr<Writer> make_txt_writer();
std::unique_ptr<Writer> make_tsv_writer();
std::unique_ptr<Writer> make_lrc_writer();
std::unique_ptr<Writer> make_srt_writer(const WriterOptions& options);
std::unique_ptr<Writer> make_vtt_writer(const WriterOptions& options);
std::unique_ptr<Writer> make_json_writer();
std::unique_ptr<Writer> make_live_txt_writer();
std::unique_ptr<Writer> make_live_jsonl_writer();

// Gives `writer` the segments with the labels of their channels in front.
std::unique_ptr<Writer> label_channels(std::unique_ptr<Writer> writer,
                                       std::vector<std::string> labels);

}  // namespace protocol
