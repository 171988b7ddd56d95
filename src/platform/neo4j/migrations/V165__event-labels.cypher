// Neo4j never removes a label token, so the labels that events may make are counted (docs/decisions/0034).
CREATE CONSTRAINT event_labels_id IF NOT EXISTS FOR (n:EventLabels) REQUIRE n.id IS UNIQUE;
CALL db.labels() YIELD label
WITH collect(label) AS all
MERGE (r:EventLabels {id: 'all'})
ON CREATE SET r.labels = [label IN all WHERE label ENDS WITH 'Event' AND NOT label IN ['MemoryEvent', 'IndexedEvent']];
