CREATE INDEX background_event_store IF NOT EXISTS FOR (n:BackgroundEvent) ON (n.store, n.sessionId, n.key);
// Older versions derived events of agent memory from the product's own runs. This marks them; the job memory-mending sets them aside.
// Two realms may use one id, so the next batch begins with the last id again.
MATCH (m:MemoryEvent)
WHERE m.eventId >= $after AND m.eventType IN ['tool_result', 'subagent_start', 'subagent_stop']
  AND m.metadata CONTAINS '"runId":"' AND NOT m:BackgroundEvent AND m.wasChecked IS NULL
WITH m ORDER BY m.eventId LIMIT 1000
OPTIONAL MATCH (run:ProcessRun {id: split(split(m.metadata, '"runId":"')[1], '"')[0], origin: 'system'})
SET m.wasChecked = true
FOREACH (_ IN CASE WHEN run IS NULL THEN [] ELSE [1] END | SET m:BackgroundEvent)
RETURN max(m.eventId) AS after;
