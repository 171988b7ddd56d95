// A fact ends with the statements that state it (docs/decisions/0124). Of statements that ended before that, the mark
// Unsettled says that their facts are still to be ended; the job memory-merge does it and takes the mark off (0128).
MATCH (t:TemporalFact) WHERE t.uuid > $after
WITH t ORDER BY t.uuid LIMIT 1000
CALL (t) { WITH t WHERE t.invalid_at IS NOT NULL SET t:Unsettled }
RETURN max(t.uuid) AS after;
