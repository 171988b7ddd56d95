// Findings of turns that are not on screen are withdrawn, and summaries are made of the facts that hold
// (docs/decisions/0116). The job memory-merge settles what is marked here.
CREATE INDEX fact_revision_cause IF NOT EXISTS FOR (v:FactRevision) ON (v.byFact);
// A text that a user or an enrichment wrote stays first; what extraction added to it is made anew.
MATCH (p:EntityProfile)<-[:HAS_PROFILE]-(e:Entity) WHERE p.entityUuid > $after
WITH p, e ORDER BY p.entityUuid LIMIT 1000
CALL (p, e) {
  OPTIONAL MATCH (p)-[:HAS_ENTITY_SUMMARY]->(v:EntitySummary)
  WHERE (v.author = 'user' OR v.runId IS NOT NULL) AND e.summary STARTS WITH v.text
  WITH v ORDER BY size(v.text) DESC LIMIT 1
  RETURN v.text AS written
}
SET p.written = coalesce(p.written, written,
  CASE WHEN EXISTS { (p)-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) } THEN e.summary ELSE null END), p:Unsettled
RETURN max(p.entityUuid) AS after;
MATCH (t:ConversationTurn) WHERE t.id > $after
WITH t ORDER BY t.id LIMIT 1000
CALL (t) {
  WITH t WHERE COUNT { (t)-[:HAS_ALTERNATIVE]->() } > 1
    OR EXISTS { (t)-[:CHILD_OF]->(parent) WHERE COUNT { (parent)<-[:CHILD_OF]-() } > 1 }
  SET t:Unsettled
}
RETURN max(t.id) AS after;
