import { ExpressionParser, STATEMENT_CHARS_MAX } from './expression-parser.ts';
import type {
  Chain,
  Clause,
  MatchClause,
  NodePattern,
  ProjectionClause,
  ProjectionItem,
  Query,
  RelationshipPattern,
} from './syntax.ts';
import { QueryRefused } from './token.ts';

/** Maximum number of relationships that `*1..n` may follow. */
export const HOPS_MAX = 5;
const CLAUSES_MAX = 20;
const CLAUSE_WORDS = 'MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN';

/**
 * Parses a query: MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN with WHERE, ORDER BY, SKIP and
 * LIMIT. Everything else is refused.
 * @throws QueryRefused
 */
export function parseQuery(text: string): Query {
  if (text.length > STATEMENT_CHARS_MAX)
    throw new QueryRefused(`A query has at most ${STATEMENT_CHARS_MAX} characters.`, 0);
  return new QueryParser(text).query();
}

class QueryParser extends ExpressionParser {
  query(): Query {
    const clauses: Clause[] = [];
    while (!this.is('end')) {
      const clause = this.clause();
      clauses.push(clause);
      if (clauses.length > CLAUSES_MAX)
        throw new QueryRefused(`A query has at most ${CLAUSES_MAX} clauses.`, clause.at);
      if (clause.kind === 'return' && !this.is('end'))
        throw this.refusal('A query ends with its RETURN');
    }
    if (clauses.at(-1)?.kind !== 'return') throw this.refusal('A query ends with RETURN');
    return { clauses };
  }

  private clause(): Clause {
    const { at } = this.peek();
    if (this.takeWords('OPTIONAL', 'MATCH')) return this.match(at, true);
    if (this.takeWords('MATCH')) return this.match(at, false);
    if (this.takeWords('UNWIND')) {
      const list = this.expression();
      this.expectWord('AS');
      return { kind: 'unwind', list, name: this.expectName('a variable'), at };
    }
    if (this.takeWords('WITH')) return this.projection('with', at);
    if (this.takeWords('RETURN')) return this.projection('return', at);
    throw this.refusal(`A query consists of ${CLAUSE_WORDS}`);
  }

  private match(at: number, optional: boolean): MatchClause {
    const chains = [this.chain()];
    while (this.takeSign(',')) chains.push(this.chain());
    return { kind: 'match', optional, chains, where: this.where(), at };
  }

  private where() {
    return this.takeWords('WHERE') ? this.expression() : null;
  }

  private chain(): Chain {
    const { at } = this.peek();
    const nodes = [this.node()];
    const relationships: RelationshipPattern[] = [];
    while (this.isSign('-') || this.isSign('<')) {
      relationships.push(this.relationship());
      nodes.push(this.node());
    }
    return { nodes, relationships, at };
  }

  private node(): NodePattern {
    const { at } = this.peek();
    if (!this.takeSign('(')) throw this.refusal('A pattern begins with a node: (n:Label)');
    const variable = this.isName() ? this.expectName('a variable') : null;
    const labels = this.takeSign(':') ? this.names('a label') : [];
    const properties = this.isSign('{') ? this.entries() : [];
    this.expectSign(')', 'A node is written (n:Label {property: value}), and labels as :A or :A|B');
    return { variable, labels, properties, at };
  }

  private relationship(): RelationshipPattern {
    const { at } = this.peek();
    const isLeft = this.takeSign('<');
    this.expectSign('-', 'A relationship is written -[r:TYPE]->');
    let variable: string | null = null;
    let types: string[] = [];
    let properties: RelationshipPattern['properties'] = [];
    let hops: RelationshipPattern['hops'] = null;
    if (this.takeSign('[')) {
      variable = this.isName() ? this.expectName('a variable') : null;
      types = this.takeSign(':') ? this.names('a type') : [];
      hops = this.takeSign('*') ? this.hops() : null;
      properties = this.isSign('{') ? this.entries() : [];
      this.expectSign(']', 'A relationship is written -[r:TYPE]->, and types as :A or :A|B');
    }
    this.expectSign('-', 'A relationship is written -[r:TYPE]->');
    const isRight = this.takeSign('>');
    const direction = isLeft === isRight ? 'both' : isLeft ? 'left' : 'right';
    return { variable, types, properties, direction, hops, at };
  }

  /** After `*`: `2`, `..3` or `1..3`. */
  private hops(): { min: number; max: number } {
    const { at } = this.peek();
    const first = this.takeInteger();
    const isRange = this.takeSign('..');
    const max = isRange ? this.takeInteger() : first;
    const min = first ?? 1;
    if (max === null)
      throw new QueryRefused(`* needs an upper bound of at most ${HOPS_MAX}: *1..3.`, at);
    if (max > HOPS_MAX || max < 1 || min > max)
      throw new QueryRefused(`* follows 1 to ${HOPS_MAX} relationships: *1..3.`, at);
    return { min, max };
  }

  private names(what: string): string[] {
    const names = [this.expectName(what)];
    while (this.takeSign('|')) {
      this.takeSign(':');
      names.push(this.expectName(what));
    }
    return names;
  }

  private projection(kind: 'with' | 'return', at: number): ProjectionClause {
    const distinct = this.takeWords('DISTINCT');
    const all = this.takeSign('*');
    const items: ProjectionItem[] = [];
    if (!all || this.takeSign(','))
      do items.push(this.item());
      while (this.takeSign(','));
    const orderBy = this.takeWords('ORDER', 'BY') ? this.orderBy() : [];
    const skip = this.takeWords('SKIP') ? this.expression() : null;
    const limit = this.takeWords('LIMIT') ? this.expression() : null;
    const where = kind === 'with' ? this.where() : null;
    return { kind, distinct, all, items, orderBy, skip, limit, where, at };
  }

  private item(): ProjectionItem {
    const { at } = this.peek();
    const value = this.expression();
    const text = this.textSince(at);
    if (this.takeWords('AS')) return { value, name: this.expectName('a name'), isNamed: true, at };
    return { value, name: text, isNamed: value.kind === 'variable', at };
  }

  private orderBy(): ProjectionClause['orderBy'] {
    const orders: { by: ProjectionItem['value']; descending: boolean }[] = [];
    do {
      const by = this.expression();
      const descending = this.takeWords('DESC') || this.takeWords('DESCENDING');
      if (!descending) void (this.takeWords('ASC') || this.takeWords('ASCENDING'));
      orders.push({ by, descending });
    } while (this.takeSign(','));
    return orders;
  }
}
