import { IconBrain, IconSearch } from '@tabler/icons-react';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  EntitiesDocument,
  MemoryNearestDocument,
  MemorySearchDocument,
  type MemorySearchQuery,
} from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { countOf, firstLine, plural } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Empty, Fault, Loading, Unread } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { MEMORY_KINDS } from '../ui/words.ts';
import { FactEnds, FactTimes } from './fact-parts.tsx';
import { ForgetEntity, ForgetRow } from './forget.tsx';
import { byName } from './names.ts';
import { Notes } from './notes.tsx';
import { StatementLine } from './statement-parts.tsx';
import { Toc } from './toc.tsx';
import { YourData } from './your-data.tsx';

const GraphView = lazy(async () => ({ default: (await import('./graph-view.tsx')).GraphView }));

const VIEWS = ['search', 'graph', 'entities', 'toc', 'notes', 'data'] as const;
type View = (typeof VIEWS)[number];
type Answer = MemorySearchQuery['searchMemory'];
type Hit = Answer['hits'][number];

/** Search, entities and the table of contents, each with the words that it rests on. */
export function Memory() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('view');
  const view = VIEWS.find((one) => one === asked) ?? 'search';
  const query = search.get('q') ?? '';
  const choose = (next: View) =>
    setSearch(next === 'search' ? (query === '' ? {} : { q: query }) : { view: next });
  return (
    <Page
      title="Memory"
      actions={
        <CopyMenu
          document={MemorySearchDocument}
          variables={{ input: { query } }}
          cli={`npx aiden memory ask ${JSON.stringify(query)}`}
        />
      }
    >
      <Tabs<View>
        label="Views of the memory"
        tabs={[
          { id: 'search', label: 'Search' },
          { id: 'graph', label: 'Graph' },
          { id: 'entities', label: 'Entities' },
          { id: 'toc', label: 'Table of contents' },
          { id: 'notes', label: 'Notes' },
          { id: 'data', label: 'Your data' },
        ]}
        chosen={view}
        onChoose={choose}
      />
      <div className="page-body">
        {view === 'search' ? (
          <Search query={query} onSearch={(text) => setSearch(text === '' ? {} : { q: text })} />
        ) : view === 'graph' ? (
          <Suspense fallback={<Loading rows={8} />}>
            <GraphView />
          </Suspense>
        ) : view === 'entities' ? (
          <Entities />
        ) : view === 'notes' ? (
          <Notes />
        ) : view === 'data' ? (
          <YourData />
        ) : (
          <Toc nodeId={search.get('node')} onOpen={(node) => setSearch({ view: 'toc', node })} />
        )}
      </div>
    </Page>
  );
}

