#include "tests/bench/cluster_hour/table_figures.h"

#include "tests/bench/cluster_hour/virtual_database.h"

namespace bench {

// What a connection did is in the statistics when it is idle; those of this program are.
nlohmann::ordered_json table_figures(const std::string& address) {
  return VirtualDatabase(address).ask([](server::postgres::Step& step) {
    const auto rows = step.query(
        "SELECT relname, n_live_tup, n_dead_tup, pg_total_relation_size(relid) AS bytes, "
        "pg_indexes_size(relid) AS index_bytes, n_tup_upd, n_tup_hot_upd, autovacuum_count "
        "FROM pg_stat_user_tables WHERE schemaname = current_schema() "
        "AND relname IN ('jobs', 'segments', 'nodes', 'owners', 'lines') ORDER BY bytes DESC");
    auto tables = nlohmann::ordered_json::object();
    for (int i = 0; i < rows.size(); ++i) {
      tables[rows[i].text("relname")] = {{"rows", rows[i].integer("n_live_tup")},
                                         {"dead_rows", rows[i].integer("n_dead_tup")},
                                         {"bytes", rows[i].integer("bytes")},
                                         {"index_bytes", rows[i].integer("index_bytes")},
                                         {"updates", rows[i].integer("n_tup_upd")},
                                         {"hot_updates", rows[i].integer("n_tup_hot_upd")},
                                         {"vacuums", rows[i].integer("autovacuum_count")}};
    }
    return tables;
  });
}

}  // namespace bench
