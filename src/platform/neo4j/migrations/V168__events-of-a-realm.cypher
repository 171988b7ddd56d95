// Events of all agents of a realm, in the order of time.
CREATE INDEX memory_event_realm_key IF NOT EXISTS FOR (n:MemoryEvent) ON (n.realm, n.key);
CREATE INDEX memory_event_realm_session_key IF NOT EXISTS FOR (n:MemoryEvent) ON (n.realm, n.sessionId, n.key);
