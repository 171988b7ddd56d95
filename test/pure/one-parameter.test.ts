import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inOneParameter } from '../../src/platform/neo4j/one-parameter.ts';

it('every parameter of a statement becomes a member of one', () => {
  expect(inOneParameter('MATCH (n:User {id: $id}) WHERE n.at > $from RETURN n LIMIT $limit')).toBe(
    'MATCH (n:User {id: $p.id}) WHERE n.at > $p.from RETURN n LIMIT $p.limit',
  );
  expect(inOneParameter('SET n += $row.props')).toBe('SET n += $p.row.props');
});

it('texts, names, comments and the options of schema commands stay as they are', () => {
  for (const kept of [
    "RETURN 'costs $five' AS x",
    'RETURN "say \\"$five\\"" AS x',
    "RETURN 'it\\'s $five' AS x",
    'RETURN 1 AS `$five`',
    '// of $five\nRETURN 1',
    '/* of $five\n and $six */ RETURN 1',
    'CREATE VECTOR INDEX a IF NOT EXISTS FOR (n:N) ON (n.v) OPTIONS $options',
  ])
    expect(inOneParameter(kept)).toBe(kept);
  expect(inOneParameter("RETURN '$a' + $a // $a\n + $b")).toBe("RETURN '$a' + $p.a // $a\n + $p.b");
});

it('nothing but parameters changes, whatever stands between them', () => {
  const name = fc.stringMatching(/^[a-zA-Z_]\w{0,8}$/);
  const quoted = fc
    .string()
    .map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`);
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          name.map((one) => ({ param: one })),
          quoted,
        ),
      ),
      (parts) => {
        const text = (of: (param: string) => string) =>
          parts.map((part) => (typeof part === 'string' ? part : of(part.param))).join(' + ');
        expect(inOneParameter(text((one) => `$${one}`))).toBe(text((one) => `$p.${one}`));
      },
    ),
  );
});
