"""Whether a history and what is there in the end keep the nine promises of several daemons. Nothing
here asks a server: a history that was kept can be checked again."""

from cluster.rules_of_jobs import (every_accepted_job_ends, nothing_is_written_after_a_cancel,
                                   one_job_for_each_request, texts_are_whole)
from cluster.rules_of_nodes import dead_nodes_keep_no_jobs, recordings_have_jobs
from cluster.rules_of_readers import (every_end_is_told, followers_see_segments_in_order,
                                      readers_see_no_past, the_end_is_what_was_told)

RULES = {
    1: "accepted jobs are there and end as they should",
    2: "one request is one job",
    3: "texts are whole, without gap or repetition, and of their own sound",
    4: "nothing is written after a cancel",
    5: "readers of all daemons see states go forward only",
    6: "followers see segments in order",
    7: "every end is told",
    8: "recordings have jobs, and jobs recordings",
    9: "dead nodes keep no jobs",
}


def check(history, state, plans, nodes, limit):
    """Returns the breaches, by rule. `plans` gives the plan of a job's number, `nodes` are those
    that transcribe, and `limit` is how long a dead node may have jobs, in seconds."""
    return [
        *every_accepted_job_ends(history, state, plans),
        *one_job_for_each_request(history, state),
        *texts_are_whole(history, state, plans),
        *nothing_is_written_after_a_cancel(history, state),
        *readers_see_no_past(history),
        *the_end_is_what_was_told(history, state),
        *followers_see_segments_in_order(history, state),
        *every_end_is_told(history, state),
        *recordings_have_jobs(history, state),
        *dead_nodes_keep_no_jobs(history, nodes, limit),
    ]
