import { useEffect } from 'react';
import { usePages } from '../api/use-pages.ts';
import {
  type ConversationQuery,
  ConversationTurnsDocument,
  type ConversationTurnsQuery,
  ShowVersionDocument,
} from '../generated/documents.ts';
import { firstLine } from '../ui/format.ts';
import { MorePages } from '../ui/more-pages.tsx';
import { Problems, Unread } from '../ui/states.tsx';
import { useChange } from '../ui/use-change.ts';
import { staleFrom, versionOf } from './stale-part.tsx';

type Conversation = NonNullable<ConversationQuery['conversation']>;
type Turns = NonNullable<ConversationTurnsQuery['conversation']>['turns'];
type TreeTurn = Turns['nodes'][number];

const turnsOf = ({ conversation }: ConversationTurnsQuery) => conversation?.turns;

/** Every version of every turn, indented by the version that it follows. */
export function TurnTree({
  conversation,
  at,
  onShown,
}: {
  readonly conversation: Conversation;
  /** Changes when the conversation does. */
  readonly at: string;
  /** Called when another version is the one to continue from. */
  readonly onShown: () => void;
}) {
  const show = useChange(ShowVersionDocument);
  const pages = usePages({
    query: ConversationTurnsDocument,
    variables: { id: conversation.id },
    listOf: turnsOf,
  });
  const { data, nodes: turns, error, again } = pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the conversation changes
  useEffect(() => again(), [at]);
  if (turns === undefined) return <Unread error={error} onRetry={again} />;
  const path = conversation.activePath;
  const valid = new Set(path.slice(0, staleFrom(path)).map((turn) => versionOf(turn)?.id));
  const byVersion = Map.groupBy(turns, ({ viaAlternative }) => viaAlternative?.id ?? null);
  const byParent = Map.groupBy(turns, ({ parent }) => parent?.id ?? null);

  const rows = (turn: TreeTurn, depth: number): React.ReactNode => (
    <li key={turn.id}>
      {turn.alternatives.map((version) => (
        <div key={version.id}>
          <button
            type="button"
            className={`tree-row${valid.has(version.id) ? ' active' : ''}`}
            style={{ paddingLeft: 12 + Math.min(depth, 12) * 14 }}
            disabled={valid.has(version.id) || show.isSending}
            aria-current={valid.has(version.id) ? 'true' : undefined}
            onClick={async () => {
              const input = { id: version.id, wholePath: true };
              if ((await show.send({ input })) !== null) onShown();
            }}
          >
            <span className="tag">
              {turn.speaker === 'AGENT' ? 'agent' : turn.speaker.toLowerCase()}
            </span>
            <span className="clip">{firstLine(version.content, 80) || '…'}</span>
            {version.cacheStatus === 'STALE' ? <span className="tag">stale</span> : null}
          </button>
          <ul>{(byVersion.get(version.id) ?? []).map((child) => rows(child, depth + 1))}</ul>
        </div>
      ))}
      <ul>
        {(byParent.get(turn.id) ?? [])
          .filter(({ viaAlternative }) => viaAlternative == null)
          .map((child) => rows(child, depth + 1))}
      </ul>
    </li>
  );

  return (
    <div className="panel-body col">
      <h2>Tree of turns</h2>
      <p className="dim small">Choose a version to continue from it. The others stay.</p>
      <Problems problems={show.problems} />
      <ul className="tree">
        {turns.filter(({ parent }) => parent == null).map((turn) => rows(turn, 0))}
      </ul>
      <MorePages
        pages={pages}
        noun="turn"
        shown={turns.length}
        total={data?.conversation?.turns.totalCount}
      />
    </div>
  );
}
