import { IconMessagePlus, IconMessages } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { usePages } from '../api/use-pages.ts';
import {
  type ConversationRowFragment,
  type ConversationStatus,
  ConversationsDocument,
  type ConversationsQuery,
  NewConversationDocument,
  RatedDocument,
} from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { dayName } from '../ui/format.ts';
import { MorePages } from '../ui/more-pages.tsx';
import { NameBesideIcon } from '../ui/name-beside-icon.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Empty, Loading, Problems, Unread } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { useChange } from '../ui/use-change.ts';
import { useSettled } from '../ui/use-settled.ts';
import { useFirstAnswerer } from './answerers.ts';
import { Ratings, ratedVariables } from './ratings.tsx';
import { Talk } from './talk.tsx';
import { LISTED, useConversations } from './use-conversations.ts';

const VIEWS = ['all', 'archived', 'rated'] as const;

/** The list of conversations beside the open one. */
export function Conversations({ id }: { readonly id: string | null }) {
  const [, go] = useLocation();
  const [search, setSearch] = useSearchParams();
  const view = VIEWS.find((one) => one === search.get('view')) ?? 'all';
  const [text, setText] = useState('');
  const wanted = useSettled(text.trim());
  const isPaged = view === 'archived' || wanted !== '';
  const paged = { status: view === 'archived' ? 'ARCHIVED' : 'ACTIVE', query: wanted } as const;
  // An answer that is being written has a stream of its own, and a page has two at most
  // (docs/decisions/0063).
  const [isWriting, setWriting] = useState(false);
  const { list, error, again } = useConversations(id !== null && isWriting);
  const first = useFirstAnswerer();
  const create = useChange(NewConversationDocument);
  const begin = async () => {
    const done = await create.send({
      input: { ...(first == null ? {} : { defaultProcessId: first.id }) },
    });
    const made = done?.createConversation.conversation?.id;
    if (made === undefined) return;
    again();
    go(`/conversations/${made}`);
  };
  const button = (
    <button
      type="button"
      className={id === null ? 'button primary' : 'button'}
      aria-busy={create.isSending}
      disabled={create.isSending || first === undefined}
      onClick={() => void begin()}
    >
      <IconMessagePlus size={15} className="icon" />
      {id === null ? 'New conversation' : <NameBesideIcon>New conversation</NameBesideIcon>}
    </button>
  );
  const side = (
    <nav className="talk-list hide-small" aria-label="Conversations">
      {byDay(list ?? []).map(([day, rows]) => (
        <section key={day} aria-label={`Begun ${day}`}>
          <h2 className="talk-day small dim">{day}</h2>
          {rows.map((one) => (
            <Link
              key={one.id}
              href={`/conversations/${one.id}`}
              className="talk-item"
              aria-current={one.id === id ? 'page' : undefined}
            >
              <span className="clip strong" dir="auto">
                {one.title ?? 'Untitled'}
              </span>
              <span className="faint small">
                <Time at={one.updatedAt} />
              </span>
            </Link>
          ))}
        </section>
      ))}
    </nav>
  );
  if (id !== null)
    return <Talk key={id} id={id} side={side} newButton={button} onWriting={setWriting} />;
  return (
    <Page
      title="Conversations"
      actions={
        <>
          {view === 'rated' ? null : (
            <SearchField
              label="Search conversations"
              placeholder="Search titles and messages"
              value={text}
              onSet={setText}
            />
          )}
          <CopyMenu
            document={view === 'rated' ? RatedDocument : ConversationsDocument}
            variables={
              view === 'rated' ? ratedVariables(search) : isPaged ? { ...LISTED, ...paged } : LISTED
            }
            cli="npx aiden chat"
          />
          {button}
        </>
      }
    >
      <Tabs
        label="Parts of the conversations"
        tabs={[
          { id: 'all', label: 'Conversations' },
          { id: 'archived', label: 'Archived' },
          { id: 'rated', label: 'Rated answers' },
        ]}
        chosen={view}
        onChoose={(next) => setSearch(next === 'all' ? {} : { view: next }, { replace: true })}
      />
      <div className="page-body">
        <Problems problems={create.problems} />
        {view === 'rated' ? (
          <Ratings />
        ) : isPaged ? (
          <Pages key={paged.status} {...paged} />
        ) : list === undefined ? (
          <Unread error={error} onRetry={again} />
        ) : list.length === 0 ? (
          <Empty
            icon={<IconMessages size={28} className="icon" stroke={1.5} />}
            title="No conversation yet"
            actions={button}
          >
            A conversation is a tree: every message can be edited and every answer generated again,
            and no version is lost. What is said becomes memory.
          </Empty>
        ) : (
          <Table list={list} />
        )}
      </div>
    </Page>
  );
}

const listOf = ({ conversations }: ConversationsQuery) => conversations;

/** Conversations with the status and the text, page by page. */
function Pages({ status, query }: { readonly status: ConversationStatus; readonly query: string }) {
  const pages = usePages({
    query: ConversationsDocument,
    variables: { ...LISTED, status, query },
    listOf,
  });
  const { nodes, data, error, isFormer, again } = pages;
  if (nodes === undefined) return <Unread error={error} onRetry={again} />;
  if (nodes.length === 0 && isFormer) return <Loading />;
  if (nodes.length === 0)
    return (
      <Empty
        icon={<IconMessages size={28} className="icon" stroke={1.5} />}
        title={query === '' ? 'No archived conversation' : `No conversation has “${query}”`}
      >
        {query === ''
          ? 'The page of a conversation archives it. Its memories stay.'
          : 'Titles and messages are searched for exactly this text. Memory searches by meaning.'}
      </Empty>
    );
  return (
    <>
      <Table list={nodes} />
      <MorePages
        pages={pages}
        noun="conversation"
        shown={nodes.length}
        total={data?.conversations.totalCount}
      />
    </>
  );
}

/** Conversations by the days on which they began, by which the API orders them. */
function byDay(list: readonly ConversationRowFragment[]) {
  return [
    ...Map.groupBy(list, ({ createdAt }) => dayName(Date.parse(createdAt), Date.now())),
  ] as const;
}

/** Conversations under the days on which they began. */
function Table({ list }: { readonly list: readonly ConversationRowFragment[] }) {
  const [, go] = useLocation();
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Title</th>
          <th>Last change</th>
          <th className="hide-small">Begun</th>
        </tr>
      </thead>
      {byDay(list).map(([day, rows]) => (
        <tbody key={day}>
          <tr>
            <th scope="rowgroup" colSpan={3} className="small dim">
              Begun {day}
            </th>
          </tr>
          {rows.map((one) => (
            <tr key={one.id} className="clickable" onClick={() => go(`/conversations/${one.id}`)}>
              <td>
                <Link href={`/conversations/${one.id}`} className="strong">
                  {one.title ?? 'Untitled'}
                </Link>
              </td>
              <td className="dim">
                <Time at={one.updatedAt} />
              </td>
              <td className="dim hide-small">
                <Time at={one.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
