// Globals that only compute, for tsconfig.pure.json, which otherwise knows only
// ECMAScript. Workflows have no Buffer and no structuredClone; test/house keeps those out of what
// they reach.
declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
  readonly hash: string;
  readonly href: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
}
declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: string | Record<string, string>);
  append(name: string, value: string): void;
  get(name: string): string | null;
  set(name: string, value: string): void;
  [Symbol.iterator](): Iterator<[string, string]>;
}
declare class AbortSignal {
  static any(signals: readonly AbortSignal[]): AbortSignal;
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
  throwIfAborted(): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean });
  decode(bytes: Uint8Array): string;
}
declare function structuredClone<T>(value: T): T;
declare const Buffer: {
  from(
    text: string,
    encoding?: 'utf8' | 'base64' | 'base64url' | 'hex',
  ): Uint8Array & {
    toString(encoding?: 'utf8' | 'base64' | 'base64url' | 'hex'): string;
  };
  byteLength(text: string): number;
};
