import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import * as library from '../../packages/client/src/conversation-graph/index.ts';

// The code of document 001 as it stands, with another import alone (S1-GRAPH-01, S1-QUERY-01..05,
// S1-PROJ-01..04).

/** Runs code of the document with these values in its scope; answers what it logs. */
async function runs(code: string, scope: Readonly<Record<string, unknown>>): Promise<string[]> {
  const logged: string[] = [];
  const console = { log: (...texts: unknown[]) => logged.push(texts.join(' ')) };
  const imports: string[] = [];
  const body = code.replace(/^import \{(.+)\} from .+$/gm, (_all, names: string) => {
    imports.push(names);
    return '';
  });
  const wanted = imports
    .join()
    .split(',')
    .map((name) => name.trim());
  const imported = Object.entries(library).filter(([name]) => wanted.includes(name));
  const known = { ...Object.fromEntries(imported), ...scope, console };
  const script = stripTypeScriptTypes(`async function main() {\n${body}\n}`);
  const start = new Function(...Object.keys(known), `${script}\nreturn main();`);
  await start(...Object.values(known));
  return logged;
}

const EVENTS: readonly library.TypedRunEvent[] = [
  { type: 'user', runId: 'user-1', content: 'List files' },
  { type: 'harness_start', runId: 'agent-123', agentId: 'a', parentId: 'user-1:user' },
  { type: 'text', id: 'tc-0', runId: 'agent-123', content: 'I list ' },
  { type: 'text', id: 'tc-0', runId: 'agent-123', content: 'them.' },
  { type: 'tool_call', id: 'tc-1', runId: 'agent-123', name: 'bash', input: { command: 'ls' } },
  { type: 'tool_result', id: 'tc-1', runId: 'agent-123', name: 'bash', output: 'file1.txt' },
  { type: 'text', id: 'text-2', runId: 'agent-123', content: 'One file.' },
  { type: 'harness_end', runId: 'agent-123', agentId: 'a' },
];
const { createGraph, reduceEvent, toConversation, defaultActive } = library;
const graph = EVENTS.reduce<library.Graph>(reduceEvent, createGraph());
const conversation = toConversation(graph);
const active = defaultActive(conversation);

describe('the code of document 001', () => {
  it('builds a graph of the events of a stream', async () => {
    const orchestrator = {
      async *events() {
        yield* EVENTS;
      },
    };
    const code = `
import { createGraph, reduceEvent } from "./packages/ai/client/graph";

let graph = createGraph();

for await (const event of orchestrator.events()) {
  graph = reduceEvent(graph, event);
}

// Now graph.nodes contains all events as nodes
// and graph.edges links them
console.log(\`Graph has \${graph.nodes.size} nodes\`);
`;
    expect(await runs(code, { orchestrator })).toEqual(['Graph has 7 nodes']);
  });

  it('asks a graph by the Maps that it has', async () => {
    const code = `
function getChildren(graph: Graph, nodeId: string): Node[] {
  const childIds = graph.edges.get(nodeId) ?? [];
  return childIds.map(id => graph.nodes.get(id)!).filter(Boolean);
}

const children = getChildren(graph, "tc-1");
console.log(\`Tool call has \${children.length} children\`);

function getNodesInRun(graph: Graph, runId: string): Node[] {
  return Array.from(graph.nodes.values()).filter(n => n.runId === runId);
}

const agentNodes = getNodesInRun(graph, "agent-123");

function getText(graph: Graph, runId: string): string {
  const textNodes = Array.from(graph.nodes.values())
    .filter(n => n.runId === runId && n.kind === "text");
  return textNodes.map(n => n.content).join("");
}

const response = getText(graph, "agent-123");

function getToolCalls(graph: Graph, runId: string): Node[] {
  return Array.from(graph.nodes.values())
    .filter(n => n.runId === runId && n.kind === "tool_call");
}

const tools = getToolCalls(graph, "agent-123");
console.log(\`Agent made \${tools.length} tool calls\`);

function walkDFS(graph: Graph, startId: string, visit: (node: Node) => void) {
  const node = graph.nodes.get(startId);
  if (!node) return;

  visit(node);

  const children = graph.edges.get(startId) ?? [];
  for (const childId of children) {
    walkDFS(graph, childId, visit);
  }
}

walkDFS(graph, "user-1:user", (node) => {
  console.log(node.kind, node.id);
});
`;
    const read = 'console.log(agentNodes.length, response);';
    const logged = await runs(`${code}\n${read}`, { graph });
    expect(logged.slice(0, 2)).toEqual(['Tool call has 1 children', 'Agent made 1 tool calls']);
    expect(logged.at(-1)).toBe('6 I list them.One file.');
    const walked = logged.slice(2, -1);
    const start = ['user user-1:user', 'harness_start agent-123:harness_start'];
    expect(walked.slice(0, 2)).toEqual(start);
    expect(walked).toHaveLength(graph.nodes.size);
    const named: string[] = [];
    library.walkDFS(graph, 'user-1:user', ({ kind, id }) => named.push(`${kind} ${id}`));
    expect(named).toEqual(walked);
  });

  it('projects a thread, messages and a layout', async () => {
    const invoked: unknown[] = [];
    const agent = { invoke: async (call: unknown) => invoked.push(call) };
    const code = `
import { projectThread } from "./packages/ai/client/hypergraph/projections";
import { projectMessages } from "./packages/ai/client/hypergraph/projections";
import { projectDAG } from "./packages/ai/client/hypergraph/projections";
import { defaultActive } from "./packages/ai/client/hypergraph/active";

const active = defaultActive(conversation);
const thread = projectThread(conversation, active);

// thread is ViewNode[] with text, tool_call, tool_result blocks
thread.forEach(node => {
  console.log(\`[\${node.role}]\`, node.text);
  node.toolCalls?.forEach(tc => console.log(\`  Tool: \${tc.name}\`));
});

const messages = projectMessages(conversation, active);

// messages is Message[] ready for harness.invoke()
const response = await agent.invoke({ model: "glm-4.7", messages });

const layout = projectDAG(conversation, active);

// layout has nodes with (x, y) positions and edges for rendering
layout.nodes.forEach(n => {
  console.log(\`\${n.label} at (\${n.x}, \${n.y})\`);
});
`;
    const logged = await runs(code, { conversation, agent });
    expect(logged.slice(0, 3)).toEqual([
      '[user] List files',
      '[assistant] I list them.One file.',
      '  Tool: bash',
    ]);
    expect(logged.slice(3).every((line) => /^.+ at \(-?[\d.]+, -?[\d.]+\)$/.test(line))).toBe(true);
    expect(logged.length).toBeGreaterThan(4);
    const messages = library.projectMessages(conversation, active);
    expect(invoked).toEqual([{ model: 'glm-4.7', messages }]);
  });
});
