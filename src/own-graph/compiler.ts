import type { Json, JsonObject } from '../common/json.ts';
import { firstChars } from '../common/well-formed.ts';
import { answerCypher } from './answer.ts';
import {
  type Compiled,
  checkProperty,
  ExpressionCompiler,
  readStored,
  type Scope,
} from './expression-compiler.ts';
import {
  BASE_LABELS,
  LABELS,
  type LabelView,
  labelsAtEnd,
  ownAny,
  RELATIONSHIP_TYPES,
  relationshipProperties,
  storedKeys,
  viewOf,
} from './graph-view.ts';
import { parseQuery } from './parser.ts';
import type {
  Chain,
  Entry,
  MatchClause,
  NodePattern,
  ProjectionClause,
  ProjectionItem,
  RelationshipPattern,
  UnwindClause,
} from './syntax.ts';
import { QueryRefused } from './token.ts';
import { listOf, VALUE, type ValueType } from './value-type.ts';
import { checkStatement, LABELS_MAX } from './work.ts';

/** Maximum number of rows of an answer. */
export const ROWS_MAX = 200;
/** Maximum number of nodes in all patterns of a query; the planner's work grows with them. */
const PATTERN_NODES_MAX = 12;
const COLUMNS_MAX = 50;
const COLUMN_CHARS_MAX = 200;

export interface OwnQuery {
  /** Reads $ownerId, $workspace, $groups, $realms and $values. */
  readonly cypher: string;
  readonly values: Readonly<Record<string, Json>>;
  /** The columns of the answer; the statement returns them as c0, c1, … */
  readonly columns: readonly { readonly name: string; readonly type: ValueType }[];
}

/**
 * Turns a query of a user into a statement that can bind no node of another user: every node of a
 * pattern gets the condition of ownership of its label, in the pattern itself
 * (docs/decisions/0042). The statement is written from the syntax tree; no text of the user is part
 * of it.
 * @throws QueryRefused
 */
export function compileOwnQuery(text: string, parameters: JsonObject): OwnQuery {
  // Half of a character in a query would be half of one in a refusal.
  const { clauses } = parseQuery(text.toWellFormed());
  return new QueryCompiler(parameters).query(clauses);
}

class QueryCompiler extends ExpressionCompiler {
  private scope: Map<string, Compiled> = new Map();
  private nodes = 0;

  query(clauses: ReturnType<typeof parseQuery>['clauses']): OwnQuery {
    const parts = ['// queryOwnGraph'];
    for (const clause of clauses) {
      if (clause.kind === 'match') parts.push(this.match(clause));
      else if (clause.kind === 'unwind') parts.push(this.unwind(clause));
      else if (clause.kind === 'with') parts.push(this.with(clause));
      else return this.return(clause, parts);
    }
    throw new Error('The parser lets no query end without RETURN.');
  }

  private match({ optional, chains, where }: MatchClause): string {
    const paths: string[] = [];
    const patterns = chains.map((chain) => {
      const pattern = this.chain(chain);
      if (chain.relationships.every(({ hops }) => hops === null)) return pattern;
      const path = this.newName();
      paths.push(path);
      return `${path} = ${pattern}`;
    });
    const conditions = paths.map((path) => {
      const node = this.newName();
      return `all(${node} IN nodes(${path}) WHERE ${ownAny(node)})`;
    });
    if (where !== null) conditions.push(`(${this.value(where, this.place())})`);
    const condition = conditions.length === 0 ? '' : `\nWHERE ${conditions.join(' AND ')}`;
    return `${optional ? 'OPTIONAL ' : ''}MATCH ${patterns.join(', ')}${condition}`;
  }

  private place(scope: Scope = this.scope, aggregates = false) {
    return { scope, aggregates };
  }

  private chain({ nodes, relationships }: Chain): string {
    const told = nodes.map(({ variable, labels }) => {
      const bound = variable === null ? undefined : this.scope.get(variable);
      if (labels.length > 0 || bound === undefined) return labels;
      return bound.type.kind === 'node' ? bound.type.labels : [];
    });
    return nodes
      .map((node, index) => {
        const before = relationships[index - 1];
        const text = before === undefined ? '' : this.relationship(before);
        if (told[index]?.length === 0)
          told[index] = withAll(node.properties, [
            [before, 'right', told[index - 1]],
            [relationships[index], 'left', told[index + 1]],
          ]);
        const isBound = node.variable !== null && this.scope.has(node.variable);
        return `${text}${this.node(node, isBound ? node.labels : (told[index] ?? []))}`;
      })
      .join('');
  }

