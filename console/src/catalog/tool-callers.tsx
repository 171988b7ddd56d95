import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { Link } from 'wouter';
import {
  type ProblemFragment,
  ToolCallersDocument,
  type ToolCallersQuery,
  type UpdateToolInput,
} from '../generated/documents.ts';
import { Section } from '../runs/section.tsx';
import { plural } from '../ui/format.ts';

const TYPING_MS = 350;
/** Problems of the schemas that the steps of Processes have with them. */
const OF_CALLERS = ['inputSchema', 'outputSchema'];

type Preview = ToolCallersQuery['toolUpdatePreview'];

/**
 * The Processes that a change of a Tool touches, before it is saved. The last answer stays until
 * the next is there.
 * @param change null: the form is as stored; undefined: it holds text that can't be read yet
 * @param refused problems of the last saving; new ones ask again, since others write meanwhile
 */
export function ToolCallers({
  change,
  refused,
}: {
  readonly change: UpdateToolInput | null | undefined;
  readonly refused: readonly ProblemFragment[];
}) {
  const client = useClient();
  const [preview, setPreview] = useState<Preview | null>(null);
  // An equal change is not asked again.
  const key = change == null ? change : JSON.stringify(change);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the change
  useEffect(() => {
    if (change === null) setPreview(null);
    if (change == null) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const { data } = await client
        .query(ToolCallersDocument, { input: change }, { requestPolicy: 'network-only' })
        .toPromise();
      // Saving makes the same checks, so a failed look-up hides nothing for good.
      if (!isOver) setPreview(data?.toolUpdatePreview ?? null);
    }, TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, key, refused]);

  const { callers = [], others = 0, othersBroken = 0, problems = [] } = preview ?? {};
  const reasons = problems.filter(
    ({ code, path }) => code === 'IN_USE' && OF_CALLERS.includes(path.at(-1) ?? ''),
  );
  // A refused change shows its reasons already.
  const unsaid = reasons.filter(({ message }) => refused.every((one) => one.message !== message));
  const isShown = callers.length + others + unsaid.length > 0;
  return (
    <div aria-live="polite">
      {isShown ? (
        <Section title="Processes that call it">
          <ul className="col gap-4">
            {callers.map(({ process, fits }) => (
              <li key={process.id} className="row">
                <Link href={`/processes/${process.id}`} className="link">
                  {process.name}
                </Link>
                <Verdict isFit={fits} />
              </li>
            ))}
            {others === 0 ? null : (
              <li>
                {plural(others, 'Process')} of other users
                {othersBroken === 0 ? '' : `, of which ${othersBroken} would not fit any more`}
              </li>
            )}
          </ul>
          {unsaid.length === 0 ? null : (
            <div className="notice tone-wait">
              <IconAlertTriangle size={16} className="icon" />
              <p>This change cannot be saved. {unsaid.map(({ message }) => message).join(' ')}</p>
            </div>
          )}
        </Section>
      ) : null}
    </div>
  );
}

function Verdict({ isFit }: { readonly isFit: boolean }) {
  return isFit ? (
    <span className="small dim">still fits</span>
  ) : (
    <span className="tag">would not fit</span>
  );
}
