// Agreements to the use of one's memory, and Processes of others that a user has taken over by name (docs/decisions/0093, 0094).
CREATE CONSTRAINT memory_agreement_key IF NOT EXISTS FOR (n:MemoryAgreement) REQUIRE n.key IS UNIQUE;
CREATE INDEX memory_agreement_id IF NOT EXISTS FOR (n:MemoryAgreement) ON (n.id);
CREATE INDEX memory_agreement_owner IF NOT EXISTS FOR (n:MemoryAgreement) ON (n.ownerId, n.createdAt, n.id);
CREATE CONSTRAINT process_adoption_key IF NOT EXISTS FOR (n:ProcessAdoption) REQUIRE n.key IS UNIQUE;
CREATE INDEX process_adoption_id IF NOT EXISTS FOR (n:ProcessAdoption) ON (n.id);
CREATE INDEX process_adoption_owner IF NOT EXISTS FOR (n:ProcessAdoption) ON (n.ownerId, n.name);
// The owner of a Process with exposeAsTool, so that /mcp seeks its list.
CREATE INDEX process_exposed_by IF NOT EXISTS FOR (n:Process) ON (n.exposedBy);
