import { useLiveQuery } from '../api/use-live-query.ts';
import { StepWordsDocument, type StepWordsQuery } from '../generated/documents.ts';
import { countOf, plural } from '../ui/format.ts';
import { Json } from '../ui/json.tsx';
import { StatusBadge } from '../ui/status.tsx';
import { Duration } from '../ui/time.tsx';
import { ROLES } from '../ui/words.ts';
import { isOpen } from './run-status.ts';
import { Section } from './section.tsx';
import { SubRun } from './sub-run.tsx';

type Words = Extract<NonNullable<StepWordsQuery['node']>, { __typename: 'StepRun' }>;
type Round = Words['rounds'][number];

/** Messages that a step sent to a model, and the rounds of a step that offers tools. */
export function StepWords({
  id,
  isLive,
  wasCalled,
}: {
  readonly id: string;
  readonly isLive: boolean;
  /** Whether the model was called; before an approval it was not. */
  readonly wasCalled: boolean;
}) {
  const [{ data }] = useLiveQuery({
    query: StepWordsDocument,
    variables: { id },
    everyMs: isLive ? 2_000 : 0,
  });
  const words = data?.node?.__typename === 'StepRun' ? data.node : null;
  if (words === null) return null;
  return (
    <>
      {words.prompt == null || words.prompt.length === 0 ? null : (
        <Section
          title={
            wasCalled || words.rounds.length > 0 ? 'Prompt sent' : 'Prompt as it would be sent'
          }
          note={plural(words.prompt.length, 'message')}
        >
          <ol className="col gap-4">
            {words.prompt.map(({ role, content }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a step never change places
              <li key={index} className="prompt-message">
                <span className="tag">{ROLES[role]}</span>
                <p className="prose">{content}</p>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {words.rounds.length === 0 ? null : (
        <Section title={plural(words.rounds.length, 'round')}>
          <ol className="list boxed">
            {words.rounds.map((round) => (
              <RoundRow key={round.index} round={round} />
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

function RoundRow({ round }: { readonly round: Round }) {
  const { index, text, toolCalls, usage, startedAt, completedAt } = round;
  return (
    <li className="attempt col gap-4">
      <div className="row small">
        <span className="strong grow">Round {index}</span>
        <span className="faint num">
          {countOf(usage.inputTokens)} tokens in, {countOf(usage.outputTokens)} out
        </span>
        <Duration from={startedAt} to={completedAt} isLive={completedAt == null} />
      </div>
      {text == null || text === '' ? null : <p className="prose small">{text}</p>}
      {toolCalls.map((call) => (
        <details key={call.id} className="small">
          <summary className="row gap-4">
            <StatusBadge status={call.status} />
            <span className="mono clip grow">{call.stepId}</span>
            <Duration from={call.startedAt} to={call.completedAt} isLive={isOpen(call.status)} />
          </summary>
          <div className="col gap-4 call-detail">
            <Json value={call.inputs} />
            <Json value={call.error?.message ?? call.output} />
            {call.childRun == null ? null : <SubRun run={call.childRun} />}
          </div>
        </details>
      ))}
    </li>
  );
}
