import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { freePort } from '../../src/host/ports.ts';
import type { DockerOptions, Engine } from './engine.ts';

/** Secrets that `.env` would have, made for one run of the suite. */
export interface Secrets {
  readonly NEO4J_PASSWORD: string;
  readonly AIDEN_JWT_SECRET: string;
  readonly AIDEN_SECRET_KEYS: string;
}

export function newSecrets(): Secrets {
  return {
    NEO4J_PASSWORD: randomBytes(24).toString('base64url'),
    AIDEN_JWT_SECRET: randomBytes(48).toString('base64url'),
    AIDEN_SECRET_KEYS: `1:${randomBytes(32).toString('base64')}`,
  };
}

const ContainerState = z.object({
  name: z.string(),
  status: z.string(),
  pid: z.int(),
  health: z.string().nullable(),
  isReadOnly: z.boolean(),
});
export type ContainerState = z.infer<typeof ContainerState>;

/** One line of JSON per container: all that Docker knows of ten is more than `runTool` keeps. */
const STATE_FORMAT =
  '{"name":{{json .Name}},"status":{{json .State.Status}},"pid":{{.State.Pid}},"health":{{if ' +
  '.State.Health}}{{json ' +
  '.State.Health.Status}}{{else}}null{{end}},"isReadOnly":{{.HostConfig.ReadonlyRootfs}}}';

/** The services of docker-compose.yml with `--profile full`, under a project of their own. */
export class Installation {
  readonly #engine: Engine;
  readonly #project: string;
  readonly #secrets: Secrets;
  readonly #ports: Readonly<Record<string, string>>;
  readonly url: string;

  private constructor(
    engine: Engine,
    project: string,
    secrets: Secrets,
    ports: Readonly<Record<string, string>>,
  ) {
    this.#engine = engine;
    this.#project = project;
    this.#secrets = secrets;
    this.#ports = ports;
    this.url = `http://127.0.0.1:${ports['AIDEN_PORT']}`;
  }

  static async plan(engine: Engine, project: string, secrets: Secrets): Promise<Installation> {
    const taken = new Set<number>();
    const names = ['AIDEN_PORT', 'AIDEN_GRPC_PORT', 'AIDEN_NEO4J_PORT', 'AIDEN_TEMPORAL_PORT'];
    const ports: Record<string, string> = {};
    for (const name of [...names, 'AIDEN_TEMPORAL_UI_PORT'])
      ports[name] = String(await freePort(0, taken));
    return new Installation(engine, project, secrets, ports);
  }

  compose(args: readonly string[], options: DockerOptions = {}): Promise<string> {
    const all = ['compose', '-p', this.#project, '--profile', 'full', ...args];
    const env = { NEO4J_PAGECACHE: '256m', ...this.#secrets, ...this.#ports, ...options.env };
    return this.#engine.docker(all, { ...options, env });
  }

  /** All containers, also those that have ended. */
  async containers(): Promise<ContainerState[]> {
    const ids = (await this.compose(['ps', '--all', '--quiet'])).split('\n').filter(Boolean);
    const text = await this.#engine.docker(['inspect', '--format', STATE_FORMAT, ...ids]);
    const lines = text.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => ContainerState.parse(JSON.parse(line)));
  }

  /** @throws Error naming the containers that are not healthy in time */
  async healthy(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const sick = (await this.containers()).filter(
        ({ status, health }) => status !== 'running' || health !== 'healthy',
      );
      if (sick.length === 0) return;
      if (performance.now() > deadline)
        throw new Error(
          `Not healthy after ${withinMs / 1_000} s: ` +
            `${sick.map(({ name, status, health }) => `${name} ${status} ${health}`).join(', ')}`,
        );
      await sleep(1_000);
    }
  }

  /** Kills the main process of a container, as a crash would; Docker starts it again. */
  async crash(service: string): Promise<void> {
    const found = (await this.containers()).find(({ name }) => name.includes(`-${service}-`));
    if (found === undefined) throw new Error(`No container of ${service}.`);
    // `docker kill` counts as a wish, after which Docker would not start the container again.
    const inHost = ['--pid', 'host', '--user', '0', '--entrypoint', 'bash', 'debian:bookworm-slim'];
    const kill = `kill -9 ${found.pid}`;
    await this.#engine.docker(['run', '--rm', ...inHost, '-c', kill]);
  }

  /** @throws Error where the API does not answer, or answers with errors */
  async query<Data>(schema: z.ZodType<Data>, query: string, variables: object = {}): Promise<Data> {
    const token = await new SignJWT({ roles: ['admin'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('containers')
      .setIssuer('aiden')
      .setAudience('aiden')
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(this.#secrets.AIDEN_JWT_SECRET));
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    const { data } = z.object({ data: z.unknown() }).parse(JSON.parse(text));
    const parsed = schema.safeParse(data);
    if (!parsed.success)
      throw new Error(`The API answered ${response.status}: ${text.slice(0, 500)}`);
    return parsed.data;
  }
}
