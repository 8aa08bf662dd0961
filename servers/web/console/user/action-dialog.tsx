import { useSignal } from '@preact/signals';
import { Field } from '../../kit/field.tsx';
import { type FormState, useForm } from '../../kit/form.tsx';
import { problem as invalid, type Problem } from '../../kit/problem.ts';
import { Select } from '../../kit/select.tsx';
import { tell } from '../../kit/toast.ts';
import { call, ofUser } from '../api.ts';
import { ReasonDialog } from '../reason-field.tsx';
import type { User } from '../response-types.ts';
import { c } from '../text.ts';
import { tiers } from '../tiers.ts';
import type { Action, ActionInput } from './action-list.ts';
import { downloadJson } from './download-json.ts';
import { parseBytes } from './parse-bytes.ts';

export interface ActionProps {
  readonly action: Action;
  readonly user: User;
  readonly onClose: () => void;
  /** Called with the user after the action. */
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

const ActionField = ({
  form,
  input,
  user,
}: {
  readonly form: FormState;
  readonly input: ActionInput;
  readonly user: User;
}) => {
  const selectedTier = useSignal(user.tier);
  const { actions, frame, kit } = c();
  if (input === 'until')
    return (
      <Select
        name="until"
        label={actions.until}
        options={Object.entries(actions.lengths).sort(([a], [b]) => Number(a) - Number(b))}
      />
    );
  if (input === 'role')
    return (
      <Select
        name="role"
        label={actions.role}
        options={(['dev', 'founder'] as const).map((role) => [role, frame.roles[role]] as const)}
      />
    );
  if (input === 'email')
    return (
      <Field form={form} name="email" type="email" label={kit.typeToConfirm(user.email)} autocomplete="off" />
    );
  return (
    <>
      <Select
        name="tier"
        label={actions.tier}
        value={selectedTier.value}
        options={tiers().map((tier) => [tier, tier] as const)}
        onChange={(tier) => {
          selectedTier.value = tier;
        }}
      />
      <div class="pair">
        <Field
          form={form}
          name="storage"
          label={actions.storage}
          hint={actions.ofTier}
          autocomplete="off"
          optional
        />
        <Field
          form={form}
          name="apiKeys"
          label={actions.apiKeys}
          hint={actions.ofTier}
          autocomplete="off"
          inputMode="numeric"
          optional
        />
      </div>
    </>
  );
};

/** The time by the clock of the server: the operator's own may be wrong by hours. */
const serverTime = async (): Promise<number> => {
  const response = await fetch(location.pathname, { method: 'HEAD' }).catch(() => undefined);
  return Date.parse(response?.headers.get('Date') ?? '') || Date.now();
};

/** The fields of an action as its route expects them. */
const bodyOf = async (inputs: readonly ActionInput[], values: (name: string) => string): Promise<object> => {
  const number = (name: string, read: (text: string) => number) =>
    values(name).trim() === '' ? {} : { [name]: read(values(name)) };
  const days = Number(values('until'));
  return {
    ...(inputs.includes('until') &&
      days > 0 && { until: new Date((await serverTime()) + days * DAY).toISOString() }),
    ...(inputs.includes('role') && { role: values('role') }),
    ...(inputs.includes('email') && { email: values('email').trim() }),
    ...(inputs.includes('tier') && {
      tier: values('tier'),
      ...number('storage', parseBytes),
      ...number('apiKeys', Number),
    }),
  };
};

interface Answer {
  readonly changed?: boolean;
  readonly user?: User;
  readonly receipt?: object;
}

/** Asks for the input of an action, and runs it. */
export const ActionDialog = ({ action, user, onClose, onDone, onGone, reread }: ActionProps) => {
  const form = useForm(PLACES);
  const seenVersion = useSignal(user.updatedAt);
  const { actions, frame, kit } = c();
  const texts = actions.list[action.name];
  const { inputs = [] } = action;

  const finish = async (answer: Answer): Promise<void> => {
    onClose();
    if (action.name === 'export') downloadJson(answer, `${user.id}.json`);
    else if (answer.receipt !== undefined) return onGone(answer.receipt);
    tell(answer.changed === false ? frame.unchanged : texts.done);
    if (answer.user === undefined) await reread();
    else onDone(answer.user);
  };

  const send = async (reason: string, values: (name: string) => string): Promise<Problem | undefined> => {
    if (Number.isNaN(parseBytes(values('storage') || '0'))) return invalid('invalid_limit');
    const body = { reason, seen: seenVersion.value, ...(await bodyOf(inputs, values)) };
    const { data, problem } = await call<Answer>(action.method, ofUser(user.id, action.path), body);
    if (data !== undefined) await finish(data);
    else if (problem.code === 'changed_meanwhile') await reread();
    return problem;
  };

  // After another operator's change the reread version counts as seen.
  if (form.problem.value?.code === 'changed_meanwhile') seenVersion.value = user.updatedAt;
  const ownTitle = 'button' in texts ? texts.button : texts.name;
  const title = action.name === 'delete' ? kit.deleteAccount : ownTitle;
  return (
    <ReasonDialog
      form={form}
      title={title}
      effect={texts.effect}
      subject={user.email}
      kind={action.isGrave ? 'danger' : 'primary'}
      onClose={onClose}
      onSubmit={send}
    >
      {inputs.map((field) => (
        <ActionField key={field} form={form} input={field} user={user} />
      ))}
    </ReasonDialog>
  );
};
