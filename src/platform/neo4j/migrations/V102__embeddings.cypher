// One space of vectors is searched at a time; its model and dimension are recorded, because vectors of two never meet.
CREATE CONSTRAINT embedding_state_id IF NOT EXISTS FOR (s:EmbeddingState) REQUIRE s.id IS UNIQUE;
// Where a fact is pointed at, and where its vector lies.
CREATE CONSTRAINT fact_ref_uuid IF NOT EXISTS FOR (f:FactRef) REQUIRE f.edgeUuid IS UNIQUE;
