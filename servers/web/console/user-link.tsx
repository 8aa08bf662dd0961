import { link } from '../kit/link.ts';
import { UserText } from '../kit/user-text.tsx';
import { c } from './text.ts';

export const UserLink = ({ id, email }: { readonly id: string; readonly email: string }) => (
  <a class="user" title={email} href={link(`/users/${encodeURIComponent(id)}`)}>
    <UserText text={email} />
  </a>
);

/** The emails of users, by id; `unknown`, since the schema of the responses does not type them. */
export type Emails = Readonly<Record<string, unknown>>;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The actor or target of a row: the email of a user, the id of a deleted one, or another name. */
export const Named = ({ name, emails }: { readonly name: string | null; readonly emails: Emails }) => {
  if (name === null) return <>{c().frame.none}</>;
  const email = emails[name];
  if (typeof email === 'string') return <UserLink id={name} email={email} />;
  return ID.test(name) ? (
    <a href={link(`/users/${name}`)}>
      <code title={name}>{name.slice(0, 8)}…</code>
    </a>
  ) : (
    <UserText text={name} />
  );
};
