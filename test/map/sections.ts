import type { Endpoint } from './endpoints.ts';
import { filesIn, read } from './sources.ts';

export interface SpecificationSection {
  /** The number in citations, such as `4.1`. */
  readonly number: string;
  readonly title: string;
  readonly endpoints: readonly Endpoint[];
  /** The files whose comments cite it. */
  readonly citedIn: readonly string[];
}

const citations = () =>
  ['core', 'adapters', 'servers', 'cli']
    .flatMap(filesIn)
    .flatMap((path) =>
      [...read(path).matchAll(/spec section (\d(?:\.\d)?)/gi)].map(([, number = '']) => ({ path, number })),
    );

/** The numbered sections of the interface specification, with the endpoints that their tables fix. */
export const listSections = (
  specification: string,
  endpoints: readonly Endpoint[],
): readonly SpecificationSection[] => {
  const cited = citations();
  return specification.split(/^(?=#{2,3} )/m).flatMap((text) => {
    const [, number, title = ''] = /^#{2,3} (\d(?:\.\d)?)\.? (.*)/.exec(text) ?? [];
    if (number === undefined) return [];
    const fixed = new Set(
      [...text.matchAll(/^\| \[`.*?(?= \| )/gm)].flatMap(([cell]) => cell.match(/[A-Z]+ \/[^`]*/g) ?? []),
    );
    return {
      number,
      title,
      endpoints: endpoints.filter(({ method, path }) => fixed.has(`${method} ${path}`)),
      citedIn: [...new Set(cited.filter((one) => one.number === number).map(({ path }) => path))],
    };
  });
};
