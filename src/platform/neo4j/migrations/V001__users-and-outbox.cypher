CREATE CONSTRAINT resource_id IF NOT EXISTS FOR (n:Resource) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT user_id IF NOT EXISTS FOR (n:User) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT user_subject IF NOT EXISTS FOR (n:User) REQUIRE n.subject IS UNIQUE;
CREATE CONSTRAINT outbox_entry_id IF NOT EXISTS FOR (n:OutboxEntry) REQUIRE n.id IS UNIQUE;
CREATE INDEX outbox_entry_seq IF NOT EXISTS FOR (n:OutboxEntry) ON (n.seq);
CREATE INDEX outbox_entry_root_run IF NOT EXISTS FOR (n:OutboxEntry) ON (n.rootRunId, n.seq);
CREATE INDEX outbox_entry_conversation IF NOT EXISTS FOR (n:OutboxEntry) ON (n.conversationId, n.seq);
CREATE INDEX pending_entry_id IF NOT EXISTS FOR (n:PendingEntry) ON (n.id);
// The owner of everything that ships with the product. It has no subject, so no token resolves to it.
MERGE (u:User {id: '00000000-0000-7000-8000-000000000001'})
ON CREATE SET u:Resource, u.name = 'system', u.roles = ['admin'], u.workspace = 'system', u.createdAt = datetime();
