import { expect, it } from 'vitest';
import { lintSchema, unannouncedBreaks } from '../../stack/schema-rules.ts';

// docs/decisions/0052

const BAD = `
"All queries." type Query {
  "Tools." tools("Page." first: Int): ToolConnection! "A number." get_it: Int
}
"A page." type ToolConnection { "Edges." edges: [ToolEdge!]! "Page." pageInfo: PageInfo! }
"An edge." type ToolEdge { "Cursor." cursor: String! "Node." node: Tool! }
type Tool { "Name." toolName: String }
"A page." type PageInfo {
  "Next." hasNextPage: Boolean! "Previous." hasPreviousPage: Boolean! "Start." startCursor: String
  "End." endCursor: String
}
`;

it('finds what breaks the rules of Relay, of names and of descriptions', async () => {
  const found = (await lintSchema(BAD, [])).map((problem) => problem.match(/\(.*\/(.*)\)$/)?.[1]);
  expect(new Set(found)).toEqual(
    new Set([
      'relay-arguments',
      'relay-edge-types',
      'naming-convention',
      'require-description',
      'no-typename-prefix',
    ]),
  );
});

it('leaves an exception out, and finds one that matches nothing', async () => {
  const prefix = 'Field "toolName" starts with the name of the parent type "Tool"';
  const problems = await lintSchema(BAD, [prefix, 'Nobody breaks this.']);
  expect(problems.filter((problem) => problem.includes('toolName'))).toEqual([]);
  expect(problems.at(-1)).toContain('"Nobody breaks this."');
});

it('a break of the last release has to be announced by its name', async () => {
  const released =
    'type Query { tool(id: ID!): Tool } type Tool { id: ID! name: String size: Int }';
  const current =
    'type Query { tool(key: ID!): Tool } type Tool { id: ID! title: String size: Int! }';
  const changelog = (unreleased: string) =>
    `# Changelog\n\n## Unreleased\n${unreleased}\n## 0.1.0\n- \`Tool.name\`\n`;
  const places = async (text: string) =>
    (await unannouncedBreaks(released, current, changelog(text))).map((one) => one.split(':')[0]);
  expect((await places('- Tools have titles.')).sort()).toEqual([
    'Query.tool.id',
    'Query.tool.key',
    'Tool.name',
  ]);
  expect((await places('- `tool(id)` → `tool(key)`.')).sort()).toEqual(['Tool.name']);
  expect(await places('- `tool(id)` → `tool(key)`. `Tool.name` → `title`.')).toEqual([]);
});
