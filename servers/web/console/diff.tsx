import { Fragment } from 'preact';
import { Own } from '../kit/parts.tsx';
import { c } from './text.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values in what a row holds, by their paths. */
const leaves = (value: unknown, path: string): readonly (readonly [string, string])[] => {
  if (value === null || value === undefined) return [];
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, one]) =>
      leaves(one, path === '' ? name : `${path}.${name}`),
    );
  return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
};

export interface Difference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What differs between the facts before and after an act. */
const differences = (before: unknown, after: unknown): readonly Difference[] => {
  const [was, is] = [new Map(leaves(before, '')), new Map(leaves(after, ''))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((one) => one.before !== one.after);
};

const Value = ({ label, value }: { readonly label: string; readonly value: string | undefined }) => (
  <dd>
    <span class="visually-hidden">{label}: </span>
    {value === undefined ? <span class="muted">–</span> : <Own text={value} />}
  </dd>
);

/** What an act changed, in two columns: before and after. */
export const Diff = ({ before, after }: { readonly before: unknown; readonly after: unknown }) => {
  const { audit, frame } = c();
  const found = differences(before, after);
  if (found.length === 0) return <>{frame.none}</>;
  return (
    <dl class="diff">
      {found.map((one) => (
        <Fragment key={one.path}>
          <dt>
            <Own text={one.path} />
          </dt>
          <Value label={audit.before} value={one.before} />
          <Value label={audit.after} value={one.after} />
        </Fragment>
      ))}
    </dl>
  );
};
