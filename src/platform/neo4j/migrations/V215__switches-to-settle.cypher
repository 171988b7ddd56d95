// A read of memory settles the owner's latest switches of versions first (docs/decisions/0128).
CREATE INDEX switched_owner IF NOT EXISTS FOR (n:Switched) ON (n.ownerId);
