// Names to the letter of the call graph's document; an index that is UNIQUE there is a constraint here.
CREATE CONSTRAINT idx_call_graph_nodes_request_id IF NOT EXISTS FOR (n:CallGraphNode) REQUIRE n.requestId IS UNIQUE;
CREATE CONSTRAINT call_graph_node_id IF NOT EXISTS FOR (n:CallGraphNode) REQUIRE n.id IS UNIQUE;
CREATE INDEX idx_call_graph_nodes_operation_id IF NOT EXISTS FOR (n:CallGraphNode) ON (n.operationId);
CREATE INDEX idx_call_graph_nodes_status IF NOT EXISTS FOR (n:CallGraphNode) ON (n.status);
CREATE INDEX idx_call_graph_nodes_caller_account_id IF NOT EXISTS FOR (n:CallGraphNode) ON (n.callerAccountId);
CREATE INDEX idx_call_graph_nodes_created_at IF NOT EXISTS FOR (n:CallGraphNode) ON (n.createdAt);
CREATE INDEX idx_call_graph_nodes_operation_created IF NOT EXISTS FOR (n:CallGraphNode) ON (n.operationId, n.createdAt);
CREATE INDEX idx_call_graph_nodes_started_at IF NOT EXISTS FOR (n:CallGraphNode) ON (n.startedAt);
// Of our own: whose they are, which tree they belong to, when they may go, and whose parent is not there yet.
CREATE INDEX call_graph_node_owner IF NOT EXISTS FOR (n:CallGraphNode) ON (n.ownerId, n.createdAt);
CREATE INDEX call_graph_node_root IF NOT EXISTS FOR (n:CallGraphNode) ON (n.rootRunId);
CREATE INDEX call_graph_node_expires IF NOT EXISTS FOR (n:CallGraphNode) ON (n._retentionExpiresAt);
CREATE INDEX call_graph_node_awaited IF NOT EXISTS FOR (n:CallGraphNode) ON (n.awaitedParent);
CREATE INDEX idx_call_graph_edges_source_id IF NOT EXISTS FOR ()-[r:CALL_EDGE]-() ON (r.sourceId);
CREATE INDEX idx_call_graph_edges_target_id IF NOT EXISTS FOR ()-[r:CALL_EDGE]-() ON (r.targetId);
CREATE INDEX idx_call_graph_edges_source_id_type IF NOT EXISTS FOR ()-[r:CALL_EDGE]-() ON (r.sourceId, r.edgeType);
CREATE CONSTRAINT unq_call_graph_edges_source_target_type IF NOT EXISTS FOR ()-[r:CALL_EDGE]-() REQUIRE (r.sourceId, r.targetId, r.edgeType) IS UNIQUE;
CREATE CONSTRAINT operation_id IF NOT EXISTS FOR (n:Operation) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT call_stats_key IF NOT EXISTS FOR (n:CallStats) REQUIRE n.key IS UNIQUE;
CREATE INDEX call_stats_day IF NOT EXISTS FOR (n:CallStats) ON (n.day);
// Where finished calls go when their operation does.
MERGE (o:Operation {id: '__removed__'}) ON CREATE SET o.name = 'removed', o.namespace = 'system', o.createdAt = datetime();
