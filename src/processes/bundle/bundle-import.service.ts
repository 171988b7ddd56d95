import type { CatalogDeps } from '../../catalog/deps.ts';
import { type Problem, problem, Refusal } from '../../common/refusal.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import type { ProcessDeps } from '../process.mutations.ts';
import type { BundleKind, NamedResource } from './bundle.cypher.ts';
import type { Bundle } from './bundle.ts';

/** Dependencies of an import: those of the catalog and of Processes. */
export type BundleDeps = CatalogDeps & ProcessDeps;

/**
 * Ids of the bundle's resources, by outcome. A second import of the same bundle leaves all
 * unchanged.
 */
export interface ImportedBundle {
  readonly created: string[];
  readonly updated: string[];
  readonly unchanged: string[];
}

/** The state of one import: the resources found and written, and the problems so far. */
export class BundleImport {
  readonly problems: Problem[] = [];
  readonly result: ImportedBundle = { created: [], updated: [], unchanged: [] };
  /** Ids of the written Tools, to probe after the commit. */
  readonly tools: string[] = [];
  readonly tx: WriteTx;
  readonly deps: BundleDeps;
  readonly viewer: Viewer;
  readonly bundle: Bundle;
  /**
   * Ids by `kind name`, first the existing ones, then the written ones. Null: the bundle's resource
   * has problems.
   */
  readonly ids = new Map<string, string | null>();
  /** Existing resources with a name that the bundle uses. */
  existing: NamedResource[] = [];

  constructor(tx: WriteTx, deps: BundleDeps, viewer: Viewer, bundle: Bundle) {
    this.tx = tx;
    this.deps = deps;
    this.viewer = viewer;
    this.bundle = bundle;
  }

  /** Ids of the viewer's resources of a kind that the bundle names. */
  ownIds(kind: BundleKind): string[] {
    return this.existing.filter((item) => item.kind === kind && item.own).map(({ id }) => id);
  }

  /**
   * Id of the viewer's resource of this name; null if there is none.
   * @throws Refusal CONFLICT if several have the name
   */
  ownId(kind: BundleKind, name: string): string | null {
    const [first, ...others] = this.existing.filter(
      (item) => item.kind === kind && item.name === name && item.own,
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

  /**
   * Resolves a reference. In this order: a resource of this bundle, of the viewer, of the system;
   * else the reference is an id. Undefined: the bundle's resource has problems, which are reported
   * already.
   */
  resolve(kind: BundleKind, reference: string): string | undefined {
    const written = this.ids.get(`${kind} ${reference}`);
    if (written === null) return undefined;
    if (written !== undefined) return written;
    const found = this.existing.filter((item) => item.kind === kind && item.name === reference);
    return (found.find(({ own }) => own) ?? found[0])?.id ?? reference;
  }

  /** Id of the viewer's Secret of this name. If there is none, adds a problem and returns null. */
  secretId(name: string, path: readonly (string | number)[]): string | null {
    const own = this.existing.find(
      (item) => item.kind === 'Secret' && item.name === name && item.own,
    );
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

  /**
   * Runs the write of one resource and records its outcome. Turns a Refusal into problems with
   * paths into the document.
   */
  async importItem(
    kind: BundleKind,
    name: string,
    path: readonly (string | number)[],
    write: (
      existing: string | null,
    ) => Promise<{ id: string; outcome: keyof ImportedBundle } | null>,
  ): Promise<void> {
    let id: string | null = null;
    try {
      const written = await write(this.ownId(kind, name));
      if (written !== null) {
        id = written.id;
        this.result[written.outcome].push(written.id);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.addProblems(error.problems, path);
    }
    this.ids.set(`${kind} ${name}`, id);
  }

  /**
   * Adds problems of one resource, with paths into the document. @param path path of the resource
   */
  addProblems(problems: readonly Problem[], path: readonly (string | number)[]): void {
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

/**
 * Turns a path of the API's input into a path of the document: `operation.llmCall.promptTemplate`
 * becomes `operation.promptTemplate`.
 */
function inDocument(path: readonly string[]): string[] {
  return path.flatMap((part, index) =>
    path[index - 1] === 'operation' && OPERATION_FIELDS.has(part) ? [] : [API_NAMES[part] ?? part],
  );
}
