import { afterAll, expect } from 'vitest';
import { type EngineOptions, openEngine } from './engine.ts';
import { openRestServer } from './rest-server.ts';
import { runsOf } from './run-steps.ts';
import { openScriptedLlm } from './scripted-llm.ts';
import { world } from './world.ts';

/**
 * The world of a test file about runs: an Engine, a REST server and a model for its calls, fresh
 * people, and Ada's way to use the Engine. All of it closes after the file; a defect of the Engine
 * fails the file.
 */
export async function engineWorld(options: EngineOptions = {}) {
  const [engine, rest, llm, people] = await Promise.all([
    openEngine(options),
    openRestServer(),
    openScriptedLlm(),
    world(),
  ]);
  afterAll(async () => {
    expect(engine.defects).toEqual([]);
    await Promise.all([engine.close(), rest.close(), llm.close()]);
  });
  return { ...people, engine, rest, llm, own: runsOf(engine, people.ada) };
}
