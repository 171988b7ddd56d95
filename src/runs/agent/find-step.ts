import { entryOf } from '../../common/entry-of.ts';
import type { ProcessStep } from '../../processes/process.ts';
import type { RunSnapshot } from '../run/snapshot.ts';
import { callStep, readPart, roundStep } from './agent-step.ts';
import { offeredTools, type ToolSource } from './offered-tool.ts';

/**
 * A step of a Process by the id of its StepRun: a defined step, or a round or call of a step that
 * offers tools. A call of a tool that is not offered has the tool's name as the id of its target.
 */
export function findStep(source: ToolSource, processId: string, id: string): ProcessStep | null {
  const steps = source.findProcess(processId)?.steps ?? [];
  const part = readPart(id);
  const defined = steps.find((step) => step.id === (part?.stepId ?? id));
  if (defined === undefined) return null;
  if (part === null) return defined;
  const { round, call } = part;
  if (call === null) return roundStep(defined, round);
  const tool = offeredTools(defined, source).find(({ name }) => name === call.name);
  return callStep(defined, { round, call }, tool?.target ?? { toolId: call.name });
}

export function toolSource({ tools, processes }: RunSnapshot): ToolSource {
  return {
    findTool: (id) => entryOf(tools, id) ?? null,
    findProcess: (id) => entryOf(processes, id) ?? null,
  };
}
