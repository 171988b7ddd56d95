// The record of background work (docs/decisions/0105). Its key begins with the id of the owner.
CREATE CONSTRAINT work_key IF NOT EXISTS FOR (n:Work) REQUIRE n.key IS UNIQUE;
CREATE INDEX work_due IF NOT EXISTS FOR (n:Work) ON (n.kind, n.runAt);
CREATE INDEX work_waiting IF NOT EXISTS FOR (n:Work) ON (n.reason, n.ownerId);
// Older versions kept nodes to sum up as TocWork, other work as BackgroundWait, and failed tasks as FailedTask.
// Each statement with $after changes one batch (see migrate.ts); a changed record is gone.
MATCH (old:TocWork) WHERE $after IS NOT NULL
WITH old LIMIT 1000
WITH old, split(split(old.store, '#')[0], '/')[0] AS ownerId, old.store + ' ' + old.nodeId AS itemId,
  'summarise memory/' + old.level AS kind, datetime(old.since) AS since, datetime(old.notBefore) AS notBefore,
  datetime() AS now
OPTIONAL MATCH (wait:BackgroundWait {key: ownerId + '/summarise memory/' + old.nodeId, reason: 'budget'})
MERGE (w:Work {key: ownerId + '/' + kind + '/' + itemId})
ON CREATE SET w.ownerId = ownerId, w.kind = kind, w.itemId = itemId,
  w.payload = '{"startMs":' + toString(old.startMs) + '}', w.attempts = old.attempts, w.revision = old.revision,
  w.since = CASE WHEN since > now THEN now ELSE since END, w.setAt = coalesce(datetime(old.setAt), now),
  w.runAt = CASE WHEN notBefore > since THEN notBefore ELSE since END,
  w.reason = CASE WHEN since > now THEN 'quiet' WHEN NOT notBefore > now OR notBefore IS NULL THEN 'due'
    WHEN wait IS NOT NULL THEN 'budget' ELSE 'fault' END
WITH old, w.key AS key
DELETE old
RETURN max(key) AS after;
MATCH (old:BackgroundWait) WHERE $after IS NOT NULL
WITH old, old.key AS key LIMIT 1000
FOREACH (_ IN CASE WHEN old.processName = 'summarise memory' THEN [] ELSE [1] END |
  MERGE (w:Work {key: key})
  ON CREATE SET w.ownerId = old.ownerId, w.kind = old.processName, w.itemId = old.itemId, w.reason = old.reason,
    w.attempts = coalesce(old.attempt, 0), w.revision = 0, w.since = old.since,
    w.setAt = coalesce(old.setAt, old.since),
    w.runAt = CASE WHEN old.reason = 'running' THEN null ELSE old.notBefore END)
DELETE old
RETURN max(key) AS after;
MATCH (task:FailedTask)-[:TASK_OF]->(c:Conversation) WHERE $after IS NOT NULL
WITH task, c LIMIT 1000
WITH task, c, datetime() AS now,
  CASE task.kind WHEN 'introspection' THEN 'introspect' ELSE 'compress conversation' END AS kind
MERGE (w:Work {key: c.ownerId + '/' + kind + '/' + c.id})
ON CREATE SET w.ownerId = c.ownerId, w.kind = kind, w.itemId = c.id, w.reason = 'fault', w.revision = 0,
  w.attempts = coalesce(task.attempt, 0) + 1, w.since = now, w.setAt = now, w.runAt = now
REMOVE task:FailedTask
RETURN max(w.key) AS after;
// The job of the level keeps the record of a summary, not its run.
MATCH (run:ProcessRun)
WHERE run.status IN ['pending', 'running', 'waiting', 'paused'] AND run.id > $after
  AND run.workItem STARTS WITH 'toc:'
WITH run ORDER BY run.id LIMIT 1000
SET run.workItem = null
RETURN max(run.id) AS after;
DROP CONSTRAINT background_wait_key IF EXISTS;
DROP INDEX background_wait_owner IF EXISTS;
DROP INDEX background_wait_due IF EXISTS;
DROP CONSTRAINT toc_work_node IF EXISTS;
DROP INDEX toc_work_level IF EXISTS;
DROP INDEX failed_task_kind IF EXISTS;
