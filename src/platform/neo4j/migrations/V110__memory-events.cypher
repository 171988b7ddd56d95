// Agent memory. A realm is whose memory it is, a store is one agent's part of it; keys sort by the time of the source.
CREATE CONSTRAINT memory_event_id IF NOT EXISTS FOR (n:MemoryEvent) REQUIRE (n.realm, n.eventId) IS UNIQUE;
CREATE INDEX memory_event_key IF NOT EXISTS FOR (n:MemoryEvent) ON (n.store, n.key);
CREATE INDEX memory_event_session_key IF NOT EXISTS FOR (n:MemoryEvent) ON (n.store, n.sessionId, n.key);
