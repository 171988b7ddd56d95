/** Where a model comes from: a file on this machine, or a file of a model hub. */
export type ModelSource =
  | { readonly kind: 'gguf'; readonly path: string }
  | {
      readonly kind: 'hf';
      /** `owner/name` */
      readonly repository: string;
      readonly revision: string;
      readonly file: string;
    };

const NAME = '[A-Za-z0-9][A-Za-z0-9._-]*';
const HUB = new RegExp(
  `^hf:(${NAME}/${NAME})(?:@([A-Za-z0-9][A-Za-z0-9._/-]*))?:((?:${NAME}/)*${NAME}\\.gguf)$`,
);

/**
 * Reads `gguf:/path/model.gguf` or `hf:owner/name[@revision]:file.gguf`. Default revision: main.
 * @throws Error with the two forms
 */
export function parseModelSource(text: string): ModelSource {
  const path = /^gguf:(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { kind: 'gguf', path };
  const [, repository, revision = 'main', file] = HUB.exec(text) ?? [];
  if (repository !== undefined && file !== undefined && !text.includes('..'))
    return { kind: 'hf', repository, revision, file };
  throw new Error(`${text} is neither gguf:/path/model.gguf nor hf:owner/name:file.gguf.`);
}

/** The model's name in the API: its file name without the extension and the number of a part. */
export function modelNameOf(source: ModelSource): string {
  const path = source.kind === 'gguf' ? source.path : source.file;
  return (path.split(/[/\\]/).at(-1) ?? path)
    .replace(/\.gguf$/i, '')
    .replace(/-\d{5}-of-\d{5}$/, '');
}

/** All files of a model; large ones come in parts `…-00001-of-00003.gguf`. */
export function partsOf(file: string): string[] {
  const [, start, count] = /^(.*)-00001-of-(\d{5})\.gguf$/.exec(file) ?? [];
  if (start === undefined || count === undefined) return [file];
  return Array.from(
    { length: Number(count) },
    (_, index) => `${start}-${String(index + 1).padStart(5, '0')}-of-${count}.gguf`,
  );
}
