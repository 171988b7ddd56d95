import { useEffect, useRef, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { ToolPageDocument, type ToolPageQuery } from '../generated/documents.ts';

export type StoredTool = NonNullable<ToolPageQuery['tool']>;

/** What a form begins with. */
interface Opened {
  readonly id: string;
  /** Null: there is no such Tool. */
  readonly tool: StoredTool | null;
  /** Goes up when the form is to begin anew. */
  readonly round: number;
}

/**
 * A Tool as it is stored when its form opens. It changes only when the form asks for it: a change
 * that comes in by itself would begin the form anew while a person types.
 * @param id null: nothing is read
 */
export function useStoredTool(id: string | null): {
  /** Undefined until it is read. */
  readonly opened: Opened | undefined;
  readonly error: CombinedError | undefined;
  /** Reads it again; null, with `error`, where that fails. */
  read(): Promise<Pick<Opened, 'tool'> | null>;
  show(tool: StoredTool | null, isAnew: boolean): void;
} {
  const client = useClient();
  const [opened, setOpened] = useState<Opened>();
  const [error, setError] = useState<CombinedError>();
  const asked = useRef(id);
  asked.current = id;
  const read = async () => {
    setError(undefined);
    const found = await client
      .query(ToolPageDocument, { id: id ?? '' }, { requestPolicy: 'network-only' })
      .toPromise();
    // Another Tool may have been opened meanwhile.
    if (asked.current !== id) return null;
    setError(found.error);
    return found.data === undefined || found.error !== undefined
      ? null
      : { tool: found.data.tool ?? null };
  };
  const show = (tool: StoredTool | null, isAnew: boolean) =>
    setOpened((before) => ({
      id: id ?? '',
      tool,
      round: (before?.round ?? 0) + (isAnew ? 1 : 0),
    }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads when another Tool is opened
  useEffect(() => {
    if (id === null) return;
    let isOver = false;
    void read().then((found) => {
      if (!isOver && found !== null) show(found.tool, true);
    });
    return () => {
      isOver = true;
    };
  }, [client, id]);
  return { opened: opened?.id === id ? opened : undefined, error, read, show };
}
