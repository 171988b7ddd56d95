import { useEffect } from 'react';
import { Link } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import { SwitchEntityDocument, WorkingMemoryDocument } from '../generated/documents.ts';
import { Section } from '../runs/section.tsx';
import { countOf, plural } from '../ui/format.ts';
import { Problems, Unread } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useChange } from '../ui/use-change.ts';
import { MEMORY_KINDS, ROLES } from '../ui/words.ts';

const PARTS = [
  { id: 'immediatePath', label: 'This conversation', tone: 'busy' },
  { id: 'recalled', label: 'Recalled', tone: 'hold' },
  { id: 'summaries', label: 'Summaries', tone: 'ok' },
  { id: 'activeEntities', label: 'Active entities', tone: 'wait' },
  { id: 'introspection', label: 'Introspections', tone: 'idle' },
] as const;

/** The messages that a model would receive now, their tokens by part, and the recalled memories. */
export function MemoryPanel({ id, at }: { readonly id: string; readonly at: string }) {
  const [{ data, error }, again] = useLiveQuery({
    query: WorkingMemoryDocument,
    variables: { id },
  });
  const change = useChange(SwitchEntityDocument);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the conversation changes
  useEffect(() => again(), [at]);
  const conversation = data?.conversation;
  if (conversation == null) return <Unread error={error} onRetry={again} />;
  const { workingMemory: memory, activeEntities, summaries } = conversation;
  const total = Math.max(1, memory.totalTokens);
  return (
    <div className="panel-body col gap-24">
      <section className="col">
        <div className="row spread">
          <h2>A model sees</h2>
          <span className="num dim small">{plural(memory.totalTokens, 'token')}</span>
        </div>
        <div className="meter" aria-hidden>
          {PARTS.map(({ id: part, tone }) => (
            <span
              key={part}
              className={`tone-${tone} part`}
              style={{ width: `${(memory.tokenBreakdown[part] / total) * 100}%` }}
            />
          ))}
        </div>
        <ul className="col gap-4">
          {PARTS.filter(({ id: part }) => memory.tokenBreakdown[part] > 0).map(
            ({ id: part, label, tone }) => (
              <li key={part} className="row small">
                <span className={`dot tone-${tone}`} aria-hidden />
                <span className="grow">{label}</span>
                <span className="num dim">{countOf(memory.tokenBreakdown[part])}</span>
              </li>
            ),
          )}
        </ul>
      </section>

      <Section title={`Recalled for the last message (${memory.recalled.length})`}>
        {memory.recalled.length === 0 ? (
          <p className="dim small">
            {memory.recallReason ?? 'The last message calls for nothing from earlier.'} Memories are
            read from what is said, a little later.
          </p>
        ) : (
          <ul className="list boxed">
            {memory.recalled.map(({ targetId, kind, text, relevance, sources, isQuotation }) => (
              <li key={`${kind} ${targetId}`} className="recalled">
                <p className="prose">{isQuotation ? `“${text}”` : text}</p>
                <div className="row wrap small dim">
                  <span className="tag">{MEMORY_KINDS[kind]}</span>
                  <span className="num" title="How well it fits the message, from 0 to 1">
                    fits {Math.round(relevance * 100)} %
                  </span>
                  {sources.slice(0, 2).map((source) => (
                    <span key={`${source.saidAt} ${source.turnId}`} className="row gap-4">
                      {source.conversation == null ? (
                        <span>{source.saidBy}</span>
                      ) : (
                        <Link href={`/conversations/${source.conversation.id}`} className="link">
                          {source.saidBy}
                        </Link>
                      )}
                      <Time at={source.saidAt} />
                    </span>
                  ))}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Section>

      <Section title={`Active entities (${activeEntities.length})`}>
        <Problems problems={change.problems} />
        {activeEntities.length === 0 ? (
          <p className="dim small">
            People and things become active as the conversation names them.
          </p>
        ) : (
          <ul className="list boxed">
            {activeEntities.map((entity) => (
              <li key={entity.entityUuid} className="recalled">
                <div className="row">
                  <Link href={`/memory/entities/${entity.entityUuid}`} className="strong grow clip">
                    {entity.name}
                  </Link>
                  {entity.pinned ? <span className="tag">pinned</span> : null}
                  <span
                    className="num faint small"
                    title="How much the conversation is about it now"
                  >
                    {Math.round(entity.relevanceScore * 100)} %
                  </span>
                </div>
                <div className="row wrap gap-12 small dim">
                  {(
                    [
                      ['includeSummary', 'Summary'],
                      ['includeFacets', 'Properties'],
                      ['includeRelationships', 'Facts'],
                    ] as const
                  ).map(([field, label]) => (
                    <label key={field} className="row gap-4">
                      <input
                        type="checkbox"
                        checked={entity[field]}
                        disabled={change.isSending}
                        onChange={async ({ target }) => {
                          const done = await change.send({
                            input: {
                              conversationId: id,
                              entityUuid: entity.entityUuid,
                              [field]: target.checked,
                            },
                          });
                          if (done !== null) again();
                        }}
                      />
                      {label}
                    </label>
                  ))}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Section>

      {summaries.length === 0 ? null : (
        <Section title={plural(summaries.length, 'Summary')}>
          <ul className="list boxed">
            {summaries.map((summary) => (
              <li key={summary.id} className="recalled prose small">
                {summary.content}
              </li>
            ))}
          </ul>
        </Section>
      )}

      <details>
        <summary className="small dim">The exact messages ({memory.messages.length})</summary>
        <ol className="col" style={{ marginTop: 8 }}>
          {memory.messages.map((message, index) => (
            // The list is replaced as a whole.
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ids
            <li key={index} className="col gap-4">
              <span className="row small">
                <span className="tag">{ROLES[message.role]}</span>
                <span className="num faint">{plural(message.tokens, 'token')}</span>
              </span>
              <p className="prose small">{message.content}</p>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}
