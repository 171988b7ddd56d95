/**
 * Binds `n` to the nodes that the viewer may list: their own, and shared ones if `$includeShared`.
 * Both branches start at an index, so the cost does not grow with other users' nodes.
 * `$ownerIds` comes from ownerIdsOf.
 */
export function visibleByEdge(label: 'Service' | 'Tool' | 'Process'): string {
  return /* cypher */ `
    CALL () {
      MATCH (u:User)<-[:OWNED_BY]-(n:${label}) WHERE u.id IN $ownerIds RETURN n
      UNION
      MATCH (n:${label} {shared: true}) WHERE $includeShared RETURN n
    }
    MATCH (n)-[:OWNED_BY]->(o:User)
  `;
}

/** As visibleByEdge, for templates. Their owner is a property (S4-OWN-03). */
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
