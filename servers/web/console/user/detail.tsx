import { useSignal } from '@preact/signals';
import { Heading } from '../../base/heading.tsx';
import { Button } from '../../kit/button.tsx';
import { Tag } from '../../kit/card.tsx';
import { CopyIcon } from '../../kit/copy-icon.tsx';
import { Refusal, useForm } from '../../kit/form.tsx';
import { link } from '../../kit/link.ts';
import { Notice } from '../../kit/messages.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { ofUser, read } from '../api.ts';
import type { User } from '../response-types.ts';
import { States } from '../state-signs.tsx';
import { c } from '../text.ts';
import { Access, Restricted } from './access.tsx';
import type { ActionAnswer } from './action-dialog.tsx';
import type { Action } from './action-list.ts';
import { Actions } from './actions.tsx';
import { operatorRole } from './operator-role.ts';
import { Sections } from './sections.tsx';

const Back = () => <a href={link('/users')}>‹ {c().titles['/users']}</a>;

const Title = ({ email }: Pick<User, 'email'>) => (
  <Heading at="/users/{id}">
    <UserText text={email} />
  </Heading>
);

const Head = ({ user }: { readonly user: User }) => {
  const { user: words, users } = c();
  const restrictions = [
    [users.flags.banned, user.banned],
    [users.flags.disabled, user.disabled],
  ] as const;
  return (
    <div class="stack">
      <Back />
      <div class="row named">
        <Title email={user.email} />
        <CopyIcon text={user.email} of={c().kit.email} />
      </div>
      <div class="row">
        <span class="row named">
          <code class="small">{user.id}</code>
          <CopyIcon text={user.id} of={words.id} />
        </span>
        <States
          verified={user.emailVerified}
          twoFactor={user.twoFactorEnabled}
          banned={user.banned?.inForce ? user.banned : null}
          disabled={user.disabled?.inForce ? user.disabled : null}
          operator={operatorRole(user)}
        />
        <Tag tone="info">{user.tier}</Tag>
      </div>
      {restrictions.map(([name, restriction]) =>
        restriction?.inForce ? (
          <Notice key={name} tone="danger">
            <b>{name}</b> <Restricted {...restriction} />
          </Notice>
        ) : null,
      )}
      {user.held.map((kind) => (
        <Notice key={kind} tone="warn">
          {words.held[kind]}
        </Notice>
      ))}
    </div>
  );
};

/** A user, what can be done to them, and what belongs to them. */
export const Detail = ({ initial }: { readonly initial: User }) => {
  const shownUser = useSignal(initial);
  /** What the deletion of the user removed and kept; null before it. */
  const receipt = useSignal<object | null>(null);
  const openAction = useSignal<Action | null>(null);
  // Counts actions and refreshes: the sections are read again after each.
  const turn = useSignal(0);
  const refreshing = useForm();
  const reread = async () => {
    const requestedTurn = turn.value;
    const { data, problem } = await read<{ readonly user: User }>(ofUser(initial.id));
    // If an action ended meanwhile, its result is newer than this read.
    if (data !== undefined && turn.value === requestedTurn) shownUser.value = data.user;
    return problem;
  };
  const onDone = (answer: ActionAnswer) => {
    receipt.value = answer.receipt ?? null;
    // A deletion answers with the receipt alone.
    if (answer.user === undefined) return;
    shownUser.value = answer.user;
    turn.value += 1;
  };
  const { actions, frame } = c();
  if (receipt.value !== null)
    return (
      <>
        <Back />
        <Title email={shownUser.value.email} />
        <Notice tone="good">
          <p>{actions.list.delete.done}</p>
          <pre class="small">{JSON.stringify(receipt.value, null, 2)}</pre>
        </Notice>
      </>
    );
  return (
    <>
      <Head user={shownUser.value} />
      <div class="two">
        <Actions user={shownUser.value} openAction={openAction} reread={reread} onDone={onDone} />
        <Access user={shownUser.value} />
      </div>
      <Sections
        user={shownUser.value}
        turn={turn.value}
        onAction={(action) => {
          openAction.value = action;
        }}
      />
      <Refusal state={refreshing} />
      <Button
        kind="plain"
        onPress={() =>
          refreshing.run(async () => {
            const problem = await reread();
            turn.value += 1;
            return problem;
          })
        }
      >
        {frame.refresh}
      </Button>
    </>
  );
};
