import type { AgentTool } from '../process.ts';

// The names that OpenAI's and Anthropic's dialects both accept.
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function isNameForModel(name: string): boolean {
  return NAME.test(name);
}

/** The name by which a model calls an offered tool: its own, else one made from its target's. */
export function nameForModel({ name }: Pick<AgentTool, 'name'>, targetName: string): string {
  return name ?? legalName(targetName);
}

/** A text as a name that models accept: other characters become `_`, and it is cut at 64. */
export function legalName(text: string): string {
  const words = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  const legal = words.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
  return legal.slice(0, 64) || 'tool';
}
