import { createHash } from 'node:crypto';
import type { StoredNode, StoredRelationship } from './whole-graph.ts';

const SUM_BITS = 128;

/**
 * Sums up a graph so that two graphs can be compared: counts, and digests that depend neither on
 * Neo4j's internal ids nor on an order. Give all nodes before the relationships.
 */
export class GraphDigest {
  readonly #ofNodes = new Map<number, bigint>();
  #nodes = 0n;
  #relationships = 0n;
  #relationshipCount = 0;

  addNode({ id, labels, properties }: StoredNode): void {
    const digest = digestOf(['node', labels.toSorted(), inOrder(properties)]);
    if (this.#ofNodes.has(id)) throw new Error('A node occurs twice.');
    this.#ofNodes.set(id, digest);
    this.#nodes = BigInt.asUintN(SUM_BITS, this.#nodes + digest);
  }

  /** @throws Error when a node of the relationship is missing */
  addRelationship({ from, to, type, properties }: StoredRelationship): void {
    const [start, end] = [this.#ofNodes.get(from), this.#ofNodes.get(to)];
    if (start === undefined || end === undefined) throw new Error('A relationship lacks a node.');
    const digest = digestOf(['edge', type, String(start), String(end), inOrder(properties)]);
    this.#relationships = BigInt.asUintN(SUM_BITS, this.#relationships + digest);
    this.#relationshipCount++;
  }

  get sum(): {
    readonly nodes: number;
    readonly relationships: number;
    readonly nodeDigest: string;
    readonly relationshipDigest: string;
  } {
    return {
      nodes: this.#ofNodes.size,
      relationships: this.#relationshipCount,
      nodeDigest: this.#nodes.toString(16),
      relationshipDigest: this.#relationships.toString(16),
    };
  }
}

const inOrder = (properties: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(properties).sort(([left], [right]) => (left < right ? -1 : 1));

function digestOf(value: unknown): bigint {
  const hash = createHash('sha256').update(JSON.stringify(value)).digest('hex');
  return BigInt(`0x${hash.slice(0, SUM_BITS / 4)}`);
}
