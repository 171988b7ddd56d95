import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import type { McpTool } from '../../common/mcp-server.ts';

// Results of an MCP server. Nothing here throws: a part of another form is named, not lost.

/** Characters of the longest name that a tool may have. */
const NAME_CHARS_MAX = 1_000;

/**
 * The tools of one page, with those that cannot be called.
 * @param before the number of tools on the pages before it; a tool without a name is named by it
 */
export function toolsOf(page: JsonObject, before: number): McpTool[] {
  const { tools } = page;
  if (!Array.isArray(tools)) return [];
  return tools.map((tool, index) => toolOf(tool, before + index + 1));
}

function toolOf(tool: Json, place: number): McpTool {
  const given = isJsonObject(tool) ? tool : {};
  const { name: givenName, description, inputSchema = null, outputSchema = null } = given;
  const hasName = typeof givenName === 'string' && givenName.trim() !== '';
  const name = hasName ? givenName : `#${place}`;
  const input = isJsonObject(inputSchema) ? inputSchema : {};
  const output = isJsonObject(outputSchema) ? outputSchema : null;
  const described = typeof description === 'string' ? description : null;
  const problem = !isJsonObject(tool)
    ? `Tool ${place} of the list is no object.`
    : !hasName
      ? `Tool ${place} of the list has no name.`
      : name.length > NAME_CHARS_MAX
        ? `The name of this tool is longer than ${NAME_CHARS_MAX} characters.`
        : inputFault(inputSchema);
  return { name, description: described, inputSchema: input, outputSchema: output, problem };
}

function inputFault(schema: Json): string | null {
  if (schema === null) return 'It has no inputSchema.';
  if (!isJsonObject(schema)) return 'Its inputSchema is no JSON object.';
  if (schema['type'] === 'object') return null;
  const type = schema['type'];
  return (
    'Its inputSchema has to have the type ' +
    `"object"${type === undefined ? '' : `, and it has ${JSON.stringify(type)}`}.`
  );
}

/** A file among the content of an answer. */
export interface ContentFile {
  readonly base64: string;
  readonly mediaType: string | undefined;
}

/** One block of content: its text, and a file for which the text has a place. */
interface ContentPart {
  readonly text: string;
  readonly file: ContentFile | null;
}

/**
 * The content of an answer. A block other than text becomes a placeholder with its type, such as
 * `[image image/png]`; the URI of its file goes before the bracket.
 */
export function contentOf(content: Json | undefined): ContentPart[] {
  if (content === undefined || content === null) return [];
  return (Array.isArray(content) ? content : [content]).map(partOf);
}

function partOf(block: Json): ContentPart {
  if (typeof block === 'string') return text(block);
  if (!isJsonObject(block)) return text(JSON.stringify(block));
  const { type, resource } = block;
  if (type === 'text' && typeof block['text'] === 'string') return text(block['text']);
  if (type === 'resource_link') return text(bracketed('resource', block['uri'], block['mimeType']));
  if (type === 'resource' && isJsonObject(resource)) {
    if (typeof resource['text'] === 'string') return text(resource['text']);
    const { uri, mimeType, blob } = resource;
    return filePart(['resource', uri, mimeType], blob, mimeType);
  }
  if ((type === 'image' || type === 'audio') && typeof block['data'] === 'string') {
    const { data, mimeType } = block;
    // Some servers give the address of the file instead of its bytes.
    if (/^(?:https?|file):\/\//i.test(data)) return text(bracketed(type, mimeType, data));
    return filePart([type, mimeType], data, mimeType);
  }
  // A kind that is not known: the whole block, so that nothing of it is lost.
  return text(bracketed(typeof type === 'string' ? type : 'content', JSON.stringify(block)));
}

const text = (given: string): ContentPart => ({ text: given, file: null });

const bracketed = (...words: readonly (Json | undefined)[]): string =>
  `[${words.filter((word) => typeof word === 'string' && word !== '').join(' ')}]`;

/** A part whose bytes can't be read is left out, and the text says so. */
function filePart(
  words: readonly (Json | undefined)[],
  data: Json | undefined,
  type: Json | undefined,
): ContentPart {
  const file = fileOf(data, type);
  if (file === null || isBase64(file.base64)) return { text: bracketed(...words), file };
  const fault = file.base64.trim() === '' ? 'is empty' : 'is not in base64';
  return text(bracketed(...words, `left out: its data ${fault}`));
}

/** Blanks are line breaks of MIME. Some servers write the alphabet of URLs. */
const isBase64 = (data: string): boolean => /[\w+/-]/.test(data) && !/[^\w+/=\s-]/.test(data);

function fileOf(data: Json | undefined, type: Json | undefined): ContentFile | null {
  if (typeof data !== 'string') return null;
  const [, inUrl, bytes] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(data) ?? [];
  const mediaType = typeof type === 'string' ? type : inUrl || undefined;
  return { base64: bytes ?? data, mediaType };
}

/**
 * The structured part of an answer; null where there is none. `toolResult` is that of old servers.
 * An answer without any content is its other fields, such as those of a task.
 */
export function structuredOf({
  structuredContent,
  toolResult,
  isError: _isError,
  _meta,
  ...rest
}: JsonObject): Json {
  const isOther = rest['content'] === undefined && Object.keys(rest).length > 0;
  return structuredContent ?? toolResult ?? (isOther ? rest : null);
}
