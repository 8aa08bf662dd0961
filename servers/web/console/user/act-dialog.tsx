import { useSignal } from '@preact/signals';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Form, useForm } from '../../kit/form.tsx';
import { Own } from '../../kit/parts.tsx';
import { Pick } from '../../kit/pick.tsx';
import type { Problem } from '../../kit/problem.ts';
import { tell } from '../../kit/tell.ts';
import { call, ofUser } from '../api.ts';
import { noReason, Reason } from '../reason.tsx';
import type { User } from '../shapes.ts';
import { c } from '../text.ts';
import { tiers } from '../tiers.ts';
import type { Act, Asked } from './act-list.ts';
import { save } from './save.ts';

export interface ActProps {
  readonly act: Act;
  readonly user: User;
  readonly onClose: () => void;
  /** Called with the user after the act. */
  readonly onDone: (user: User) => void;
  readonly onGone: (receipt: object) => void;
  readonly reread: () => Promise<void>;
}

const DAY = 86_400_000;
const PLACES = {
  invalid_reason: 'reason',
  email_differs: 'email',
  invalid_email: 'email',
  unknown_tier: 'tier',
  invalid_limit: 'storage',
};

const More = ({
  asks,
  user,
  errorOf,
}: {
  asks: Asked;
  user: User;
  errorOf: (name: string) => string | undefined;
}) => {
  const selectedTier = useSignal(user.tier);
  const { acts, frame, kit } = c();
  if (asks === 'until')
    return (
      <Pick
        name="until"
        label={acts.until}
        options={Object.entries(acts.lengths).sort(([a], [b]) => Number(a) - Number(b))}
      />
    );
  if (asks === 'role')
    return (
      <Pick
        name="role"
        label={acts.role}
        options={(['dev', 'founder'] as const).map((role) => [role, frame.roles[role]] as const)}
      />
    );
  if (asks === 'email')
    return (
      <Field
        name="email"
        type="email"
        label={kit.typeToConfirm(user.email)}
        autocomplete="off"
        error={errorOf('email')}
      />
    );
  return (
    <>
      <Pick
        name="tier"
        label={acts.tier}
        value={selectedTier.value}
        options={tiers().map((tier) => [tier, tier] as const)}
        onChange={(tier) => {
          selectedTier.value = tier;
        }}
      />
      <div class="pair">
        <Field
          name="storage"
          label={acts.storage}
          hint={acts.ofTier}
          autocomplete="off"
          inputMode="numeric"
          optional
          error={errorOf('storage')}
        />
        <Field
          name="apiKeys"
          label={acts.apiKeys}
          hint={acts.ofTier}
          autocomplete="off"
          inputMode="numeric"
          optional
        />
      </div>
    </>
  );
};

/** The fields of an act as its route expects them. */
const bodyOf = (asks: readonly Asked[], values: (name: string) => string): object => {
  const number = (name: string) => (values(name).trim() === '' ? {} : { [name]: Number(values(name)) });
  const days = Number(values('until'));
  return {
    ...(asks.includes('until') && days > 0 && { until: new Date(Date.now() + days * DAY).toISOString() }),
    ...(asks.includes('role') && { role: values('role') }),
    ...(asks.includes('email') && { email: values('email').trim() }),
    ...(asks.includes('tier') && { tier: values('tier'), ...number('storage'), ...number('apiKeys') }),
  };
};

interface Answer {
  readonly changed?: boolean;
  readonly user?: User;
  readonly receipt?: object;
}

/** Explains an act, asks for a reason, and runs it. */
export const ActDialog = ({ act, user, onClose, onDone, onGone, reread }: ActProps) => {
  const form = useForm(PLACES);
  const seenVersion = useSignal(user.updatedAt);
  const { acts, frame, kit } = c();
  const texts = acts.list[act.name];
  const { asks = [] } = act;

  const finish = async (answer: Answer): Promise<void> => {
    onClose();
    if (act.name === 'export') save(answer, `${user.id}.json`);
    else if (answer.receipt !== undefined) return onGone(answer.receipt);
    tell(answer.changed === false ? frame.unchanged : texts.done);
    if (answer.user === undefined) await reread();
    else onDone(answer.user);
  };

  const send = async (values: (name: string) => string): Promise<Problem | undefined> => {
    const reason = values('reason').trim();
    const missing = noReason(reason);
    if (missing !== undefined) return missing;
    const body = { reason, seen: seenVersion.value, ...bodyOf(asks, values) };
    const { data, problem } = await call<Answer>(act.method, ofUser(user.id, act.path), body);
    if (data !== undefined) await finish(data);
    else if (problem.code === 'changed_meanwhile') await reread();
    return problem;
  };

  // After another operator's change the reread version counts as seen.
  if (form.problem.value?.code === 'changed_meanwhile') seenVersion.value = user.updatedAt;
  const name = act.name === 'delete' ? kit.deleteAccount : 'act' in texts ? texts.act : texts.name;
  // The dialog cannot be closed while the act runs: its response would close a dialog that was opened since.
  const close = () => {
    if (!form.busy.value) onClose();
  };
  return (
    <Dialog title={name} onClose={close}>
      <p>
        <b>
          <Own text={user.email} />
        </b>
      </p>
      <p>{texts.effect}</p>
      <Form state={form} onSubmit={send}>
        {asks.map((field) => (
          <More key={field} asks={field} user={user} errorOf={form.errorOf} />
        ))}
        <Reason error={form.errorOf('reason')} />
        <div class="row">
          <Button
            type="submit"
            kind={act.isGrave ? 'danger' : 'primary'}
            busy={form.busy.value && c().reason.busy}
          >
            {name}
          </Button>
          <Button kind="plain" onPress={close}>
            {kit.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
};
