#include "server/hosts/host_settings.h"

#include <gtest/gtest.h>

namespace server {
namespace {

const McpCommand command{"/usr/bin/scribed", {"mcp"}};

McpHost host(std::string_view name) {
  return find_mcp_host(name).value();
}

std::string written(std::string_view host_name, std::string_view text) {
  const auto result = with_scribed(text, host(host_name), command);
  return result ? *result : "refused";
}

TEST(HostSettings, AnEmptyFileGetsWhatTheHostReads) {
  EXPECT_EQ(
      written("claude", ""),
      "{\n  \"mcpServers\": {\n    \"scribed\": {\n      \"type\": \"stdio\",\n"
      "      \"command\": \"/usr/bin/scribed\",\n      \"args\": [\n        \"mcp\"\n      ]\n"
      "    }\n  }\n}\n");
  EXPECT_NE(written("vscode", "\n").find("\"servers\": {\n    \"scribed\""), std::string::npos);
  EXPECT_EQ(written("cursor", "").find("\"type\""), std::string::npos);
  EXPECT_EQ(written("codex", ""),
            "[mcp_servers.scribed]\ncommand = \"/usr/bin/scribed\"\nargs = [\"mcp\"]\n");
}

TEST(HostSettings, EveryOtherByteStays) {
  const std::string before =
      "{\n\t\"numStartups\" : 12345678901234567890123,\n\t\"tips\": 1.10,\n\t\"mcpServers\": {\n"
      "\t\t\"other\": {\"command\": \"x\"}\n\t},\n\t\"z\": \"\\u00e9\"\n}";
  const std::string after = written("claude", before);
  const auto added = after.find(",\n\t\t\"scribed\": {");
  ASSERT_NE(added, std::string::npos) << after;
  const auto rest = after.find("\n\t},\n\t\"z\"", added);
  ASSERT_NE(rest, std::string::npos) << after;
  EXPECT_EQ(after.substr(0, added) + after.substr(rest), before);
}

TEST(HostSettings, ASecondTimeChangesNothing) {
  for (const auto& one : mcp_hosts()) {
    const std::string once = written(one.name, "");
    EXPECT_EQ(written(one.name, once), once) << one.name;
  }
}

TEST(HostSettings, AnOlderEntryInJsonIsReplaced) {
  const std::string before = "{\"mcpServers\": {\"scribed\": {\"command\": \"/old\"}, \"b\": {}}}";
  const std::string after = written("cursor", before);
  EXPECT_EQ(after.find("/old"), std::string::npos);
  EXPECT_NE(after.find("/usr/bin/scribed"), std::string::npos);
  EXPECT_NE(after.find("\"b\": {}"), std::string::npos);
}

TEST(HostSettings, AnEntryInJsonKeepsWhatTheUserAdded) {
  const std::string before =
      "{\"mcpServers\": {\"scribed\": {\n  \"env\": {\"A\": \"1\"},\n  \"command\": \"/old\",\n"
      "  \"timeout\": 60\n}}}";
  const std::string after = written("claude", before);
  EXPECT_EQ(after,
            "{\"mcpServers\": {\"scribed\": {\n  \"env\": {\"A\": \"1\"},\n"
            "  \"command\": \"/usr/bin/scribed\",\n  \"timeout\": 60,\n  \"type\": \"stdio\",\n"
            "  \"args\": [\n    \"mcp\"\n  ]\n}}}");
  EXPECT_EQ(written("claude", after), after);
}

TEST(HostSettings, AnEntryOfAnAddressIsReplacedAsAWhole) {
  const std::string after =
      written("cursor", "{\"mcpServers\": {\"scribed\": {\"url\": \"http://host/mcp\"}}}");
  EXPECT_EQ(after.find("url"), std::string::npos) << after;
  EXPECT_NE(after.find("/usr/bin/scribed"), std::string::npos) << after;
}

TEST(HostSettings, WhatMightLoseSomethingIsRefused) {
  for (const char* text :
       {"// mine\n{}", "{\"servers\": {}, /* mine */ \"b\": 1}", "{\"servers\": {},}", "[]", "{",
        "{\"servers\": []}", "{\"servers\": 1}", "not json"}) {
    EXPECT_EQ(written("vscode", text), "refused") << text;
  }
  for (const char* text : {"a = ", "[mcp_servers.scribed]\ncommand = \"mine\"\n",
                           "mcp_servers = {other = {command = \"x\"}}\n", "mcp_servers = 1\n"}) {
    EXPECT_EQ(written("codex", text), "refused") << text;
  }
}

TEST(HostSettings, TomlKeepsCommentsAndWhatFollowsNothing) {
  const std::string before = "# mine\nmodel = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"y\"";
  EXPECT_EQ(written("codex", before), before +
                                          "\n\n[mcp_servers.scribed]\ncommand = "
                                          "\"/usr/bin/scribed\"\nargs = [\"mcp\"]\n");
}

TEST(HostSettings, OddPathsAreQuoted) {
  const McpCommand odd{"/home/a \"b\"\\c/scribed", {"mcp", "--model", "é"}};
  for (const auto& one : mcp_hosts()) {
    const auto text = with_scribed("", one, odd);
    ASSERT_TRUE(text);
    const auto again = with_scribed(*text, one, odd);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *text) << one.name;
  }
}

TEST(HostSettings, AChangeIsShownWithLinesAround) {
  EXPECT_EQ(shown_change("a\nb\nc\nd\ne\n", "a\nb\nc\nX\nd\ne\n"), "  b\n  c\n+ X\n  d\n  e\n");
  EXPECT_EQ(shown_change("a\nb\n", "a\nB\n"), "  a\n- b\n+ B\n");
  EXPECT_EQ(shown_change("", "a\n"), "+ a\n");
}

TEST(McpHosts, SettingsLieWhereTheHostsLook) {
  const auto environment = [](const char* name) {
    return std::string(name) == "HOME" ? std::string("/home/ada") : std::string();
  };
  const auto file = [&](const char* name, bool project) {
    return settings_file(host(name), project, environment, "/project")->string();
  };
  EXPECT_EQ(file("claude", false), "/home/ada/.claude.json");
  EXPECT_EQ(file("vscode", false), "/home/ada/.config/Code/User/mcp.json");
  EXPECT_EQ(file("cursor", false), "/home/ada/.cursor/mcp.json");
  EXPECT_EQ(file("codex", false), "/home/ada/.codex/config.toml");
  EXPECT_EQ(file("claude", true), "/project/.mcp.json");
  EXPECT_EQ(file("vscode", true), "/project/.vscode/mcp.json");
  EXPECT_EQ(file("cursor", true), "/project/.cursor/mcp.json");
  EXPECT_EQ(file("codex", true), "/project/.codex/config.toml");
}

TEST(McpHosts, VariablesMoveTheSettings) {
  const auto environment = [](const char* name) {
    return std::string(name) == "HOME" ? std::string("/home/ada") : "/moved/" + std::string(name);
  };
  const auto file = [&](const char* name) {
    return settings_file(host(name), false, environment, "/project")->string();
  };
  EXPECT_EQ(file("claude"), "/moved/CLAUDE_CONFIG_DIR/.claude.json");
  EXPECT_EQ(file("vscode"), "/moved/XDG_CONFIG_HOME/Code/User/mcp.json");
  EXPECT_EQ(file("codex"), "/moved/CODEX_HOME/config.toml");
  const auto nowhere = settings_file(
      host("cursor"), false, [](const char*) { return ""; }, "/project");
  EXPECT_FALSE(nowhere);
}

TEST(McpHosts, ACacheOfUvIsNoPlaceToName) {
  EXPECT_EQ(mcp_command("/usr/bin/scribed", {}), command);
  EXPECT_EQ(mcp_command("/home/a/.cache/uv/archive-v0/x1/bin/scribed", {"--alone"}),
            (McpCommand{"uvx", {"scribed", "mcp", "--alone"}}));
}

}  // namespace
}  // namespace server
