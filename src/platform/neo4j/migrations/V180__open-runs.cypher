// The search for runs whose workflow is gone reads the open runs in the order of their ids.
CREATE INDEX process_run_of_status_by_id IF NOT EXISTS FOR (n:ProcessRun) ON (n.status, n.id);