  private node(
    { variable, properties, at, ...named }: NodePattern,
    labels: readonly string[],
  ): string {
    if (++this.nodes > PATTERN_NODES_MAX)
      throw new QueryRefused(`A query has at most ${PATTERN_NODES_MAX} nodes in patterns.`, at);
    const bound = variable === null ? undefined : this.scope.get(variable);
    if (bound !== undefined && bound.type.kind !== 'node')
      throw new QueryRefused(`${variable} is no node.`, at);
    const known = bound?.type.kind === 'node' ? bound.type.labels : [];
    if (bound === undefined && labels.length === 0)
      throw new QueryRefused(
        'No node stands here with these relationships and properties. There are the labels ' +
          `${LABELS.join(', ')}, and those of events such as ToolEvent.`,
        at,
      );
    const different = [...new Set(labels)];
    // One node of a query may have every label.
    const counted =
      named.labels.length > 0 ? different.length : Math.min(different.length, LABELS_MAX);
    if (different.length > 1) this.work.add('labels', at, counted);
    const views = different.map((label) => {
      const view = viewOf(label);
      if (view !== null) return view;
      throw new QueryRefused(`There is no label ${label}. There are ${LABELS.join(', ')}.`, at);
    });
    const type = {
      kind: 'node',
      labels: labels.length > 0 ? labels : known,
      weight: 1,
    } as const;
    const name = bound?.cypher ?? this.newName();
    // Labels that store a property under different names have no one key for the braces.
    const isApart = ({ key }: Entry) => storedKeys(type.labels, key).length > 1;
    const map = this.entries(
      properties.filter((entry) => !isApart(entry)),
      type,
    );
    const apart = properties.filter(isApart).map(({ key, value, at: place }) => {
      checkProperty(type, key, place);
      const read = readStored(name, storedKeys(type.labels, key));
      return `${read} = (${this.value(value, this.place())})`;
    });
    if (variable !== null && bound === undefined) this.scope.set(variable, { cypher: name, type });
    const [of, ...own] = ownedBy(name, views, map);
    const conditions = [...own, ...apart];
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    return `(${name}${of}${where})`;
  }

  private relationship(pattern: RelationshipPattern): string {
    const { variable, properties, direction, hops, at } = pattern;
    if (variable !== null && this.scope.has(variable))
      throw new QueryRefused(`${variable} is bound already.`, at);
    const types = pattern.types.length > 0 ? [...new Set(pattern.types)] : RELATIONSHIP_TYPES;
    for (const type of types) {
      if (relationshipProperties(type) === null)
        throw new QueryRefused(
          `There is no relationship ${type}. There are ${RELATIONSHIP_TYPES.join(', ')}.`,
          at,
        );
    }
    const type: ValueType = { kind: 'relationship', types, weight: 1 };
    const name = this.newName();
    if (hops !== null && properties.length > 0)
      throw new QueryRefused('* and properties do not stand together; use WHERE.', at);
    const map = this.entries(properties, type);
    const range = hops === null ? '' : `*${hops.min}..${hops.max}`;
    const inner = `[${name}:${types.map((one) => `\`${one}\``).join('|')}${range}${map}]`;
    if (variable !== null)
      this.scope.set(variable, { cypher: name, type: hops === null ? type : listOf(type) });
    return `${direction === 'left' ? '<' : ''}-${inner}-${direction === 'right' ? '>' : ''}`;
  }

  private entries(properties: readonly Entry[], type: ValueType): string {
    if (properties.length === 0) return '';
    const keys = new Set<string>();
    const parts = properties.map(({ key, value, at }) => {
      checkProperty(type, key, at);
      if (keys.has(key)) throw new QueryRefused(`${key} stands here twice.`, at);
      keys.add(key);
      const [stored = key] = type.kind === 'node' ? storedKeys(type.labels, key) : [];
      return `\`${stored}\`: ${this.value(value, this.place())}`;
    });
    return ` {${parts.join(', ')}}`;
  }

  private unwind({ list, name, at }: UnwindClause): string {
    const { cypher, type } = this.compile(list, this.place());
    if (type.kind !== 'list' && type.kind !== 'value' && type.kind !== 'null')
      throw new QueryRefused('UNWIND takes a list.', at);
    if (this.scope.has(name)) throw new QueryRefused(`${name} is bound already.`, at);
    const own = this.newName();
    this.scope.set(name, { cypher: own, type: type.kind === 'list' ? type.of : VALUE });
    return `UNWIND ${cypher} AS ${own}`;
  }

  private with(clause: ProjectionClause): string {
    const unnamed = clause.items.find(({ isNamed }) => !isNamed);
    if (unnamed !== undefined)
      throw new QueryRefused('WITH names what it passes on: AS name.', unnamed.at);
    const before = this.scope;
    const { text, scope } = this.projection(clause);
    const both = new Map([...before, ...scope]);
    const condition =
      clause.where === null ? '' : `\nWHERE ${this.value(clause.where, this.place(both))}`;
    const [skip, limit] = [clause.skip, clause.limit].map((bound) =>
      bound === null ? null : this.count(bound),
    );
    this.scope = scope;
    return `${text}${skip == null ? '' : ` SKIP ${skip}`}${
      limit == null ? '' : ` LIMIT ${limit}`
    }${condition}`;
  }

  private return(clause: ProjectionClause, parts: readonly string[]): OwnQuery {
    const { text, scope } = this.projection(clause);
    const asked = clause.limit === null ? null : this.count(clause.limit);
    const skip = clause.skip === null ? '' : ` SKIP ${this.count(clause.skip)}`;
    const limit = ` LIMIT ${Math.min(asked ?? ROWS_MAX + 1, ROWS_MAX + 1)}`;
    const columns = [...scope].map(([name, { type }]) => ({ name, type }));
    const answers = [...scope.values()].map(
      (value, index) => `${answerCypher(value, () => this.newName())} AS c${index}`,
    );
    const cypher = [...parts, `${text}${skip}${limit}`, `RETURN ${answers.join(',\n  ')}`].join(
      '\n',
    );
    checkStatement(cypher);
    return {
      cypher,
      values: this.values,
      columns,
    };
  }

  private count(bound: Parameters<typeof this.integer>[0]): number {
    const count = this.integer(bound);
    if (count < 0) throw new QueryRefused('SKIP and LIMIT are not negative.', bound.at);
    return count;
  }

  /** `WITH … ORDER BY …`, and the scope after it. */
  private projection(clause: ProjectionClause): { text: string; scope: Map<string, Compiled> } {
    const scope: Map<string, Compiled> = new Map();
    const parts: string[] = [];
    const add = (name: string, { cypher, type }: Compiled, isVariable: boolean, at: number) => {
      if (scope.has(name)) throw new QueryRefused(`Two columns have the name ${name}.`, at);
      if (scope.size === COLUMNS_MAX)
        throw new QueryRefused(`There are at most ${COLUMNS_MAX} columns.`, at);
      const own = isVariable ? cypher : this.newName();
      scope.set(name, { cypher: own, type });
      parts.push(isVariable ? own : `${cypher} AS ${own}`);
    };
    if (clause.all) for (const [name, value] of this.scope) add(name, value, true, clause.at);
    for (const item of clause.items) {
      const value = this.compile(item.value, this.place(this.scope, true));
      // A variable that is passed on twice, under two names, needs two.
      const isVariable =
        item.value.kind === 'variable' &&
        ![...scope.values()].some(({ cypher }) => cypher === value.cypher);
      add(columnName(item), value, isVariable, item.at);
    }
    if (parts.length === 0) throw new QueryRefused('There is nothing to return.', clause.at);
    const both = this.place(new Map([...this.scope, ...scope]), true);
    const orders = clause.orderBy.map(
      ({ by, descending }) => `${this.value(by, both)}${descending ? ' DESC' : ''}`,
    );
    const order = orders.length === 0 ? '' : ` ORDER BY ${orders.join(', ')}`;
    return { text: `WITH ${clause.distinct ? 'DISTINCT ' : ''}${parts.join(', ')}${order}`, scope };
  }
}

