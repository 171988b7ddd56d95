import { z } from 'zod';
import { TEMPLATE_BYTES_MAX } from '../common/limits.ts';
import { problem } from '../common/refusal.ts';
import { cypherParameters } from './cypher-parameters.ts';
import { NOTHING, type Path, type Reading, typeOfOperation } from './operation-type.ts';

/**
 * Parameters that the driver supplies to the system's own graph Tools; no input may use these names
 * (docs/decisions/0018).
 */
export const SYSTEM_PARAMETERS = ['ownerId', 'workspace'] as const;

export const graphQuery = typeOfOperation({
  schema: z.object({
    type: z.literal('graph_query'),
    /** Cypher; its `$names` are the Tool's inputs. Values are always passed as parameters. */
    query: z.string().min(1),
    access: z.enum(['read', 'write']).default('read'),
  }),
  serviceType: 'neo4j_graph',
  protocols: ['bolt', 'bolt+s'],
  inputField: 'graphQuery',
  reserved: SYSTEM_PARAMETERS,
  mutatesByDefault: ({ access }) => access === 'write',
  healthTells: () => 'call',
  read: ({ query }, path) => readCypher(query, [...path, 'query']),
});

function readCypher(query: string, path: Path): Reading {
  if (Buffer.byteLength(query) > TEMPLATE_BYTES_MAX) {
    const message = `A Cypher statement has at most ${TEMPLATE_BYTES_MAX} bytes.`;
    return { ...NOTHING, problems: [problem('TOO_LARGE', path, message)] };
  }
  const problems =
    query.trim() === '' ? [problem('REQUIRED', path, 'The Cypher statement is required.')] : [];
  return { problems, uses: cypherParameters(query).map((name) => ({ name, path })) };
}
