import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { compileOwnQuery } from '../../src/own-graph/compiler.ts';
import { FUNCTION_NAMES } from '../../src/own-graph/functions.ts';
import { LABELS, RELATIONSHIP_TYPES, viewOf } from '../../src/own-graph/graph-view.ts';
import { QueryRefused } from '../../src/own-graph/token.ts';

function refusal(query: string, parameters: JsonObject = {}): string {
  try {
    compileOwnQuery(query, parameters);
  } catch (error) {
    if (error instanceof QueryRefused) return error.in(query);
    throw error;
  }
  return 'accepted';
}

describe('queries over one’s own graph (S0-WS-02)', () => {
  it('names the place and the rule that was broken', () => {
    expect(refusal('MATCH (n:Entity)\nCALL db.labels()')).toBe(
      'Line 2, column 1: A query consists of MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN; ' +
        '"CALL" stands here.',
    );
    expect(refusal('MATCH (n:Entity) RETURN n.name_embedding')).toBe(
      'Line 1, column 26: Entity has no name_embedding; it has uuid, name, labels, group_id, ' +
        'created_at, summary.',
    );
    expect(refusal('MATCH (n {nothing: 1}) RETURN n')).toMatch(/^Line 1, column 7: No node stands/);
    expect(refusal('MATCH (n:User) RETURN n')).toMatch(
      /^Line 1, column 7: There is no label User\./,
    );
    expect(refusal('MATCH (a:Entity)-[*]->(b:Entity) RETURN a')).toMatch(
      /upper bound of at most 5/,
    );
    expect(refusal('MATCH (n:Entity) RETURN $absent')).toMatch(/\$absent is not given/);
    expect(refusal('MATCH (n:Entity) RETURN "unfinished')).toMatch(/has no end/);
    expect(refusal('MATCH (n:Entity)')).toMatch(/A query ends with RETURN; the query ends here\.$/);
    expect(refusal('')).toMatch(/A query ends with RETURN/);
  });

  it('writes the condition of ownership into every node, and values as parameters', () => {
    const { cypher, values, columns } = compileOwnQuery(
      `match (a:Entity {name: 'Ada'})-[r:RELATES_TO]->(b:Entity) // a comment
       where r.fact contains $word return b.name as \`the name\`, r.fact`,
      { word: 'likes' },
    );
    expect(cypher).toContain('(v1:Entity {`name`: $values.v2} WHERE v1.group_id IN $groups)');
    expect(cypher).toContain('(v4:Entity WHERE v4.group_id IN $groups)');
    expect(Object.values(values)).toEqual(['Ada', 'likes']);
    expect(columns.map(({ name }) => name)).toEqual(['the name', 'r.fact']);
    expect(cypher).not.toMatch(/Ada|likes|comment|the name/);
  });

  it('takes the label of a node from the relationships beside it', () => {
    const statement = (query: string) => compileOwnQuery(query, {}).cypher;
    // The document's own example.
    expect(
      statement('MATCH (:Session)-[:HAS_TOOL_CALL]->(tc)-[:HAS_EVENT]->(e) RETURN e.event_name'),
    ).toMatch(/\(v\d+:ToolCall WHERE .*\(v\d+:Event WHERE v\d+\.owner_id = \$ownerId/);
    expect(statement('MATCH (e)<-[:HAS_EVENT]-(c:ToolCall) RETURN e')).toContain(':Event WHERE');
    // The end of one relationship, and the beginning of the next.
    expect(statement('MATCH (:Prompt)-[:TRIGGERED]->(x)-[:HAS_AGENT]->() RETURN x.agent')).toMatch(
      /\(v\d+:LayerNode&Delegation WHERE/,
    );
    expect(statement('MATCH (a:Entity)-[:RELATES_TO*1..2]->(b) RETURN b')).toMatch(
      /\(v\d+:Entity WHERE .*\(v\d+:Entity WHERE /,
    );
    // Any relationship, from what is known of the other end.
    expect(statement('MATCH (:Process)-->(x) RETURN x')).toMatch(/\(v\d+:ProcessStep WHERE/);
    expect(statement('MATCH (s:ToolEvent)<--(x) RETURN x')).toMatch(
      /\(v\d+:\(Session\)\|\(ToolCall\)\|/,
    );
    // A property that few labels have.
    expect(statement('MATCH (n {parentRequestId: "a"}) RETURN n.status')).toMatch(
      /\(v\d+:CallGraphNode \{/,
    );
    expect(refusal('MATCH (:Grip)-[:HAS_TURN]->(x) RETURN x')).toMatch(/No node stands here/);
    // A property of one label is not read from the other, which has an internal one of that name.
    expect(statement('MATCH (n) RETURN n.workspace')).toMatch(
      /WHERE v\d+:\(Session\)\|.*\| coalesce\(v\d+\.`workspace`, v\d+\.`layer_workspace`\)\]/,
    );
    expect(statement('MATCH (n) RETURN n.workspace')).not.toMatch(/head\(.*CallGraphNode/);
    expect(statement('MATCH (r:RecipeRun {workspace: "w"}) RETURN r')).toMatch(
      /\{`layer_workspace`: \$[\s\S]*`workspace`: v\d+\.`layer_workspace`/,
    );
    expect(refusal('MATCH (n) RETURN n.ownerId')).toMatch(/No node of Session, .* has ownerId/);
    expect(refusal('MATCH (:Session)-[:HAS_EVENT]->(e) RETURN e.secret')).toMatch(/no secret/);
  });

  it.each([
    ['RETURN range(1, 1000000000)', /at most 10000 numbers/],
    ['RETURN range(1, size("abc"))', /a whole number or a parameter/],
    [`WITH 'x' AS x ${'WITH x + x AS x '.repeat(8)} RETURN x`, /repeats its parts too often/],
    [
      'WITH {a: 1} AS m WITH {a: m, b: m} AS m WITH {a: m, b: m} AS m WITH {a: m, b: m} AS m ' +
        'WITH {a: m, b: m} AS m WITH {a: m, b: m} AS m RETURN m',
      /too often/,
    ],
    ['WITH [1] AS l RETURN [l, l]', /no other lists/],
    [
      'MATCH (n:Entity) WITH collect(n.name) AS l MATCH (m:Entity) RETURN collect(l)',
      /no other lists/,
    ],
    ['RETURN [x IN range(1, 9) | [y IN range(1, 9) | y]]', /not nested/],
    ["RETURN [x IN range(1, 9) | 'a' + x]", /joins nothing/],
    [`RETURN ${'('.repeat(500)}1${')'.repeat(500)}`, /nested too deeply/],
    [`RETURN ${'not '.repeat(2000)} true`, /nested too deeply/],
    [`RETURN ${'-'.repeat(2000)}1`, /nested too deeply/],
    [`RETURN ${'['.repeat(2000)}1`, /nested too deeply/],
    [`RETURN '${'x'.repeat(10_001)}'`, /at most 10000 characters/],
    [
      `MATCH ${Array.from({ length: 13 }, (_, at) => `(n${at}:Entity)`).join(', ')} RETURN 1`,
      /at most 12 nodes/,
    ],
    [`${'UNWIND [1] AS x WITH 1 AS y '.repeat(11)}RETURN 1`, /at most 20 clauses/],
    ['RETURN 1 LIMIT -1', /not negative/],
    ['RETURN 1 LIMIT 1.5', /a whole number/],
    ['RETURN 99999999999999999999', /too large/],
    ['RETURN 1 AS a, 2 AS a', /Two columns/],
    ['RETURN replace("a", "a", "b")', /replace is not offered/],
    ['RETURN "a" =~ "(a+)+b"', /./],
    ['MATCH (n:Entity) RETURN CASE WHEN true THEN n ELSE 1 END', /Nodes and values are mixed/],
    ['MATCH (n:Entity) WITH [n, 1] AS l RETURN l', /Nodes and values are mixed/],
    ['WITH 1 AS n MATCH (n) RETURN n', /n is no node/],
    ['MATCH (n:Entity) WHERE collect(n.name) = 1 RETURN n', /stands in WITH and RETURN/],
    ['RETURN collect(count(*))', /stands in WITH and RETURN/],
  ])('bounds work and size before a query runs: %s', (query, rule) => {
    expect(refusal(query)).toMatch(rule);
  });

  it('never lets text of a query into the statement, whatever is written', () => {
    const keywords =
      'MATCH OPTIONAL WHERE WITH UNWIND RETURN AS CALL EXISTS COUNT COLLECT UNION CREATE DELETE ' +
      'IN NOT IS NULL Entity Session RELATES_TO name (n:Entity) -[r]- n.name marker( size(';
    const signs =
      "n m marker ( ) [ ] { } < > - : | & ! % . .. , ; = + * $ $p `marker` 'marker' 1 " +
      '\\u0060 "marker';
    const words = [
      ...`${keywords} ${signs}`.split(' '),
      ...['// marker\n', '/* marker */', 'n {.*}'],
    ];
    const starts = ['MATCH (n:Entity) ', 'MATCH (n:Entity)-[r]-(m:Session) WHERE ', 'RETURN ', ''];
    const soup = fc.tuple(
      fc.constantFrom(...starts),
      fc.array(fc.constantFrom(...words), { maxLength: 8 }),
      fc.constantFrom(' RETURN n', ' RETURN 1 AS one', ' AS x RETURN *', ''),
    );
    const foreign = /\b(CALL|UNION|CREATE|DELETE)\b|marker|\/\*|;/;
    let accepted = 0;
    fc.assert(
      fc.property(soup, ([start, middle, end]) => {
        const query = `${start}${middle.join(' ')}${end}`;
        if (refusal(query, { p: 'marker' }) !== 'accepted') return;
        accepted++;
        const { cypher } = compileOwnQuery(query, { p: 'marker' });
        // Keys and properties are the only words of the query, checked and in backticks.
        const others = cypher.replace('// queryOwnGraph', '').replaceAll(/`\w+`/g, '');
        expect(others).not.toMatch(foreign);
        // A node of a pattern has its condition, or was bound by one that has.
        const bound = new Set<string>();
        for (const [, name = '', rest = ''] of cypher.matchAll(/\((v\d+)(?=[:)])([^)]*)/g)) {
          if (rest.startsWith(':')) {
            expect(rest).toMatch(/WHERE v\d+\.(group_id|owner_id)/);
            bound.add(name);
          }
        }
        const patterns = cypher.match(/MATCH [^\n]*/g) ?? [];
        for (const [, name = ''] of patterns.join().matchAll(/[ ,-]\((v\d+)\)/g))
          expect(bound).toContain(name);
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(200);
  });

  it('are described by docs/own-graph.md: every label, property, type and function', () => {
    const page = readFileSync(new URL('../../docs/own-graph.md', import.meta.url), 'utf8');
    for (const label of LABELS) {
      const view = viewOf(label);
      const marked = view?.properties.map((key) => (view.texts.includes(key) ? `${key}*` : key));
      expect(page).toContain(`| ${label} | ${marked?.join(', ')} |`);
    }
    for (const type of RELATIONSHIP_TYPES) expect(page).toContain(type);
    for (const name of FUNCTION_NAMES)
      expect(page).toContain(name.replace(/^duration(?=\.in)/, ''));
  });

  it('knows only labels and types that can be written into a statement', () => {
    for (const name of [...LABELS, ...RELATIONSHIP_TYPES]) expect(name).toMatch(/^[A-Za-z_]+$/);
    for (const label of LABELS)
      for (const property of viewOf(label)?.properties ?? [])
        expect(property).toMatch(/^[A-Za-z_]+$/);
    for (const label of ['__proto__', 'constructor', 'User', 'Secret', 'Event`', 'XEvent)'])
      expect(viewOf(label)).toBeNull();
  });
});
