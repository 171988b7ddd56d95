// Statements: what was said, word for word, with its times (docs/decisions/0117). `key` is its words without case and marks.
CREATE CONSTRAINT temporal_fact_uuid IF NOT EXISTS FOR (t:TemporalFact) REQUIRE t.uuid IS UNIQUE;
CREATE INDEX temporal_fact_said IF NOT EXISTS FOR (t:TemporalFact) ON (t.owner, t.said_at, t.uuid);
CREATE INDEX temporal_fact_attribute IF NOT EXISTS FOR (t:TemporalFact) ON (t.owner, t.attribute);
CREATE INDEX temporal_fact_key IF NOT EXISTS FOR (t:TemporalFact) ON (t.owner, t.key);
CREATE FULLTEXT INDEX temporal_fact_text IF NOT EXISTS FOR (t:TemporalFact) ON EACH [t.text, t.owner]
OPTIONS { indexConfig: { `fulltext.analyzer`: 'english' } };
