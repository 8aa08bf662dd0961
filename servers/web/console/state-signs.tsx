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
  const ending = (until: string | null) => (until === null ? '' : ` ${users.until(utc(until))}`);
  return (
    <span class="states">
      {banned === null ? null : (
        <State sign="bad">
          {users.banned}
          {ending(banned.until)}
        </State>
      )}
      {disabled === null ? null : (
        <State sign="bad">
          {users.disabled}
          {ending(disabled.until)}
        </State>
      )}
      {verified ? <State sign="good">{users.verified}</State> : <State sign="warn">{users.unverified}</State>}
      {twoFactor ? <State sign="good">{users.twoFactor}</State> : null}
      {operator === null ? null : <State sign="plain">{frame.roles[operator]}</State>}
    </span>
  );
};
