// Marks of forgotten facts and entities, by their owner (docs/decisions/0076).
CREATE CONSTRAINT forgotten_memory_uuid IF NOT EXISTS FOR (f:ForgottenMemory) REQUIRE f.uuid IS UNIQUE;
CREATE INDEX forgotten_memory_owner IF NOT EXISTS FOR (f:ForgottenMemory) ON (f.owner, f.at);
