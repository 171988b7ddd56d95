// Remembers what a user said, and finds it again.
import { memoryOf, openClient } from '@aiden/client';

const client = openClient({
  url: process.env.AIDEN_URL ?? 'http://127.0.0.1:4000',
  token: process.env.AIDEN_TOKEN,
});
const memory = memoryOf(client);
await memory.add('I moved to Trier in May, and I work at Haller now.', { source: 'my-agent' });
for (let looks = 0; looks < 20; looks++) {
  const [first] = await memory.search('Where do I live?', { limit: 3 });
  if (first !== undefined) {
    console.log(first.kind, first.at, first.text);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
}
client.close();
