import { withEllipsis } from '../common/ellipsis.ts';
import type { Json } from '../common/json.ts';
import { type Compiled, shortText, TEXT_CHARS_MAX } from './expression-compiler.ts';
import { relationshipProperties, storedKeys, viewOf } from './graph-view.ts';
import type { ValueType } from './value-type.ts';

/** Maximum number of elements of a list in an answer. */
export const LIST_MAX = 100;

/**
 * The expression that a statement returns for a value: nodes and relationships as maps of the
 * properties that a query may read, texts and lists cut one after their limit, so that
 * `answerOf` sees that they were longer.
 */
export function answerCypher({ cypher, type }: Compiled, newName: () => string): string {
  if (type.kind !== 'value' && type.kind !== 'null' && !/^v\d+$/.test(cypher)) {
    // Map projections begin with a variable.
    const name = newName();
    return `head([${name} IN [${cypher}] | ${answerCypher({ cypher: name, type }, newName)}])`;
  }
  switch (type.kind) {
    case 'null':
      return cypher;
    case 'value':
      return shortText(cypher);
    case 'node':
      return nodeCypher(cypher, type.labels);
    case 'relationship':
      return relationshipCypher(cypher, type.types);
    case 'list': {
      const element = { cypher: newName(), type: type.of };
      const list = `(${cypher})[..${LIST_MAX + 1}]`;
      return `[${element.cypher} IN ${list} | ${answerCypher(element, newName)}]`;
    }
    case 'map': {
      const fields = [...type.fields].map(
        ([key, field]) =>
          `\`${key}\`: ${answerCypher({ cypher: `${cypher}.\`${key}\``, type: field }, newName)}`,
      );
      return `CASE WHEN ${cypher} IS NULL THEN null ELSE {${fields.join(', ')}} END`;
    }
  }
}

function nodeCypher(node: string, labels: readonly string[]): string {
  const branches = labels.map((label) => {
    const view = viewOf(label);
    if (view === null) throw new Error(`There is no label ${label}.`);
    const properties = view.properties.map((key) => {
      const [stored = key] = storedKeys([label], key);
      const read = `${node}.\`${stored}\``;
      if (view.texts.includes(key)) return `\`${key}\`: ${shortText(read)}`;
      return stored === key ? `.\`${key}\`` : `\`${key}\`: ${read}`;
    });
    return (
      `WHEN ${node}:(${view.label}) THEN ${node} ` + `{label: '${label}', ${properties.join(', ')}}`
    );
  });
  return `CASE ${branches.join(' ')} END`;
}

function relationshipCypher(relationship: string, types: readonly string[]): string {
  const properties = new Set(types.flatMap((type) => relationshipProperties(type) ?? []));
  const parts = [`type: type(${relationship})`, ...[...properties].map((key) => `.\`${key}\``)];
  return (
    `CASE WHEN ${relationship} IS NULL THEN null ` +
    `ELSE ${relationship} {${parts.join(', ')}} END`
  );
}

/** The parts of an answer that were cut. */
export type Cut = 'rows' | 'texts' | 'lists' | 'bytes';

/** A value of a row as the caller reads it; `cut` collects the limits it met. */
export function answerOf(value: Json, type: ValueType, cut: Set<Cut>): Json {
  if (typeof value === 'string') {
    if (value.length <= TEXT_CHARS_MAX) return value;
    cut.add('texts');
    return withEllipsis(value, TEXT_CHARS_MAX);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.length > LIST_MAX) cut.add('lists');
    const of = type.kind === 'list' ? type.of : type;
    return value.slice(0, LIST_MAX).map((element) => answerOf(element, of, cut));
  }
  const isRecord = type.kind === 'node' || type.kind === 'relationship';
  const entries = Object.entries(value)
    // A node has few of the properties that its label may have.
    .filter(([, inner]) => !isRecord || inner !== null)
    .map(([key, inner]) => {
      const field = type.kind === 'map' ? (type.fields.get(key) ?? type) : type;
      return [key, answerOf(inner, field, cut)] as const;
    });
  return Object.fromEntries(entries);
}
