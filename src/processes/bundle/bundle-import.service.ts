import type { CatalogDeps } from '../../catalog/deps.ts';
import { type Problem, problem, Refusal } from '../../common/refusal.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import type { ProcessDeps } from '../process.mutations.ts';
import type { BundleKind, NamedThing } from './bundle.cypher.ts';
import type { Bundle } from './bundle.ts';

/** What an import needs: it writes Services and Tools, and Processes. */
export type BundleDeps = CatalogDeps & ProcessDeps;

/** Ids by what happened to them. Importing the same bundle again leaves all unchanged. */
export interface ImportedBundle {
  readonly created: string[];
  readonly updated: string[];
  readonly unchanged: string[];
}

/** One import at work: what was found and written so far, and the problems met on the way. */
export class BundleImport {
  readonly problems: Problem[] = [];
  readonly result: ImportedBundle = { created: [], updated: [], unchanged: [] };
  /** Tools that were written, to be probed after the commit. */
  readonly tools: string[] = [];
  readonly tx: WriteTx;
  readonly deps: BundleDeps;
  readonly viewer: Viewer;
  readonly bundle: Bundle;
  /** Ids by `kind name`, as found, then as written; null where the bundle's own thing had problems of its own. */
  readonly ids = new Map<string, string | null>();
  /** What was there before, by the names the bundle says. */
  found: NamedThing[] = [];

  constructor(tx: WriteTx, deps: BundleDeps, viewer: Viewer, bundle: Bundle) {
    this.tx = tx;
    this.deps = deps;
    this.viewer = viewer;
    this.bundle = bundle;
  }

  /** The ids of the viewer's own things of a kind, of those the bundle names. */
  ownIds(kind: BundleKind): string[] {
    return this.found.filter((one) => one.kind === kind && one.own).map(({ id }) => id);
  }

  /** The viewer's own thing of this name. @throws Refusal CONFLICT where several are called so */
  own(kind: BundleKind, name: string): string | null {
    const [first, ...others] = this.found.filter(
      (one) => one.kind === kind && one.name === name && one.own,
    );
    if (others.length > 0) {
      throw new Refusal([
        problem(
          'CONFLICT',
          ['name'],
          `You have ${others.length + 1} of the kind ${kind} called "${name}"; rename all but one.`,
        ),
      ]);
    }
    return first?.id ?? null;
  }

  /** What a reference means: this bundle's, one's own, the system's of that name, else an id. undefined = its own problems come first. */
  resolve(kind: BundleKind, reference: string): string | undefined {
    const written = this.ids.get(`${kind} ${reference}`);
    if (written === null) return undefined;
    if (written !== undefined) return written;
    const found = this.found.filter((one) => one.kind === kind && one.name === reference);
    return (found.find(({ own }) => own) ?? found[0])?.id ?? reference;
  }

  /** The viewer's own Secret of this name; null, with a problem noted, where there is none. */
  secretId(name: string, path: readonly (string | number)[]): string | null {
    const own = this.found.find((one) => one.kind === 'Secret' && one.name === name && one.own);
    if (own === undefined) {
      this.problems.push(
        problem(
          'NOT_FOUND',
          ['document', ...path],
          `You have no Secret called "${name}"; bundles hold no values, so create it first (createSecret).`,
        ),
      );
    }
    return own?.id ?? null;
  }

  /** Runs one thing's write, turns its Refusal into problems with paths into the document, and notes what became of it. */
  async collect(
    kind: BundleKind,
    name: string,
    path: readonly (string | number)[],
    write: (
      existing: string | null,
    ) => Promise<{ id: string; became: keyof ImportedBundle } | null>,
  ): Promise<void> {
    let id: string | null = null;
    try {
      const outcome = await write(this.own(kind, name));
      if (outcome !== null) {
        id = outcome.id;
        this.result[outcome.became].push(outcome.id);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.note(error.problems, path);
    }
    this.ids.set(`${kind} ${name}`, id);
  }

  /** Notes problems of one thing, with paths into the document. @param path of the thing there */
  note(problems: readonly Problem[], path: readonly (string | number)[]): void {
    for (const { code, message, path: inner } of problems) {
      this.problems.push(problem(code, ['document', ...path, ...inDocument(inner)], message));
    }
  }
}

const API_NAMES: Readonly<Record<string, string>> = {
  toolId: 'tool',
  processId: 'process',
  serviceId: 'service',
  secretId: 'secret',
};
const OPERATION_FIELDS = new Set(['graphQuery', 'restCall', 'llmCall', 'mcpCall']);

/** A path into the API's input as the document has it: `operation.llmCall.promptTemplate` is `operation.promptTemplate`. */
function inDocument(path: readonly string[]): string[] {
  return path.flatMap((part, index) =>
    path[index - 1] === 'operation' && OPERATION_FIELDS.has(part) ? [] : [API_NAMES[part] ?? part],
  );
}
