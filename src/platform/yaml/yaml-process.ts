import { serveConfined } from '../confined/serve-confined.ts';
import { parseYaml } from './parse-yaml.ts';

serveConfined((_head, text) => JSON.stringify(parseYaml(text)));
