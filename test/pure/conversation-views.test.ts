import { describe, expect, it } from 'vitest';
import {
  activate,
  activePath,
  branchFrom,
  createGraph,
  defaultActive,
  editMessage,
  type Graph,
  projectDAG,
  projectMessages,
  projectThread,
  type RunEvent,
  reduceEvent,
  toConversation,
} from '../../packages/client/src/conversation-graph/index.ts';
import { asks, calls, ends, gives, says, starts, usage } from '../testkit/graph-events.ts';

const fold = (events: readonly RunEvent[], from: Graph = createGraph()): Graph =>
  events.reduce(reduceEvent, from);

/**
 * A question; an agent that thinks, says, calls a subagent and a tool, and answers; a second
 * question.
 */
const TALK: readonly RunEvent[] = [
  { kind: 'user', runId: 'u1', content: 'Find X' },
  starts('a1', 'u1:user', 'main'),
  { kind: 'reasoning', id: 'why', runId: 'a1', content: 'hm' },
  says('t1', 'a1', 'I search.'),
  calls('tc1', 'a1', 'agent', { task: 'X' }),
  starts('a2', 'tc1', 'searcher'),
  calls('tc2', 'a2', 'bash', 'grep'),
  gives('tc2', 'a2', 'bash', 'x.txt'),
  says('t2', 'a2', 'Found.'),
  ends('a2', 'searcher'),
  gives('tc1', 'a1', 'agent', 'x.txt'),
  calls('tc3', 'a1', 'read', 'x.txt'),
  { kind: 'tool_progress', runId: 'a1', toolCallId: 'tc3', name: 'read', content: '50 %' },
  gives('tc3', 'a1', 'read', 'X!'),
  usage('a1', 5, 7),
  says('t3', 'a1', 'X is there.'),
  ends('a1', 'main'),
  {
    kind: 'user',
    runId: 'u2',
    parentId: 'a1:harness_end',
    content: [{ type: 'text', text: 'Thanks' }, { type: 'image' }],
  },
];
const talk = toConversation(fold(TALK));
const active = defaultActive(talk);

describe('the hypergraph of a conversation', () => {
  it('has three tiers: chunks, the blocks of one run each, and messages (S1-HYPER-01)', () => {
    expect([...talk.chunks.keys()]).toEqual([
      ...'u1:user why t1 tc1 tc2 tc2:result t2 tc1:result tc3 tc3:progress:1'.split(' '),
      ...'tc3:result t3 u2:user'.split(' '),
    ]);
    expect([...talk.blocks.keys()]).toEqual(['u1', 'a1', 'a2', 'u2']);
    expect(talk.blocks.get('a2')).toMatchObject({
      agentId: 'searcher',
      parentChunkId: 'tc1',
      status: 'ended',
    });
    expect([...talk.messages.values()].map(({ id, role }) => `${id} ${role}`)).toEqual([
      'u1 user',
      'a1 assistant',
      'u2 user',
    ]);
  });

  it('joins them by hyperedges (S1-HYPER-02)', () => {
    expect(talk.hyperedges).toContainEqual({
      kind: 'chunk_to_block',
      from: ['tc2', 'tc2:result', 't2'],
      to: 'a2',
    });
    expect(talk.hyperedges).toContainEqual({
      kind: 'block_to_message',
      from: ['a1', 'a2'],
      to: 'a1',
    });
    expect(talk.hyperedges.filter(({ kind }) => kind === 'parent_message')).toEqual([
      { kind: 'parent_message', from: ['a1'], to: 'u1' },
      { kind: 'parent_message', from: ['u2'], to: 'a1' },
    ]);
  });

  it('leaves the flat graph as it is (S1-HYPER-04)', () => {
    expect(talk.graph.nodes.size).toBe(fold(TALK).nodes.size);
  });
});

