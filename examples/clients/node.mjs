import {
  CreateConversationDocument,
  ListProcessesDocument,
  openClient,
  SendMessageDocument,
} from '@aiden/client';

const client = openClient({
  url: process.env.AIDEN_URL ?? 'http://127.0.0.1:4000',
  token: process.env.AIDEN_TOKEN,
});
const { processes } = await client.request(ListProcessesDocument, { name: 'chat' });
const { createConversation } = await client.request(CreateConversationDocument, {
  input: { defaultProcessId: processes.nodes[0].id },
});
const { sendMessage } = await client.request(SendMessageDocument, {
  input: {
    conversationId: createConversation.conversation.id,
    content: 'Ada lives in Turin. Where does Ada live?',
  },
});
// Prints the answer as it comes. A dropped connection is resumed at its cursor.
const feed = client.followRun(sendMessage.run.id, {
  onEvent: (event) => event.kind === 'text' && process.stdout.write(event.content),
});
await feed.done;
client.close();
