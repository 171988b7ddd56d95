// Retention walks these in the order of time, so that a page reads only rows that are due.
CREATE INDEX process_run_ended IF NOT EXISTS FOR (n:ProcessRun) ON (n.origin, n.depth, n.completedAt);
CREATE INDEX stream_session_started IF NOT EXISTS FOR (n:Session) ON (n.started_at);
CREATE INDEX idempotency_created IF NOT EXISTS FOR (n:IdempotencyRecord) ON (n.createdAt);
// A snapshot is deleted with its last run, and a run is kept while a retry uses its steps.
CREATE INDEX process_run_snapshot IF NOT EXISTS FOR (n:ProcessRun) ON (n.snapshotHash);
CREATE INDEX process_run_retry_of IF NOT EXISTS FOR (n:ProcessRun) ON (n.retryOfId);
CREATE CONSTRAINT forgotten_kind IF NOT EXISTS FOR (n:Forgotten) REQUIRE n.kind IS UNIQUE;
