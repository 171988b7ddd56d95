// Calls and sessions of older versions get the origin of their run. Each statement with $after changes one batch (see migrate.ts).
MATCH (n:CallGraphNode) WHERE n.requestId > $after AND n.origin IS NULL
WITH n ORDER BY n.requestId LIMIT 1000
OPTIONAL MATCH (root:ProcessRun {id: n.rootRunId})
SET n.origin = coalesce(root.origin, 'user')
RETURN max(n.requestId) AS after;
// Two workspaces may use one id, so the next batch begins with the last id again.
MATCH (s:Session) WHERE s.node_id >= $after AND s.origin IS NULL
WITH s ORDER BY s.node_id LIMIT 1000
OPTIONAL MATCH (run:ProcessRun {id: left(s.node_id, 36)})
SET s.origin = coalesce(run.origin, 'user')
RETURN max(s.node_id) AS after;
// Pages of one's own without the product's background work, in the order of the list.
CREATE INDEX call_graph_node_of_owner_by_origin IF NOT EXISTS FOR (n:CallGraphNode) ON (n.ownerId, n.origin, n.createdAt, n.id);
CREATE INDEX stream_session_of_owner_by_origin IF NOT EXISTS FOR (n:Session) ON (n.owner_id, n.workspace, n.origin);
