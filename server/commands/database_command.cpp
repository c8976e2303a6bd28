#include "server/commands/database_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "server/commands/config_options.h"
#include "server/config/environment.h"
#include "server/config/load_config.h"
#include "server/jobs_postgres/postgres_job_store.h"

namespace server {
namespace {

constexpr char database_footer[] =
    R"(Set the database in $SCRIBED_DATABASE or --database:
postgres://scribed@db.example.org/scribed. Put its password into the file that
$PGPASSFILE names; other users can see arguments.)";

struct DatabaseArguments {
  std::string database{};
};

// It keeps dead rows in the tables.
constexpr double worrying_transaction_s = 60;

Result<PostgresStoreSettings> settings_of(const DatabaseArguments& arguments) {
  ConfigSources sources{.environment = process_environment};
  if (!arguments.database.empty()) {
    sources.flags.push_back({"cluster.database", "--database", arguments.database});
  }
  const auto config = load_config(sources);
  if (!config) return config.error();
  if (config->cluster.database.empty()) {
    return Error{errc::usage, "no database is named", "Set SCRIBED_DATABASE, or use --database."};
  }
  return PostgresStoreSettings{.address = config->cluster.database};
}

ExitCode check(const DatabaseArguments& arguments) {
  const auto settings = settings_of(arguments);
  if (!settings) return report_error(settings.error());
  const auto state = check_job_database(*settings);
  if (!state) return report_error(state.error());
  fmt::print("PostgreSQL {}\n", state->server);
  fmt::print("tables: version {} (this scribed: {})\n", state->version, state->wanted);
  if (state->is_usable) {
    fmt::print("daemons: {}, jobs: {} waiting, {} running\n", state->nodes, state->waiting,
               state->running);
  }
  if (state->oldest_transaction_s > worrying_transaction_s) {
    fmt::print("A transaction is open for {:.0f} s, which makes claims slower: end it.\n",
               state->oldest_transaction_s);
  }
  if (state->is_usable) return ExitCode::ok;
  return report_error({state->version > state->wanted ? "newer_store" : "outdated_store",
                       "this scribed cannot use these tables",
                       state->version > state->wanted
                           ? "Use a later version of scribed, or another database."
                           : "Run: scribed database migrate"});
}

ExitCode migrate(const DatabaseArguments& arguments) {
  const auto settings = settings_of(arguments);
  if (!settings) return report_error(settings.error());
  const auto migrated = migrate_job_database(*settings);
  if (!migrated) return report_error(migrated.error());
  fmt::print("The tables are up to date.\n");
  return ExitCode::ok;
}

}  // namespace

void add_database_command(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("database", "Check and migrate the shared database of a cluster");
  command->require_subcommand(1);
  command->footer(database_footer);
  const auto arguments = std::make_shared<DatabaseArguments>();
  const auto add = [&](const char* name, const char* help,
                       ExitCode (*run)(const DatabaseArguments&)) {
    auto* sub = command->add_subcommand(name, help);
    sub->add_option("--database", arguments->database, "Address, instead of $SCRIBED_DATABASE")
        ->type_name("ADDRESS");
    sub->callback(
        [arguments, run, &chosen] { chosen = [arguments, run] { return run(*arguments); }; });
  };
  add("check", "Show the version of its tables, and whether this scribed can use them", check);
  add("migrate", "Create its tables, or migrate them to this version", migrate);
}

}  // namespace server
