// The origin of runs of older versions, by how they were started: a run of the memory used the model of its owner's memory settings, or has
// a record that names it. Each statement with $after changes one batch (see migrate.ts).
MATCH (root:ProcessRun) WHERE root.id > $after AND root.depth = 0 AND root.origin IS NULL
WITH root ORDER BY root.id LIMIT 1000
OPTIONAL MATCH (root)<-[:DONE_BY]-(task:MemoryTask)-[:TASK_OF]->(c:Conversation)
WITH root, head(collect(c)) AS c
SET root.origin = CASE WHEN root.asksOwnersModel = true OR c IS NOT NULL THEN 'system' ELSE 'user' END
FOREACH (_ IN CASE WHEN c IS NULL THEN [] ELSE [1] END |
  SET root.workKind = 'conversation', root.workId = c.id, root.workName = c.title)
RETURN max(root.id) AS after;
MATCH (i:EpisodeIngest) WHERE i.episodeUuid > $after
WITH i ORDER BY i.episodeUuid LIMIT 1000
OPTIONAL MATCH (run:ProcessRun {id: i.runId})
OPTIONAL MATCH (ep:Episodic {uuid: i.episodeUuid})
FOREACH (r IN CASE WHEN run IS NULL OR run.workId IS NOT NULL THEN [] ELSE [run] END |
  SET r.origin = 'system', r.workKind = 'episode', r.workId = i.episodeUuid, r.workName = left(ep.content, 80))
RETURN max(i.episodeUuid) AS after;
MATCH (run:ProcessRun) WHERE run.id > $after AND run.depth > 0 AND run.origin IS NULL
WITH run ORDER BY run.id LIMIT 1000
OPTIONAL MATCH (root:ProcessRun {id: run.rootRunId})
SET run.origin = coalesce(root.origin, 'user'), run.workKind = root.workKind, run.workId = root.workId,
  run.workName = root.workName
RETURN max(run.id) AS after;
// A page of one's own runs without those of the product, in the order of the list.
CREATE INDEX process_run_of_owner_by_origin IF NOT EXISTS FOR (n:ProcessRun) ON (n.ownerId, n.origin, n.id);
