import {
  CreateConversationDocument,
  ListProcessesDocument,
  openClient,
  SendMessageDocument,
} from '@aiden/client';
import { type FormEvent, useEffect, useState } from 'react';

const client = openClient({
  url: location.origin,
  token: () => localStorage.getItem('token') ?? '',
});

/** The answer of a run, as far as it has come. */
function useAnswer(runId: string | null): string {
  const [answer, setAnswer] = useState('');
  useEffect(() => {
    setAnswer('');
    if (runId === null) return;
    const feed = client.followRun(runId, {
      onEvent: (event) => {
        if (event.kind === 'text') setAnswer((text) => text + event.content);
      },
    });
    return () => feed.close();
  }, [runId]);
  return answer;
}

async function startConversation(): Promise<string> {
  const { processes } = await client.request(ListProcessesDocument, { name: 'chat' });
  const { createConversation } = await client.request(CreateConversationDocument, {
    input: { defaultProcessId: processes.nodes[0]?.id },
  });
  return createConversation.conversation?.id ?? '';
}

export function Talk() {
  const [conversationId, setConversationId] = useState<string | null>(null);
  const [runId, setRunId] = useState<string | null>(null);
  const answer = useAnswer(runId);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const content = String(new FormData(event.currentTarget).get('message'));
    const id = conversationId ?? (await startConversation());
    setConversationId(id);
    const { sendMessage } = await client.request(SendMessageDocument, {
      input: { conversationId: id, content },
    });
    setRunId(sendMessage.run?.id ?? null);
  }

  return (
    <form onSubmit={send}>
      <input name="message" aria-label="Message" />
      <button type="submit">Send</button>
      <output>{answer}</output>
    </form>
  );
}
