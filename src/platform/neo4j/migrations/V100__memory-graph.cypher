// Graphiti's labels, with the names its own library gives their indexes, so that it finds them and makes none of its own. Where it
// keeps a range index on uuid we keep a constraint of the same name, which has one inside.
DROP INDEX entity_uuid IF EXISTS;
DROP INDEX episode_uuid IF EXISTS;
DROP INDEX community_uuid IF EXISTS;
DROP INDEX saga_uuid IF EXISTS;
CREATE CONSTRAINT entity_uuid IF NOT EXISTS FOR (n:Entity) REQUIRE n.uuid IS UNIQUE;
CREATE CONSTRAINT episode_uuid IF NOT EXISTS FOR (n:Episodic) REQUIRE n.uuid IS UNIQUE;
CREATE CONSTRAINT community_uuid IF NOT EXISTS FOR (n:Community) REQUIRE n.uuid IS UNIQUE;
CREATE CONSTRAINT saga_uuid IF NOT EXISTS FOR (n:Saga) REQUIRE n.uuid IS UNIQUE;
CREATE INDEX entity_group_id IF NOT EXISTS FOR (n:Entity) ON (n.group_id);
CREATE INDEX episode_group_id IF NOT EXISTS FOR (n:Episodic) ON (n.group_id);
CREATE INDEX community_group_id IF NOT EXISTS FOR (n:Community) ON (n.group_id);
CREATE INDEX saga_group_id IF NOT EXISTS FOR (n:Saga) ON (n.group_id);
CREATE INDEX name_entity_index IF NOT EXISTS FOR (n:Entity) ON (n.name);
CREATE INDEX saga_name IF NOT EXISTS FOR (n:Saga) ON (n.name);
CREATE INDEX created_at_entity_index IF NOT EXISTS FOR (n:Entity) ON (n.created_at);
CREATE INDEX created_at_episodic_index IF NOT EXISTS FOR (n:Episodic) ON (n.created_at);
CREATE INDEX valid_at_episodic_index IF NOT EXISTS FOR (n:Episodic) ON (n.valid_at);
CREATE INDEX relation_uuid IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.uuid);
CREATE INDEX mention_uuid IF NOT EXISTS FOR ()-[e:MENTIONS]-() ON (e.uuid);
CREATE INDEX has_member_uuid IF NOT EXISTS FOR ()-[e:HAS_MEMBER]-() ON (e.uuid);
CREATE INDEX has_episode_uuid IF NOT EXISTS FOR ()-[e:HAS_EPISODE]-() ON (e.uuid);
CREATE INDEX next_episode_uuid IF NOT EXISTS FOR ()-[e:NEXT_EPISODE]-() ON (e.uuid);
CREATE INDEX relation_group_id IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.group_id);
CREATE INDEX mention_group_id IF NOT EXISTS FOR ()-[e:MENTIONS]-() ON (e.group_id);
CREATE INDEX has_episode_group_id IF NOT EXISTS FOR ()-[e:HAS_EPISODE]-() ON (e.group_id);
CREATE INDEX next_episode_group_id IF NOT EXISTS FOR ()-[e:NEXT_EPISODE]-() ON (e.group_id);
CREATE INDEX name_edge_index IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.name);
CREATE INDEX created_at_edge_index IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.created_at);
CREATE INDEX expired_at_edge_index IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.expired_at);
CREATE INDEX valid_at_edge_index IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.valid_at);
CREATE INDEX invalid_at_edge_index IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.invalid_at);
CREATE FULLTEXT INDEX episode_content IF NOT EXISTS FOR (e:Episodic) ON EACH [e.content, e.source, e.source_description, e.group_id];
CREATE FULLTEXT INDEX node_name_and_summary IF NOT EXISTS FOR (n:Entity) ON EACH [n.name, n.summary, n.group_id];
CREATE FULLTEXT INDEX community_name IF NOT EXISTS FOR (n:Community) ON EACH [n.name, n.group_id];
CREATE FULLTEXT INDEX edge_name_and_fact IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON EACH [e.name, e.fact, e.group_id];
// What stands beside Graphiti's nodes, which carry no properties of ours.
CREATE CONSTRAINT entity_profile_uuid IF NOT EXISTS FOR (p:EntityProfile) REQUIRE p.entityUuid IS UNIQUE;
// One source per origin and place it came from, so that an ingest that is repeated adds none.
CREATE CONSTRAINT entity_source_key IF NOT EXISTS FOR (s:EntitySource) REQUIRE s.key IS UNIQUE;
// The uuid that a merge lost goes on naming the entity it went into.
CREATE CONSTRAINT merge_record_uuid IF NOT EXISTS FOR (m:MergeRecord) REQUIRE m.uuid IS UNIQUE;
