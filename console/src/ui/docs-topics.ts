import type { PageName } from './docs-pages.ts';

/** Where the docs explain a field: a page, and the heading of a section of it. */
export const TOPICS = {
  process: ['authoring', 'What a Process has'],
  step: ['authoring', 'What a step has'],
  inputs: ['authoring', 'Inputs of a step'],
  conditions: ['authoring', 'Conditions and lists (CEL)'],
  templates: ['authoring', 'Templates'],
  service: ['authoring', 'Kinds of Services'],
  tool: ['authoring', 'What a Tool has'],
  restCall: ['authoring', 'What a rest_call sends and gets'],
  modelCall: ['authoring', 'A Tool for a language model'],
  order: ['authoring', 'Order and conditions'],
  lists: ['authoring', 'Lists, item by item'],
  failures: ['authoring', '5. Failures'],
  approval: ['authoring', '6. A decision by a person'],
  secret: ['authoring', 'What a Secret has'],
  secretPlace: ['authoring', '9. Secrets'],
  sentence: ['authoring', '11. A draft from a sentence'],
  modelTools: ['agents', 'Define one'],
  mcp: ['mcp', 'MCP servers'],
  schedule: ['operations', 'Schedules of users'],
  metric: ['operations', "A metric of one's own"],
} as const satisfies Readonly<Record<string, readonly [page: PageName, heading: string]>>;
export type Topic = keyof typeof TOPICS;
