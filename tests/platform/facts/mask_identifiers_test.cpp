#include "platform/facts/mask_identifiers.h"

#include <gtest/gtest.h>

#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

struct MaskCase {
  const char* text;
  const char* masked;
};

void expect_masked(const System& system, const std::vector<MaskCase>& cases) {
  for (const auto& one : cases) {
    EXPECT_EQ(mask_identifiers(one.text, system), one.masked) << one.text;
  }
}

TEST(MaskIdentifiers, HidesUuids) {
  FakeTree tree;
  expect_masked(tree.system(),
                {{"GPU-8f3c1a52-0b7e-4d61-9a25-0123456789ab", "GPU-<uuid>"},
                 {"MIG-8F3C1A52-0B7E-4D61-9A25-0123456789AB/1/0", "MIG-<uuid>/1/0"},
                 {"8f3c1a52-0b7e-4d61-9a25-01234567", "8f3c1a52-0b7e-4d61-9a25-01234567"},
                 {"0000:01:00.0 gfx90a 550.54.14", "0000:01:00.0 gfx90a 550.54.14"}});
}

TEST(MaskIdentifiers, HidesSerialNumbers) {
  FakeTree tree;
  expect_masked(tree.system(), {{"Serial Number : 0324018012345", "Serial Number : <serial>"},
                                {R"({"serial": "1650-22A"})", R"({"serial": "<serial>"})"},
                                {"serial_no=ABC123", "serial_no=<serial>"},
                                {"a serial port", "a serial port"},
                                {"ends in serial", "ends in serial"}});
}

TEST(MaskIdentifiers, HidesTheUserAndTheirHome) {
  FakeTree tree;
  const auto system = tree.system({{"HOME", "/srv/people/alice/"}, {"USER", "alice"}});
  expect_masked(system,
                {{"/srv/people/alice/models/base.bin", "~/models/base.bin"},
                 {"/srv/people/alice2/models", "/srv/people/alice2/models"},
                 {"user alice is not in group render", "user <user> is not in group render"},
                 {"malice and alice_b", "malice and alice_b"},
                 {"LD_LIBRARY_PATH=/opt/x:/srv/people/alice/lib", "LD_LIBRARY_PATH=/opt/x:~/lib"}});
}

TEST(MaskIdentifiers, HidesOtherHomes) {
  FakeTree tree;
  expect_masked(tree.system(),
                {{"/home/bob/.cache:/home/carol", "/home/<user>/.cache:/home/<user>"},
                 {R"("/Users/dave")", R"("/Users/<user>")"},
                 {"the folder /home/ is empty", "the folder /home/ is empty"}});
}

TEST(MaskIdentifiers, HidesTheHostWithItsDomain) {
  FakeTree tree;
  tree.file("/proc/sys/kernel/hostname", "whale.lab.example\n");
  expect_masked(tree.system({{"HOSTNAME", "pod-7d9f"}}),
                {{"on whale.lab.example and whale:", "on <host> and <host>:"},
                 {"pod-7d9f", "<host>"},
                 {"whales", "whales"}});
}

TEST(MaskIdentifiers, KnowsTheAccountWithoutAnyVariable) {
  FakeTree tree;
  tree.file("/etc/passwd", "daemon:x:999999:1::/:/bin/false\nerin:x:" +
                               std::to_string(::geteuid()) + ":1000:E:/var/lib/erin:/bin/sh\n");
  expect_masked(tree.system(), {{"/var/lib/erin/x of erin", "~/x of <user>"}});
}

TEST(MaskIdentifiers, LeavesTheWordsOfAReportToIt) {
  struct Named {
    const char* user;
    const char* text;
  };
  for (const auto& [user, text] :
       std::initializer_list<Named>{{"scribed", "scribed uses cpu: libexec/scribed-worker"},
                                    {"nvidia", "/proc/driver/nvidia/version"},
                                    {"NVIDIA", "NVIDIA GeForce RTX 3060"},
                                    {"model", "the model base"},
                                    {"42", "compute capability 42.0, 42 GiB"},
                                    {"pi", "pi is here"}}) {
    FakeTree tree;
    const std::string name = user;
    const std::string home = "/var/lib/" + name;
    tree.file("/etc/hostname", name + "\n");
    const auto system = tree.system({{"HOME", home}, {"USER", name}});
    expect_masked(system, {{text, text}});
    EXPECT_EQ(mask_identifiers(home + "/x of " + name + "@pc, pc@" + name, system),
              "~/x of <user>@pc, pc@<user>");
    EXPECT_EQ(mask_identifiers("/home/" + name + "/x:/Users/" + name, system),
              "/home/<user>/x:/Users/<user>");
  }
}

TEST(MaskIdentifiers, InADocumentOnlyTextsAreMasked) {
  using Json = nlohmann::ordered_json;
  FakeTree tree;
  const auto system = tree.system({{"HOME", "/home/alice"}, {"USER", "alice"}});
  const Json document = {{"alice", {{"works", true}, {"count", 42}, {"none", Json()}}},
                         {"texts", {"alice\nalice", "/home/alice/x", "nalice"}}};
  const Json masked = {{"alice", {{"works", true}, {"count", 42}, {"none", Json()}}},
                       {"texts", {"<user>\n<user>", "~/x", "nalice"}}};
  EXPECT_EQ(mask_texts(document, system), masked);
}

TEST(MaskIdentifiers, CommonNamesStay) {
  FakeTree tree;
  tree.file("/etc/hostname", "localhost\n");
  const auto system = tree.system({{"HOME", "/root"}, {"USER", "root"}});
  const char* text = "/root/x on localhost, a user: root";
  EXPECT_EQ(mask_identifiers(text, system), text);
}

}  // namespace
}  // namespace platform
