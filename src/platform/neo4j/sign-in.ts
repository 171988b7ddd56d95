import { Neo4jError } from 'neo4j-driver';
import { type Backoff, backoffMs } from '../../common/backoff.ts';

/** Neo4j does not accept our password. */
export class Neo4jRefused extends Error {
  override readonly name = 'Neo4jRefused';
}

const REFUSED = /^Neo\.ClientError\.Security\.(Unauthorized|AuthenticationRateLimit)$/;
/** A Neo4j that is starting refuses passwords too, for some seconds. */
const SIGN_IN_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 60_000 };

/**
 * Lets one login at a time prove the password: at the start, and after each loss of Neo4j. Neo4j
 * locks a user after three wrong passwords, and the Neo4j that answers may belong to another
 * instance, whose users must not be locked out. Later tries wait longer and longer.
 */
export class SignIn {
  readonly #uri: string;
  readonly #login: () => Promise<unknown>;
  readonly #isAway: (error: unknown) => boolean;
  #isProven = false;
  #proof: Promise<void> | null = null;
  #refusals = 0;
  #againAtMs = 0;

  /** @param parts `login` signs in once; `isAway` says that an error means a loss of Neo4j */
  constructor(parts: {
    readonly uri: string;
    login(): Promise<unknown>;
    isAway(error: unknown): boolean;
  }) {
    this.#uri = parts.uri;
    this.#login = parts.login;
    this.#isAway = parts.isAway;
  }

  /**
   * Runs work that uses the connection.
   * @throws Neo4jRefused, also without asking Neo4j while it is too early for another try
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isProven) {
      this.#proof ??= this.#prove().finally(() => {
        this.#proof = null;
      });
      await this.#proof;
    }
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error)) throw this.#refused();
      if (this.#isAway(error)) this.#isProven = false;
      throw error;
    }
  }

  async #prove(): Promise<void> {
    if (performance.now() < this.#againAtMs) throw this.#refusal();
    try {
      await this.#login();
      this.#isProven = true;
      this.#refusals = 0;
    } catch (error) {
      throw isRefusal(error) ? this.#refused() : error;
    }
  }

  #refused(): Neo4jRefused {
    this.#isProven = false;
    this.#againAtMs = performance.now() + backoffMs(SIGN_IN_BACKOFF, ++this.#refusals);
    return this.#refusal();
  }

  #refusal(): Neo4jRefused {
    return new Neo4jRefused(
      `The Neo4j at ${this.#uri} refuses the password of this instance, so it may belong to ` +
        'another one. Check NEO4J_URI and NEO4J_PASSWORD.',
    );
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Neo4jError && REFUSED.test(error.code);
