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

interface RecipeState {
  readonly node: LayerNode;
  step: LayerNode | null;
  /** The latest step of each id. */
  readonly stepOf: Map<string, LayerNode>;
  steps: number;
}

/** Handlers for Delegation, Agent, SkillLoad, RecipeRun, RecipeStep and Recipe nodes. */
export function foundationLayer(draft: LayerDraft): LayerHandlers {
  const { sessionId, add, shared, link, source } = draft;
  const recipes = new Map<string, RecipeState>();
  const delegations = new Map<string, LayerNode>();
  const session: LayerEnd = { kind: 'session', id: sessionId };

  function delegate(event: LayerEvent): void {
    const { data } = event;
    const callId = textOf(data, 'tool_call_id');
    const child = textOf(data, 'sub_session_id');
    const keys = [callId, child].filter((key) => key !== null);
    const known = keys.map((key) => delegations.get(key)).find((one) => one !== undefined);
    const node =
      known ??
      add(`${sessionId}__delegation__${callId ?? child ?? epochMsOf(event)}`, 'Delegation', {
        started_at: event.at,
      });
    for (const key of keys) delegations.set(key, node);
    const agent = textOf(data, 'agent');
    if (agent !== null) {
      node.props['agent'] = agent;
      link(layerEnd(node), 'HAS_AGENT', layerEnd(shared('Agent', agent)));
    }
    if (child !== null) {
      node.props['sub_session_id'] = child;
      link(layerEnd(node), 'ENCOMPASSES', { kind: 'session', id: child });
    }
    if (callId !== null)
      link({ kind: 'call', id: `${sessionId}__tool_call__${callId}` }, 'TRIGGERED', layerEnd(node));
    if (event.name === 'delegate:complete') node.props['ended_at'] = event.at;
    source(node, event);
  }

  function load(event: LayerEvent): void {
    const node = add(
      `${sessionId}__skill_load__${epochMsOf(event)}__${textOf(event.data, 'skill_name') ?? ''}`,
      'SkillLoad',
      {
        skill_name: textOf(event.data, 'skill_name'),
        skill_directory: textOf(event.data, 'skill_directory'),
        loaded_at: event.at,
      },
    );
    link(session, 'HAS_SKILL_LOAD', layerEnd(node));
    source(node, event);
  }

  /** The recipe run that an event names by run_id or recipe_name, else the latest one. */
  function recipeOf({ data }: LayerEvent): RecipeState | null {
    const runId = textOf(data, 'run_id');
    if (runId !== null) return recipes.get(runId) ?? null;
    const name = textOf(data, 'recipe_name');
    const all = [...recipes.values()].reverse();
    return all.find(({ node }) => name === null || node.props['recipe_name'] === name) ?? null;
  }

  function beginStep(state: RecipeState, event: LayerEvent): LayerNode {
    const id = stepIdOf(event);
    const step = add(`${state.node.id}__step__${++state.steps}`, 'RecipeStep', {
      number: state.steps,
      step_id: id,
      description: shortText(event.data['description']),
      started_at: event.at,
      iterations: 0,
    });
    if (id !== null) state.stepOf.set(id, step);
    link(layerEnd(state.node), 'HAS_STEP', layerEnd(step));
    return step;
  }

  function recipe(event: LayerEvent): void {
    const { name, data } = event;
    const status = textOf(data, 'status');
    if (name === 'recipe:start') {
      const recipeName = textOf(data, 'recipe_name') ?? 'recipe';
      const node = add(
        `${sessionId}__recipe_run__${epochMsOf(event)}${runSuffix(event)}`,
        'RecipeRun',
        {
          recipe_name: recipeName,
          started_at: event.at,
          total_steps: typeof data['total_steps'] === 'number' ? data['total_steps'] : null,
        },
      );
      recipes.set(textOf(data, 'run_id') ?? node.id, {
        node,
        step: null,
        stepOf: new Map(),
        steps: 0,
      });
      link(session, 'HAS_RECIPE_RUN', layerEnd(node));
      link(layerEnd(node), 'HAS_RECIPE', layerEnd(shared('Recipe', recipeName)));
    }
    const state = recipeOf(event);
    if (state === null) return;
    if (status !== null) state.node.props['status'] = status;
    if (name === 'recipe:complete') state.node.props['ended_at'] = event.at;
    if (name === 'recipe:step') state.step = beginStep(state, event);
    if (name === 'recipe:loop_iteration') {
      const id = stepIdOf(event);
      // An iteration that names its step belongs to it, and begins it where nothing else did.
      if (id !== null) state.step = state.stepOf.get(id) ?? beginStep(state, event);
      if (state.step !== null)
        state.step.props['iterations'] = Number(state.step.props['iterations']) + 1;
    }
    source(
      name === 'recipe:step' || name === 'recipe:loop_iteration'
        ? (state.step ?? state.node)
        : state.node,
      event,
    );
  }

  return {
    'delegate:start': delegate,
    'delegate:agent_spawned': delegate,
    'delegate:complete': delegate,
    'skill:load': load,
    'recipe:start': recipe,
    'recipe:step': recipe,
    'recipe:loop_iteration': recipe,
    'recipe:complete': recipe,
  };
}

const stepIdOf = ({ data }: LayerEvent): string | null =>
  textOf(data, 'step_id') ?? textOf(data, 'current_step');
