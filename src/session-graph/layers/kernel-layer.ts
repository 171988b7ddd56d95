import { isJsonObject, type JsonObject } from '../../common/json.ts';
import {
  epochMsOf,
  type LayerDraft,
  type LayerEnd,
  type LayerEvent,
  type LayerHandlers,
  type LayerNode,
  layerEnd,
  runSuffix,
  shortText,
  textOf,
} from './layer.ts';

interface Execution {
  readonly node: LayerNode;
  iteration: LayerNode | null;
  iterations: number;
  isOpen: boolean;
}

const BLOCKS_MAX = 200;

/** Handlers for OrchestratorRun, Iteration, ContentBlock and Prompt nodes. */
export function kernelLayer({ sessionId, add, link, source }: LayerDraft): LayerHandlers {
  const executions = new Map<string, Execution>();
  const iterationOfCall = new Map<string, LayerNode>();
  const requested = new Set<LayerNode>();
  let lastExecution: Execution | null = null;
  let prompt: LayerNode | null = null;
  const session: LayerEnd = { kind: 'session', id: sessionId };

  /** The execution that an event names by run_id, else the latest one if it is open. */
  function executionOf({ data }: LayerEvent): Execution | null {
    const named = textOf(data, 'run_id');
    if (named !== null) return executions.get(named) ?? null;
    return lastExecution?.isOpen === true ? lastExecution : null;
  }

  function begin(event: LayerEvent): void {
    const key = textOf(event.data, 'run_id') ?? event.nodeId;
    const node = add(
      `${sessionId}__orchestrator_run__${epochMsOf(event)}${runSuffix(event)}`,
      'OrchestratorRun',
      {
        started_at: event.at,
        run_id: textOf(event.data, 'run_id'),
      },
    );
    lastExecution = { node, iteration: null, iterations: 0, isOpen: true };
    executions.set(key, lastExecution);
    link(session, 'HAS_EXECUTION', layerEnd(node));
    source(node, event);
    // An execution without a run_id was triggered by the prompt before it.
    if (prompt !== null && textOf(event.data, 'run_id') === null) triggers(prompt, node);
  }

  function triggers(asked: LayerNode, run: LayerNode): void {
    link(layerEnd(asked), 'TRIGGERED', layerEnd(run));
    prompt = null;
  }

  function end(event: LayerEvent): void {
    const execution =
      executionOf(event) ?? (event.name === 'orchestrator:complete' ? lastExecution : null);
    if (execution === null) return;
    execution.isOpen = false;
    const { props } = execution.node;
    props['ended_at'] = event.at;
    const status = textOf(event.data, 'status');
    if (status !== null) props['status'] = status;
    source(execution.node, event);
  }

  function submit(event: LayerEvent): void {
    prompt = add(`${sessionId}__prompt__${epochMsOf(event)}${runSuffix(event)}`, 'Prompt', {
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
    const callId = textOf(event.data, 'tool_call_id');
    // provider:request and the llm:request after it are one iteration.
    const isSameIteration =
      current !== null &&
      !('ended_at' in current.props) &&
      event.name === 'llm:request' &&
      !requested.has(current) &&
      callId === null;
    const node = isSameIteration
      ? current
      : add(`${execution.node.id}__iteration__${++execution.iterations}`, 'Iteration', {
          number: execution.iterations,
          started_at: event.at,
          call_id: callId,
        });
    if (event.name === 'llm:request') requested.add(node);
    if (callId !== null) iterationOfCall.set(callId, node);
    for (const key of ['model', 'provider']) {
      const value = textOf(event.data, key);
      if (value !== null) node.props[key] = value;
    }
    execution.iteration = node;
    link(layerEnd(execution.node), 'HAS_PART', layerEnd(node));
    source(node, event);
  }

  function respond(event: LayerEvent): void {
    const execution = executionOf(event);
    const callId = textOf(event.data, 'tool_call_id');
    const named = callId === null ? undefined : iterationOfCall.get(callId);
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
      link(layerEnd(node), 'HAS_PART', layerEnd(content));
      source(content, event);
    }
  }

  function call(event: LayerEvent): void {
    const execution = executionOf(event);
    if (execution === null || event.toolCall === null) return;
    const owner = execution.iteration ?? execution.node;
    link(layerEnd(owner), 'HAS_TOOL_CALL', { kind: 'call', id: event.toolCall });
  }

  return {
    'execution:start': begin,
    'execution:end': end,
    'orchestrator:complete': end,
    'prompt:submit': submit,
    'provider:request': request,
    'llm:request': request,
    'llm:response': respond,
    'tool:pre': call,
  };
}

/**
 * Blocks of an answer: from `content` (list or text), else `result`, `text` or `response_preview`.
 */
function blocksOf(data: JsonObject): { type: string; text: string | null }[] {
  const content = data['content'] ?? data['result'] ?? data['text'] ?? data['response_preview'];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [{ type: 'text', text: shortText(content) }];
  return content.slice(0, BLOCKS_MAX).map((block) => {
    const type = isJsonObject(block) ? textOf(block, 'type') : null;
    return {
      type: type ?? 'text',
      text: shortText(isJsonObject(block) ? (block['text'] ?? block) : block),
    };
  });
}
