import { createHash } from 'node:crypto';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

/** The one inline script of the page. Its own text holds no `</script>`. */
const SCRIPT = /<script>([\s\S]*?)<\/script>/;

/**
 * The Content-Security-Policy of GraphiQL's page: its own script by hash, its workers from blobs,
 * and this API alone to call. Its editor adds style elements while it runs.
 */
export function graphiqlPolicy(page: string): string {
  const script = SCRIPT.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'font-src data:',
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

type Options = Parameters<typeof renderGraphiQL>[0];

/** Renders the page and keeps its policy, which is the same for the same options. */
export function openGraphiql(): {
  readonly render: (options: Options) => string;
  readonly policyOf: () => string;
} {
  let policy = graphiqlPolicy('');
  return {
    render(options) {
      const page = renderGraphiQL(options);
      policy = graphiqlPolicy(page);
      return page;
    },
    policyOf: () => policy,
  };
}
