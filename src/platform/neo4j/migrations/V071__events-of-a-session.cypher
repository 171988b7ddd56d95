// A long session is read in the order of time, a page at a time.
CREATE INDEX stream_event_session IF NOT EXISTS FOR (n:Event) ON (n.session_id, n.workspace, n.occurred_at);
