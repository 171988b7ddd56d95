// Names and codes that a tokenizer would part: C++, CS:GO, Node.js, Marie-Claire, v2.3.1.

/** Nouns that end the name of a piece of software. */
const SOFTWARE =
  'api|apis|service|svc|agent|db|database|worker|workers|gateway|proxy|queue|cache|server|client|' +
  'job|jobs|bot|daemon|operator|controller|scheduler|ui|frontend|backend|sdk|cli|lib|library|' +
  'infra|prod|staging|dev|cluster|sync|importer|exporter|consumer|producer|bucket|repo|' +
  'repository|package|module|microservice|pipeline|runner|router|registry|broker|webhook|' +
  'ingress|postgres|redis|kafka|mysql';

/** Words that only describe what follows them: "self-service", "open-source library". */
const NO_SOFTWARE =
  'self|full|non|web|multi|single|open|cross|room|customer|in|on|off|one|two|pre|post|real|end|' +
  'high|low|well|first|second|top';

const NAME_SHAPES = [
  String.raw`\p{Lu}\p{L}*(?:\+\+|#(?![\p{L}\d]))`,
  String.raw`\p{Lu}[\p{L}\d]*(?:[-'’]\p{Lu}[\p{L}\d]*)+`,
  String.raw`\p{Lu}{1,5}(?:[:/&]\p{Lu}{1,5})+`,
  String.raw`\p{Lu}[\p{L}\d]*\.(?:js|io|ai|net|com|org|dev|app|py|rs|NET)`,
  String.raw`\.NET`,
  String.raw`(?:[Rr]elease|[Vv]ersion) v?\d+(?:\.\d+)+`,
  String.raw`\p{Lu}[\p{L}\d]*-\d+(?:\.\d+)*\p{Ll}?`,
  String.raw`v\d+(?:\.\d+)+(?:-[\w.]*\w)?`,
  // Services, databases, clusters: billing-api, quota-agent, eu-west-db.
  `(?!(?:${NO_SOFTWARE})-)` + String.raw`[a-z][a-z\d]*(?:-[a-z\d]+)*-(?:${SOFTWARE})\d*`,
  String.raw`(?:feature|feat|fix|bugfix|hotfix|release|chore)\/[\w.-]*\w`,
  '[ie](?:Phone|Pad|Mac|Cloud|OS|Bay|Tunes|Watch)|macOS|watchOS',
];
const CODE_SHAPES = [
  String.raw`[A-Z][A-Z\d]*(?:_[A-Z\d]+)+`,
  String.raw`https?:\/\/[^\s<>"')]*[^\s<>"').,;:!?]`,
  String.raw`[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}`,
  String.raw`\.{0,2}\/[\w@.-]+(?:\/[\w@.-]*\w)*`,
  String.raw`@?[a-z][\w-]*(?:\/[\w@.-]*\w){2,}`,
  String.raw`[a-z][a-z\d]*(?:_[a-z\d]+)+`,
  String.raw`[a-z]+(?:-[a-z\d]+)*-\d[a-z\d]*`,
  String.raw`[\w-]+\.(?:ts|tsx|js|jsx|json|ya?ml|md|py|rs|go|java|sql|sh|toml|txt|csv|pdf|png|env|lock)`,
  String.raw`\d+\.\d+(?:\.\d+)+`,
];

/** How a piece is read: as a name of its own, or as a code that is no word. */
export type PieceKind = 'name' | 'code';
export interface Piece {
  readonly text: string;
  readonly kind: PieceKind;
}

const group = (shapes: readonly string[]): string => `(?:${shapes.join('|')})`;
const PIECE = new RegExp(
  String.raw`(?<![\p{L}\d_@/.])(?:(?<name>${group(NAME_SHAPES)})|(?<code>${group(CODE_SHAPES)}))(?![\p{L}\d_])`,
  'gu',
);
/** A word no text has, and that every tokenizer keeps whole; the letters number the piece. */
const STAND_IN = /Zqxj([a-p]+)x/g;

/** The text with a stand-in word for each piece, so that tokens and sentences never part one. */
export function hidePieces(text: string): { readonly text: string; readonly pieces: Piece[] } {
  const pieces: Piece[] = [];
  if (text.search(STAND_IN) >= 0) return { text, pieces };
  const hidden = text.replace(PIECE, (...args) => {
    const named = args.at(-1) as Partial<Record<PieceKind, string>>;
    const kind = named.name === undefined ? 'code' : 'name';
    pieces.push({ text: String(args[0]), kind });
    return standIn(pieces.length - 1);
  });
  return { text: hidden, pieces };
}

const DIGITS = 'abcdefghijklmnop';

function standIn(index: number): string {
  const digits = index
    .toString(16)
    .replace(/[\da-f]/g, (digit) => DIGITS[Number.parseInt(digit, 16)] ?? 'a');
  return `Zqxj${digits}x`;
}

function indexOf(digits: string): number {
  return [...digits].reduce((index, digit) => index * 16 + DIGITS.indexOf(digit), 0);
}

/**
 * The piece that a token stands for; undefined for a token of the text itself. A tokenizer does not
 * part a word at its hyphens, so boat-55c3-b05a is one token: a stand-in, and `-b05a` behind it.
 */
export function pieceOf(token: string, pieces: readonly Piece[]): Piece | undefined {
  const digits = /Zqxj([a-p]+)x/.exec(token)?.[1];
  if (digits === undefined) return undefined;
  const piece = pieces[indexOf(digits)];
  return piece === undefined ? undefined : { text: showPieces(token, pieces), kind: piece.kind };
}

export function showPieces(text: string, pieces: readonly Piece[]): string {
  return pieces.length === 0
    ? text
    : text.replace(STAND_IN, (token, digits: string) => pieces[indexOf(digits)]?.text ?? token);
}
