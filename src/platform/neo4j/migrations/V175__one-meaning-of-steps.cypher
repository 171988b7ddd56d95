// HAS_STEP leads from a RecipeRun to its RecipeStep only: a Process DEFINES_STEP, and a run HAS_STEP_RUN. Each statement with $after
// changes one batch (see migrate.ts).
MATCH (s:ProcessStep) WHERE s.key > $after
WITH s ORDER BY s.key LIMIT 1000
CALL (s) {
  MATCH (p:Process)-[old:HAS_STEP]->(s)
  CREATE (p)-[new:DEFINES_STEP]->(s) SET new = properties(old)
  DELETE old
}
RETURN max(s.key) AS after;
MATCH (s:StepRun) WHERE s.key > $after
WITH s ORDER BY s.key LIMIT 1000
CALL (s) {
  MATCH (run:ProcessRun)-[old:HAS_STEP]->(s)
  CREATE (run)-[:HAS_STEP_RUN]->(s)
  DELETE old
}
RETURN max(s.key) AS after;
