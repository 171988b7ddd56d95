import { Link } from 'wouter';
import { Day, Time } from '../ui/time.tsx';

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

/** Both times: when it holds, whose beginning may lie ahead, and when it was known. */
export function FactTimes({
  fact: { validAt, invalidAt, createdAt },
}: {
  readonly fact: {
    readonly validAt?: string | null;
    readonly invalidAt?: string | null;
    readonly createdAt: string;
  };
}) {
  return (
    <>
      {validAt == null ? null : (
        <span>
          {Date.parse(validAt) > Date.now() ? 'from' : 'since'} <Day at={validAt} />
        </span>
      )}
      {invalidAt == null ? null : (
        <span className="tag">
          until <Day at={invalidAt} />
        </span>
      )}
      <span>
        known <Time at={createdAt} />
      </span>
    </>
  );
}