describe('the thread on screen (S1-PROJ-01)', () => {
  it('is the messages in order, with text, answered calls, and subagents below them', () => {
    const thread = projectThread(talk, active);
    expect(thread.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Find X'],
      ['assistant', 'I search.X is there.'],
      ['user', 'Thanks'],
    ]);
    const [, answer] = thread;
    expect(answer).toMatchObject({
      reasoning: 'hm',
      status: 'ended',
      usage: { inputTokens: 5, outputTokens: 7 },
    });
    expect(answer?.blocks.map(({ kind }) => kind)).toEqual(
      'reasoning text tool_call tool_result tool_call tool_result text'.split(' '),
    );
    expect(answer?.toolCalls).toMatchObject([
      {
        id: 'tc1',
        name: 'agent',
        output: 'x.txt',
        status: 'done',
        children: [{ id: 'a2', text: 'Found.' }],
      },
      { id: 'tc3', name: 'read', progress: '50 %', status: 'done' },
    ]);
    expect(answer?.children?.map(({ id }) => id)).toEqual(['a2']);
  });

  it('hides reasoning and subagents, collapses or hides calls when asked (S1-HYPER-03)', () => {
    const [, answer] = projectThread(talk, active, {
      reasoning: 'hide',
      toolCalls: 'collapse',
      subagents: 'hide',
    });
    expect(answer).not.toHaveProperty('reasoning');
    expect(answer).not.toHaveProperty('children');
    expect(answer?.blocks).toEqual([
      { kind: 'text', id: 't1', text: 'I search.' },
      { kind: 'tool_calls', id: 'tc1', names: ['agent', 'read'], running: 0 },
      { kind: 'text', id: 't3', text: 'X is there.' },
    ]);
    const [, bare] = projectThread(talk, active, { toolCalls: 'hide' });
    expect(bare?.blocks.map(({ kind }) => kind)).toEqual(['reasoning', 'text', 'text']);
  });

  it('shows open calls: a running one, one that waits for a person, a failure', () => {
    const graph = fold([
      calls('c1', 'a', 'slow', 1),
      calls('c2', 'a', 'pay', 2),
      asks('r', 'a', 'c2', 'pay'),
    ]);
    const open = toConversation(graph);
    expect(projectThread(open, defaultActive(open))).toMatchObject([
      { status: 'running', toolCalls: [{ status: 'running' }, { status: 'waiting' }] },
    ]);
    const end: RunEvent[] = [{ kind: 'error', runId: 'a', message: 'no' }, ends('a')];
    const failed = toConversation(fold(end, graph));
    expect(projectThread(failed, defaultActive(failed))).toMatchObject([
      { status: 'failed', blocks: [{}, {}, { kind: 'error', message: 'no' }] },
    ]);
  });
});

describe('the messages for a harness (S1-PROJ-02)', () => {
  it('alternate messages and calls with the answers, without reasoning and subagents', () => {
    expect(projectMessages(talk, active)).toEqual([
      { role: 'user', content: 'Find X' },
      {
        role: 'assistant',
        content: 'I search.',
        toolCalls: [{ id: 'tc1', name: 'agent', input: { task: 'X' } }],
      },
      { role: 'tool', toolCallId: 'tc1', name: 'agent', content: 'x.txt' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'tc3', name: 'read', input: 'x.txt' }] },
      { role: 'tool', toolCallId: 'tc3', name: 'read', content: 'X!' },
      { role: 'assistant', content: 'X is there.' },
      { role: 'user', content: [{ type: 'text', text: 'Thanks' }, { type: 'image' }] },
    ]);
  });

  it('leave out a call that was never answered', () => {
    const open = toConversation(
      fold(TALK.filter((event) => !(event.kind === 'tool_result' && event.id === 'tc3'))),
    );
    const calls = projectMessages(open, defaultActive(open)).flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    );
    expect(calls.map(({ id }) => id)).toEqual(['tc1']);
  });

  it('keep parallel calls together, whatever order their answers came in', () => {
    const parallel = toConversation(
      fold([
        calls('p', 'a', 'p', 1),
        calls('q', 'a', 'q', 2),
        gives('q', 'a', 'q', 2),
        gives('p', 'a', 'p', 1),
        says('t', 'a', 'done'),
      ]),
    );
    const roles = projectMessages(parallel, defaultActive(parallel)).map(({ role }) => role);
    expect(roles.join(' ')).toBe('assistant tool tool assistant');
  });
});