type Beside = readonly [
  relationship: RelationshipPattern | undefined,
  /** The direction of an arrow that points at the node. */
  points: 'left' | 'right',
  /** Labels of the node at the other end; empty or absent: not known. */
  others: readonly string[] | undefined,
];

/**
 * The labels that a node without one may have: those that the relationships beside it lead to, and
 * that have its properties. The e of `(:ToolCall)-[:HAS_EVENT]->(e)` is an Event.
 */
function withAll(properties: readonly Entry[], beside: readonly Beside[]): readonly string[] {
  const ends = beside.map(([relationship, points, others = []]) =>
    relationship === undefined
      ? BASE_LABELS
      : endOf(relationship, points, others.length === 0 ? null : others),
  );
  return BASE_LABELS.filter(
    (label) =>
      ends.every((labels) => labels.includes(label)) &&
      properties.every(({ key }) => viewOf(label)?.properties.includes(key)),
  );
}

function endOf(
  { types, direction, hops }: RelationshipPattern,
  points: 'left' | 'right',
  others: readonly string[] | null,
): readonly string[] {
  const end = direction === 'both' ? 'either' : direction === points ? 'to' : 'from';
  if (hops === null) return labelsAtEnd(types, end, others);
  // The nodes between may have any label; without a hop it is the node at the other end itself.
  if (hops.min === 0) return BASE_LABELS;
  return labelsAtEnd(types, end, hops.max === 1 ? others : null);
}

/** `:Label {map}`, and the condition of ownership for each of the labels. */
function ownedBy(node: string, views: readonly LabelView[], map: string): [string, string?] {
  const [first, ...others] = views;
  if (first === undefined) return [map];
  if (others.length === 0) return [`:${first.label}${map}`, first.own(node)];
  const labels = `:${views.map(({ label }) => `(${label})`).join('|')}${map}`;
  const families = Map.groupBy(views, ({ own }) => own);
  if (families.size === 1) return [labels, first.own(node)];
  // As an OR of ANDs the planner would write the conditions out with each other.
  const branches = [...families].map(([own, members]) => {
    const any = members.map(({ label }) => `(${label})`).join('|');
    return `WHEN ${node}:${any} AND ${own(node)} THEN true`;
  });
  return [labels, `CASE ${branches.join(' ')} ELSE false END`];
}

function columnName({ name, at }: ProjectionItem): string {
  const short = firstChars(name, COLUMN_CHARS_MAX);
  if (short === '__proto__') throw new QueryRefused('A column has another name.', at);
  return short;
}
