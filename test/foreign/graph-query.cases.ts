import type { JsonObject } from '../../src/common/json.ts';
import type { ForeignCase } from './foreign-case.ts';

// Queries of `query_graph` that stopped a database elsewhere, came round a guard, or came from a
// model with more than a query.

const some = (count: number, between: string, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index)).join(between);
const title = (index: number) => `c.title = 'a${index}'`;
const where = (condition: string) => `MATCH (c:Conversation) WHERE ${condition} RETURN c`;
const nodes = (count: number) => some(count, ', ', (index) => `(n${index}:Entity)`);

const unlike = (index: number) => `(a.uuid <= b.uuid AND b.name > c.name AND c.uuid <> '${index}')`;
const LABELS = 'Session|Entity|Conversation|Prompt|MemoryEvent|Grip|Summary|Event';

export interface GraphQuery {
  readonly query: string;
  readonly parameters?: JsonObject;
}
/** Words of the refusal, or that the query is run and ends within its time. */
export type GraphAnswer = { readonly refused: RegExp } | 'runs';
type Case = ForeignCase<GraphQuery, GraphAnswer>;

const OPERATORS = /^Line \d+, column \d+: A query has at most 100 operators .*IN \$names/;
const BEGINS = /^Line 1, column 1: A query consists of MATCH/;
const ENDS = /^Line \d+, column \d+: (?:This part of Cypher|A query)/;

/** Plans that grow with the query. */
const PLANS: readonly Case[] = [
  {
    title: '24 conditions joined by XOR',
    source: 'own',
    input: { query: where(some(24, ' XOR ', title)) },
    right: 'runs',
  },
  {
    title: 'XOR in XOR, and null',
    source: 'neo4j/neo4j#12889',
    input: { query: 'MATCH (n:Conversation) WHERE n.title XOR (false XOR n.id OR null) RETURN n' },
    right: 'runs',
  },
  {
    title: 'XOR of brackets of XOR, as a tree',
    source: 'own',
    input: {
      query: where(
        some(8, ' XOR ', (one) => `(${some(4, ' XOR ', (two) => title(4 * one + two))})`),
      ),
    },
    right: 'runs',
  },
  {
    title: 'XOR in a column, in ORDER BY and in a list comprehension',
    source: 'own',
    input: {
      query:
        'MATCH (c:Conversation) RETURN [x IN [true, false] WHERE ' +
        `${some(8, ' XOR ', () => 'x')}] AS l ORDER BY ${some(12, ' XOR ', title)}`,
    },
    right: { refused: /./ },
  },
  {
    title: 'an OR of 25 ANDs, which grew to 2^25',
    source: 'neo4j/neo4j#5714',
    input: {
      query: where(some(25, ' OR ', (index) => `(${title(index)} AND c.status = 's${index}')`)),
    },
    right: 'runs',
  },
  {
    title: 'NOT of an AND of 25 ORs',
    source: 'own',
    input: {
      query: where(
        `NOT (${some(25, ' AND ', (index) => `(${title(index)} OR c.id = '${index}')`)})`,
      ),
    },
    right: 'runs',
  },
  {
    title: 'a property and its NOT in turn',
    source: 'neo4j/neo4j#12877',
    input: { query: where('(NOT c.title OR NOT false OR c.title) AND (c.title OR NOT c.title)') },
    right: 'runs',
  },
  {
    title: 'an AND of 200 terms',
    source: 'neo4j/neo4j#13929',
    input: { query: `RETURN ${some(200, ' AND ', () => '1=1')} AS x` },
    right: { refused: OPERATORS },
  },
  {
    title: 'an OR of 300 values, which overflowed a stack',
    source: 'neo4j/neo4j#128',
    input: { query: where(some(300, ' OR ', title)) },
    right: { refused: OPERATORS },
  },
  {
    title: 'the same values in IN',
    source: 'neo4j/neo4j#128',
    input: { query: where(`c.title IN [${some(900, ', ', (index) => `'a${index}'`)}]`) },
    right: 'runs',
  },
  {
    title: 'filters over a cross join of ranges',
    source: 'neo4j/neo4j#7415',
    input: {
      query:
        `MATCH (a:Entity), (b:Entity), (c:Entity) WITH a, b, c WHERE a.name <> 'Soy' AND ` +
        `(${some(12, ' OR ', unlike)}) ` +
        'RETURN count(*)',
    },
    right: 'runs',
  },
  {
    title: 'a chain of 15 nodes',
    source: 'neo4j/neo4j#6615',
    input: {
      query: `MATCH ${some(15, '-[:RELATES_TO]->', (index) => `(n${index}:Entity)`)} RETURN 1`,
    },
    right: { refused: /at most 12 nodes/ },
  },
  {
    title: 'a cross product of 12 nodes that are joined',
    source: 'neo4j/neo4j#8046',
    input: {
      query:
        `MATCH ${nodes(12)} WHERE ` +
        `${some(11, ' AND ', (index) => `n${index}.name = n${index + 1}.name`)} RETURN count(*)`,
    },
    right: 'runs',
  },
  {
    title: 'fifteen relationships in one step',
    source: 'neo4j/neo4j#13652',
    input: { query: 'MATCH (a:Entity)-[:RELATES_TO*0..15]->(b:Entity) RETURN b' },
    right: { refused: /\* follows 1 to 5 relationships/ },
  },
  {
    title: 'nodes with many labels, whose owners were combined',
    source: 'own',
    input: {
      query: 'MATCH ' + `(a:${LABELS})--(b:${LABELS}) ` + 'RETURN 1 AS x',
    },
    right: { refused: /several labels have at most 12 labels together/ },
  },
  {
    title: 'six nodes with two labels each',
    source: 'own',
    input: {
      query:
        'MATCH ' +
        '(a:Session|Entity)--(b:Conversation|Prompt)--(c:MemoryEvent|Grip)--' +
        '(d:Summary|Introspection)--(e:Episodic|CallGraphNode)--(f:Event|TocNode) ' +
        'RETURN count(*)',
    },
    right: 'runs',
  },
  {
    title: 'a type that is named 500 times',
    source: 'own',
    input: {
      query:
        `MATCH (a:Entity)-[:${some(500, '|', () => 'RELATES_TO')}]->(b:Entity) ` +
        'RETURN count(*)',
    },
    right: 'runs',
  },
  {
    title: 'a node in 50 columns',
    source: 'own',
    input: {
      query:
        'MATCH (a:Session|Entity|Conversation|Prompt|MemoryEvent|Grip) RETURN ' +
        `${some(50, ', ', (index) => `a AS x${index}`)}`,
    },
    right: { refused: /returns too many nodes with too many labels/ },
  },
  {
    title: 'CASE of 400 branches',
    source: 'own',
    input: {
      query:
        'MATCH (c:Conversation) RETURN CASE c.title ' +
        `${some(400, ' ', (index) => `WHEN '${index}' THEN 1`)} END AS x`,
    },
    right: { refused: /at most 300 properties, calls, branches and items/ },
  },
  {
    title: 'brackets that nest 100 deep',
    source: 'neo4j/neo4j#1519',
    input: { query: `RETURN ${'('.repeat(100)}1${')'.repeat(100)} AS x` },
    right: { refused: /nested too deeply/ },
  },
  {
    title: 'an index of an index, 1,000 deep',
    source: 'own',
    input: { query: `RETURN $p${'[0]'.repeat(1_000)} AS x`, parameters: { p: [[1]] } },
    right: { refused: /nested too deeply: at most 40 levels/ },
  },
  {
    title: 'CASE in the place of a node, 30 deep',
    source: 'own',
    input: {
      query:
        'MATCH (n:Prompt) RETURN [x IN [n] | ' +
        `${'(CASE WHEN '.repeat(12)}x${'.text IS NULL THEN x ELSE x END)'.repeat(12)}.text] AS ` +
        'l',
    },
    right: 'runs',
  },
];

