// Summaries of an entity that were written by its user or proposed by an enrichment; none is overwritten.
CREATE CONSTRAINT entity_summary_id IF NOT EXISTS FOR (v:EntitySummary) REQUIRE v.id IS UNIQUE;
