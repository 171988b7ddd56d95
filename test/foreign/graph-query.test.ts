import { describe, expect, it } from 'vitest';
import { compileOwnQuery } from '../../src/own-graph/compiler.ts';
import { QueryRefused } from '../../src/own-graph/token.ts';
import { GRAPH_QUERIES, type GraphQuery } from './graph-query.cases.ts';

// test/graph/own-graph-ends.test.ts runs them.

/** `runs`, or the refusal. */
function answerOf({ query, parameters = {} }: GraphQuery): string {
  try {
    compileOwnQuery(query, parameters);
    return 'runs';
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    return error.in(query);
  }
}

describe('query_graph (S0-WS-02)', () => {
  it.each(GRAPH_QUERIES)('$title ($source)', ({ input, right }) => {
    const answer = answerOf(input);
    expect(answer.isWellFormed()).toBe(true);
    expect(answer).toMatch(right === 'runs' ? /^runs$/ : right.refused);
  });
});