/** Functions that compute much for one row, where the database does not look at its time. */
const WORK: readonly Case[] = [
  {
    title: 'a text of 16 times 8 KB, for 1,000 elements',
    source: 'own',
    input: {
      query:
        'WITH $t + $t + $t + $t AS a WITH a + a + a + a AS t RETURN [x IN range(1, 1000) ' +
        "WHERE size(split(toUpper(toLower(t)), 'a')) > x] AS l",
      parameters: { t: 'a'.repeat(8_000) },
    },
    right: { refused: /compute at most 25 texts and comparisons for each element/ },
  },
  {
    title: 'a parameter of 16 KB, for 1,000 elements',
    source: 'own',
    input: {
      query: 'RETURN [x IN range(1, 1000) WHERE size(toUpper($t)) > x] AS l',
      parameters: { t: 'a'.repeat(16_000) },
    },
    right: { refused: /\$t has at most 4000 characters/ },
  },
  {
    title: 'toUpper of toLower, 30 times, over long texts',
    source: 'own',
    input: {
      query:
        'WITH $t + $t + $t + $t AS a WITH a + a + a + a AS t RETURN ' +
        `${'toUpper(toLower('.repeat(15)}t${'))'.repeat(15)} AS x`,
      parameters: { t: 'a'.repeat(8_000) },
    },
    right: { refused: /compute more than 200 texts for each row/ },
  },
  {
    title: 'a list that each element is looked for in',
    source: 'own',
    input: {
      query:
        'UNWIND range(1, 900) AS n WITH collect(n) AS l RETURN size([x IN l WHERE x IN l AND ' +
        'x IN l]) AS n',
    },
    right: 'runs',
  },
  {
    title: 'many lists that each element is looked for in',
    source: 'own',
    input: {
      query:
        'UNWIND range(1, 9000) AS n WITH collect(n) AS l RETURN [x IN range(1, 900) WHERE ' +
        `${some(5, ' OR ', () => '-x IN l')}] AS m`,
    },
    right: { refused: /IN over a list counts as 10/ },
  },
  {
    title: 'forty list comprehensions in one row',
    source: 'own',
    input: {
      query:
        'RETURN ' + some(40, ', ', (at) => `size([x IN range(1, 1000) WHERE x > ${at}]) AS x${at}`),
    },
    right: { refused: /at most 10 list comprehensions/ },
  },
  {
    title: 'rows without end',
    source: 'neo4j/neo4j#13237',
    input: {
      query: `${some(3, ' ', (index) => `UNWIND range(1, 9999) AS x${index}`)} RETURN count(*)`,
    },
    right: 'runs',
  },
];

