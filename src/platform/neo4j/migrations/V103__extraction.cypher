// What is being read out of an Episode, and how that ended.
CREATE CONSTRAINT episode_ingest_uuid IF NOT EXISTS FOR (i:EpisodeIngest) REQUIRE i.episodeUuid IS UNIQUE;
CREATE INDEX open_ingest_started IF NOT EXISTS FOR (i:OpenIngest) ON (i.startedAt);
// Entities of one owner by the name as it is compared.
CREATE INDEX entity_profile_name IF NOT EXISTS FOR (p:EntityProfile) ON (p.owner, p.nameKey);
// What was believed of a fact before it was ended anew.
CREATE INDEX fact_revision_edge IF NOT EXISTS FOR (r:FactRevision) ON (r.edgeUuid);
