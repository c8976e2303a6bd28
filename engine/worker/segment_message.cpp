#include "engine/worker/segment_message.h"

namespace engine {

protocol::Segment segment_message(const Segment& segment) {
  protocol::Segment message;
  message.id = segment.id;
  message.seek = segment.seek;
  message.start = segment.start;
  message.end = segment.end;
  message.text = segment.text;
  message.tokens = segment.tokens;
  message.temperature = segment.temperature;
  message.avg_logprob = segment.avg_logprob;
  message.compression_ratio = segment.compression_ratio;
  message.no_speech_prob = segment.no_speech_prob;
  message.language = segment.language;
  for (const Word& word : segment.words) {
    message.words.push_back({word.start, word.end, word.text, word.probability});
  }
  return message;
}

}  // namespace engine
