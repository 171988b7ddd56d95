// The syntax tree of a query: the subset of Cypher that users may run. Every node knows its place
// in the text (`at`), for refusals.

export interface Query {
  readonly clauses: readonly Clause[];
}

export type Clause = MatchClause | UnwindClause | ProjectionClause;

export interface MatchClause {
  readonly kind: 'match';
  readonly optional: boolean;
  readonly chains: readonly Chain[];
  readonly where: Expression | null;
  readonly at: number;
}

export interface UnwindClause {
  readonly kind: 'unwind';
  readonly list: Expression;
  readonly name: string;
  readonly at: number;
}

/** WITH or RETURN. */
export interface ProjectionClause {
  readonly kind: 'with' | 'return';
  readonly distinct: boolean;
  /** `*`: all variables, before the items. */
  readonly all: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly { readonly by: Expression; readonly descending: boolean }[];
  readonly skip: Expression | null;
  readonly limit: Expression | null;
  /** WITH only. */
  readonly where: Expression | null;
  readonly at: number;
}

export interface ProjectionItem {
  readonly value: Expression;
  /** The name after AS, else the variable's name, else the text of the expression. */
  readonly name: string;
  /** Whether WITH may pass the item on: it is a variable or has an AS. */
  readonly isNamed: boolean;
  readonly at: number;
}

/** `(a)-[r]->(b)<--(c)`: one node more than relationships. */
export interface Chain {
  readonly nodes: readonly NodePattern[];
  readonly relationships: readonly RelationshipPattern[];
  readonly at: number;
}

export interface NodePattern {
  readonly variable: string | null;
  /** Any of these labels. Empty: a variable that is bound already. */
  readonly labels: readonly string[];
  readonly properties: readonly Entry[];
  readonly at: number;
}

export interface RelationshipPattern {
  readonly variable: string | null;
  /** Any of these types. Empty: any type that a query may use. */
  readonly types: readonly string[];
  readonly properties: readonly Entry[];
  readonly direction: 'right' | 'left' | 'both';
  /** `*1..3`; null: one relationship. */
  readonly hops: { readonly min: number; readonly max: number } | null;
  readonly at: number;
}

export interface Entry {
  readonly key: string;
  readonly value: Expression;
  readonly at: number;
}

export const BINARY_OPERATORS = [
  'OR',
  'XOR',
  'AND',
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'STARTS WITH',
  'ENDS WITH',
  'CONTAINS',
  'IN',
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];

export const QUANTIFIERS = ['any', 'all', 'none', 'single'] as const;
export type Quantifier = (typeof QUANTIFIERS)[number];

export type Expression = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'property'; readonly of: Expression; readonly key: string }
  | { readonly kind: 'index'; readonly of: Expression; readonly index: Expression }
  | {
      readonly kind: 'slice';
      readonly of: Expression;
      readonly from: Expression | null;
      readonly to: Expression | null;
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: readonly Entry[] }
  | { readonly kind: 'not' | 'minus'; readonly of: Expression }
  | { readonly kind: 'isNull'; readonly of: Expression; readonly negated: boolean }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'case';
      readonly of: Expression | null;
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | null;
    }
  | {
      readonly kind: 'call';
      /** In lower case. */
      readonly name: string;
      readonly distinct: boolean;
      /** `count(*)`. */
      readonly star: boolean;
      readonly args: readonly Expression[];
    }
  | {
      readonly kind: 'comprehension';
      /** Null: `[x IN list WHERE … | …]`. */
      readonly quantifier: Quantifier | null;
      readonly name: string;
      readonly list: Expression;
      readonly where: Expression | null;
      readonly body: Expression | null;
    }
);
