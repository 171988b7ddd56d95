// The rules of src/conversations/path.cypher.ts, told once more without Cypher, so that tests have
// something to compare with.

interface Version {
  readonly id: string;
  readonly turnId: string;
  readonly respondsToId: string | null;
  readonly createdAt: string;
}

/** A conversation by its changes: which versions are active, and which turns are on screen. */
export class ScreenModel {
  readonly #versions = new Map<string, Version>();
  readonly #active = new Map<string, string>();
  /** The turn shown below each turn, or at the root. */
  readonly #shown = new Map<string | null, string>();

  /** A turn that is added below an alternative: the way to it comes on screen. */
  append(version: Version): void {
    if (version.respondsToId !== null)
      for (const id of this.#lineage(version.respondsToId)) this.#show(id);
    this.#versions.set(version.id, version);
    this.#show(version.id);
  }

  edit(version: Version): void {
    this.#versions.set(version.id, version);
    this.activate(version.id, 'below');
  }

  activate(id: string, path: 'below' | 'whole'): void {
    const below = this.#continuation(id);
    for (const one of path === 'whole' ? this.#lineage(id) : [id]) this.#show(one);
    for (const one of below) this.#show(one);
  }

  /** The turns on screen, root first. */
  path(): string[] {
    const turns: string[] = [];
    let next = this.#shown.get(null);
    while (next !== undefined) {
      turns.push(next);
      next = this.#shown.get(next);
    }
    return turns;
  }

  /** The active alternatives on screen, up to the first that answers another one. */
  validPath(): string[] {
    const valid: string[] = [];
    for (const turnId of this.path()) {
      const id = this.#active.get(turnId) ?? '';
      if (this.#versions.get(id)?.respondsToId !== (valid.at(-1) ?? null)) break;
      valid.push(id);
    }
    return valid;
  }

  /** Alternatives that do not hang together with what is active above them. */
  staleIds(): string[] {
    return [...this.#versions.keys()].filter((id) =>
      this.#lineage(id)
        .slice(0, -1)
        .some((above) => !this.#isActive(above)),
    );
  }

  #isActive(id: string): boolean {
    return this.#active.get(this.#versions.get(id)?.turnId ?? '') === id;
  }

  #parentOf(version: Version): string | null {
    return this.#versions.get(version.respondsToId ?? '')?.turnId ?? null;
  }

  #isShown(version: Version): boolean {
    return (
      this.#isActive(version.id) && this.#shown.get(this.#parentOf(version)) === version.turnId
    );
  }

  #show(id: string): void {
    const version = this.#versions.get(id);
    if (version === undefined) throw new Error(`No version ${id}.`);
    this.#active.set(version.turnId, id);
    this.#shown.set(this.#parentOf(version), version.turnId);
  }

  #lineage(id: string): string[] {
    const { respondsToId = null } = this.#versions.get(id) ?? {};
    return [...(respondsToId === null ? [] : this.#lineage(respondsToId)), id];
  }

  #continuation(id: string): string[] {
    const rank = (one: Version) =>
      `${Number(this.#isShown(one))} ${Number(this.#isActive(one.id))} ${one.createdAt} ${one.id}`;
    const best = [...this.#versions.values()]
      .filter(({ respondsToId }) => respondsToId === id)
      .reduce<Version | null>((a, b) => (a === null || rank(b) > rank(a) ? b : a), null);
    return best === null ? [] : [best.id, ...this.#continuation(best.id)];
  }
}
