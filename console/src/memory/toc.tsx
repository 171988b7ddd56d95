import { IconListTree, IconQuote } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  GripDocument,
  type SaidFragment,
  TocPageDocument,
  type TocPageQuery,
  TocRootDocument,
  type TocRowFragment,
} from '../generated/documents.ts';
import { Empty, Fault, Loading, Unread } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { ROLES } from '../ui/words.ts';

type Bullet = NonNullable<TocPageQuery['tocNode']>['bullets'][number];

/** From the year to the event, level by level; each line opens the words that prove it. */
export function Toc({
  nodeId,
  onOpen,
}: {
  readonly nodeId: string | null;
  readonly onOpen: (nodeId: string) => void;
}) {
  return nodeId === null ? <Years onOpen={onOpen} /> : <Node nodeId={nodeId} onOpen={onOpen} />;
}

function Years({ onOpen }: { readonly onOpen: (nodeId: string) => void }) {
  const [{ data, error }, again] = useLiveQuery({ query: TocRootDocument, variables: {} });
  if (data === undefined) return <Unread error={error} onRetry={again} />;
  if (data.tocRoot.length === 0)
    return (
      <Empty
        icon={<IconListTree size={28} className="icon toc" stroke={1.5} />}
        title="No contents yet"
      >
        A talk that was quiet for half an hour is closed; talks become days, weeks, months and
        years. The jobs segmenter and segment-summarizer on Operations do it at once.
      </Empty>
    );
  return (
    <div className="narrow pad-20 toc">
      <Rows rows={data.tocRoot} onOpen={onOpen} />
    </div>
  );
}

type Titled = Pick<TocRowFragment, 'level' | 'title'>;

function levelOf({ level }: Titled): string {
  return level === 'SEGMENT' ? 'talk' : level.toLowerCase();
}

/** The title of a talk is its time of the day, which the memory keeps in UTC. */
function titleOf({ level, title }: Titled): string {
  return level === 'SEGMENT' && /^\d\d:\d\d/.test(title) ? `${title} UTC` : title;
}

function Rows({
  rows,
  onOpen,
}: {
  readonly rows: readonly TocRowFragment[];
  readonly onOpen: (nodeId: string) => void;
}) {
  return (
    <ul className="card list">
      {rows.map((row) => (
        <li key={row.nodeId}>
          <button type="button" className="item toc-row" onClick={() => onOpen(row.nodeId)}>
            <span className="tag">{levelOf(row)}</span>
            <span className="grow clip strong">{titleOf(row)}</span>
            {row.provisional ? <span className="tag">still open</span> : null}
            <span className="faint small clip hide-small">
              {row.keywords.slice(0, 5).join(', ')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Node({
  nodeId,
  onOpen,
}: {
  readonly nodeId: string;
  readonly onOpen: (nodeId: string) => void;
}) {
  const [{ data, error }, again] = useLiveQuery({
    query: TocPageDocument,
    variables: { nodeId },
  });
  if (data === undefined) return <Unread error={error} onRetry={again} />;
  const node = data.tocNode;
  if (node == null)
    return (
      <Empty
        icon={<IconListTree size={28} className="icon" stroke={1.5} />}
        title="No such part of the contents"
      >
        It may have been replaced by a newer version.{' '}
        <a href="/console/memory?view=toc">All years</a>
      </Empty>
    );
  const parents = [
    node.parent?.parent?.parent?.parent,
    node.parent?.parent?.parent,
    node.parent?.parent,
    node.parent,
  ];
  return (
    <div className="narrow pad-20 col gap-16 toc">
      <nav className="row wrap small dim" aria-label="Levels above">
        <a className="link" href="/console/memory?view=toc">
          All years
        </a>
        {parents.map((parent) =>
          parent == null ? null : (
            <span key={parent.nodeId} className="row gap-4">
              /
              <button
                type="button"
                className="button plain tiny"
                onClick={() => onOpen(parent.nodeId)}
              >
                {parent.title}
              </button>
            </span>
          ),
        )}
      </nav>
      <header className="col gap-4">
        <span className="row">
          <span className="tag">{levelOf(node)}</span>
          {node.level === 'SEGMENT' ? (
            <span className="faint small">
              <Time at={node.startsAt} />
            </span>
          ) : null}
        </span>
        <h2 className="toc-title">{titleOf(node)}</h2>
        <span className="faint small">{node.keywords.join(', ')}</span>
      </header>
      {node.unsummarised ? (
        <p className="notice">Not summed up yet. {node.unsummarisedReason ?? ''}</p>
      ) : null}
      {node.bullets.length === 0 ? null : (
        <ul className="col" aria-label="Lines">
          {node.bullets.map((bullet) => (
            <Line key={bullet.text} bullet={bullet} />
          ))}
        </ul>
      )}
      {node.children.nodes.length === 0 ? null : (
        <section className="col">
          <h3>Inside</h3>
          <Rows rows={node.children.nodes} onOpen={onOpen} />
        </section>
      )}
    </div>
  );
}

function Line({ bullet }: { readonly bullet: Bullet }) {
  const [openGrip, setOpenGrip] = useState<string | null>(null);
  return (
    <li className="toc-line">
      <p className="prose">{shown(bullet)}</p>
      <div className="row wrap small dim">
        <span title="Share of the content words that the evidence contains">
          {Math.round(bullet.support * 100)} % proven
        </span>
        {bullet.speakers.length === 0 ? null : <span>by {bullet.speakers.join(', ')}</span>}
        {bullet.grips.map(({ gripId, excerpt, occurredAt }) => (
          <button
            key={gripId}
            type="button"
            className="button tiny grip"
            aria-expanded={openGrip === gripId}
            title={excerpt}
            onClick={() => setOpenGrip(openGrip === gripId ? null : gripId)}
          >
            <IconQuote size={13} className="icon" />
            The words, <Time at={occurredAt} />
          </button>
        ))}
      </div>
      {openGrip === null ? null : <Words gripId={openGrip} />}
    </li>
  );
}

/** A quotation has its marks, also where the line says the speaker before them. */
function shown({ text, quotation }: Bullet): string {
  return quotation && !/["“]/.test(text) ? `“${text}”` : text;
}

function Words({ gripId }: { readonly gripId: string }) {
  const [{ data, error }] = useQuery({ query: GripDocument, variables: { gripId } });
  if (error !== undefined) return <Fault error={error} />;
  if (data === undefined) return <Loading rows={3} />;
  const context = data.expandGrip;
  if (context == null) return <p className="dim small">These words were forgotten.</p>;
  return (
    <ol className="words">
      {context.eventsBefore.filter(hasWords).map((event) => (
        <Said key={event.eventId} event={event} />
      ))}
      {context.excerptEvents.map((event) => (
        <Said key={event.eventId} event={event} isProof />
      ))}
      {context.eventsAfter.filter(hasWords).map((event) => (
        <Said key={event.eventId} event={event} />
      ))}
    </ol>
  );
}

/** The beginning and the end of a session are events without words. */
function hasWords({ text }: SaidFragment): boolean {
  return text.trim() !== '';
}

function Said({
  event,
  isProof = false,
}: {
  readonly event: SaidFragment;
  readonly isProof?: boolean;
}) {
  return (
    <li className={isProof ? 'said proof' : 'said'}>
      <span className="row small">
        <span className="tag">{ROLES[event.role]}</span>
        <span className="faint">
          <Time at={event.occurredAt} />
        </span>
      </span>
      <p className="prose">{event.text}</p>
    </li>
  );
}
