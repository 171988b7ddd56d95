/** The part of JSON Schema that the filler uses. Validation of the rest is the caller's task. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly prefixItems?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly definitions?: Readonly<Record<string, Shape>>;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A `$ref` of this document followed and an `allOf` merged; {} where it leads nowhere or in a
 * circle.
 */
export function resolveShape(shape: unknown, root: Shape): Shape {
  let current: unknown = shape;
  for (let hops = 0; hops < 10; hops++) {
    if (!isObject(current)) return {};
    const reference = current['$ref'];
    if (typeof reference !== 'string') return merged(current as Shape, root);
    current = reference.startsWith('#') ? lookUp(root, reference) : {};
  }
  return {};
}

function merged(shape: Shape, root: Shape): Shape {
  if (!Array.isArray(shape.allOf)) return shape;
  const { allOf, ...own } = shape;
  const parts = [own, ...allOf.slice(0, 20).map((part) => resolveShape(part, root))];
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  const required = parts.flatMap((part) => part.required ?? []);
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function lookUp(root: Shape, reference: string): unknown {
  return reference
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponentSafe(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined),
      root,
    );
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The types a shape allows, guessed from its keywords where it says none. */
export function typesOf(shape: Shape): readonly string[] {
  if (typeof shape.type === 'string') return [shape.type];
  if (Array.isArray(shape.type)) return shape.type as string[];
  if (shape.properties) return ['object'];
  if (shape.items || shape.prefixItems) return ['array'];
  return [];
}

/** A shape that an example value fits: for prompts that show JSON instead of giving a schema. */
export function shapeOfExample(value: unknown, depth = 0): Shape {
  if (depth > 10) return {};
  if (Array.isArray(value)) return { type: 'array', items: shapeOfExample(value[0], depth + 1) };
  if (isObject(value)) {
    const properties = Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, shapeOfExample(inner, depth + 1)]),
    );
    return { type: 'object', properties, required: Object.keys(properties) };
  }
  if (typeof value === 'number') return { type: 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  return { type: 'string' };
}

/** The shape for `json_object` if the prompt shows no JSON. */
export const DEFAULT_SHAPE: Shape = {
  type: 'object',
  properties: {
    summary: { type: 'string' },
    keywords: { type: 'array', items: { type: 'string' } },
    entities: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, type: { type: 'string' } },
        required: ['name', 'type'],
      },
    },
    facts: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          subject: { type: 'string' },
          predicate: { type: 'string' },
          object: { type: 'string' },
        },
        required: ['subject', 'predicate', 'object'],
      },
    },
  },
  required: ['summary', 'keywords', 'entities', 'facts'],
};

/** The last JSON object of an instruction: a schema as it is, an example as the schema it shows. */
export function shapeInText(text: string): Shape | null {
  // Only a bounded number of openings is tried: prompts are not JSON dumps.
  const openings = [...text.matchAll(/\{/g)].map(({ index }) => index).slice(0, 50);
  let end = -1;
  let found: Shape | null = null;
  for (const start of openings) {
    if (start < end) continue;
    const close = closingBrace(text, start);
    if (close < 0) continue;
    try {
      const value: unknown = JSON.parse(text.slice(start, close + 1));
      end = close;
      if (!isObject(value) || Object.keys(value).length === 0) continue;
      found =
        value['type'] === 'object' && isObject(value['properties'])
          ? (value as Shape)
          : shapeOfExample(value);
    } catch {
      // Braces that are no JSON are prose.
    }
  }
  return found;
}

function closingBrace(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return index;
  }
  return -1;
}
