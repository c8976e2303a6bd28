"""Ways to break a cluster, to see that the checker notices: each takes one guarantee away inside
the database, by a trigger, and names the rule that has to be broken then."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Mutation:
    rule: int
    table: str
    when: str
    body: str  # of a trigger for each row
    kinds: tuple  # of faults that bring it to light

    def apply(self, cluster):
        sql = (f"SET search_path = scribed; CREATE FUNCTION mutation() RETURNS trigger LANGUAGE "
               f"plpgsql AS $$ BEGIN {self.body} RETURN NEW; END $$; CREATE TRIGGER mutation "
               f"{self.when} ON {self.table} FOR EACH ROW EXECUTE FUNCTION mutation()")
        done = cluster.postgres.ask(sql)
        assert done.returncode == 0, done.stderr


MUTATIONS = {
    # Whoever had a job before may still write: a paused daemon goes on beside the one after it.
    "no-fence": Mutation(3, "jobs", "BEFORE UPDATE",
                         "IF NEW.state = 1 THEN NEW.epoch := 1; END IF;", ("pause",)),
    # Nobody is ever taken for dead.
    "no-sweep": Mutation(9, "nodes", "BEFORE INSERT OR UPDATE",
                         "NEW.lease_until := NEW.lease_until + 100000;", ("kill",)),
    # Repeated requests are not recognised.
    "no-keys": Mutation(2, "jobs", "BEFORE INSERT", "NEW.key := NULL;", ()),
    # A webhook counts as delivered when its job ends, so nobody repeats it.
    "no-webhooks": Mutation(7, "jobs", "BEFORE UPDATE",
                            "IF NEW.finished > 0 THEN NEW.delivered := true; END IF;", ("kill",)),
    # A cancel does not take the job from who runs it.
    "no-cancel": Mutation(4, "jobs", "BEFORE UPDATE",
                          "IF NEW.state = 4 AND OLD.state = 1 THEN NEW.state := 1; "
                          "NEW.node := OLD.node; NEW.epoch := OLD.epoch; NEW.finished := 0; "
                          "NEW.expires := 0; END IF;", ()),
}
