import { buildConsole, CONSOLE_CONFIG } from '../src/host/console.ts';

/** `npm run console` builds; `-- --dev http://127.0.0.1:4000` serves with reload, on that API. */
async function main(args: readonly string[]): Promise<void> {
  const at = args.indexOf('--dev');
  if (at < 0) return buildConsole((line) => console.log(line));
  const { createServer } = await import('vite');
  const target = args[at + 1] ?? 'http://127.0.0.1:4000';
  // The API accepts its own origin only, so the proxy sends that one.
  const proxy = { '/graphql': { target, changeOrigin: true, headers: { origin: target } } };
  const server = await createServer({ ...CONSOLE_CONFIG, logLevel: 'info', server: { proxy } });
  await server.listen();
  server.printUrls();
}

if (import.meta.main) await main(process.argv.slice(2));
