import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import type { Property } from './lift.ts';

/** An event as the layers are made of it. `data` is empty where the payload lies in the blob store. */
export interface LayerEvent {
  readonly nodeId: string;
  readonly name: string;
  readonly at: string;
  /** The ToolCall's node, for a tool's lifecycle. */
  readonly toolCall: string | null;
  /** Lifted fields first, so that they are there where data is a preview. */
  readonly data: JsonObject;
}

export const LAYER_LABELS = [
  'OrchestratorRun',
  'Iteration',
  'ContentBlock',
  'Prompt',
  'Delegation',
  'Agent',
  'SkillLoad',
  'RecipeRun',
  'RecipeStep',
  'Recipe',
] as const;
export type LayerLabel = (typeof LAYER_LABELS)[number];
export type LayerEdgeType =
  | 'HAS_EXECUTION'
  | 'HAS_PART'
  | 'HAS_TOOL_CALL'
  | 'TRIGGERED'
  | 'SOURCED_FROM'
  | 'HAS_AGENT'
  | 'ENCOMPASSES'
  | 'HAS_SKILL_LOAD'
  | 'HAS_RECIPE_RUN'
  | 'HAS_STEP'
  | 'HAS_RECIPE';

export interface LayerNode {
  readonly id: string;
  readonly label: LayerLabel;
  readonly props: Record<string, Property>;
}
/** Where an edge begins or ends: a node of these layers, or one of the raw graph. */
export interface LayerEnd {
  readonly kind: 'layer' | 'session' | 'call' | 'event';
  readonly id: string;
}
export interface LayerEdge {
  readonly from: LayerEnd;
  readonly type: LayerEdgeType;
  readonly to: LayerEnd;
}
export interface Layers {
  readonly nodes: readonly LayerNode[];
  readonly edges: readonly LayerEdge[];
}

interface Execution {
  readonly node: LayerNode;
  iteration: LayerNode | null;
  iterations: number;
  isOpen: boolean;
}
interface RecipeState {
  readonly node: LayerNode;
  step: LayerNode | null;
  steps: number;
}

const TEXT_CHARS_MAX = 1_000;
const BLOCKS_MAX = 200;

/**
 * The kernel and foundation layers of one session (S0-LAYER-01), from its raw events alone: events in the order of their times,
 * ids made of theirs, so that the same events always give the same layers. docs/raw-session-graph.md says what each node is.
 * @param sharedBy begins the ids of what several sessions share (agents, recipes): whose they are
 */
