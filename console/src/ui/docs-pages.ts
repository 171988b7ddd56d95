/** The pages of `docs/` that come with the console, with their titles in its list. */
export const PAGES = {
  authoring: 'Writing Processes',
  agents: 'Agents and MCP hosts',
  mcp: 'MCP servers',
  models: 'Models',
  'agent-memory': 'Agent memory',
  data: 'Your data',
  'own-graph': 'Your own graph',
  graph: 'The graph',
  api: 'The API',
  'use-from': 'Use it from …',
  operations: 'Operations',
  glossary: 'Glossary',
} as const;
export type PageName = keyof typeof PAGES;

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(PAGES, name);
}
