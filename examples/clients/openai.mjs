import process from 'node:process';
import OpenAI from 'openai';

const openai = new OpenAI({
  baseURL: `${process.env.AIDEN_URL ?? 'http://127.0.0.1:4000'}/v1`,
  apiKey: process.env.AIDEN_TOKEN,
});
const answer = await openai.chat.completions.create({
  model: 'chat',
  messages: [{ role: 'user', content: 'Ada lives in Turin. Where does Ada live?' }],
  stream: true,
});
for await (const { choices } of answer) process.stdout.write(choices[0]?.delta.content ?? '');
