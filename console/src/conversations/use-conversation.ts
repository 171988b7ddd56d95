import { useEffect, useRef } from 'react';
import { useLive } from '../api/use-api.ts';
import { useLiveQuery } from '../api/use-live-query.ts';
import { usePageVisible } from '../api/use-page-visible.ts';
import { ConversationDocument } from '../generated/documents.ts';

/** Events come in bursts; the conversation is read once for each burst. */
const BURST_MS = 120;

/**
 * A conversation with its active path, read again at each of its events. The client library
 * resumes the events at their cursor after a lost connection.
 */
export function useConversation(id: string) {
  const live = useLive();
  const isVisible = usePageVisible();
  const [state, again] = useLiveQuery({ query: ConversationDocument, variables: { id } });
  const read = useRef(again);
  read.current = again;
  useEffect(() => {
    if (!isVisible) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const feed = live.followConversation(id, {
      onEvent() {
        clearTimeout(timer);
        timer = setTimeout(() => read.current(), BURST_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      feed.close();
    };
  }, [live, id, isVisible]);
  return [state, again] as const;
}
