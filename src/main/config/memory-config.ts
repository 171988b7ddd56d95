import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import process from 'node:process';
import {
  DEFAULT_FILE,
  type LoadedAgentMemorySettings,
  loadAgentMemorySettings,
} from '../../agent-memory/summarizer-settings.ts';
import { BadSettings, type Config, isLoopback } from './config.ts';

/**
 * Reads the settings of the agent memory. Aiden's own flags come first, then the order of
 * S2-CFG-03. In dev, callers are not verified: the default 0.0.0.0 becomes 127.0.0.1, and other
 * addresses are refused.
 * @throws BadSettings
 */
export function readMemoryConfig(
  config: Pick<
    Config,
    'grpcHost' | 'grpcPort' | 'multiAgentMode' | 'agentId' | 'memoryConfig' | 'auth'
  >,
  env: Readonly<Record<string, string | undefined>> = process.env,
): LoadedAgentMemorySettings {
  const home = homedir();
  const { memoryConfig } = config;
  if (memoryConfig !== undefined && !existsSync(memoryConfig))
    throw new BadSettings([
      { setting: '--memory-config', message: `names a file that is not there: ${memoryConfig}.` },
    ]);
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  const loaded = asBadSettings(() =>
    loadAgentMemorySettings({
      flags: {
        grpc_host: config.grpcHost,
        grpc_port: config.grpcPort,
        multi_agent_mode: config.multiAgentMode,
        agent_id: config.agentId,
      },
      env,
      givenFile: memoryConfig === undefined ? null : read(memoryConfig),
      defaultFile: read(`${home}/${DEFAULT_FILE}`),
      home,
      platform: process.platform,
    }),
  );
  if (config.auth !== 'dev' || isLoopback(loaded.settings.grpc_host)) return loaded;
  if (loaded.given.has('grpc_host'))
    throw new BadSettings([
      {
        setting: 'MEMORY_GRPC_HOST',
        message:
          `can not be ${loaded.settings.grpc_host} while AIDEN_AUTH is dev, because dev does ` +
          'not verify callers; leave it out or set AIDEN_AUTH=jwt.',
      },
    ]);
  return { ...loaded, settings: { ...loaded.settings, grpc_host: '127.0.0.1' } };
}

function asBadSettings(load: () => LoadedAgentMemorySettings): LoadedAgentMemorySettings {
  try {
    return load();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BadSettings([{ setting: 'MEMORY_*', message }]);
  }
}
