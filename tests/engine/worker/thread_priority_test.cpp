#include "engine/worker/thread_priority.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#ifdef __linux__
#include <sys/resource.h>

namespace engine {
namespace {

using protocol::WorkClass;

// Returns the niceness of a thread that has lowered its priority.
int niceness_of(WorkClass work_class) {
  int niceness = 0;
  std::thread([&] {
    lower_thread_priority(work_class);
    niceness = ::getpriority(PRIO_PROCESS, 0);
  }).join();
  return niceness;
}

TEST(ThreadPriority, LeavesWhatATranscriptionWaitsForAShareOfABusyMachine) {
  const int before = ::getpriority(PRIO_PROCESS, 0);
  EXPECT_EQ(niceness_of(WorkClass::interactive), std::max(before, 5)) << "as decoders have it";
  EXPECT_EQ(niceness_of(WorkClass::background), 19);
  EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), before) << "of the thread alone";
}

}  // namespace
}  // namespace engine
#endif
