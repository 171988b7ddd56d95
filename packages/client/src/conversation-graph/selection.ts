import type { Active } from './active.ts';
import { messageIdOf, type ToldAlternative } from './from-conversation.ts';

/** An alternative with its turn, as `TurnFields` and `AlternativeFields` give it. */
export type SelectedAlternative = ToldAlternative & { readonly isActive?: boolean };

/**
 * The selection of the server: which alternative of each turn is active, and which turn is on
 * screen below each other. `active` shows the path that a model receives, so it ends before the
 * first message that answers another version.
 */
export class Selection {
  readonly #told = new Map<string, ToldAlternative>();
  readonly #activeOf = new Map<string, string>();
  /** When a turn came on screen last. */
  readonly #shownAt = new Map<string, number>();
  #last = 0;
  /** Kept until the next change: it is read at each piece of a text. */
  #active: Active | null = null;

  /** Tells all alternatives of a turn, which is on screen now. */
  tellTurn(alternatives: readonly SelectedAlternative[]): void {
    for (const one of alternatives) this.tell(one);
    const shown = alternatives.find(({ isActive }) => isActive) ?? alternatives[0];
    if (shown !== undefined) this.activate(shown);
  }

  tell(alternative: ToldAlternative): void {
    this.#told.set(alternative.id, alternative);
    this.#active = null;
  }

  activate(alternative: ToldAlternative): void {
    this.tell(alternative);
    const turn = turnOf(alternative);
    this.#activeOf.set(turn, alternative.id);
    this.#last += 1;
    this.#shownAt.set(turn, this.#last);
  }

  /** In time linear in the number of alternatives, once after each change. */
  get active(): Active {
    this.#active ??= this.#compute();
    return this.#active;
  }

  #compute(): Active {
    const newest = new Map<string | null, number>();
    for (const alternative of this.#told.values()) {
      const above = this.#turnAbove(alternative);
      newest.set(above, Math.max(newest.get(above) ?? 0, this.#when(alternative)));
    }
    const replyTo = new Map<string | null, string>();
    const ends = new Set<string | null>();
    for (const alternative of this.#told.values()) {
      const { id, respondsTo } = alternative;
      const parent = respondsTo === null ? null : messageIdOf(respondsTo);
      const isShown =
        this.#activeOf.get(turnOf(alternative)) === id &&
        newest.get(this.#turnAbove(alternative)) === this.#when(alternative);
      if (isShown) replyTo.set(parent, messageIdOf(alternative));
      else ends.add(parent);
    }
    for (const parent of replyTo.keys()) ends.delete(parent);
    return { replyTo, ends };
  }

  #when(alternative: ToldAlternative): number {
    return this.#shownAt.get(turnOf(alternative)) ?? 0;
  }

  #turnAbove({ respondsTo }: ToldAlternative): string | null {
    if (respondsTo === null) return null;
    return turnOf(this.#told.get(respondsTo.id) ?? respondsTo);
  }
}

function turnOf({ id, turn }: Pick<ToldAlternative, 'id' | 'turn'>): string {
  return turn.id ?? id;
}

/** The selection of `Conversation.activePath`, root first, for the projections (S1-PROJ-01). */
export function activeOfPath(
  turns: readonly { readonly alternatives: readonly SelectedAlternative[] }[],
): Active {
  const selection = new Selection();
  for (const { alternatives } of turns) selection.tellTurn(alternatives);
  return selection.active;
}
