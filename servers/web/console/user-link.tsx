import type { ComponentChildren } from 'preact';
import { link } from '../kit/link.ts';
import { UserText } from '../kit/user-text.tsx';
import { c } from './text.ts';

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
    <UserText text={name} />
  );
};
