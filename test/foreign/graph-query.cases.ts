import type { JsonObject } from '../../src/common/json.ts';
import { type ForeignCase, rows } from './foreign-case.ts';

// Queries of `query_graph` that stopped a database elsewhere, came round a guard, or came from a
// model with more than a query.

const some = (count: number, between: string, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index)).join(between);
const title = (index: number) => `c.title = 'a${index}'`;
const where = (condition: string) => `MATCH (c:Conversation) WHERE ${condition} RETURN c`;
const nodes = (count: number) => some(count, ', ', (index) => `(n${index}:Entity)`);
const unlike = (index: number) => `(a.uuid <= b.uuid AND b.name > c.name AND c.uuid <> '${index}')`;

export interface GraphQuery {
  readonly query: string;
  readonly parameters?: JsonObject;
}
/** Words of the refusal, or that the query is run and ends within its time. */
export type GraphAnswer = { readonly refused: RegExp } | 'runs';
type Case = ForeignCase<GraphQuery, GraphAnswer>;

const OPERATORS = /^Line \d+, column \d+: A query has at most 100 operators .*IN \$names/;
const TEXTS = 'WITH $t + $t + $t + $t AS a WITH a + a + a + a AS t RETURN';

/** Plans that grow with the query, and functions that compute much for one row. */
const GROWING: readonly (readonly [string, string, string, RegExp | 'runs', JsonObject?])[] = [
  ['24 conditions joined by XOR', 'own', where(some(24, ' XOR ', title)), 'runs'],
  [
    'XOR of brackets of XOR, as a tree',
    'own',
    where(some(8, ' XOR ', (one) => `(${some(4, ' XOR ', (two) => title(4 * one + two))})`)),
    'runs',
  ],
  [
    'XOR in a column, in ORDER BY and in a list comprehension',
    'own',
    'MATCH (c:Conversation) RETURN [x IN [true, false] WHERE ' +
      `${some(8, ' XOR ', () => 'x')}] AS l ORDER BY ${some(12, ' XOR ', title)}`,
    /./,
  ],
  [
    'an OR of 25 ANDs, which grew to 2^25',
    'neo4j/neo4j#5714',
    where(some(25, ' OR ', (index) => `(${title(index)} AND c.status = 's${index}')`)),
    'runs',
  ],
  [
    'NOT of an AND of 25 ORs',
    'own',
    where(`NOT (${some(25, ' AND ', (index) => `(${title(index)} OR c.id = '${index}')`)})`),
    'runs',
  ],
  [
    'an AND of 200 terms',
    'neo4j/neo4j#13929',
    `RETURN ${some(200, ' AND ', () => '1=1')} AS x`,
    OPERATORS,
  ],
  [
    'an OR of 300 values, which overflowed a stack',
    'neo4j/neo4j#128',
    where(some(300, ' OR ', title)),
    OPERATORS,
  ],
  [
    'the same values in IN',
    'neo4j/neo4j#128',
    where(`c.title IN [${some(900, ', ', (index) => `'a${index}'`)}]`),
    'runs',
  ],
  [
    'filters over a cross join of ranges',
    'neo4j/neo4j#7415',
    `MATCH (a:Entity), (b:Entity), (c:Entity) WITH a, b, c WHERE a.name <> 'Soy' AND ` +
      `(${some(12, ' OR ', unlike)}) RETURN count(*)`,
    'runs',
  ],
  [
    'a chain of 15 nodes',
    'neo4j/neo4j#6615',
    `MATCH ${some(15, '-[:RELATES_TO]->', (index) => `(n${index}:Entity)`)} RETURN 1`,
    /at most 12 nodes/,
  ],
  [
    'a cross product of 12 nodes that are joined',
    'neo4j/neo4j#8046',
    `MATCH ${nodes(12)} WHERE ` +
      `${some(11, ' AND ', (index) => `n${index}.name = n${index + 1}.name`)} RETURN count(*)`,
    'runs',
  ],
  [
    'a type that is named 500 times',
    'own',
    `MATCH (a:Entity)-[:${some(500, '|', () => 'RELATES_TO')}]->(b:Entity) RETURN count(*)`,
    'runs',
  ],
  [
    'a node in 50 columns',
    'own',
    'MATCH (a:Session|Entity|Conversation|Prompt|MemoryEvent|Grip) RETURN ' +
      some(50, ', ', (index) => `a AS x${index}`),
    /returns too many nodes with too many labels/,
  ],
  [
    'CASE of 400 branches',
    'own',
    'MATCH (c:Conversation) RETURN CASE c.title ' +
      `${some(400, ' ', (index) => `WHEN '${index}' THEN 1`)} END AS x`,
    /at most 300 properties, calls, branches and items/,
  ],
  [
    'brackets that nest 100 deep',
    'neo4j/neo4j#1519',
    `RETURN ${'('.repeat(100)}1${')'.repeat(100)} AS x`,
    /nested too deeply/,
  ],
  [
    'an index of an index, 1,000 deep',
    'own',
    `RETURN $p${'[0]'.repeat(1_000)} AS x`,
    /nested too deeply: at most 40 levels/,
    { p: [[1]] },
  ],
  [
    'CASE in the place of a node, 30 deep',
    'own',
    `MATCH (n:Prompt) RETURN [x IN [n] | ${'(CASE WHEN '.repeat(12)}x` +
      `${'.text IS NULL THEN x ELSE x END)'.repeat(12)}.text] AS l`,
    'runs',
  ],
  [
    'a text of 16 times 8 KB, for 1,000 elements',
    'own',
    `${TEXTS} [x IN range(1, 1000) WHERE size(split(toUpper(toLower(t)), 'a')) > x] AS l`,
    /compute at most 25 texts and comparisons for each element/,
    { t: 'a'.repeat(8_000) },
  ],
  [
    'a parameter of 16 KB, for 1,000 elements',
    'own',
    'RETURN [x IN range(1, 1000) WHERE size(toUpper($t)) > x] AS l',
    /\$t has at most 4000 characters/,
    { t: 'a'.repeat(16_000) },
  ],
  [
    'toUpper of toLower, 30 times, over long texts',
    'own',
    `${TEXTS} ${'toUpper(toLower('.repeat(15)}t${'))'.repeat(15)} AS x`,
    /compute more than 200 texts for each row/,
    { t: 'a'.repeat(8_000) },
  ],
  [
    'forty list comprehensions in one row',
    'own',
    `RETURN ${some(40, ', ', (at) => `size([x IN range(1, 1000) WHERE x > ${at}]) AS x${at}`)}`,
    /at most 10 list comprehensions/,
  ],
];

export const GRAPH_QUERIES: readonly Case[] = [
  ...GROWING.map(
    ([of, source, query, right, parameters]): Case => ({
      title: of,
      source,
      input: { query, ...(parameters === undefined ? {} : { parameters }) },
      right: right === 'runs' ? right : { refused: right },
    }),
  ),
  ...rows<Case>('graph-query', 'QUERIES'),
];
