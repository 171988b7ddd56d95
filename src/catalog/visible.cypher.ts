/**
 * Binds `n` to what the viewer may list: their own things, and the shared ones where `$includeShared`. Both ways start at an index, so a list
 * costs what it shows and not what all others own. `$ownerIds` comes from ownerIdsOf.
 */
export function visibleByEdge(label: 'Service' | 'Tool'): string {
  return /* cypher */ `
    CALL () {
      MATCH (u:User)<-[:OWNED_BY]-(n:${label}) WHERE u.id IN $ownerIds RETURN n
      UNION
      MATCH (n:${label} {shared: true}) WHERE $includeShared RETURN n
    }
    MATCH (n)-[:OWNED_BY]->(o:User)
  `;
}

/** As visibleByEdge, for templates: they carry their owner as a property (S4-OWN-03). */
export function visibleByProperty(label: 'ServiceTemplate' | 'ToolTemplate'): string {
  return /* cypher */ `
    CALL () {
      MATCH (n:${label}) WHERE n.ownerId IN $ownerIds RETURN n
      UNION
      MATCH (n:${label} {shared: true}) RETURN n
    }
    WITH n
  `;
}
