// A read of memory knows the owner's turns that are not read in yet (docs/decisions/0131).
CREATE INDEX open_ingest_owner IF NOT EXISTS FOR (i:OpenIngest) ON (i.ownerId, i.startedAt);
