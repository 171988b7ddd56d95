import { serveConfined } from '../confined/serve-confined.ts';
import { parseYaml, placesInYaml } from './parse-yaml.ts';

// The head has the paths to locate; an empty one asks for the value.
serveConfined((head, text) =>
  JSON.stringify(head === '' ? parseYaml(text) : placesInYaml(text, JSON.parse(head))),
);