/** Texts of a model or of an attacker. */
const TEXTS: readonly Case[] = [
  {
    title: 'an escape of an emoji',
    source: 'own',
    input: { query: "RETURN '\\😀' AS x" },
    right: { refused: /^Line 1, column 8: \\😀 is no escape\.$/u },
  },
  {
    title: 'half of an emoji in the query',
    source: 'own',
    input: { query: "RETURN '\\\ud83d' AS x" },
    right: { refused: /^Line 1, column 8: \\\ufffd is no escape\.$/u },
  },
  {
    title: 'half of an emoji in a name, and a name whose 40th unit is half of one',
    source: 'own',
    input: { query: `MATCH (n:Entity) RETURN n MATCH \`${'x'.repeat(39)}😀😀\`` },
    right: { refused: /./ },
  },
  {
    title: 'an emoji as two escapes',
    source: 'neo4j/neo4j#6236',
    input: { query: "RETURN '\\ud83d\\ude00' AS x" },
    right: 'runs',
  },
  {
    title: 'half of an emoji as an escape, which arrives as the sign for it',
    source: 'own',
    input: { query: "RETURN '\\ud83d' + $t AS x", parameters: { t: '\ude00' } },
    right: 'runs',
  },
  {
    title: 'a short escape',
    source: 'samyama-ai/samyama-graph#989',
    input: { query: "RETURN '\\uH' AS x" },
    right: { refused: /^Line 1, column 8: \\u is no escape\.$/ },
  },
  {
    title: 'a quote within its own quotes',
    source: 'alephdata/aleph#2483',
    input: { query: 'MATCH (n:Entity {name: "Servizio di "Manutenzione"."}) RETURN n' },
    right: { refused: /^Line 1, column \d+: / },
  },
  {
    title: 'backticks within a name',
    source: 'HKUDS/LightRAG#677',
    input: { query: 'MATCH (n:`ОБЪЕКТ `SCHEMA` И ЕГО ПАРАМЕТРЫ`) RETURN n' },
    right: { refused: /^Line 1, column \d+: / },
  },
  {
    title: 'the end of a model’s turn after the query',
    source: 'tomasonjo/blogs#33',
    input: { query: 'MATCH (e:Entity) RETURN e.name LIMIT 10\n**<|im_end|>**' },
    right: { refused: /^Line 2, column \d+: / },
  },
  {
    title: 'the thoughts of a model before the query',
    source: 'samugit83/redamon#98',
    input: { query: '<think>The user asks</think>\nMATCH (e:Entity) RETURN e' },
    right: { refused: BEGINS },
  },
  {
    title: 'a word before the query',
    source: 'neo4j-partners/neo4j-generative-ai-google-cloud#4',
    input: { query: 'Answer: MATCH (e:Entity) RETURN e' },
    right: { refused: BEGINS },
  },
  {
    title: 'a fence around the query',
    source: 'neo4j-contrib/neodash#969',
    input: { query: '```cypher\nMATCH (e:Entity) RETURN e\n```' },
    right: { refused: /^Line 1, column 1: / },
  },
  {
    title: 'a type of several words',
    source: 'langchain-ai/langchain#22385',
    input: { query: 'MATCH (t:Tools {name: "test.py"})-[:has MD5 hash]->(h:Hash) RETURN h.name' },
    right: { refused: /^Line 1, column \d+: / },
  },
  {
    title: 'a keyword in full-width letters',
    source: 'awslabs/graphrag-toolkit#291',
    input: { query: 'MATCH (n:Entity) ＤＥＬＥＴＥ n' },
    right: { refused: /"Ｄ" can't stand here/ },
  },
  {
    title: 'a write in a comment and after it',
    source: 'awslabs/graphrag-toolkit#291',
    input: { query: 'MATCH (n:Entity) /* RETURN n */ DETACH /**/ DELETE n' },
    right: { refused: ENDS },
  },
  {
    title: 'a file by LOAD CSV',
    source: 'CodeGraphContext/CodeGraphContext#883',
    input: { query: "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line" },
    right: { refused: BEGINS },
  },
  {
    title: 'a procedure of any other name',
    source: 'CodeGraphContext/CodeGraphContext#1727',
    input: { query: "MATCH (n:Entity) CALL custom.writer('x') YIELD value RETURN value" },
    right: { refused: ENDS },
  },
];

export const GRAPH_QUERIES: readonly Case[] = [...PLANS, ...WORK, ...TEXTS];
