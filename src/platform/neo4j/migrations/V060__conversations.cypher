CREATE CONSTRAINT conversation_id IF NOT EXISTS FOR (n:Conversation) REQUIRE n.id IS UNIQUE;
CREATE INDEX conversation_owner IF NOT EXISTS FOR (n:Conversation) ON (n.ownerId, n.status);
CREATE CONSTRAINT conversation_turn_id IF NOT EXISTS FOR (n:ConversationTurn) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT alternative_id IF NOT EXISTS FOR (n:Alternative) REQUIRE n.id IS UNIQUE;
// A run writes the alternative it was started for, and no other.
CREATE CONSTRAINT alternative_run IF NOT EXISTS FOR (n:Alternative) REQUIRE n.runId IS UNIQUE;
// What a run has said so far, numbered or not yet.
CREATE INDEX outbox_entry_run IF NOT EXISTS FOR (n:OutboxEntry) ON (n.runId, n.kind);
