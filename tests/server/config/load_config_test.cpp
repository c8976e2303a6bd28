#include "server/config/load_config.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class LoadConfigTest : public ::testing::Test {
 protected:
  Result<Config> load() {
    return load_config({.environment =
                            [this](const char* name) {
                              const auto found = environment_.find(name);
                              return found == environment_.end() ? "" : found->second;
                            },
                        .is_set = [this](const char* name) { return set_.contains(name); },
                        .system_file = root_ / "system.toml",
                        .named_file = named_,
                        .flags = flags_});
  }
  Error error_of(const std::string& toml) {
    test::write_text(root_ / "system.toml", toml);
    const auto config = load();
    return config ? Error{} : config.error();
  }
  std::string in(const std::string& name) { return (root_ / name).string(); }

  test::TemporaryFolder root_{};
  std::map<std::string, std::string> environment_{};
  std::set<std::string> set_{};
  std::filesystem::path named_{};
  std::vector<ConfigFlag> flags_{};
};

TEST_F(LoadConfigTest, WithoutAnythingItIsWhatIsBuiltIn) {
  const auto config = load();
  ASSERT_TRUE(config);
  EXPECT_EQ(config->server.listen, std::vector<std::string>{"127.0.0.1:8080"});
  EXPECT_EQ(config->model.default_name, "base");
  EXPECT_TRUE(config->origins.empty());
}

TEST_F(LoadConfigTest, LaterSourcesWinAndAreRemembered) {
  environment_ = {{"XDG_CONFIG_HOME", root_.path()}, {"SCRIBED_CONFIG", in("named.toml")}};
  std::filesystem::create_directory(root_ / "scribed");
  const std::string all = "[jobs]\nparallel = 1\nmax_attempts = 1\nmax_waiting = 200\n";
  test::write_text(root_ / "system.toml", all + "[mcp]\nwait_budget_s = 1\n[log]\nlevel='error'");
  test::write_text(root_ / "scribed" / "config.toml", all + "[mcp]\nwait_budget_s = 2\n");
  test::write_text(root_ / "named.toml", "jobs.parallel = 3\njobs.max_attempts = 3\n");
  environment_["SCRIBED_JOBS_PARALLEL"] = "5";
  environment_["SCRIBED_JOBS_MAX_ATTEMPTS"] = "5";
  environment_["SCRIBED_LOG_FORMAT"] = "";
  flags_ = {{"jobs.parallel", "--parallel", "6"}};
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->jobs.parallel, 6);
  EXPECT_EQ(config->jobs.max_attempts, 5);
  EXPECT_EQ(config->mcp.wait_budget_s, 2);
  EXPECT_EQ(config->log.level, "error");
  EXPECT_EQ(config->log.format, "logfmt");
  const std::map<std::string, std::string> origins{
      {"jobs.parallel", "--parallel"},
      {"jobs.max_attempts", "SCRIBED_JOBS_MAX_ATTEMPTS"},
      {"jobs.max_waiting", in("scribed/config.toml") + ":4"},
      {"mcp.wait_budget_s", in("scribed/config.toml") + ":6"},
      {"log.level", in("system.toml") + ":8"}};
  EXPECT_EQ(config->origins, origins);
}

TEST_F(LoadConfigTest, AFileOfTheCommandLineStandsForThatOfTheEnvironment) {
  environment_["SCRIBED_CONFIG"] = in("missing.toml");
  EXPECT_EQ(load().error().code, errc::input_not_found);
  named_ = root_ / "named.toml";
  test::write_text(named_, "[model]\ndefault = \"tiny\"\n");
  EXPECT_EQ(load()->model.default_name, "tiny");
}

TEST_F(LoadConfigTest, ListsOfFlagsStandInPlaceOfThoseOfFiles) {
  test::write_text(root_ / "system.toml", "[inputs]\nallow_paths = ['/file']\n");
  EXPECT_EQ(load()->inputs.allow_paths, std::vector<std::string>{"/file"});
  flags_ = {{"inputs.allow_paths", "--allow-path", "/a,b"},
            {"inputs.allow_paths", "--allow-path", "/c"}};
  EXPECT_EQ(load()->inputs.allow_paths, (std::vector<std::string>{"/a,b", "/c"}));
}

TEST_F(LoadConfigTest, UnknownNamesAreRefusedWithTheirPlaceAndTheNearestOne) {
  const auto error = error_of("# a comment\n[server]\nlistn = [\"127.0.0.1:1\"]\n");
  EXPECT_EQ(error.code, errc::bad_config);
  EXPECT_EQ(error.message, in("system.toml") + ":3: there is no setting server.listn");
  EXPECT_EQ(error.fix, "Did you mean server.listen?");
  EXPECT_EQ(error_of("listen = 1").fix, "Did you mean server.listen?");
  EXPECT_EQ(error_of("[a.b.c]\nd.e = 1").message,
            in("system.toml") + ":2: there is no setting a.b.c.d.e");
}