describe('editing and branching (S1-HYPER-03)', () => {
  const edited = editMessage(talk, { messageId: 'u2', runId: 'u3', content: 'And Y?' });
  const after = toConversation(edited?.graph ?? createGraph());

  it('make an edit a sibling, on screen at once, the old one a switch away (S1-PROJ-04)', () => {
    expect(after.replies.get('a1')).toEqual(['u2', 'u3']);
    const newest = defaultActive(after);
    expect(activePath(after, newest)).toEqual(['u1', 'a1', 'u3']);
    expect(activePath(after, activate(after, newest, 'u2'))).toEqual(['u1', 'a1', 'u2']);
    expect(projectThread(after, newest).at(-1)?.versions).toEqual({ ids: ['u2', 'u3'], index: 1 });
    expect(edited?.event).toEqual({
      kind: 'user',
      runId: 'u3',
      content: 'And Y?',
      parentId: 'a1:harness_end',
    });
  });

  it('make a branch a reply to the message it leaves from', () => {
    const branched = branchFrom(after, { messageId: 'u1', runId: 'u4', content: 'wait' });
    const conversation = toConversation(branched?.graph ?? createGraph());
    expect(conversation.messages.get('u4')).toMatchObject({ parentId: 'u1', role: 'user' });
    expect(activePath(conversation, defaultActive(conversation))).toEqual(['u1', 'u4']);
  });

  it('let the first message be edited too', () => {
    const first = editMessage(talk, { messageId: 'u1', runId: 'u0', content: 'Find Z' });
    const conversation = toConversation(first?.graph ?? createGraph());
    expect(conversation.replies.get(null)).toEqual(['u1', 'u0']);
    expect(activePath(conversation, defaultActive(conversation))).toEqual(['u0']);
  });

  it('know nothing of messages that are not there', () => {
    expect(editMessage(talk, { messageId: 'x', runId: 'y', content: '' })).toBeNull();
    expect(branchFrom(talk, { messageId: 'x', runId: 'y', content: '' })).toBeNull();
    expect(activePath(talk, activate(talk, active, 'x'))).toEqual(['u1', 'a1', 'u2']);
  });
});

describe('the layout (S1-PROJ-03)', () => {
  it.each(['chunks', 'blocks', 'messages'] as const)(
    'places every one of the %s, parents above children, none over another',
    (tier) => {
      const { nodes, edges, width, height } = projectDAG(talk, active, { tier });
      expect(nodes.map(({ id }) => id)).toEqual([...talk[tier].keys()]);
      const at = new Map(nodes.map((node) => [node.id, node]));
      for (const { from, to } of edges) expect(at.get(from)?.y).toBeLessThan(at.get(to)?.y ?? 0);
      expect(edges).toHaveLength(nodes.length - 1);
      expect(new Set(nodes.map(({ x, y }) => `${x},${y}`)).size).toBe(nodes.length);
      for (const { x, y } of nodes)
        expect(x >= 0 && x <= width && y >= 0 && y <= height).toBe(true);
    },
  );

  it('labels nodes and tells which are on screen', () => {
    const edited = editMessage(talk, { messageId: 'u2', runId: 'u3', content: 'And Y?' });
    const conversation = toConversation(edited?.graph ?? createGraph());
    const { nodes } = projectDAG(conversation, defaultActive(conversation), {
      tier: 'messages',
      direction: 'right',
    });
    expect(nodes.map(({ label, isActive }) => [label, isActive])).toEqual([
      ['Find X', true],
      ['I search.', true],
      ['Thanks', false],
      ['And Y?', true],
    ]);
  });

  it('is empty for an empty conversation', () => {
    const empty = toConversation(createGraph());
    const nothing = { nodes: [], edges: [], width: 0, height: 0 };
    expect(projectDAG(empty, defaultActive(empty))).toEqual(nothing);
    expect(projectThread(empty, defaultActive(empty))).toEqual([]);
  });
});
