import {
  backgroundOf,
  type Figure,
  type Grade,
  shareOf,
  type Tokens,
  tokenRatioOf,
} from './grade.ts';

/** The aims of the product for its default install. Token ratio: at most; others: at least. */
export const AIMS = {
  eventsTheirs: 1,
  entitiesSensible: 0.85,
  entitiesFound: 0.8,
  factsRight: 0.85,
  factsFound: 0.6,
  datesRight: 1,
  settled: 1,
  nodesFull: 1,
  bulletsNamed: 1,
  linesClean: 1,
  introspectionsDistinct: 1,
  hit1: 0.4,
  hit10: 0.9,
} as const satisfies Record<Figure, number>;
export const TOKEN_RATIO_MAX = 3;

/** Whether a grade reaches all aims. */
export function keepsAims(grade: Grade): boolean {
  const isKept = (one: Figure) => shareOf(grade.figures[one]) >= AIMS[one];
  return tokenRatioOf(grade) <= TOKEN_RATIO_MAX && FIGURES.every(isKept);
}

const FIGURES = Object.keys(AIMS) as Figure[];
const SHOWN_MAX = 60;

const showTokens = (name: string, count: number, { own }: Tokens) =>
  `       ${name.padEnd(24)} ${(count / Math.max(1, own)).toFixed(1)} (${count})`;

/** A grade as lines for a terminal: the figures against their aims, then the offending lines. */
export function reportOf(title: string, grade: Grade): string[] {
  const { figures, offending, tokens } = grade;
  const tokenRatio = tokenRatioOf(grade);
  const percent = (share: number) => `${(share * 100).toFixed(0).padStart(3)} %`;
  return [
    `== ${title}`,
    ...FIGURES.map((figure) => {
      const { good, of } = figures[figure];
      const mark = shareOf(figures[figure]) >= AIMS[figure] ? 'ok  ' : 'MISS';
      return (
        `${mark} ${figure.padEnd(24)} ${percent(shareOf(figures[figure]))} (${good}/${of}), aim ` +
        `${percent(AIMS[figure]).trim()}`
      );
    }),
    `${tokenRatio <= TOKEN_RATIO_MAX ? 'ok  ' : 'MISS'} ${'background tokens'.padEnd(24)} ` +
      `${tokenRatio.toFixed(1)} times the talk's own (${backgroundOf(tokens)}/${tokens.own}), ` +
      `aim ${TOKEN_RATIO_MAX}`,
    ...Object.entries(tokens.background).map(([name, count]) => showTokens(name, count, tokens)),
    showTokens('asked for, not counted', tokens.asked, tokens),
    ...FIGURES.flatMap((figure) => {
      const lines = offending.filter((one) => one.figure === figure).map(({ line }) => line);
      const left = lines.length - SHOWN_MAX;
      return lines.length === 0
        ? []
        : [
            `-- ${figure}`,
            ...lines.slice(0, SHOWN_MAX).map((line) => `   ${line.replaceAll('\n', ' / ')}`),
            ...(left > 0 ? [`   and ${left} more`] : []),
          ];
    }),
  ];
}
