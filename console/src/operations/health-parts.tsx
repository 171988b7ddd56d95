import { IconAlertTriangle } from '@tabler/icons-react';
import type { BackgroundStateFragment, HealthStateFragment } from '../generated/documents.ts';
import { countOf } from '../ui/format.ts';
import { Dot, labelOf } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';

/** One warning of the installation: its message, advice, and since when. */
export function Warning({
  warning: { message, advice, startedAt },
}: {
  readonly warning: HealthStateFragment['warnings'][number];
}) {
  return (
    <>
      <IconAlertTriangle size={16} className="icon tone-wait toned" />
      <span className="grow">
        <span className="strong">{message}</span> <span className="dim">{advice}</span>
      </span>
      <span className="faint small">
        <Time at={startedAt} />
      </span>
    </>
  );
}

/** Whether the parts of the installation answer. */
export function HealthParts({ health }: { readonly health: HealthStateFragment }) {
  const parts = [
    ['Neo4j', health.neo4j],
    ['Temporal', health.temporal],
    ['Events', health.eventBus],
  ] as const;
  return (
    <ul className="row wrap gap-16 small">
      {parts.map(([name, status]) => (
        <li key={name} className="row gap-4">
          <Dot status={status} />
          {name} <span className="faint">{labelOf(status).toLowerCase()}</span>
        </li>
      ))}
    </ul>
  );
}

/** Tokens of today's background work, and the share of the day's budget. */
export function BackgroundTokens({ work }: { readonly work: BackgroundStateFragment }) {
  const { tokensUsed, tokensReserved, tokensPerDay } = work;
  const share = tokensPerDay === 0 ? 0 : Math.min(1, tokensUsed / tokensPerDay);
  return (
    <div className="col gap-4">
      <div className="row spread small">
        <span className="dim">Tokens of background work today</span>
        <span className="num">
          {countOf(tokensUsed)}
          <span className="faint">
            {tokensPerDay === 0 ? '' : ` of ${countOf(tokensPerDay)}`}
            {tokensReserved === 0 ? '' : `, ${countOf(tokensReserved)} reserved`}
          </span>
        </span>
      </div>
      <div className="meter" aria-hidden>
        <span style={{ width: `${Math.max(share * 100, tokensUsed > 0 ? 1 : 0)}%` }} />
      </div>
    </div>
  );
}
