#pragma once

namespace engine::media {

// From now on an allocation that fails for the small limit of memory asks for more
// (protocol/decoder_memory.h) by a line to `report_fd`, and waits for it. Returns false in builds
// that cannot: those with sanitizers and without glibc. Call it while the process has one thread.
bool ask_for_memory(int report_fd);

}  // namespace engine::media
