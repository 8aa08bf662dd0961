import { useSignal } from '@preact/signals';
import { download } from '../../kit/download.ts';
import { Field } from '../../kit/field.tsx';
import { type FormState, useForm } from '../../kit/form.tsx';
import { makeProblem, type Problem } from '../../kit/problem.ts';
import { Select } from '../../kit/select.tsx';
import { showToast } from '../../kit/toast.ts';
import { call, ofUser } from '../api.ts';
import { ReasonDialog } from '../reason-field.tsx';
import type { User } from '../response-types.ts';
import { c } from '../text.ts';
import { tiers } from '../tiers.ts';
import type { Action, ActionInput } from './action-list.ts';

export interface ActionAnswer {
  readonly changed?: boolean;
  readonly user?: User;
  readonly receipt?: object;
}

export interface ActionProps {
  readonly action: Action;
  readonly user: User;
  readonly onClose: () => void;
  readonly onDone: (answer: ActionAnswer) => void;
  readonly reread: () => Promise<Problem | undefined>;
}

const DAY_MS = 86_400_000;
const FIELD_OF_CODE = {
  invalid_reason: 'reason',
  email_differs: 'email',
  invalid_email: 'email',
  invalid_limit: 'storage',
};

interface ActionFieldProps extends Pick<ActionProps, 'user'> {
  readonly form: FormState;
  readonly input: ActionInput;
}

const ActionField = ({ form, input, user }: ActionFieldProps) => {
  const selectedTier = useSignal(user.tier);
  const { actions, frame, kit, user: texts, users } = c();
  if (input === 'until')
    return (
      <Select
        name="until"
        label={actions.until}
        // The empty key means no end. Objects list number keys first, so the empty key, as 0, is sorted to the front.
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
  const limitProps = { form, hint: actions.emptyLimit, autocomplete: 'off', optional: true };
  return (
    <>
      <Select
        name="tier"
        label={users.tier}
        value={selectedTier.value}
        options={tiers().map((tier) => [tier, tier] as const)}
        onChange={(tier) => {
          selectedTier.value = tier;
        }}
      />
      <div class="pair">
        <Field {...limitProps} name="storage" label={actions.storage} />
        <Field {...limitProps} name="apiKeys" label={texts.keys} inputMode="numeric" />
      </div>
    </>
  );
};

/** The bytes of a size such as `1 TB`, `1.5 GiB` or `1073741824`, as in commands; NaN for any other text. */
const parseBytes = (text: string): number => {
  // At most two decimals, since three digits may follow a thousands separator.
  const [, number = '', prefix = '', binary] =
    /^(\d+(?:[.,]\d{1,2})?)\s*(?:([kmgtp])(i)?)?b?$/i.exec(text.trim()) ?? [];
  if (number === '') return Number.NaN;
  const unit = binary === undefined ? 1_000 : 1_024;
  // `K` is the first power of the unit, `M` the second, and so on.
  const exponent = prefix === '' ? 0 : 'KMGTP'.indexOf(prefix.toUpperCase()) + 1;
  return Math.round(Number(number.replace(',', '.')) * unit ** exponent);
};

/** The time by the clock of the server: the operator's own may be wrong by hours. */
const serverTime = async (): Promise<number> => {
  const response = await fetch(location.pathname, { method: 'HEAD' }).catch(() => undefined);
  return Date.parse(response?.headers.get('Date') ?? '') || Date.now();
};

/** The input of an action as its route expects it. */
const bodyOf = async (input: ActionInput, values: (name: string) => string): Promise<object> => {
  if (input === 'until') {
    const days = Number(values('until'));
    return days > 0 ? { until: new Date((await serverTime()) + days * DAY_MS).toISOString() } : {};
  }
  if (input !== 'tier') return { [input]: values(input).trim() };
  /** The limit in a field; undefined for an empty field, which keeps the current limit. */
  const limit = (name: string, read: (text: string) => number) =>
    values(name).trim() === '' ? undefined : read(values(name));
  return { tier: values('tier'), storage: limit('storage', parseBytes), apiKeys: limit('apiKeys', Number) };
};

export const ActionDialog = ({ action, user, onClose, onDone, reread }: ActionProps) => {
  const form = useForm(FIELD_OF_CODE);
  const seenVersion = useSignal(user.updatedAt);
  const { actions, frame, kit } = c();
  const { name, input, method = 'POST', path, isGrave = false } = action;
  const texts = actions.list[name];

  const finish = (answer: ActionAnswer): void => {
    onClose();
    // The receipt of a deletion says by itself that it is done.
    if (answer.receipt === undefined) showToast(answer.changed === false ? frame.unchanged : texts.done);
    // An export's `user` has another form than the page shows, so it does not go to `onDone`.
    if (name === 'export') download(`${user.id}.json`, JSON.stringify(answer, null, 2), 'application/json');
    else onDone(answer);
  };

  const send = async (reason: string, values: (name: string) => string): Promise<Problem | undefined> => {
    // Only the action `tier` has these fields; missing and empty ones pass as 0. JSON would turn NaN and infinity into null,
    // which removes the limit.
    const limits = [parseBytes(values('storage') || '0'), Number(values('apiKeys'))];
    if (!limits.every(Number.isFinite)) return makeProblem('invalid_limit');
    const body = { reason, seen: seenVersion.value, ...(input && (await bodyOf(input, values))) };
    const { data, problem } = await call<ActionAnswer>(method, ofUser(user.id, path), body);
    // The text of this refusal says that the user was read again. If reading again fails, its problem is shown instead.
    if (problem?.code === 'changed_meanwhile') return (await reread()) ?? problem;
    if (data !== undefined) finish(data);
    return problem;
  };

  // Another operator has changed the user, who was read again: from now on the new version counts as seen.
  if (form.problem.value?.code === 'changed_meanwhile') seenVersion.value = user.updatedAt;
  return (
    <ReasonDialog
      form={form}
      // The names in the menu end in an ellipsis, which a title does not have. “Delete” alone would not say what is deleted.
      title={name === 'delete' ? kit.deleteAccount : texts.name.replace('…', '')}
      effect={texts.effect}
      subject={user.email}
      kind={isGrave ? 'danger' : 'primary'}
      onClose={onClose}
      onSubmit={send}
    >
      {input === undefined ? null : <ActionField form={form} input={input} user={user} />}
    </ReasonDialog>
  );
};