function Search({
  query,
  onSearch,
}: {
  readonly query: string;
  readonly onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(query);
  const [{ data, error, fetching }, search] = useQuery({
    query: MemorySearchDocument,
    variables: asked(query),
    pause: query === '',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  const answer = query === '' ? undefined : data?.searchMemory;
  const again = () => search({ requestPolicy: 'network-only' });
  return (
    <div className="narrow pad-20 col gap-16">
      <form className="row" onSubmit={submit}>
        <SearchField
          label="Search the memory"
          placeholder="A name, a question, a few words"
          value={text}
          onSet={setText}
        />
        <button type="submit" className="button primary">
          <IconSearch size={15} className="icon" />
          Search
        </button>
      </form>
      {query === '' ? (
        <Empty icon={<IconBrain size={28} className="icon" stroke={1.5} />} title="Ask the memory">
          It holds what conversations and runs said: people and things, facts with the time they
          hold, and a table of contents by day, week, month and year. Each hit says why it was
          found.
        </Empty>
      ) : error !== undefined ? (
        <Fault error={error} />
      ) : fetching ? (
        <Loading />
      ) : answer === undefined ? null : answer.hits.length === 0 ? (
        <NothingFits key={query} query={query} answer={answer} />
      ) : (
        <Hits label="Hits" hits={answer.hits} onForgotten={again} />
      )}
    </div>
  );
}

function Hits({
  label,
  hits,
  onForgotten,
}: {
  readonly label: string;
  readonly hits: readonly Hit[];
  readonly onForgotten: () => void;
}) {
  return (
    <ol className="card list" aria-label={label}>
      {hits.map((hit) => (
        <HitRow key={keyOf(hit)} hit={hit} onForgotten={onForgotten} />
      ))}
    </ol>
  );
}

const asked = (query: string) => ({ input: { query, limit: 25 } });

/** Why nothing fits, and the nearest hits on demand. */
function NothingFits({
  query,
  answer: { reason, nearest },
}: {
  readonly query: string;
  readonly answer: Answer;
}) {
  const [isOpen, setOpen] = useState(false);
  const [{ data, error }, search] = useQuery({
    query: MemoryNearestDocument,
    variables: asked(query),
    pause: !isOpen,
  });
  const again = () => search({ requestPolicy: 'network-only' });
  return (
    <>
      <Empty
        icon={<IconSearch size={28} className="icon" stroke={1.5} />}
        title={`Nothing fits “${query}”`}
        actions={
          nearest.length === 0 ? undefined : (
            <button type="button" className="button" onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide' : 'Show'} the nearest ({nearest.length})
            </button>
          )
        }
      >
        {reason} What was said a moment ago may still be waiting to be read.
      </Empty>
      {!isOpen ? null : data !== undefined ? (
        <Hits label="Nearest hits" hits={data.searchMemory.nearest} onForgotten={again} />
      ) : (
        <Unread error={error} onRetry={again} />
      )}
    </>
  );
}

function keyOf({ kind, entity, fact, statement, episode, event, tocNode }: Hit): string {
  if (kind === 'STATEMENT' && statement != null) return statement.uuid;
  return entity?.uuid ?? fact?.uuid ?? episode?.uuid ?? event?.eventId ?? tocNode?.nodeId ?? 'hit';
}

/**
 * Whether the name of an Episode is the beginning of its words, so that it adds nothing to them.
 */
function isNamedByWords({ name, content }: NonNullable<Hit['episode']>): boolean {
  return content.startsWith(name.replace(/[\s.…]+$/, ''));
}

function HitRow({ hit, onForgotten }: { readonly hit: Hit; readonly onForgotten: () => void }) {
  const { kind, why, score, entity, fact, episode, event, tocNode, reasons } = hit;
  // A hit of another kind may have the text of a statement that was found too.
  const shown = kind === 'STATEMENT' ? hit.statement : null;
  return (
    <li className="hit">
      <div className="row">
        <span className="tag">{MEMORY_KINDS[kind]}</span>
        <span className={`grow strong${fact == null && shown == null ? ' hit-words' : ''}`}>
          {entity == null ? null : (
            <Link href={`/memory/entities/${entity.uuid}`}>{entity.name}</Link>
          )}
          {fact == null ? null : fact.fact}
          {shown == null ? null : shown.text}
          {episode == null ? null : isNamedByWords(episode) ? episode.content : episode.name}
          {event == null ? null : firstLine(event.text)}
          {tocNode == null ? null : (
            <Link href={`/memory?view=toc&node=${encodeURIComponent(tocNode.nodeId)}`}>
              {tocNode.title}
            </Link>
          )}
        </span>
        <span className="num faint small" title="How well it fits; more is better">
          {score.toFixed(1)} points
        </span>
        {entity == null ? null : (
          <ForgetEntity
            isRow
            memory={{ id: entity.id, uuid: entity.uuid, text: entity.name }}
            onDone={onForgotten}
          />
        )}
        {fact == null ? null : (
          <ForgetRow
            kind="fact"
            memory={{ id: fact.id, uuid: fact.uuid, text: fact.fact }}
            onDone={onForgotten}
          />
        )}
        {shown == null ? null : <ForgetRow kind="statement" memory={shown} onDone={onForgotten} />}
      </div>
      {entity == null || entity.summary === '' ? null : (
        <p className="dim clip-2">{entity.summary}</p>
      )}
      {episode == null ? null : (
        <>
          {isNamedByWords(episode) ? null : <p className="dim clip-2">{episode.content}</p>}
          {hit.statement == null ? (
            <p className="row wrap small dim">
              {episode.sourceDescription} <Time at={episode.validAt} />
            </p>
          ) : null}
        </>
      )}
      {hit.statement == null ? null : <StatementLine statement={hit.statement} />}
      {fact == null ? null : (
        <p className="row wrap small dim">
          <FactEnds source={fact.source} target={fact.target} />
          <FactTimes fact={fact} />
        </p>
      )}
      <details className="small">
        <summary className="faint">{why}</summary>
        <ul className="col gap-4" style={{ padding: '6px 0 0 14px' }}>
          {reasons.map(({ measure, points, text }) => (
            <li key={measure} className="row dim">
              <span className="num">{points.toFixed(1)} points</span>
              {text}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

function Entities() {
  const [text, setText] = useState('');
  const [{ data, error }, again] = useLiveQuery({
    query: EntitiesDocument,
    variables: { first: 100, query: text === '' ? null : text },
  });
  return (
    <div className="col gap-0">
      <div className="pad-20">
        <div style={{ maxWidth: 360 }}>
          <SearchField label="Search entities" placeholder="A name" value={text} onSet={setText} />
        </div>
      </div>
      {data === undefined ? (
        <Unread error={error} onRetry={again} />
      ) : data.entities.nodes.length === 0 ? (
        <Empty icon={<IconBrain size={28} className="icon" stroke={1.5} />} title="No entity yet">
          People, places and things appear here when a conversation or a run has named them and was
          read.
        </Empty>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>Type</th>
              <th className="hide-small">Summary</th>
              <th className="right">Mentions</th>
              <th>Known since</th>
            </tr>
          </thead>
          <tbody>
            {byName(data.entities.nodes).map(({ key, name, entityType, places }) => (
              <tr key={key}>
                <td>
                  <Link href={`/memory/entities/${places[0]?.uuid}`} className="strong">
                    {name}
                  </Link>
                  {places.length === 1 ? null : (
                    <span className="row wrap gap-4 small faint">
                      in {places.length} conversations:
                      {places.map(({ uuid, createdAt }) => (
                        <Link key={uuid} href={`/memory/entities/${uuid}`} className="link">
                          <Time at={createdAt} />
                        </Link>
                      ))}
                    </span>
                  )}
                </td>
                <td className="dim">{entityType ?? '–'}</td>
                <td className="hide-small dim wide">
                  <span className="clip">
                    {places.find(({ summary }) => summary !== '')?.summary}
                  </span>
                </td>
                <td className="right num dim">
                  {countOf(places.reduce((sum, { edgeCount }) => sum + edgeCount, 0))}
                </td>
                <td className="dim">
                  <Time at={places[0]?.createdAt ?? ''} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && data.entities.totalCount > data.entities.nodes.length ? (
        <p className="pad-20 faint small">
          {plural(data.entities.totalCount - data.entities.nodes.length, 'more entity')}: search by
          name.
        </p>
      ) : null}
    </div>
  );
}
