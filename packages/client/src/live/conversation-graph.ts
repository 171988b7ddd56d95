import type { Active } from '../conversation-graph/active.ts';
import type { Feed, FeedOptions } from '../conversation-graph/follow.ts';
import {
  eventsOfAlternative,
  type ToldAlternative,
} from '../conversation-graph/from-conversation.ts';
import { createGraph, type Graph } from '../conversation-graph/graph.ts';
import { reduceEvent } from '../conversation-graph/reduce-event.ts';
import type { Resumed, ResumeOptions } from '../conversation-graph/resume.ts';
import type { RunEvent } from '../conversation-graph/run-event.ts';
import { Selection } from '../conversation-graph/selection.ts';
import type { ConversationEvent } from './subscription.ts';

/** The two subscriptions that a conversation's graph is built from. */
export interface ConversationSource {
  followRun(runId: string, options?: FeedOptions): Feed;
  followConversation(conversationId: string, options?: ResumeOptions<ConversationEvent>): Resumed;
}

export interface ConversationFeed {
  /** The graph so far: all messages of all branches, with the runs that answer. */
  readonly graph: Graph;
  /** The versions that the server shows, for the projections: the path that a model receives. */
  readonly active: Active;
  /** Resolves after `close`; rejects if a subscription was refused. */
  readonly done: Promise<void>;
  close(): void;
}

/** Runs whose events are read at the same time; the others wait. */
const RUNS_AT_ONCE = 6;

/**
 * Builds the graph of a whole conversation from `conversationEvents` and `runEvents` alone, and
 * keeps it up to date until `close`. Each message of a user is a node that the answer has as its
 * parent. `active` follows every switch of a version, by whichever client.
 */
export function followConversationGraph(
  source: ConversationSource,
  conversationId: string,
  { onGraph }: { readonly onGraph?: (graph: Graph, active: Active) => void } = {},
): ConversationFeed {
  let graph = createGraph();
  const selection = new Selection();
  const told = new Set<string>();
  const waiting: string[] = [];
  const open = new Set<Feed>();
  let isClosed = false;
  let fail = (_error: unknown): void => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });

  const add = (event: RunEvent) => {
    graph = reduceEvent(graph, event);
    onGraph?.(graph, selection.active);
  };
  const startNext = () => {
    while (!isClosed && open.size < RUNS_AT_ONCE) {
      const runId = waiting.shift();
      if (runId === undefined) return;
      const feed = source.followRun(runId, { onEvent: add });
      open.add(feed);
      const end = () => {
        open.delete(feed);
        startNext();
      };
      feed.done.then(end, (error) => {
        fail(error);
        end();
      });
    }
  };
  const tell = (alternative: ToldAlternative) => {
    if (told.has(alternative.id)) return;
    told.add(alternative.id);
    for (const event of eventsOfAlternative(alternative)) add(event);
    if (alternative.run !== null) waiting.push(alternative.run.id);
    startNext();
  };

  const conversation = source.followConversation(conversationId, {
    onEvent(event) {
      if (event.__typename === 'TurnAdded') {
        selection.tellTurn(event.turn.alternatives);
        event.turn.alternatives.forEach(tell);
      }
      if (event.__typename === 'AlternativeAdded') {
        selection.tell(event.alternative);
        tell(event.alternative);
      }
      if (event.__typename === 'AlternativeActivated') {
        selection.activate(event.alternative);
        onGraph?.(graph, selection.active);
      }
    },
  });
  const done = Promise.race([conversation.done, failed]);
  // Without this handler, a caller that does not await `done` would get an unhandled rejection.
  done.catch(() => {});
  return {
    get graph() {
      return graph;
    },
    get active() {
      return selection.active;
    },
    done,
    close() {
      isClosed = true;
      conversation.close();
      for (const feed of open) feed.close();
    },
  };
}
