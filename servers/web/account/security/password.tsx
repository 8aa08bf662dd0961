import { useSignal } from '@preact/signals';
import { accounts, asWrongPassword, outcome } from '../../base/api.ts';
import { CODE_FAULTS } from '../../base/refused-fields.ts';
import { user } from '../../base/session.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { bareCode, CodeField, PasswordField } from '../../kit/field.tsx';
import { Form, passwordFaults, Submit, useForm } from '../../kit/form.tsx';
import { showToast } from '../../kit/toast.ts';
import { shownDate, t } from '../../text/language.ts';
import type { CardProps } from './card-props.ts';

/** Change of the password, or the first password of an account without one. */
export const PasswordCard = ({
  security: { hasPassword, passwordChangedAt, twoFactor },
  reload,
}: CardProps) => {
  const isOpen = useSignal(false);
  const form = useForm({
    ...passwordFaults('newPassword'),
    ...CODE_FAULTS,
    wrong_password: 'currentPassword',
    password_required: 'currentPassword',
  });
  const { account, kit, proof, security } = t();
  const setOpen = (open: boolean) => {
    form.show(undefined);
    isOpen.value = open;
  };
  const submit = async (values: (name: string) => string) => {
    const verificationCode = bareCode(values('code'));
    const body = {
      newPassword: values('newPassword'),
      ...(hasPassword && { currentPassword: values('currentPassword') }),
      ...(verificationCode !== '' && { verificationCode }),
    };
    const { problem } = await outcome(accounts.POST('/api/auth/password', { body }));
    if (problem !== undefined) return asWrongPassword(problem);
    isOpen.value = false;
    showToast(security.passwordChanged);
    await reload();
    return undefined;
  };
  return (
    <Card title={kit.password}>
      <p class="muted">
        {hasPassword ? null : `${security.noPassword} `}
        {passwordChangedAt === null ? null : `${security.passwordSince(shownDate(passwordChangedAt))} `}
        {security.passwordText}
      </p>
      {isOpen.value ? (
        <Form state={form} onSubmit={submit}>
          {/* For password managers, which save the new password under this name. */}
          <input hidden autocomplete="username" value={user.value?.email} />
          {hasPassword ? <PasswordField form={form} name="currentPassword" label={security.current} /> : null}
          <PasswordField
            form={form}
            name="newPassword"
            label={account.newPassword}
            autocomplete="new-password"
            hint={account.passwordHint}
          />
          {hasPassword && twoFactor.on ? <CodeField form={form} letters label={proof.code} /> : null}
          <div class="row">
            <Submit form={form} text={kit.save} busyText={kit.checking} />
            <Button kind="link" onPress={() => setOpen(false)}>
              {kit.cancel}
            </Button>
            {hasPassword ? <a href="/account/forgot">{account.forgotPassword}</a> : null}
          </div>
        </Form>
      ) : (
        <Button kind="plain" onPress={() => setOpen(true)}>
          {hasPassword ? security.changePassword : security.setPassword}
        </Button>
      )}
    </Card>
  );
};
