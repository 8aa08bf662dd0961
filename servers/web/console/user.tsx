import { useSignal } from '@preact/signals';
import { Button } from '../kit/button.tsx';
import { link } from '../kit/link.ts';
import { Load, late } from '../kit/load.tsx';
import { Heading } from '../kit/page.tsx';
import { Copy, Notice, Own, Tag } from '../kit/parts.tsx';
import type { Pages } from '../parts.ts';
import { path } from '../router.ts';
import { ofUser, read } from './api.ts';
import { States } from './parts.tsx';
import { userIn } from './paths.ts';
import type { User } from './shapes.ts';
import { c, texts } from './text.ts';
import { Access } from './user/access.tsx';
import { Acts } from './user/acts.tsx';
import { operatorRole } from './user/role.ts';

const Head = ({ user }: { readonly user: User }) => {
  const words = c().user;
  return (
    <div class="stack">
      <a href={link('/users')}>{words.back}</a>
      <div class="row named">
        <Heading at="/users/{id}">
          <Own text={user.email} />
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

const loadSections = late(() => import('./user/sections.tsx'), [texts.logs]);

interface Gone {
  readonly receipt: object;
}

const Detail = ({ first }: { readonly first: User }) => {
  const shown = useSignal(first);
  const gone = useSignal<Gone | null>(null);
  // Counts the acts: what they left behind is read anew.
  const turn = useSignal(0);
  const reread = async () => {
    const asked = turn.value;
    const { data } = await read<{ readonly user: User }>(ofUser(first.id));
    // What an act left behind meanwhile is newer.
    if (data !== undefined && turn.value === asked) shown.value = data.user;
  };
  const take = (user: User) => {
    shown.value = user;
    turn.value += 1;
  };
  const { acts, frame } = c();
  if (gone.value !== null)
    return (
      <Notice tone="good">
        <p>{acts.receipt}</p>
        <pre class="small">{JSON.stringify(gone.value.receipt, null, 2)}</pre>
      </Notice>
    );
  return (
    <>
      <Head user={shown.value} />
      <div class="two">
        <Acts
          user={shown.value}
          reread={reread}
          onDone={take}
          onGone={(receipt) => {
            gone.value = { receipt };
          }}
        />
        <Access user={shown.value} />
      </div>
      <Load from={loadSections}>
        {({ Sections }) => <Sections user={shown.value} turn={turn.value} reread={reread} onDone={take} />}
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
  const named = userIn(path.value);
  return (
    <main class="console">
      <div class="stack wide">
        <Load
          from={() => read<{ readonly user: User }>(ofUser(named))}
          instead={{ user_not_found: () => <Missing /> }}
        >
          {({ user }) => <Detail first={user} />}
        </Load>
      </div>
    </main>
  );
};

export const pages: Pages = { '/users/{id}': UserPage };
