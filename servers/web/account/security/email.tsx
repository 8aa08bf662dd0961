import { useSignal } from '@preact/signals';
import { loadUser } from '../../auth/arrive-and-sign-out.ts';
import { accounts, outcome } from '../../base/api.ts';
import { user } from '../../base/session.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { bareCode, CodeField, EmailField } from '../../kit/field.tsx';
import { Form, Submit, useForm } from '../../kit/form.tsx';
import { Notice } from '../../kit/messages.tsx';
import { showToast } from '../../kit/toast.ts';
import { UserText } from '../../kit/user-text.tsx';
import { t } from '../../text/language.ts';

/** Change of the email: first the new address, then the code mailed to it. */
export const EmailCard = () => {
  const step = useSignal<'closed' | 'ask' | 'code'>('closed');
  const form = useForm({ invalid_email: 'email', same_email: 'email', invalid_code: 'code' });
  const { account, kit, proof, security } = t();
  const openForm = () => {
    step.value = 'ask';
  };
  const close = async () => {
    // Cancels the change, so that the mailed code is void.
    if (step.value === 'code') await outcome(accounts.DELETE('/api/auth/email'));
    step.value = 'closed';
    form.show(undefined);
  };
  const submit = async (values: (name: string) => string) => {
    if (step.value === 'ask') {
      const { problem } = await outcome(
        accounts.POST('/api/auth/email', { body: { email: values('email').trim() } }),
      );
      if (problem === undefined) step.value = 'code';
      return problem;
    }
    const code = bareCode(values('code'));
    const { problem } = await outcome(accounts.POST('/api/auth/email/confirm', { body: { code } }));
    if (problem !== undefined) return problem;
    step.value = 'closed';
    await loadUser();
    showToast(security.emailChanged);
    return undefined;
  };
  return (
    <Card title={kit.email}>
      <p>
        <UserText text={user.value?.email ?? ''} />
      </p>
      {step.value === 'closed' ? (
        <Button kind="plain" onPress={openForm}>
          {account.changeEmail}
        </Button>
      ) : (
        <Form key={step.value} state={form} onSubmit={submit}>
          {step.value === 'ask' ? (
            <EmailField form={form} label={security.newEmail} autocomplete="email" />
          ) : (
            <>
              <Notice>{security.emailSent}</Notice>
              <CodeField form={form} label={security.emailCode} />
            </>
          )}
          <div class="row">
            <Submit
              form={form}
              text={step.value === 'ask' ? account.sendCode : proof.button}
              busyText={kit.checking}
            />
            <Button kind="link" onPress={close}>
              {kit.cancel}
            </Button>
          </div>
        </Form>
      )}
    </Card>
  );
};
