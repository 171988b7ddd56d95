CREATE CONSTRAINT process_schedule_id IF NOT EXISTS FOR (n:ProcessSchedule) REQUIRE n.id IS UNIQUE;
CREATE INDEX process_schedule_owner IF NOT EXISTS FOR (n:ProcessSchedule) ON (n.ownerId);
// The newest runs of a schedule, and whether the last one is still at work.
CREATE INDEX process_run_schedule IF NOT EXISTS FOR (n:ProcessRun) ON (n.scheduleId, n.id);
