// A Tool keeps the connectionSchema that completes its connectionParams (docs/decisions/0035). Each statement with $after changes one
// batch (see migrate.ts).
MATCH (n:Tool) WHERE n.id > $after
WITH n ORDER BY n.id LIMIT 1000
MATCH (n)-[uses:USES_SERVICE]->(s:Service)
SET uses.connectionSchema = coalesce(uses.connectionSchema, s.connectionSchema)
RETURN max(n.id) AS after;
