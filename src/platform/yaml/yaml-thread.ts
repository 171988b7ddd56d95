import { parentPort, workerData } from 'node:worker_threads';
import { parseYaml } from './parse-yaml.ts';

// Sent as text, so that the receiver gets plain JSON without shared references.
parentPort?.postMessage(JSON.stringify(parseYaml(String(workerData))));
