import neo4j from 'neo4j-driver';
import { isSentNumber } from '../../common/exact-json.ts';
import type { Json, JsonObject } from '../../common/json.ts';

/**
 * Converts JSON to Cypher parameters. Whole numbers become INTEGER, because LIMIT and list indexes
 * need it: those of `sentNumber` too, up to 64 bits. Beyond, Neo4j has no number with all digits,
 * and they are text.
 */
export function toBolt(value: Json): unknown {
  if (isSentNumber(value)) return integerOf(JSON.stringify(value));
  if (typeof value === 'number') return Number.isSafeInteger(value) ? neo4j.int(value) : value;
  if (Array.isArray(value)) return value.map(toBolt);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toBolt(inner)]));
  return value;
}

function integerOf(numeral: string): unknown {
  const whole = numeral.replace(/\.0+$/, '');
  if (!/^-?\d+$/.test(whole) || BigInt.asIntN(64, BigInt(whole)) !== BigInt(whole)) return numeral;
  return neo4j.int(BigInt(whole));
}

/**
 * Converts Cypher results to JSON. A node or relationship becomes its properties; a path, its nodes
 * and relationships. Moments and durations become ISO 8601 text, unsafe integers text, and bytes
 * base64.
 */
export function fromBolt(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return exact(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (neo4j.isInt(value)) return exact(value.toBigInt());
  if (Array.isArray(value)) return value.map(fromBolt);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (neo4j.isNode(value) || neo4j.isRelationship(value)) return properties(value.properties);
  if (neo4j.isPath(value)) {
    const nodes = [value.start, ...value.segments.map(({ end }) => end)];
    return {
      nodes: nodes.map(fromBolt),
      relationships: value.segments.map(({ relationship }) => ({
        type: relationship.type,
        ...properties(relationship.properties),
      })),
    };
  }
  if (neo4j.isDateTime(value)) return value.toStandardDate().toISOString();
  if (neo4j.isPoint(value)) {
    const { srid, x, y, z } = value;
    return {
      srid: fromBolt(srid),
      x: fromBolt(x),
      y: fromBolt(y),
      ...(z === undefined ? {} : { z: fromBolt(z) }),
    };
  }
  const isTemporal =
    neo4j.isDate(value) ||
    neo4j.isTime(value) ||
    neo4j.isLocalTime(value) ||
    neo4j.isLocalDateTime(value) ||
    neo4j.isDuration(value);
  if (isTemporal) return String(value);
  return properties(value as Record<string, unknown>);
}

const properties = (values: Record<string, unknown>): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([key, inner]) => [key, fromBolt(inner)]));

function exact(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
