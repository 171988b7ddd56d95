import { Link } from 'wouter';
import { Day } from '../ui/time.tsx';

interface End {
  readonly uuid: string;
  readonly name: string;
}

/** Links to the two entities that a fact relates. */
export function FactEnds({ source, target }: { readonly source: End; readonly target: End }) {
  return (
    <>
      <EntityLink entity={source} />
      →
      <EntityLink entity={target} />
    </>
  );
}

export function EntityLink({ entity: { uuid, name } }: { readonly entity: End }) {
  return (
    <Link href={`/memory/entities/${uuid}`} className="link">
      {name}
    </Link>
  );
}

/** The tag of a fact that no longer holds; nothing for one that does. */
export function EndedTag({ at }: { readonly at: string | null | undefined }) {
  if (at == null) return null;
  return (
    <span className="tag">
      until <Day at={at} />
    </span>
  );
}

/** The date from which a fact holds, which may lie ahead. */
export function BeginsAt({ at }: { readonly at: string }) {
  return (
    <span>
      {Date.parse(at) > Date.now() ? 'from' : 'since'} <Day at={at} />
    </span>
  );
}
