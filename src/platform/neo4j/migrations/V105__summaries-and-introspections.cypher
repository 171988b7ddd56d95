CREATE CONSTRAINT summary_id IF NOT EXISTS FOR (n:Summary) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT introspection_id IF NOT EXISTS FOR (n:Introspection) REQUIRE n.id IS UNIQUE;
// One note at a place of a user's carousel; what is archived has no slot.
CREATE CONSTRAINT introspection_slot IF NOT EXISTS FOR (n:Introspection) REQUIRE n.slot IS UNIQUE;
// What a run was started for; what comes of it is written when the run ends.
CREATE CONSTRAINT memory_task_id IF NOT EXISTS FOR (n:MemoryTask) REQUIRE n.id IS UNIQUE;
// What the sweep looks at: where something happened since it looked, and what failed.
CREATE INDEX conversation_updated IF NOT EXISTS FOR (c:Conversation) ON (c.updatedAt);
CREATE INDEX failed_task_kind IF NOT EXISTS FOR (t:FailedTask) ON (t.kind);