export function deriveLayers(
  sessionId: string,
  sharedBy: string,
  events: readonly LayerEvent[],
): Layers {
  const nodes = new Map<string, LayerNode>();
  const edges = new Map<string, LayerEdge>();
  const executions = new Map<string, Execution>();
  const recipes = new Map<string, RecipeState>();
  const delegations = new Map<string, LayerNode>();
  let lastExecution: Execution | null = null;
  let prompt: LayerNode | null = null;

  const session: LayerEnd = { kind: 'session', id: sessionId };
  const layer = ({ id }: LayerNode): LayerEnd => ({ kind: 'layer', id });
  const link = (from: LayerEnd, type: LayerEdgeType, to: LayerEnd) =>
    edges.set(`${from.id}\n${type}\n${to.id}`, { from, type, to });
  const add = (
    id: string,
    label: LayerLabel,
    props: Record<string, Property | null>,
  ): LayerNode => {
    const known = nodes.get(id);
    if (known !== undefined) return known;
    const given = Object.entries(props).filter(([, value]) => value !== null);
    const node = { id, label, props: Object.fromEntries(given) as Record<string, Property> };
    nodes.set(id, node);
    return node;
  };
  const source = (node: LayerNode, event: LayerEvent) =>
    link(layer(node), 'SOURCED_FROM', { kind: 'event', id: event.nodeId });
  const shared = (label: 'Agent' | 'Recipe', name: string) =>
    add(`${sharedBy}__${label.toLowerCase()}__${name}`, label, { name });

  /** The execution that an event names by its run_id, else the one that is open. */
  function executionOf({ data }: LayerEvent): Execution | null {
    const named = text(data, 'run_id');
    if (named !== null) return executions.get(named) ?? null;
    return lastExecution?.isOpen === true ? lastExecution : null;
  }

  function begin(event: LayerEvent): void {
    const key = text(event.data, 'run_id') ?? event.nodeId;
    const node = add(
      `${sessionId}__orchestrator_run__${ms(event)}${suffix(event)}`,
      'OrchestratorRun',
      {
        started_at: event.at,
        run_id: text(event.data, 'run_id'),
      },
    );
    lastExecution = { node, iteration: null, iterations: 0, isOpen: true };
    executions.set(key, lastExecution);
    link(session, 'HAS_EXECUTION', layer(node));
    source(node, event);
    // Who names no run asked before it began.
    if (prompt !== null && text(event.data, 'run_id') === null) triggers(prompt, node);
  }

  function triggers(asked: LayerNode, run: LayerNode): void {
    link(layer(asked), 'TRIGGERED', layer(run));
    prompt = null;
  }

  function end(event: LayerEvent): void {
    const execution =
      executionOf(event) ?? (event.name === 'orchestrator:complete' ? lastExecution : null);
    if (execution === null) return;
    execution.isOpen = false;
    const { props } = execution.node;
    props['ended_at'] = event.at;
    const status = text(event.data, 'status');
    if (status !== null) props['status'] = status;
    source(execution.node, event);
  }

  function submit(event: LayerEvent): void {
    prompt = add(`${sessionId}__prompt__${ms(event)}${suffix(event)}`, 'Prompt', {
      text: shortText(event.data['prompt']),
      submitted_at: event.at,
    });
    source(prompt, event);
    const execution = executionOf(event);
    if (execution !== null) triggers(prompt, execution.node);
  }

  function request(event: LayerEvent): void {
    const execution = executionOf(event);
    if (execution === null) return;
    const current = execution.iteration;
    // provider:request and llm:request of one call are one iteration.
    const goesOn =
      current !== null &&
      !('ended_at' in current.props) &&
      event.name === 'llm:request' &&
      !('model_requested' in current.props) &&
      text(event.data, 'tool_call_id') === null;
    const node = goesOn
      ? current
      : add(`${execution.node.id}__iteration__${++execution.iterations}`, 'Iteration', {
          number: execution.iterations,
          started_at: event.at,
          call_id: text(event.data, 'tool_call_id'),
        });
    if (event.name === 'llm:request') node.props['model_requested'] = true;
    for (const key of ['model', 'provider']) {
      const value = text(event.data, key);
      if (value !== null) node.props[key] = value;
    }
    execution.iteration = node;
    link(layer(execution.node), 'HAS_PART', layer(node));
    source(node, event);
  }

  function respond(event: LayerEvent): void {
    const execution = executionOf(event);
    const callId = text(event.data, 'tool_call_id');
    const named =
      callId === null
        ? undefined
        : [...nodes.values()].find(
            ({ label, props }) => label === 'Iteration' && props['call_id'] === callId,
          );
    const node = named ?? execution?.iteration ?? null;
    if (node === null) return;
    node.props['ended_at'] = event.at;
    source(node, event);
    for (const [index, block] of blocksOf(event.data).entries()) {
      const content = add(`${node.id}__block__${index + 1}`, 'ContentBlock', {
        number: index + 1,
        type: block.type,
        text: block.text,
      });
      link(layer(node), 'HAS_PART', layer(content));
      source(content, event);
    }
  }

  function call(event: LayerEvent): void {
    const execution = executionOf(event);
    if (execution === null || event.toolCall === null) return;
    const owner = execution.iteration ?? execution.node;
    link(layer(owner), 'HAS_TOOL_CALL', { kind: 'call', id: event.toolCall });
  }

  function delegate(event: LayerEvent): void {
    const { data } = event;
    const callId = text(data, 'tool_call_id');
    const child = text(data, 'sub_session_id');
    const keys = [callId, child].filter((key) => key !== null);
    const known = keys.map((key) => delegations.get(key)).find((one) => one !== undefined);
    const node =
      known ??
      add(`${sessionId}__delegation__${callId ?? child ?? ms(event)}`, 'Delegation', {
        started_at: event.at,
      });
    for (const key of keys) delegations.set(key, node);
    const agent = text(data, 'agent');
    if (agent !== null) {
      node.props['agent'] = agent;
      link(layer(node), 'HAS_AGENT', layer(shared('Agent', agent)));
    }
    if (child !== null) {
      node.props['sub_session_id'] = child;
      link(layer(node), 'ENCOMPASSES', { kind: 'session', id: child });
    }
    if (callId !== null)
      link({ kind: 'call', id: `${sessionId}__tool_call__${callId}` }, 'TRIGGERED', layer(node));
    if (event.name === 'delegate:complete') node.props['ended_at'] = event.at;
    source(node, event);
  }

  function load(event: LayerEvent): void {
    const node = add(
      `${sessionId}__skill_load__${ms(event)}__${text(event.data, 'skill_name') ?? ''}`,
      'SkillLoad',
      {
        skill_name: text(event.data, 'skill_name'),
        skill_directory: text(event.data, 'skill_directory'),
        loaded_at: event.at,
      },
    );
    link(session, 'HAS_SKILL_LOAD', layer(node));
    source(node, event);
  }

  /** The run of a recipe that an event names by run_id or recipe_name, else the one begun last. */
  function recipeOf({ data }: LayerEvent): RecipeState | null {
    const runId = text(data, 'run_id');
    if (runId !== null) return recipes.get(runId) ?? null;
    const name = text(data, 'recipe_name');
    const all = [...recipes.values()].reverse();
    return all.find(({ node }) => name === null || node.props['recipe_name'] === name) ?? null;
  }

  function recipe(event: LayerEvent): void {
    const { name, data } = event;
    const status = text(data, 'status');
    if (name === 'recipe:start') {
      const recipeName = text(data, 'recipe_name') ?? 'recipe';
      const node = add(`${sessionId}__recipe_run__${ms(event)}${suffix(event)}`, 'RecipeRun', {
        recipe_name: recipeName,
        started_at: event.at,
        total_steps: typeof data['total_steps'] === 'number' ? data['total_steps'] : null,
      });
      recipes.set(text(data, 'run_id') ?? node.id, { node, step: null, steps: 0 });
      link(session, 'HAS_RECIPE_RUN', layer(node));
      link(layer(node), 'HAS_RECIPE', layer(shared('Recipe', recipeName)));
    }
    const state = recipeOf(event);
    if (state === null) return;
    if (status !== null) state.node.props['status'] = status;
    if (name === 'recipe:complete') state.node.props['ended_at'] = event.at;
    if (name === 'recipe:step') {
      state.step = add(`${state.node.id}__step__${++state.steps}`, 'RecipeStep', {
        number: state.steps,
        step_id: text(data, 'step_id') ?? text(data, 'current_step'),
        description: shortText(data['description']),
        started_at: event.at,
        iterations: 0,
      });
      link(layer(state.node), 'HAS_STEP', layer(state.step));
    }
    if (name === 'recipe:loop_iteration' && state.step !== null)
      state.step.props['iterations'] = Number(state.step.props['iterations']) + 1;
    source(
      name === 'recipe:step' || name === 'recipe:loop_iteration'
        ? (state.step ?? state.node)
        : state.node,
      event,
    );
  }

  const handlers: Readonly<Record<string, (event: LayerEvent) => void>> = {
    'execution:start': begin,
    'execution:end': end,
    'orchestrator:complete': end,
    'prompt:submit': submit,
    'provider:request': request,
    'llm:request': request,
    'provider:response': () => {},
    'llm:response': respond,
    'tool:pre': call,
    'delegate:start': delegate,
    'delegate:agent_spawned': delegate,
    'delegate:complete': delegate,
    'skill:load': load,
    'recipe:start': recipe,
    'recipe:step': recipe,
    'recipe:loop_iteration': recipe,
    'recipe:complete': recipe,
  };
  for (const event of [...events].sort(byTime)) handlers[event.name]?.(event);
  for (const { props } of nodes.values()) delete props['model_requested'];
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** The names that `deriveLayers` reads; all others mean nothing to it. */
export const LAYER_EVENT_NAMES = [
  'execution:start',
  'execution:end',
  'orchestrator:complete',
  'prompt:submit',
  'provider:request',
  'llm:request',
  'llm:response',
  'tool:pre',
  'delegate:start',
  'delegate:agent_spawned',
  'delegate:complete',
  'skill:load',
  'recipe:start',
  'recipe:step',
  'recipe:loop_iteration',
  'recipe:complete',
] as const;

// Within one millisecond what begins comes before what it holds.
const RANK: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'execution:start',
    'recipe:start',
    'prompt:submit',
    'recipe:step',
    'provider:request',
    'llm:request',
  ].map((name, rank) => [name, rank - 10]),
);
const LAST = ['recipe:complete', 'execution:end', 'orchestrator:complete'];