TEST_F(LoadConfigTest, WrongValuesAreRefusedWithTheirPlace) {
  const std::pair<const char*, const char*> table[] = {
      {"[jobs]\nparallel = \"4\"", ":2: jobs.parallel must be a whole number from 1 to 256"},
      {"[jobs]\nparallel = 4.0", ":2: jobs.parallel must be a whole number from 1 to 256"},
      {"[jobs]\n\nparallel = 0", ":3: jobs.parallel must be a whole number from 1 to 256"},
      {"[jobs]\nparallel = [4]", ":2: jobs.parallel must be a whole number from 1 to 256"},
      {"[jobs]\nparallel = { a = 1 }", ":2: jobs.parallel must be a whole number from 1 to 256"},
      {"[jobs]\nparallel = 1979-05-27", ":2: jobs.parallel must be a whole number from 1 to 256"},
      {"mcp.wait_budget_s = nan", ":1: mcp.wait_budget_s must be a number from 1 to 600"},
      {"mcp.wait_budget_s = inf", ":1: mcp.wait_budget_s must be a number from 1 to 600"},
      {"mcp.wait_budget_s = 600.001", ":1: mcp.wait_budget_s must be a number from 1 to 600"},
      {"server.listen = \"a:1\"", ":1: server.listen must be a list of texts"},
      {"server.listen = [1]", ":1: server.listen must be a list of texts"},
      {"server.listen = [[\"a\"]]", ":1: server.listen must be a list of texts"},
      {"log.spoken_text = 1", ":1: log.spoken_text must be true or false"},
      {"log.level = \"loud\"", ":1: log.level must be one of debug, info, warning, error"},
      {"model.default = true", ":1: model.default must be a text"}};
  for (const auto& [toml, message] : table) {
    EXPECT_EQ(error_of(toml).message, in("system.toml") + message) << toml;
  }
}

TEST_F(LoadConfigTest, BrokenFilesAreRefusedWithTheirLine) {
  for (const char* toml : {"[jobs]\nparallel = 9223372036854775808", "[jobs]\nparallel = ",
                           "[jobs]\nparallel = 1\nparallel = 2", "[jobs]\n\xFF"}) {
    const auto error = error_of(toml);
    EXPECT_EQ(error.code, errc::bad_config) << toml;
    EXPECT_EQ(error.message.rfind(in("system.toml") + ":", 0), 0U) << error.message;
  }
  EXPECT_EQ(error_of(std::string((1 << 20) + 1, '\n')).code, errc::bad_config);
  EXPECT_EQ(error_of(std::string(1 << 20, '\n')).code, "");
  named_ = root_.path();
  EXPECT_EQ(load().error().code, errc::input_unreadable);
}

TEST_F(LoadConfigTest, SecretsComeFromTheEnvironmentAlone) {
  environment_["SCRIBED_API_KEY"] = "hunter2";
  EXPECT_EQ(load()->server.api_key, "hunter2");
  const auto error = error_of("server.api_key = \"hunter2\"");
  EXPECT_EQ(error.code, errc::bad_config);
  EXPECT_EQ((error.message + error.fix).find("hunter2"), std::string::npos);
  test::write_text(root_ / "system.toml", "");
  flags_ = {{"cluster.objects_secret", "--set", "hunter2"}};
  const auto by_flag = load().error();
  EXPECT_EQ(by_flag.code, errc::usage) << "others can read arguments";
  EXPECT_EQ((by_flag.message + by_flag.fix).find("hunter2"), std::string::npos);
  EXPECT_NE(by_flag.fix.find("AWS_SECRET_ACCESS_KEY"), std::string::npos);
}

TEST_F(LoadConfigTest, ErrorsOfEnvironmentAndFlagsNameThem) {
  environment_["SCRIBED_JOBS_PARALLEL"] = "many";
  EXPECT_EQ(load().error().message,
            "SCRIBED_JOBS_PARALLEL: jobs.parallel must be a whole number from 1 to 256");
  environment_.clear();
  flags_ = {{"jobs.parallel", "--parallel", "-1"}};
  EXPECT_EQ(load().error().message,
            "--parallel: jobs.parallel must be a whole number from 1 to 256");
}

TEST_F(LoadConfigTest, AFlagOfAnUnknownNameIsWrongUsage) {
  flags_ = {{"jobs.paralel", "--set", "2"}};
  const auto config = load();
  ASSERT_FALSE(config);
  EXPECT_EQ(exit_code(config.error().code), ExitCode::usage);
  EXPECT_EQ(config.error().message, "--set jobs.paralel: there is no such setting");
  EXPECT_EQ(config.error().fix, "Did you mean jobs.parallel?");
}

TEST_F(LoadConfigTest, AKeyThatIsSetToNothingIsRemembered) {
  EXPECT_EQ(load()->empty_key_variable, "");
  set_ = {"SCRIBED_API_KEY", "SCRIBED_JOBS_PARALLEL"};
  EXPECT_EQ(load()->empty_key_variable, "SCRIBED_API_KEY");
  environment_ = {{"SCRIBED_API_KEY", "0123456789abcdef"}};
  EXPECT_EQ(load()->empty_key_variable, "");
}

}  // namespace
}  // namespace server
