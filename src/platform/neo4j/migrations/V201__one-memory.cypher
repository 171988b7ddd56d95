// What was read out of turns belongs to its owner, not to one conversation (docs/decisions/0116). The mark Unmerged
// is for entities that may be one with others of the same name; the job memory-merge takes it off.
MATCH (p:EntityProfile)<-[:HAS_PROFILE]-(e:Entity)
WHERE p.entityUuid > $after AND e.group_id <> p.owner
  AND EXISTS { (p)-[:HAS_SOURCE]->(:EntitySource {type: 'graphiti'}) }
  AND NOT EXISTS { (p)-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) }
WITH p, e ORDER BY p.entityUuid LIMIT 1000
SET e.group_id = p.owner, p:Unmerged
RETURN max(p.entityUuid) AS after;
MATCH (f:FactRef) WHERE f.edgeUuid > $after
WITH f ORDER BY f.edgeUuid LIMIT 1000
OPTIONAL MATCH (:Entity)-[r:RELATES_TO {uuid: f.edgeUuid}]->(:Entity)
CALL (r) { OPTIONAL MATCH (ep:Episodic) WHERE ep.uuid IN r.episodes RETURN max(ep.valid_at) AS saidAt }
SET f.group_id = f.owner, f.saidAt = coalesce(f.saidAt, saidAt, r.reference_time), r.group_id = f.owner
RETURN max(f.edgeUuid) AS after;
