// Lists of somebody's own in the order they are shown, so that a page reads what it shows and not the whole list.
CREATE INDEX process_run_of_owner_by_id IF NOT EXISTS FOR (n:ProcessRun) ON (n.ownerId, n.id);
CREATE INDEX process_run_of_schedule_by_id IF NOT EXISTS FOR (n:ProcessRun) ON (n.scheduleId, n.id);
CREATE INDEX open_approval_of_owner_by_id IF NOT EXISTS FOR (n:OpenApproval) ON (n.ownerId, n.id);
CREATE INDEX conversation_of_owner_by_time IF NOT EXISTS FOR (n:Conversation) ON (n.ownerId, n.createdAt, n.id);
CREATE INDEX call_graph_node_of_owner_by_time IF NOT EXISTS FOR (n:CallGraphNode) ON (n.ownerId, n.createdAt, n.id);
DROP INDEX process_run_of_owner IF EXISTS;
DROP INDEX process_run_of_schedule IF EXISTS;
DROP INDEX open_approval_of_owner IF EXISTS;
DROP INDEX conversation_owner IF EXISTS;
DROP INDEX call_graph_node_owner IF EXISTS;
