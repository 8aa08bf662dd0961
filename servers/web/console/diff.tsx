import { Fragment } from 'preact';
import { Time } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { Folded } from './folded-text.tsx';
import { c } from './text.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Flattens a value into its leaves, by path. */
const flatten = (value: unknown, path: string): readonly (readonly [string, string])[] => {
  if (value === null || value === undefined) return [];
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, member]) =>
      flatten(member, path === '' ? name : `${path}.${name}`),
    );
  return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
};

interface Difference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The differences between the facts before and after an action. */
const differences = (before: unknown, after: unknown): readonly Difference[] => {
  const oldLeaves = new Map(flatten(before, ''));
  const newLeaves = new Map(flatten(after, ''));
  return [...new Set([...oldLeaves.keys(), ...newLeaves.keys()])]
    .map((path) => ({ path, before: oldLeaves.get(path), after: newLeaves.get(path) }))
    .filter((difference) => difference.before !== difference.after);
};

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const Value = ({ value }: { readonly value: string | undefined }) => {
  if (value === undefined) return <span class="muted">–</span>;
  return TIME.test(value) ? <Time at={value} /> : <Folded text={value} />;
};

/** What an action changed, in two columns: before and after. */
export const Diff = ({ before, after }: { readonly before: unknown; readonly after: unknown }) => {
  const { audit, frame } = c();
  const list = differences(before, after);
  if (list.length === 0) return <>{frame.none}</>;
  return (
    <dl class="diff">
      {list.map((difference) => (
        <Fragment key={difference.path}>
          <dt>
            <UserText text={difference.path} />
          </dt>
          {(['before', 'after'] as const).map((side) => (
            <dd key={side}>
              <span class="visually-hidden">{audit[side]}: </span>
              <Value value={difference[side]} />
            </dd>
          ))}
        </Fragment>
      ))}
    </dl>
  );
};
