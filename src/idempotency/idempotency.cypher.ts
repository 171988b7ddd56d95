import { z } from 'zod';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';

const CLAIM_KEY = cypher`
  // claimIdempotencyKey
  MERGE (record:IdempotencyRecord {key: $key})
  ON CREATE SET record.inputHash = $inputHash, record.resultId = $resultId,
    record.createdAt = datetime($now)
  SET record.lockedAt = $now
  RETURN record.inputHash AS inputHash, record.resultId AS resultId
`;

const ClaimedKey = z.object({ inputHash: z.string(), resultId: z.string() });

/**
 * Claims the key of a record. Returns the result and the input hash of the first request with this
 * key, which may be this request.
 */
export async function claimIdempotencyKey(
  tx: WriteTx,
  claim: { key: string; inputHash: string; resultId: string; now: string },
): Promise<z.infer<typeof ClaimedKey>> {
  const [row] = await tx.run(CLAIM_KEY, claim);
  return parseRow(ClaimedKey, row, 'IdempotencyRecord');
}
