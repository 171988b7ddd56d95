import { parentPort, workerData } from 'node:worker_threads';
import { parseYaml } from './parse-yaml.ts';

// As text, so that what arrives on the other side is plain JSON and shares nothing.
parentPort?.postMessage(JSON.stringify(parseYaml(String(workerData))));
