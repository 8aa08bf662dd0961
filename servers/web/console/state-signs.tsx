import type { ComponentChildren } from 'preact';
import { utc } from '../kit/time.tsx';
import type { ListedUser } from './response-types.ts';
import { c } from './text.ts';

export type Sign = 'good' | 'warn' | 'bad' | 'plain';

const SIGNS: Readonly<Record<Sign, string>> = { good: '✔', warn: '⚠', bad: '✖', plain: '·' };

/** A word with its sign and colour. */
export const State = ({ sign, children }: { readonly sign: Sign; readonly children: ComponentChildren }) => (
  <span class={`state ${sign}`}>
    <span aria-hidden="true">{SIGNS[sign]}</span> {children}
  </span>
);

/** The states of an account at a glance. */
export const States = ({
  verified,
  twoFactor,
  banned,
  disabled,
  operator,
}: Pick<ListedUser, 'verified' | 'twoFactor' | 'banned' | 'disabled' | 'operator'>) => {
  const { users, frame } = c();
  const restrictions = [
    [users.flags.banned, banned],
    [users.flags.disabled, disabled],
  ] as const;
  return (
    <span class="states">
      {restrictions.map(([name, restriction]) =>
        restriction === null ? null : (
          <State key={name} sign="bad">
            {name}
            {restriction.until === null ? '' : ` ${users.until(utc(restriction.until))}`}
          </State>
        ),
      )}
      {verified ? (
        <State sign="good">{users.verified}</State>
      ) : (
        <State sign="warn">{users.flags.unverified}</State>
      )}
      {twoFactor ? <State sign="good">{users.flags.two_factor}</State> : null}
      {operator === null ? null : <State sign="plain">{frame.roles[operator]}</State>}
    </span>
  );
};
