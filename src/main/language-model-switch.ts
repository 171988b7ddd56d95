import { parse as parseYaml } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import type { Config } from './config/config.ts';

/** The Service of all shipped LLM Tools, in examples/system.yaml. */
const SERVICE = 'local-llm';

/** The operator's model, which all shipped LLM Tools use (docs/decisions/0030). */
export interface SwitchedModel {
  /** Base URL of the model's API, with `/v1`. */
  readonly endpoint: string;
  readonly model: string;
  /** Null: decided by the host, as for any Tool. */
  readonly api: 'openai' | 'anthropic' | null;
  /** Name of the system's Secret with the key; null: the server needs none. */
  readonly secret: string | null;
}

/** The system's Secret with the operator's key. */
export const SYSTEM_LLM_SECRET = 'AIDEN_LLM_API_KEY';

/** The model that the settings name; null: local-llm. */
export function switchedModel({
  llmUrl,
  llmModel,
  llmApi,
  llmApiKey,
}: Pick<Config, 'llmUrl' | 'llmModel' | 'llmApi' | 'llmApiKey'>): SwitchedModel | null {
  if (llmUrl === undefined || llmModel === undefined) return null;
  return {
    endpoint: llmUrl,
    model: llmModel,
    api: llmApi ?? null,
    secret: llmApiKey === undefined ? null : SYSTEM_LLM_SECRET,
  };
}

/**
 * The shipped bundle with the operator's model in each LLM Tool. Other connection parameters, such
 * as `structuredOutputs`, stay.
 * @param document a bundle in YAML
 * @returns the bundle as JSON, which is valid YAML
 */
export function withModel(document: string, model: SwitchedModel): string {
  const bundle = parseYaml(document) as { services: JsonObject[]; tools: JsonObject[] };
  const { endpoint, model: name, api, secret } = model;
  const services = bundle.services.map((service) =>
    service['name'] === SERVICE
      ? { ...service, description: `The model of the operator's settings: ${name} at ${endpoint}.` }
      : service,
  );
  const tools = bundle.tools.map((tool) => {
    if (tool['service'] !== SERVICE) return tool;
    // `toolCalls: false` is true of local-llm alone; the driver finds out about other models.
    const { toolCalls: _, ...before } = objectOf(tool['connectionParams'] ?? null);
    const connectionParams = {
      ...before,
      endpoint,
      model: name,
      ...(api === null ? {} : { api }),
    };
    return { ...tool, connectionParams, ...(secret === null ? {} : { secret }) };
  });
  return JSON.stringify({ ...bundle, services, tools });
}

const objectOf = (value: Json): JsonObject => (isJsonObject(value) ? value : {});
