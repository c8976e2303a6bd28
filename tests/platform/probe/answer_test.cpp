#include "platform/probe/answer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "platform/probe/report.h"

namespace platform {
namespace {

constexpr auto answered =
    R"({"answer": {"probe": {"outcome": "answered"}, "driver_cuda": "12.4"}})";

TEST(Answer, IsTheChildsWhereThereIsOne) {
  const auto facts = facts_of<CudaFacts>({.out = std::string(answered) + "\n"});
  EXPECT_EQ(facts.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(facts.driver_cuda, "12.4");
}

TEST(Answer, CountsAlsoWhereTheChildDidNotEndProperly) {
  const std::string out = std::string(answered) + "\n";
  EXPECT_EQ(facts_of<CudaFacts>({.hung = true, .out = out}).probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(facts_of<CudaFacts>({.signal = SIGSEGV, .out = out}).probe.outcome,
            ProbeOutcome::answered);
}

TEST(Answer, IsACrashForEverythingElseThatAChildMaySay) {
  struct Case {
    const char* out;
    const char* text;
  };
  for (const auto& [out, text] :
       {Case{"", "ended with exit code 7 without an answer"},
        Case{"usage: scribed\n", "ended with exit code 7 without an answer"},
        Case{"{\"answer\": 5}\n", "ended with exit code 7 without an answer"},
        Case{"{\"answer\": {\"devices\": 1}}\n", "ended with exit code 7 without an answer"},
        Case{"{\"at\": 1}\n[]\n{\n", "ended with exit code 7 without an answer"},
        Case{"{\"so_far\": [1]}\n", "ended with exit code 7 without an answer"}}) {
    const auto facts = facts_of<CudaFacts>({.exit_code = 7, .out = out});
    EXPECT_EQ(facts.probe.outcome, ProbeOutcome::crashed) << out;
    EXPECT_EQ(facts.probe.text, text) << out;
  }
}

TEST(Answer, KeepsWhatWasFoundBeforeTheEnd) {
  const std::string out =
      "{\"at\": \"dlopen libcuda.so.1\"}\n"
      "{\"so_far\": {\"probe\": {\"library\": \"/usr/lib/libcuda.so.1\"}, \"driver_cuda\": "
      "\"12.4\"}}\n"
      "{\"at\": \"cuInit\"}\n{\"at\": \"cuDev";
  const auto facts = facts_of<CudaFacts>({.signal = SIGABRT, .out = out, .error_tail = " bad\n"});
  EXPECT_EQ(facts.probe.outcome, ProbeOutcome::crashed);
  EXPECT_EQ(facts.probe.library, "/usr/lib/libcuda.so.1");
  EXPECT_EQ(facts.probe.function, "cuInit");
  EXPECT_EQ(facts.probe.signal, SIGABRT);
  EXPECT_EQ(facts.probe.text, "bad");
  EXPECT_EQ(facts.driver_cuda, "12.4");
}

TEST(Answer, SurvivesWordsThatAreNoUtf8) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const UniqueFd read(ends[0]);
  Report(UniqueFd(ends[1])).at("dlopen /caf\xe9");
  std::string out(100, '\0');
  out.resize(static_cast<std::size_t>(::read(read.get(), out.data(), out.size())));
  EXPECT_EQ(read_report(out).at, "dlopen /caf\xef\xbf\xbd");
}

TEST(Answer, TellsThatThereWasNoChild) {
  const auto facts = facts_of<HipFacts>({.problem = "cannot start /x: No such file or directory"});
  EXPECT_EQ(facts.probe.outcome, ProbeOutcome::not_started);
  EXPECT_EQ(facts.probe.function, "") << "no call of a library has failed";
  EXPECT_EQ(facts.probe.text, "cannot start /x: No such file or directory");
}

}  // namespace
}  // namespace platform
