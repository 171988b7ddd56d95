// Relationships of data from older versions (docs/graph.md). Each statement with $after changes one batch (see migrate.ts).
MATCH (l:TocLatest)
WITH l, l.store + ' ' + l.nodeId AS at WHERE at > $after
WITH l, at ORDER BY at LIMIT 1000
CALL (l) {
  MATCH (parent:TocLatest {store: l.store, nodeId: l.parentId})
  MERGE (l)-[:PART_OF]->(parent)
}
CALL (l) {
  MATCH (n:TocNode) WHERE n.store = l.store AND n.key > l.nodeId + ':v' AND n.key < l.nodeId + ':w'
  MERGE (l)-[:HAS_VERSION]->(n)
}
RETURN max(at) AS after;
MATCH (s:Segment)
WITH s, s.store + ' ' + s.startKey AS at WHERE at > $after
WITH s, at ORDER BY at LIMIT 200
CALL (s) {
  MATCH (m:MemoryEvent)
  WHERE m.store = s.store AND m.sessionId = s.sessionId AND m.key >= s.startKey AND m.key <= s.endKey
  MERGE (m)-[:IN_SEGMENT]->(s)
}
CALL (s) {
  MATCH (l:TocLatest {store: s.store, nodeId: s.nodeId})
  MERGE (s)-[:SUMMED_UP_IN]->(l)
}
RETURN max(at) AS after;
MATCH (g:Grip)
WITH g, g.realm + ' ' + g.gripId AS at WHERE at > $after
WITH g, at ORDER BY at LIMIT 500
CALL (g) {
  MATCH (m:MemoryEvent)
  WHERE m.store = g.store AND m.sessionId = g.sessionId AND m.key >= g.startKey AND m.key <= g.endKey
  WITH g, m ORDER BY m.store, m.sessionId, m.key LIMIT 100
  MERGE (g)-[:QUOTES]->(m)
}
RETURN max(at) AS after;
MATCH (n:TocNode)
WITH n, n.store + ' ' + n.key AS at WHERE at > $after
WITH n, at ORDER BY at LIMIT 500
CALL (n) {
  UNWIND n.gripIds AS gripId
  MATCH (g:Grip {realm: split(n.store, '#')[0], gripId: gripId})
  MERGE (n)-[:PROVEN_BY]->(g)
}
RETURN max(at) AS after;
MATCH (run:ProcessRun) WHERE run.id > $after
WITH run ORDER BY run.id LIMIT 1000
CALL (run) {
  MATCH (a:Alternative {runId: run.id})
  MERGE (a)-[:WRITTEN_BY]->(run)
}
CALL (run) {
  MATCH (n:CallGraphNode {requestId: run.id})
  MERGE (run)-[:RECORDED_AS]->(n)
}
RETURN max(run.id) AS after;
