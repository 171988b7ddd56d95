import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CatalogDeps } from '../../catalog/deps.ts';
import { nameKey } from '../../catalog/text-checks.ts';
import type { ToolChange } from '../../catalog/tools/tool.mutations.ts';
import { entryOf } from '../../common/entry-of.ts';
import { canonicalJson } from '../../common/json.ts';
import { type Problem, problem, Refusal } from '../../common/refusal.ts';
import { jsonText } from '../../common/stored.ts';
import { OPERATION_FIELDS } from '../../operations/operation.ts';
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
  /** Parts that an admin edited and the import left alone, as `Tool chat: connection`. */
  readonly kept: string[];
}

export type ImportOutcome = 'created' | 'updated' | 'unchanged';

/** Hashes of the fields that an import gave a resource: by `kind name`, then by field. */
export type GivenFields = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The last load of a bundle that ships with the product. */
export const LastLoad = z.object({
  loadedAt: z.string(),
  /** Null: the load is older than this record. */
  given: jsonText(z.record(z.string(), z.record(z.string(), z.string()))).nullable(),
});
export type LastLoad = z.infer<typeof LastLoad>;

/** Reads and writes the record of a shipped bundle's load, in the transaction of the import. */
export interface LoadRecord {
  find(tx: WriteTx): Promise<LastLoad | null>;
  write(tx: WriteTx, given: GivenFields): Promise<void>;
}

/** Parts of a resource. The fields of one part belong together and are kept or written together. */
export type Parts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The state of one import: the resources found and written, and the problems so far. */
export class BundleImport {
  readonly problems: Problem[] = [];
  readonly result: ImportedBundle = { created: [], updated: [], unchanged: [], kept: [] };
  /** Ids of the written Tools, to probe after the commit. */
  readonly tools: string[] = [];
  /** The changed Tools, with their index in the bundle. */
  readonly changes: (ToolChange & { readonly at: number })[] = [];
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
  /** The last load of a shipped bundle; null for a user's bundle and for a first load. */
  lastLoad: LastLoad | null = null;
  /** The fields that this import gives, for the next load. */
  readonly given: Record<string, Record<string, string>> = {};

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
    const [first, ...others] = this.named(kind, name).filter(({ own }) => own);
    if (others.length > 0)
      throw Refusal.of(
        'CONFLICT',
        ['name'],
        `You have ${others.length + 1} of the kind ${kind} called "${name}"; rename all but one.`,
      );
    return first?.id ?? null;
  }

  /** Existing resources with this name, in either Unicode form. */
  private named(kind: BundleKind, name: string): NamedResource[] {
    const key = nameKey(name);
    return this.existing.filter((item) => item.kind === kind && nameKey(item.name) === key);
  }

  /**
   * Resolves a reference. In this order: a resource of this bundle, of the viewer, of the system;
   * else the reference is an id. Undefined: the bundle's resource has problems, which are reported
   * already, or several have the name, which adds a problem at `path`.
   */
  resolve(
    kind: BundleKind,
    reference: string,
    path: readonly (string | number)[],
  ): string | undefined {
    const written = this.ids.get(`${kind} ${reference}`);
    if (written === null) return undefined;
    if (written !== undefined) return written;
    const found = this.named(kind, reference);
    const own = found.filter((item) => item.own);
    const [first, ...others] = own.length > 0 ? own : found;
    if (first !== undefined && others.length > 0) {
      const ids = [first, ...others].map(({ id }) => id).join(', ');
      const message =
        `Several of the kind ${kind} are called "${reference}": ${ids}. Name one by its id, or ` +
        'rename all but one.';
      this.problems.push(problem('CONFLICT', ['document', ...path], message));
      return undefined;
    }
    return first?.id ?? reference;
  }

  /** Id of the viewer's Secret of this name. If there is none, adds a problem and returns null. */
  secretId(name: string, path: readonly (string | number)[]): string | null {
    const [own, ...others] = this.named('Secret', name).filter((item) => item.own);
    if (others.length > 0) {
      const message = `You have ${others.length + 1} Secrets called "${name}"; rename all but one.`;
      this.problems.push(problem('CONFLICT', ['document', ...path], message));
      return null;
    }
    if (own === undefined)
      this.problems.push(
        problem(
          'NOT_FOUND',
          ['document', ...path],
          `You have no Secret called "${name}"; bundles hold no values, so create it first ` +
            '(createSecret).',
        ),
      );
    return own?.id ?? null;
  }

  /**
   * The parts of a shipped resource that may be written: those that nobody edited since the last
   * load. A part is edited when a field of it differs from the value that the last load gave
   * (docs/decisions/0030). A user's import writes all parts.
   */
  writable<P extends Parts>(
    key: `${BundleKind} ${string}`,
    current: object & { readonly updatedAt?: string },
    parts: P,
  ): Partial<P> {
    const values = current as Record<string, unknown>;
    const differing = Object.entries(parts).filter(([, fields]) =>
      Object.entries(fields).some(
        ([field, value]) => hashOf(value) !== hashOf(entryOf(values, field)),
      ),
    );
    const edited = differing.filter(([, fields]) => this.isEdited(key, current, fields));
    this.result.kept.push(...edited.map(([part]) => `${key}: ${part}`));
    return Object.fromEntries(differing.filter((part) => !edited.includes(part))) as Partial<P>;
  }

  private isEdited(
    key: string,
    current: object & { readonly updatedAt?: string },
    fields: Readonly<Record<string, unknown>>,
  ): boolean {
    if (this.lastLoad === null) return false;
    const before = entryOf(this.lastLoad.given ?? {}, key);
    // An older load recorded only its time.
    if (before === undefined) return (current.updatedAt ?? '') > this.lastLoad.loadedAt;
    const values = current as Record<string, unknown>;
    return Object.keys(fields).some(
      (field) =>
        entryOf(before, field) !== undefined &&
        entryOf(before, field) !== hashOf(entryOf(values, field)),
    );
  }

  /** Records the fields that the bundle gives a resource. */
  recordGiven(key: `${BundleKind} ${string}`, parts: Parts): void {
    const fields = Object.values(parts).flatMap((part) => Object.entries(part));
    this.given[key] = Object.fromEntries(fields.map(([field, value]) => [field, hashOf(value)]));
  }

  /**
   * Runs the write of one resource and records its outcome. Turns a Refusal into problems with
   * paths into the document.
   */
  async importItem(
    kind: BundleKind,
    name: string,
    path: readonly (string | number)[],
    write: (existing: string | null) => Promise<{ id: string; outcome: ImportOutcome } | null>,
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
    for (const { code, message, path: inner } of problems)
      this.problems.push(problem(code, ['document', ...path, ...inDocument(inner)], message));
  }
}

function hashOf(value: unknown): string {
  const text = canonicalJson((value ?? null) as never);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

const API_NAMES: Readonly<Record<string, string>> = {
  toolId: 'tool',
  processId: 'process',
  serviceId: 'service',
  secretId: 'secret',
};

/**
 * Turns a path of the API's input into a path of the document: `operation.llmCall.promptTemplate`
 * becomes `operation.promptTemplate`.
 */
const inDocument = (path: readonly string[]): string[] =>
  path.flatMap((part, index) =>
    path[index - 1] === 'operation' && OPERATION_FIELDS.has(part)
      ? []
      : [entryOf(API_NAMES, part) ?? part],
  );
