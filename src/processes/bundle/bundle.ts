import { z } from 'zod';
import { SECRET_TYPES } from '../../catalog/secrets/secret.ts';
import { nameKey } from '../../catalog/text-checks.ts';
import { didYouMean } from '../../common/did-you-mean.ts';
import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { readShape } from '../../common/shape.ts';
import { firstChars } from '../../common/well-formed.ts';
import { withNumericLimits } from '../../json-schema/numeric-limits.ts';
import { Operation, SERVICE_TYPES } from '../../operations/operation.ts';
import { PROTOCOLS } from '../../operations/operation-type.ts';
import { AgentToolFields, ProcessDefinition, ProcessStep } from '../process.ts';

/**
 * Maximum size of a bundle's text. The API accepts larger requests, but no reviewer could read a
 * larger bundle.
 */
export const BUNDLE_BYTES_MAX = 8 * 1024 * 1024;
const BUNDLE_THINGS_MAX = 2_000;

const jsonObject = z.custom<JsonObject>(isJsonObject, 'has to be a mapping');
const jsonSchema = jsonObject.transform(withNumericLimits);
const name = z.string().min(1);

const BundleService = z.strictObject({
  name,
  description: z.string().nullish(),
  type: z.enum(SERVICE_TYPES),
  protocol: z.enum(PROTOCOLS),
  connectionSchema: jsonSchema,
  requiresSecret: z.boolean().default(false),
  enabled: z.boolean().default(true),
  shared: z.boolean().default(false),
});

/**
 * A Secret, by name only; a bundle never holds its value. The importer must have a Secret of this
 * name.
 */
const BundleSecret = z.strictObject({ name, type: z.enum(SECRET_TYPES).nullish() });

const BundleTool = z.strictObject({
  name,
  description: z.string().nullish(),
  /** Name of a Service in this bundle, of the importer or of the system; else an id. */
  service: z.string(),
  connectionParams: jsonObject,
  operation: Operation,
  inputSchema: jsonSchema,
  outputSchema: jsonSchema,
  /** Name of a Secret of the importer. */
  secret: z.string().nullish(),
  secretScope: z.string().nullish(),
  enabled: z.boolean().default(true),
  shared: z.boolean().default(false),
  mutating: z.boolean().nullish(),
});

/** A target, by name as BundleTool's `service`; else by id. */
const byTool = { tool: z.string() };
const byProcess = { process: z.string() };
const OLD_STEP_ID = 'A step has `stepId` where older bundles have `id`. Rename the field.';

const BundleStep = ProcessStep.omit({ id: true, calls: true, tools: true }).extend({
  stepId: z.string(),
  id: z.undefined({ error: OLD_STEP_ID }).optional(),
  calls: z.union([z.strictObject(byTool), z.strictObject(byProcess)]),
  tools: z
    .array(
      z.union([
        AgentToolFields.extend(byTool).strict(),
        AgentToolFields.extend(byProcess).strict(),
      ]),
    )
    .nullish(),
});

/** A Process in the words of bundles. */
export const BundleProcess = ProcessDefinition.omit({ steps: true })
  .extend({
    steps: z.array(BundleStep),
    enabled: z.boolean().default(true),
    shared: z.boolean().default(false),
    exposeAsTool: z.boolean().default(false),
  })
  .strict();

/** An item with its position in its list of the document, from 0. */
type Placed<T> = T & { readonly at: number };

/**
 * Services, Tools and Processes in a file under version control. `aiden: 1` is the version of the
 * format.
 */
export interface Bundle {
  readonly secrets: readonly Placed<z.infer<typeof BundleSecret>>[];
  readonly services: readonly Placed<z.infer<typeof BundleService>>[];
  readonly tools: readonly Placed<z.infer<typeof BundleTool>>[];
  readonly processes: readonly Placed<z.infer<typeof BundleProcess>>[];
}
export type BundleService = Bundle['services'][number];
export type BundleTool = Bundle['tools'][number];
export type BundleProcess = Placed<z.infer<typeof BundleProcess>>;
export type BundleStep = BundleProcess['steps'][number];

const SECTIONS = ['secrets', 'services', 'tools', 'processes'] as const;
type Section = (typeof SECTIONS)[number];
const KIND_OF = {
  secrets: 'Secret',
  services: 'Service',
  tools: 'Tool',
  processes: 'Process',
} as const;

/** The places of one item whose wrong values were replaced, as paths below the item. */
interface Mended {
  readonly item: readonly [Section, number];
  readonly places: readonly Place[];
}

export interface ParsedBundle {
  /** The readable part. Null where the document is no bundle at all. */
  readonly bundle: Bundle | null;
  readonly problems: readonly Problem[];
  /** Items that could not be read, as `Tool search`: references to them are no further problems. */
  readonly unreadable: readonly string[];
  readonly mended: readonly Mended[];
}

/** Wrong values here would make every problem of a dependent item doubtful. */
const DECISIVE: Readonly<Record<Section, readonly string[]>> = {
  secrets: [],
  services: ['type', 'protocol', 'connectionSchema'],
  tools: ['name', 'service', 'inputSchema', 'outputSchema'],
  processes: ['name'],
};

/** TOO_LARGE if the text exceeds BUNDLE_BYTES_MAX. */
export function checkBundleSize(document: string): Problem[] {
  if (new TextEncoder().encode(document).length <= BUNDLE_BYTES_MAX) return [];
  const most = BUNDLE_BYTES_MAX / 1024 / 1024;
  return [problem('TOO_LARGE', ['document'], `A bundle may have ${most} MiB.`)];
}

