import process from 'node:process';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { callRest, serve } from './served.ts';

const State = Annotation.Root({ key: Annotation<string>, text: Annotation<string> });
const step = async ({ key }: typeof State.State) => ({ text: await callRest(key) });

const saver = PostgresSaver.fromConnString(`${process.env['POSTGRES_URL']}/langgraph`);
await saver.setup();
const graph = new StateGraph(State)
  .addNode('a', step)
  .addNode('b', step)
  .addNode('c', step)
  .addEdge(START, 'a')
  .addEdge('a', 'b')
  .addEdge('b', 'c')
  .addEdge('c', END)
  .compile({ checkpointer: saver });
await serve((key) =>
  graph.invoke({ key }, { configurable: { thread_id: key }, durability: 'sync' }),
);
