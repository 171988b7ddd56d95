// The queue of the segmenter and the indexer: entries of the event log that stand for events that came.
CREATE INDEX memory_ingest_seq IF NOT EXISTS FOR (n:MemoryIngest) ON (n.seq);
CREATE CONSTRAINT segment_start IF NOT EXISTS FOR (n:Segment) REQUIRE (n.store, n.startKey) IS UNIQUE;
CREATE INDEX segment_session IF NOT EXISTS FOR (n:Segment) ON (n.store, n.sessionId, n.startKey);
CREATE INDEX segment_node IF NOT EXISTS FOR (n:Segment) ON (n.store, n.nodeId);
// Versions of nodes are for good; the latest of each is pointed to.
CREATE CONSTRAINT toc_node_key IF NOT EXISTS FOR (n:TocNode) REQUIRE (n.store, n.key) IS UNIQUE;
CREATE CONSTRAINT toc_latest_node IF NOT EXISTS FOR (n:TocLatest) REQUIRE (n.store, n.nodeId) IS UNIQUE;
CREATE INDEX toc_latest_parent IF NOT EXISTS FOR (n:TocLatest) ON (n.store, n.parentId, n.place);
CREATE CONSTRAINT grip_id IF NOT EXISTS FOR (n:Grip) REQUIRE (n.realm, n.gripId) IS UNIQUE;
CREATE INDEX grip_index_key IF NOT EXISTS FOR (n:Grip) ON (n.store, n.indexKey);
// What is to be summed up anew.
CREATE CONSTRAINT toc_work_node IF NOT EXISTS FOR (n:TocWork) REQUIRE (n.store, n.nodeId) IS UNIQUE;
CREATE INDEX toc_work_level IF NOT EXISTS FOR (n:TocWork) ON (n.level, n.since);
