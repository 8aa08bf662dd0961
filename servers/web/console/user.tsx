import { useSignal } from '@preact/signals';
import type { Pages } from '../base/areas.ts';
import { Heading } from '../base/heading.tsx';
import { path } from '../base/router.ts';
import { Button, Copy } from '../kit/button.tsx';
import { Tag } from '../kit/card.tsx';
import { link } from '../kit/link.ts';
import { Load, lazyPiece } from '../kit/load.tsx';
import { Notice } from '../kit/messages.tsx';
import { UserText } from '../kit/user-text.tsx';
import { ofUser, read } from './api.ts';
import { userIn } from './paths.ts';
import type { User } from './shapes.ts';
import { States } from './status.tsx';
import { c, texts } from './text.ts';
import { Access } from './user/access.tsx';
import { Actions } from './user/actions.tsx';
import { operatorRole } from './user/role.ts';

const Head = ({ user }: { readonly user: User }) => {
  const words = c().user;
  return (
    <div class="stack">
      <a href={link('/users')}>{words.back}</a>
      <div class="row named">
        <Heading at="/users/{id}">
          <UserText text={user.email} />
        </Heading>
        <Copy text={user.email} label={words.copyEmail} />
      </div>
      <div class="row">
        <code class="small">{user.id}</code>
        <Copy text={user.id} label={words.copyId} />
        <States
          verified={user.emailVerified}
          twoFactor={user.twoFactorEnabled}
          banned={user.banned?.inForce ? user.banned : null}
          disabled={user.disabled?.inForce ? user.disabled : null}
          operator={operatorRole(user)}
        />
        <Tag tone="info">{user.tier}</Tag>
      </div>
      {user.held.map((kind) => (
        <Notice key={kind} tone="warn">
          {words.held[kind]}
        </Notice>
      ))}
    </div>
  );
};

const loadSections = lazyPiece(() => import('./user/sections.tsx'), [texts.logs]);

interface Deletion {
  readonly receipt: object;
}

const Detail = ({ initial }: { readonly initial: User }) => {
  const shownUser = useSignal(initial);
  const departed = useSignal<Deletion | null>(null);
  // Counts the actions, so that the page is read anew after each.
  const turn = useSignal(0);
  const reread = async () => {
    const requestedTurn = turn.value;
    const { data } = await read<{ readonly user: User }>(ofUser(initial.id));
    // The result of an action is newer than this read.
    if (data !== undefined && turn.value === requestedTurn) shownUser.value = data.user;
  };
  const take = (user: User) => {
    shownUser.value = user;
    turn.value += 1;
  };
  const { actions, frame } = c();
  if (departed.value !== null)
    return (
      <Notice tone="good">
        <p>{actions.receipt}</p>
        <pre class="small">{JSON.stringify(departed.value.receipt, null, 2)}</pre>
      </Notice>
    );
  return (
    <>
      <Head user={shownUser.value} />
      <div class="two">
        <Actions
          user={shownUser.value}
          reread={reread}
          onDone={take}
          onGone={(receipt) => {
            departed.value = { receipt };
          }}
        />
        <Access user={shownUser.value} />
      </div>
      <Load request={loadSections}>
        {({ Sections }) => (
          <Sections user={shownUser.value} turn={turn.value} reread={reread} onDone={take} />
        )}
      </Load>
      <Button
        kind="plain"
        onPress={async () => {
          await reread();
          turn.value += 1;
        }}
      >
        {frame.refresh}
      </Button>
    </>
  );
};

const Missing = () => (
  <>
    <Heading at="/users/{id}" />
    <p>{c().problems.codes.user_not_found}</p>
    <a href="/users">{c().user.back}</a>
  </>
);

const UserPage = () => {
  const userId = userIn(path.value);
  return (
    <main class="console">
      <div class="stack wide">
        <Load
          request={() => read<{ readonly user: User }>(ofUser(userId))}
          instead={{ user_not_found: () => <Missing /> }}
        >
          {({ user }) => <Detail initial={user} />}
        </Load>
      </div>
    </main>
  );
};

export const pages: Pages = { '/users/{id}': UserPage };