function byTime(left: LayerEvent, right: LayerEvent): number {
  if (left.at !== right.at) return left.at < right.at ? -1 : 1;
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  return left.nodeId < right.nodeId ? -1 : left.nodeId > right.nodeId ? 1 : 0;
}

function rankOf({ name }: LayerEvent): number {
  return RANK[name] ?? LAST.indexOf(name) + 1;
}

function ms({ at }: LayerEvent): number {
  return Date.parse(at);
}

/** Tells runs apart that begin within one millisecond. */
function suffix({ data }: LayerEvent): string {
  const runId = text(data, 'run_id');
  return runId === null ? '' : `__${runId}`;
}

function text(data: JsonObject, key: string): string | null {
  const value = data[key];
  return typeof value === 'string' && value !== '' ? value.slice(0, TEXT_CHARS_MAX) : null;
}

function shortText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, TEXT_CHARS_MAX);
}

/** The blocks of a model's answer: `content` as a list of blocks or a text, else what stands in `result` or `text`. */
function blocksOf(data: JsonObject): { type: string; text: string | null }[] {
  const content = data['content'] ?? data['result'] ?? data['text'] ?? data['response_preview'];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [{ type: 'text', text: shortText(content) }];
  return content.slice(0, BLOCKS_MAX).map((block) => {
    const type = isJsonObject(block) ? text(block, 'type') : null;
    return {
      type: type ?? 'text',
      text: shortText(isJsonObject(block) ? (block['text'] ?? block) : block),
    };
  });
}
