import { open } from 'node:fs/promises';

const MAGIC = 'GGUF';
const HEAD_BYTES = 8;

/**
 * Checks that a path is a GGUF file. llama.cpp's own message names no cause.
 * @throws Error that names the format that the file has instead
 */
export async function checkGguf(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOENT'
        ? `There is no file ${path}.`
        : `${path} can not be read (${error.code}).`,
    );
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is a folder; name the .gguf file in it.`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString('latin1', 0, Math.min(bytesRead, MAGIC.length));
    if (bytesRead === HEAD_BYTES && head === MAGIC) return;
    const is = /^</.test(head)
      ? 'a web page: the download got an error page'
      : /^vers/.test(head)
        ? 'the pointer of a large file: fetch it with git lfs'
        : /^PK/.test(head)
          ? 'a zip archive'
          : 'something else or damaged';
    throw new Error(`${path} is no GGUF model; it is ${is}.`);
  } finally {
    await file.close();
  }
}