/**
 * Parses a bundle: the format above, no unknown fields, unique names in each list. Reports all
 * problems at once, with paths into the document (`document.tools.0.operation`), and returns all
 * that can be checked further.
 * @param variables values that replace `${NAME}` in texts; only bundles of the installation have
 * variables
 */
export function parseBundle(
  value: Json,
  variables: Readonly<Record<string, string>> = {},
): ParsedBundle {
  const filled = Object.keys(variables).length > 0 ? fill(value, variables) : value;
  if (!isJsonObject(filled)) {
    const message = `A bundle is a mapping with ${['aiden', ...SECTIONS].join(', ')}.`;
    return nothing([problem('INVALID', ['document'], message)]);
  }
  const parser = new BundleParser(filled);
  const bundle: Bundle = {
    secrets: parser.section('secrets', BundleSecret),
    services: parser.section('services', BundleService),
    tools: parser.section('tools', BundleTool),
    processes: parser.section('processes', BundleProcess),
  };
  const { problems, unreadable, mended } = parser;
  return { bundle, problems: [...problems, ...checkNames(bundle)], unreadable, mended };
}

/** A document that is no bundle. */
export function nothing(problems: readonly Problem[]): ParsedBundle {
  return { bundle: null, problems, unreadable: [], mended: [] };
}

class BundleParser {
  readonly problems: Problem[] = [];
  readonly unreadable: string[] = [];
  readonly mended: Mended[] = [];
  readonly #document: JsonObject;

  constructor(document: JsonObject) {
    this.#document = document;
    const known = ['aiden', ...SECTIONS];
    if (document['aiden'] !== 1) {
      const message = 'A bundle begins with "aiden: 1", the version of its format.';
      const code = document['aiden'] === undefined ? 'REQUIRED' : 'INVALID';
      this.problems.push(problem(code, ['document', 'aiden'], message));
    }
    for (const key of Object.keys(document).filter((one) => !known.includes(one))) {
      const meant = didYouMean(key, known) || ` There are: ${known.join(', ')}.`;
      const message = `There is no "${firstChars(key, 100)}" in a bundle.${meant}`;
      this.problems.push(problem('INVALID', ['document', key], message));
    }
  }

  section<T>(name: Section, schema: z.ZodType<T>): Placed<T>[] {
    const list = this.#document[name] ?? [];
    if (!Array.isArray(list)) {
      this.problems.push(problem('INVALID', ['document', name], 'This has to be a list.'));
      return [];
    }
    // The limit on all things together is checked afterwards; this one bounds the work.
    return list.slice(0, BUNDLE_THINGS_MAX + 1).flatMap((given, at) => {
      const { value, problems, mended } = readShape(schema, given, ['document', name, at]);
      this.problems.push(...problems);
      const isDoubtful = mended.some(([part]) => DECISIVE[name].includes(String(part)));
      if (value !== null && !isDoubtful) {
        if (mended.length > 0) this.mended.push({ item: [name, at], places: mended });
        return [{ ...value, at }];
      }
      const named = isJsonObject(given) ? given['name'] : null;
      if (typeof named === 'string') this.unreadable.push(`${KIND_OF[name]} ${named}`);
      return [];
    });
  }
}

/**
 * Without the problems that follow from a replaced value: those at its place, and names that a
 * replaced part of the same item may have declared.
 */
export function withoutConsequences(
  problems: readonly Problem[],
  mended: readonly Mended[],
): Problem[] {
  return problems.filter(({ code, path }) => {
    const [, section, at, ...inner] = path;
    const found = mended.find(({ item }) => item[0] === section && String(item[1]) === at);
    if (found === undefined) return true;
    const isReplaced = found.places.some((place) =>
      place.every((key, index) => String(key) === inner[index]),
    );
    const isDoubtful =
      (code === 'UNKNOWN_VARIABLE' && found.places.some(declaresNames)) ||
      (inner.includes('dependsOn') && found.places.some(namesStep));
    return !isReplaced && !isDoubtful;
  });
}

type Place = readonly (string | number)[];

/** Whether a variable may be declared at this place of an item. */
function declaresNames([part, , field, inner, ...deeper]: Place): boolean {
  if (part === 'initialContext' || part === 'operation') return true;
  if (part !== 'steps' || deeper.length > 0) return false;
  return field === undefined || (field === 'output' && (inner ?? 'variable') === 'variable');
}

/** Whether the id of a step stands at this place of an item. */
const namesStep = ([part, , field]: Place): boolean =>
  part === 'steps' && (field === undefined || field === 'stepId');

function checkNames(bundle: Bundle): Problem[] {
  const problems: Problem[] = [];
  let things = 0;
  for (const list of SECTIONS) {
    const seen = new Set<string>();
    for (const { name: itemName, at } of bundle[list]) {
      things++;
      if (seen.has(nameKey(itemName)))
        problems.push(
          problem(
            'TAKEN',
            ['document', list, at, 'name'],
            `"${itemName}" stands in ${list} twice; names tell things apart in a bundle.`,
          ),
        );
      seen.add(nameKey(itemName));
    }
  }
  if (things > BUNDLE_THINGS_MAX)
    problems.push(
      problem('TOO_LARGE', ['document'], `A bundle may hold ${BUNDLE_THINGS_MAX} things.`),
    );
  return problems;
}

function fill(value: Json, variables: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string')
    return value.replace(
      /\$\{([A-Z][A-Z0-9_]*)\}/g,
      (text, key: string) => entryOf(variables, key) ?? text,
    );
  if (Array.isArray(value)) return value.map((inner) => fill(inner, variables));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fill(inner, variables)]),
  );
}
