import { Fragment } from 'preact';
import { Time } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { Folded } from './folded-text.tsx';
import { c } from './text.ts';

/** Flattens a value into its leaves, by path. */
const flatten = (value: unknown, path: string): readonly (readonly [string, string])[] => {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object' && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, member]) =>
      flatten(member, path === '' ? name : `${path}.${name}`),
    );
  return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
};

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const Value = ({ value }: { readonly value: string | undefined }) => {
  if (value === undefined) return <span class="muted">–</span>;
  return TIME.test(value) ? <Time at={value} /> : <Folded text={value} />;
};

/** What an action changed, in two columns: before and after. */
export const Diff = ({ before, after }: { readonly before: unknown; readonly after: unknown }) => {
  const { audit, frame } = c();
  const leaves = { before: new Map(flatten(before, '')), after: new Map(flatten(after, '')) };
  const changed = [...new Set([...leaves.before.keys(), ...leaves.after.keys()])].filter(
    (path) => leaves.before.get(path) !== leaves.after.get(path),
  );
  if (changed.length === 0) return <>{frame.none}</>;
  return (
    <dl class="diff">
      {changed.map((path) => (
        <Fragment key={path}>
          <dt>
            <UserText text={path} />
          </dt>
          {(['before', 'after'] as const).map((side) => (
            <dd key={side}>
              <span class="visually-hidden">{audit[side]}: </span>
              <Value value={leaves[side].get(path)} />
            </dd>
          ))}
        </Fragment>
      ))}
    </dl>
  );
};
