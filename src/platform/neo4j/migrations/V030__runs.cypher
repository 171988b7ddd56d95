CREATE CONSTRAINT process_run_id IF NOT EXISTS FOR (n:ProcessRun) REQUIRE n.id IS UNIQUE;
CREATE INDEX process_run_owner IF NOT EXISTS FOR (n:ProcessRun) ON (n.ownerId, n.id);
CREATE INDEX process_run_process IF NOT EXISTS FOR (n:ProcessRun) ON (n.processId, n.id);
CREATE INDEX process_run_root IF NOT EXISTS FOR (n:ProcessRun) ON (n.rootRunId);
CREATE INDEX process_run_parent IF NOT EXISTS FOR (n:ProcessRun) ON (n.parentRunId);
CREATE INDEX process_run_conversation IF NOT EXISTS FOR (n:ProcessRun) ON (n.conversationId, n.id);
// One label per thing that waits, so that a sweep finds it without scanning finished runs.
CREATE INDEX pending_start_id IF NOT EXISTS FOR (n:PendingStart) ON (n.id);
CREATE CONSTRAINT run_snapshot_hash IF NOT EXISTS FOR (n:RunSnapshot) REQUIRE n.hash IS UNIQUE;
CREATE CONSTRAINT step_run_key IF NOT EXISTS FOR (n:StepRun) REQUIRE n.key IS UNIQUE;
CREATE INDEX step_run_run IF NOT EXISTS FOR (n:StepRun) ON (n.runId);
CREATE INDEX step_run_cache IF NOT EXISTS FOR (n:StepRun) ON (n.cacheKey);
CREATE CONSTRAINT approval_id IF NOT EXISTS FOR (n:Approval) REQUIRE n.id IS UNIQUE;
CREATE INDEX open_approval_owner IF NOT EXISTS FOR (n:OpenApproval) ON (n.ownerId, n.id);
CREATE CONSTRAINT idempotency_key IF NOT EXISTS FOR (n:IdempotencyRecord) REQUIRE n.key IS UNIQUE;
