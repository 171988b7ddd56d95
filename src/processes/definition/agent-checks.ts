import { checkDescription } from '../../catalog/text-checks.ts';
import {
  AGENT_ROUNDS_MAX,
  AGENT_TOOL_CALLS_MAX,
  AGENT_TOOLS_MAX,
  STEP_TIMEOUT_SECONDS_MAX,
} from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import type { ProcessStep } from '../process.ts';
import { isNameForModel, nameForModel } from './agent-tool-name.ts';
import type { KnownTargets } from './target-checks.ts';

/**
 * Checks the tools that a step offers: the step calls an LLM Tool, each target is the author's to
 * use, and names are unique and legal for every dialect. A step without tools has nothing to check.
 */
export function checkAgent(step: ProcessStep, stepIndex: number, targets: KnownTargets): Problem[] {
  const { tools, agent } = step;
  if (tools == null) {
    if (agent == null) return [];
    return [problem('INVALID', ['steps', stepIndex, 'agent'], 'Limits go with tools.')];
  }
  return [
    ...checkCaller(step, stepIndex, targets),
    ...checkLimits(step, stepIndex),
    ...checkTools(tools, stepIndex, targets),
  ];
}

function checkCaller(
  { calls, execution }: ProcessStep,
  stepIndex: number,
  targets: KnownTargets,
): Problem[] {
  const path = ['steps', stepIndex, 'tools'];
  const problems: Problem[] = [];
  const tool = 'toolId' in calls ? targets.tools.get(calls.toolId) : undefined;
  // A Tool that is not known is a problem of `calls`.
  if (!('toolId' in calls) || (tool !== undefined && tool.operationType !== 'llm_call'))
    problems.push(problem('INVALID', path, 'Only a step that calls an LLM Tool offers tools.'));
  if (execution.cacheSeconds != null)
    problems.push(
      problem(
        'INVALID',
        ['steps', stepIndex, 'execution', 'cacheSeconds'],
        "A step that offers tools can't answer from the cache.",
      ),
    );
  return problems;
}

function checkLimits({ agent }: ProcessStep, stepIndex: number): Problem[] {
  if (agent == null) return [];
  const { maxRounds, maxToolCalls, approvalTimeout } = agent;
  const bounds = [
    ['maxRounds', maxRounds, 1, AGENT_ROUNDS_MAX],
    ['maxToolCalls', maxToolCalls, 0, AGENT_TOOL_CALLS_MAX],
    ['approvalTimeout', approvalTimeout ?? 1, 1, STEP_TIMEOUT_SECONDS_MAX],
  ] as const;
  return bounds.flatMap(([name, value, least, most]) =>
    Number.isInteger(value) && value >= least && value <= most
      ? []
      : [
          problem(
            'INVALID',
            ['steps', stepIndex, 'agent', name],
            `${name} is a whole number from ${least} to ${most}.`,
          ),
        ],
  );
}

function checkTools(
  tools: NonNullable<ProcessStep['tools']>,
  stepIndex: number,
  targets: KnownTargets,
): Problem[] {
  const path = ['steps', stepIndex, 'tools'];
  if (tools.length > AGENT_TOOLS_MAX)
    return [problem('TOO_LARGE', path, `A step offers at most ${AGENT_TOOLS_MAX} tools.`)];
  if (tools.length === 0)
    return [problem('REQUIRED', path, 'The list of tools is empty; leave it out instead.')];
  const taken = new Set<string>();
  return tools.flatMap((tool, toolIndex) => {
    const at = [...path, toolIndex];
    const isTool = 'toolId' in tool;
    const key = isTool ? 'toolId' : 'processId';
    const target = isTool ? targets.tools.get(tool.toolId) : targets.processes.get(tool.processId);
    if (target === undefined) {
      const noun = isTool ? 'Tool' : 'Process';
      const message = `No ${noun} with this id, or it is not yours to use.`;
      return [problem('NOT_FOUND', [...at, key], message)];
    }
    const problems: Problem[] = checkDescription(
      tool.description,
      [...at, 'description'].map(String),
    );
    if (targets.sharing === 'shared' && !target.shared) {
      const message = `A shared Process may only offer what is shared, and ${target.name} is not.`;
      problems.push(problem('NOT_SHARED', [...at, key], message));
    }
    const name = nameForModel(tool, target.name);
    if (!isNameForModel(name)) {
      const message = 'A name has letters, digits, _ and - only, at most 64, as models require.';
      problems.push(problem('INVALID', [...at, 'name'], message));
    } else if (taken.has(name)) {
      const message = `There is a tool "${name}" already; give this one a name of its own.`;
      problems.push(problem('TAKEN', [...at, 'name'], message));
    }
    taken.add(name);
    return problems;
  });
}
