#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "engine/media/decode.h"
#include "platform/unique_fd.h"

// Decodes one input from its first byte to its last sample. The sandbox is off: it would lock the
// fuzzer in too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace media = engine::media;
  static const platform::UniqueFd sink(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const platform::UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
  if (!sink || ::write(file.get(), data, size) != static_cast<ssize_t>(size)) std::abort();

  media::Options options;
  options.max_seconds = 20;
  media::Report report(-1);
  media::DescriptorInput input(file.get(), options.max_bytes);
  const auto finished = media::decode(input, sink.get(), options, report);
  if (finished) return 0;
  const media::Error& error = finished.error();
  // Every failure has a code and a sentence, and none is an internal error.
  if (error.message.empty() || error.code == media::Errc::internal) std::abort();
  return 0;
}
