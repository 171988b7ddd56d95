// One number, one entry: should two numberers ever meet, the second fails instead of repeating a number.
DROP INDEX outbox_entry_seq IF EXISTS;
CREATE CONSTRAINT outbox_entry_seq_unique IF NOT EXISTS FOR (n:OutboxEntry) REQUIRE n.seq IS UNIQUE;
CREATE CONSTRAINT lease_name IF NOT EXISTS FOR (n:Lease) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT counter_name IF NOT EXISTS FOR (n:Counter) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT checkpoint_name IF NOT EXISTS FOR (n:Checkpoint) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT dead_letter_id IF NOT EXISTS FOR (n:DeadLetter) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT worker_queue_name IF NOT EXISTS FOR (n:WorkerQueue) REQUIRE n.name IS UNIQUE;
CREATE INDEX worker_queue IF NOT EXISTS FOR (n:Worker) ON (n.taskQueue, n.status);
CREATE INDEX pending_start_id IF NOT EXISTS FOR (n:PendingStart) ON (n.id);
MERGE (c:Counter {name: 'outbox'}) ON CREATE SET c.value = 0;
