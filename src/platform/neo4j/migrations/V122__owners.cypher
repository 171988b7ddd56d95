// An index over several properties is only walked where each of them is asked for; these lists ask for the first alone, and read every
// node of their label without these.
CREATE INDEX process_run_of_owner IF NOT EXISTS FOR (n:ProcessRun) ON (n.ownerId);
CREATE INDEX process_run_of_process IF NOT EXISTS FOR (n:ProcessRun) ON (n.processId);
CREATE INDEX process_run_of_conversation IF NOT EXISTS FOR (n:ProcessRun) ON (n.conversationId);
CREATE INDEX process_run_of_schedule IF NOT EXISTS FOR (n:ProcessRun) ON (n.scheduleId);
CREATE INDEX open_approval_of_owner IF NOT EXISTS FOR (n:OpenApproval) ON (n.ownerId);
CREATE INDEX conversation_of_owner IF NOT EXISTS FOR (n:Conversation) ON (n.ownerId);
CREATE INDEX stream_session_of_owner IF NOT EXISTS FOR (n:Session) ON (n.owner_id, n.workspace);
CREATE INDEX fact_ref_of_owner IF NOT EXISTS FOR (n:FactRef) ON (n.owner);
CREATE INDEX episode_text_of_owner IF NOT EXISTS FOR (n:EpisodeText) ON (n.owner);
DROP INDEX process_run_owner IF EXISTS;
DROP INDEX process_run_process IF EXISTS;
DROP INDEX process_run_conversation IF EXISTS;
DROP INDEX process_run_schedule IF EXISTS;
DROP INDEX open_approval_owner IF EXISTS;
