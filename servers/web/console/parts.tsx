import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button, LinkButton } from '../kit/button.tsx';
import { link } from '../kit/link.ts';
import { Own } from '../kit/parts.tsx';
import { utc } from '../kit/time.tsx';
import type { ListedUser } from './shapes.ts';
import { c } from './text.ts';

interface EmptyProps {
  readonly children: ComponentChildren;
  /** The address of the next step. */
  readonly to?: string;
  readonly linkText?: string;
}

/** Shown instead of rows: a sentence, and a next step. */
export const Empty = ({ children, to, linkText }: EmptyProps) => (
  <div class="empty" role="status">
    <p>{children}</p>
    {to === undefined ? null : (
      <LinkButton to={to} kind="plain">
        {linkText}
      </LinkButton>
    )}
  </div>
);

/** Characters that fill about three lines of a narrow column. */
const SHORT = 60;

/** A user's text, folded after three lines until somebody unfolds it. */
export const Folded = ({ text }: { readonly text: string }) => {
  const isOpen = useSignal(false);
  const { more, less } = c().frame;
  if (text.length <= SHORT) return <Own text={text} />;
  return (
    <>
      <div class={isOpen.value ? undefined : 'folded'}>
        <Own text={text} />
      </div>
      <Button
        kind="link"
        expanded={isOpen.value}
        onPress={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {isOpen.value ? less : more}
      </Button>
    </>
  );
};

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

/** A link to a user's page, by id or email. */
export const UserLink = ({ id, children }: { readonly id: string; readonly children: ComponentChildren }) => (
  <a href={link(`/users/${encodeURIComponent(id)}`)}>{children}</a>
);

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The actor or target of a row: a link if it is a user. */
export const Named = ({ name }: { readonly name: string | null }) => {
  if (name === null) return <>{c().frame.none}</>;
  return ID.test(name) ? (
    <UserLink id={name}>
      <code title={name}>{name.slice(0, 8)}…</code>
    </UserLink>
  ) : (
    <Own text={name} />
  );
};
