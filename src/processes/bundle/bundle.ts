import { z } from 'zod';
import { SECRET_TYPES } from '../../catalog/secrets/secret.ts';
import { Operation, PROTOCOLS, SERVICE_TYPES } from '../../catalog/tools/operation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { AgentToolFields, ProcessDefinition, ProcessStep } from '../process.ts';

/**
 * Maximum size of a bundle's text. The API accepts larger requests, but no reviewer could read a
 * larger bundle.
 */
export const BUNDLE_BYTES_MAX = 8 * 1024 * 1024;
const BUNDLE_THINGS_MAX = 2_000;

const jsonObject = z.custom<JsonObject>(isJsonObject, 'has to be a mapping');
const name = z.string().min(1);

const BundleService = z.strictObject({
  name,
  description: z.string().nullish(),
  type: z.enum(SERVICE_TYPES),
  protocol: z.enum(PROTOCOLS),
  connectionSchema: jsonObject,
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
  inputSchema: jsonObject,
  outputSchema: jsonObject,
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

const BundleProcess = ProcessDefinition.omit({ steps: true })
  .extend({
    steps: z.array(BundleStep),
    enabled: z.boolean().default(true),
    shared: z.boolean().default(false),
    exposeAsTool: z.boolean().default(false),
  })
  .strict();

/**
 * Services, Tools and Processes in a file under version control. `aiden: 1` is the version of the
 * format.
 */
export const Bundle = z.strictObject({
  aiden: z.literal(1),
  secrets: z.array(BundleSecret).default([]),
  services: z.array(BundleService).default([]),
  tools: z.array(BundleTool).default([]),
  processes: z.array(BundleProcess).default([]),
});
export type Bundle = z.infer<typeof Bundle>;
export type BundleService = Bundle['services'][number];
export type BundleTool = Bundle['tools'][number];
export type BundleProcess = Bundle['processes'][number];
export type BundleStep = BundleProcess['steps'][number];

export type ParsedBundle =
  | { readonly bundle: Bundle; readonly problems: [] }
  | { readonly bundle: null; readonly problems: Problem[] };

/** TOO_LARGE if the text exceeds BUNDLE_BYTES_MAX. */
export function checkBundleSize(document: string): Problem[] {
  if (new TextEncoder().encode(document).length <= BUNDLE_BYTES_MAX) return [];
  const most = BUNDLE_BYTES_MAX / 1024 / 1024;
  return [problem('TOO_LARGE', ['document'], `A bundle may have ${most} MiB.`)];
}

/**
 * Parses a bundle: the format above, no unknown fields, unique names in each list. Reports all
 * problems at once, with paths into the document (`document.tools.0.operation`).
 * @param variables values that replace `${NAME}` in texts; only bundles of the installation have
 * variables
 */
export function parseBundle(
  value: Json,
  variables: Readonly<Record<string, string>> = {},
): ParsedBundle {
  const root = ['document'];
  const none = (problems: Problem[]): ParsedBundle => ({ bundle: null, problems });
  const filled = Object.keys(variables).length > 0 ? fill(value, variables) : value;
  const parsed = Bundle.safeParse(filled);
  if (!parsed.success) {
    return none(
      parsed.error.issues.slice(0, 200).map(({ path, message, code }) => {
        const missing = code === 'invalid_type' && message.includes('undefined');
        return problem(missing ? 'REQUIRED' : 'INVALID', [...root, ...path.map(String)], message);
      }),
    );
  }
  const problems = checkNames(parsed.data);
  return problems.length > 0 ? none(problems) : { bundle: parsed.data, problems: [] };
}

function checkNames(bundle: Bundle): Problem[] {
  const problems: Problem[] = [];
  let things = 0;
  for (const list of ['secrets', 'services', 'tools', 'processes'] as const) {
    const seen = new Set<string>();
    for (const [index, { name: itemName }] of bundle[list].entries()) {
      things++;
      if (seen.has(itemName)) {
        problems.push(
          problem(
            'TAKEN',
            ['document', list, index, 'name'],
            `"${itemName}" stands in ${list} twice; names tell things apart in a bundle.`,
          ),
        );
      }
      seen.add(itemName);
    }
  }
  if (things > BUNDLE_THINGS_MAX)
    problems.push(
      problem('TOO_LARGE', ['document'], `A bundle may hold ${BUNDLE_THINGS_MAX} things.`),
    );
  return problems;
}

function fill(value: Json, variables: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Z][A-Z0-9_]*)\}/g, (text, key: string) => variables[key] ?? text);
  }
  if (Array.isArray(value)) return value.map((inner) => fill(inner, variables));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fill(inner, variables)]),
  );
}
