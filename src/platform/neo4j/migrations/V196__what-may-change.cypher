// Whether Tools and Processes may change data, as src/catalog/tools/may-change.ts has it, and whose exposed Processes are (docs/decisions/0094).
// Each statement with $after changes one batch (see migrate.ts).
MATCH (n:Tool) WHERE n.id > $after
WITH n ORDER BY n.id LIMIT 1000
MATCH (n)-[:OWNED_BY]->(o:User)
SET n.mayChange = n.mutating OR (o.id <> '00000000-0000-7000-8000-000000000001' AND NOT (n.operation STARTS WITH '{"type":"llm_call"'
  OR n.operation STARTS WITH '{"type":"graph_query"'
  OR n.operation STARTS WITH '{"type":"rest_call","method":"GET"'
  OR n.operation STARTS WITH '{"type":"rest_call","method":"HEAD"'))
RETURN max(n.id) AS after;
MATCH (n:Process) WHERE n.id > $after
WITH n ORDER BY n.id LIMIT 1000
MATCH (n)-[:OWNED_BY]->(o:User)
SET n.exposedBy = CASE WHEN n.exposeAsTool THEN o.id ELSE null END, n.mayChange = EXISTS {
  MATCH (n)-[:DEFINES_STEP]->(:ProcessStep)-[:CALLS_TOOL|OFFERS_TOOL]->(t:Tool) WHERE t.mayChange
}
RETURN max(n.id) AS after;
// Up to the callers, until none is left.
MATCH (q:Process)<-[:CALLS_PROCESS|OFFERS_PROCESS]-(:ProcessStep)<-[:DEFINES_STEP]-(n:Process)
WHERE q.mayChange AND NOT n.mayChange AND $after IS NOT NULL
WITH DISTINCT n LIMIT 1000
SET n.mayChange = true
RETURN max(n.id) AS after;
