CREATE CONSTRAINT process_id IF NOT EXISTS FOR (n:Process) REQUIRE n.id IS UNIQUE;
CREATE INDEX process_shared IF NOT EXISTS FOR (n:Process) ON (n.shared);
// A step's id is its author's and unique within its Process only; the key makes it so.
CREATE CONSTRAINT process_step_key IF NOT EXISTS FOR (n:ProcessStep) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT process_version_key IF NOT EXISTS FOR (n:ProcessVersion) REQUIRE (n.processId, n.version) IS UNIQUE;
