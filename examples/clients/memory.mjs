// Remembers what a user said, and finds it again.
import { memoryOf, openClient } from '@aiden/client';

const client = openClient({
  url: process.env.AIDEN_URL ?? 'http://127.0.0.1:4000',
  token: process.env.AIDEN_TOKEN,
});
const memory = memoryOf(client);
await memory.add('We deploy billing-api on Fridays only.', { source: 'my-agent' });
for (let looks = 0; looks < 20; looks++) {
  const { answerable, hits } = await memory.search('When do we deploy billing-api?', { limit: 3 });
  if (answerable) {
    console.log(hits[0].kind, hits[0].at, hits[0].text);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
}
client.close();
