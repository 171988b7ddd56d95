import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';

// Issue 3: the graphql-http server audits pass; that is the GraphQL over HTTP specification, MUSTs
// and SHOULDs.
it('speaks GraphQL over HTTP as its specification says', async () => {
  const results = await auditServer({ url: `${process.env['AIDEN_TEST_URL']}/graphql` });
  const failed = results.filter(({ status }) => status !== 'ok');
  expect(results.length).toBeGreaterThan(50);
  expect(
    failed.map(
      ({ status, name, ...rest }) => `${status}: ${name} ${'reason' in rest ? rest.reason : ''}`,
    ),
  ).toEqual([]);
});
