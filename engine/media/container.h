#pragma once

#include <memory>
#include <string>

#include "engine/media/descriptor_input.h"
#include "engine/media/error.h"
#include "engine/media/ffmpeg.h"
#include "engine/media/options.h"

namespace engine::media {

// An opened container whose tracks are known. Whatever it holds can only be reached through the
// input that it was given: a reference to another file is noted and refused.
class Container {
 public:
  // `input` must outlive the container.
  static Result<Container> open(DescriptorInput& input, const Options& options);

  AVFormatContext* get() const { return format_.get(); }
  // Frees everything that get() returned.
  void close() { format_.reset(); }
  // Returns the name that users know: "mp4", "webm", "wav".
  std::string name() const;
  bool referred_elsewhere() const { return references_->count > 0; }

  struct References {
    int count = 0;
  };

 private:
  Container() = default;

  // This is declared first because FFmpeg still logs while the context is being closed, and
  // watch_log() uses it.
  std::unique_ptr<References> references_ = std::make_unique<References>();
  FormatContext format_;
};

// Makes the refusal of a playlist, or of a container that keeps its sound in other files.
Error refers_to_other_files(const std::string& container);

}  // namespace engine::media
