#pragma once

#include <memory>

#include "protocol/writers.h"

// The writers behind make_writer and make_live_writer, one function for each format.
namespace protocol {

std::unique_ptr<Writer> make_txt_writer();
std::unique_ptr<Writer> make_tsv_writer();
std::unique_ptr<Writer> make_lrc_writer();
std::unique_ptr<Writer> make_srt_writer(const WriterOptions& options);
std::unique_ptr<Writer> make_vtt_writer(const WriterOptions& options);
std::unique_ptr<Writer> make_ass_writer(const WriterOptions& options);
std::unique_ptr<Writer> make_json_writer();
std::unique_ptr<Writer> make_live_txt_writer();
std::unique_ptr<Writer> make_live_jsonl_writer();

// The place of a speaker's name in a format: a field of its own, or in front of each segment's
// text.
enum class SpeakerPlace { field, text };

// Gives `writer` the segments with their speakers; srt, vtt and ass name them by themselves, for
// each cue. A segment without a speaker gets the label of its channel.
std::unique_ptr<Writer> name_speakers(std::unique_ptr<Writer> writer,
                                      std::vector<std::string> channel_labels, SpeakerPlace place);

}  // namespace protocol
