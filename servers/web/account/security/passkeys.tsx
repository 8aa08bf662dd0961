import { useSignal } from '@preact/signals';
import { loadPasskeySignIn } from '../../auth/load-on-demand.ts';
import { accounts, outcome } from '../../base/api.ts';
import { hasPasskeys } from '../../base/load-passkeys.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Tag } from '../../kit/card.tsx';
import { Field } from '../../kit/field.tsx';
import { Form, type FormState, Refusal, Submit, saveChange, useForm } from '../../kit/form.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { shownDate, t } from '../../text/language.ts';
import type { CardProps, Security } from './card-props.ts';

type Passkey = Security['passkeys'][number];

interface RowProps {
  readonly passkey: Passkey;
  /** Shows the problems of all rows. */
  readonly form: FormState;
  readonly reload: () => Promise<void>;
}

const paramsOf = ({ id }: Passkey) => ({ params: { path: { id } } });

const Rename = ({ passkey, reload, onDone }: Omit<RowProps, 'form'> & { readonly onDone: () => void }) => {
  const form = useForm({ invalid_name: 'name' });
  const { passkeys } = t();
  return (
    <Form
      state={form}
      onSubmit={async (values) => {
        const body = { name: values('name').trim() };
        const request = outcome(accounts.PATCH('/api/auth/passkeys/{id}', { ...paramsOf(passkey), body }));
        return saveChange(request, t().account.saved, async () => {
          await reload();
          onDone();
        });
      }}
    >
      <Field form={form} name="name" label={passkeys.name} autocomplete="off" value={passkey.name} />
      <div class="row">
        <Submit form={form} text={t().kit.save} busyText={t().kit.save} />
        <Button kind="link" onPress={onDone}>
          {t().kit.cancel}
        </Button>
      </div>
    </Form>
  );
};

const Row = ({ passkey, form, reload }: RowProps) => {
  const renaming = useSignal(false);
  const { account, passkeys } = t();
  const { name, createdAt, lastUsedAt, backedUp } = passkey;
  const setRenaming = (isRenaming: boolean) => {
    renaming.value = isRenaming;
  };
  const remove = () =>
    form.run(() => {
      const request = outcome(accounts.DELETE('/api/auth/passkeys/{id}', paramsOf(passkey)));
      // `passkey_not_found` counts as success: the passkey was removed already.
      return saveChange(request, passkeys.removed, reload, 'passkey_not_found');
    });
  if (renaming.value)
    return (
      <li>
        <Rename passkey={passkey} reload={reload} onDone={() => setRenaming(false)} />
      </li>
    );
  const lastUsed = lastUsedAt === null ? passkeys.unused : passkeys.used(shownDate(lastUsedAt));
  return (
    <li>
      <div>
        <p>
          <UserText bold text={name} /> {backedUp ? <Tag tone="info">{passkeys.synced}</Tag> : null}
        </p>
        <p class="muted small">
          {passkeys.added(shownDate(createdAt))}, {lastUsed}
        </p>
      </div>
      <div class="row">
        <Button kind="plain" label={`${passkeys.rename}: ${name}`} onPress={() => setRenaming(true)}>
          {passkeys.rename}
        </Button>
        <Button kind="plain" label={`${account.remove}: ${name}`} onPress={remove}>
          {account.remove}
        </Button>
      </div>
    </li>
  );
};

export const PasskeysCard = ({ security, reload }: CardProps) => {
  const form = useForm();
  const adding = useSignal(false);
  const { passkeys } = t();
  const add = async () => {
    adding.value = true;
    await form.run(async () => {
      const { addPasskey } = await loadPasskeySignIn();
      return saveChange(addPasskey(passkeys.dated(shownDate(Date.now()))), passkeys.made, reload);
    });
    adding.value = false;
  };
  return (
    <Card title={passkeys.title}>
      <p class="muted">{passkeys.lead}</p>
      <Refusal state={form} />
      {security.passkeys.length === 0 ? null : (
        <ul class="row-list">
          {security.passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} form={form} reload={reload} />
          ))}
        </ul>
      )}
      {/* `hasPasskeys`: whether the browser supports passkeys, not whether the account has any. */}
      {hasPasskeys ? (
        <Button kind="plain" busy={adding.value && t().account.passkeyBusy} onPress={add}>
          {passkeys.add}
        </Button>
      ) : (
        <p>{passkeys.none}</p>
      )}
    </Card>
  );
};
