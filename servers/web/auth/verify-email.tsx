import { useSignal } from '@preact/signals';
import { accounts, outcome } from '../base/api.ts';
import { config } from '../base/config.ts';
import { FormPage } from '../base/form-page.tsx';
import { go, withParameters } from '../base/router.ts';
import { bareCode, CodeField, EmailField, PasswordField } from '../kit/field.tsx';
import { Form, Submit, useForm } from '../kit/form.tsx';
import { UserText } from '../kit/user-text.tsx';
import { t } from '../text/language.ts';
import { arrive } from './arrive-and-sign-out.ts';
import { news, passedValues } from './passed-to-next-page.ts';
import { SendAgain } from './send-again.tsx';

/** The folder of mails outside production. */
const Mails = () =>
  config.trial?.mails == null ? null : (
    <p class="muted small">
      {t().auth.home.mails} <code>{config.trial.mails}</code>
    </p>
  );

const toSignIn = () => {
  news.value = 'verified';
  go(withParameters('/account/sign-in'));
};

export const Verify = () => {
  const form = useForm({
    invalid_code: 'code',
    invalid_email: 'email',
    wrong_credentials: 'password',
    password_required: 'password',
  });
  const passed = passedValues.value;
  // A reload forgets the password. The server refuses a password that a later sign-up with this email has replaced.
  const asksPassword = useSignal(passed.password === undefined);
  const { account, auth, kit } = t();
  const resend = async () => {
    const email = passedValues.value.email ?? form.ref.current?.email?.value;
    const { problem } = await outcome(accounts.POST('/api/auth/resend-verification', { body: { email } }));
    if (problem?.code === 'already_verified') toSignIn();
    else form.show(problem);
    return problem;
  };
  return (
    <FormPage>
      {passed.email === undefined ? (
        <p>{auth.verify.enterEmail}</p>
      ) : (
        <p>
          {auth.verify.sent} <UserText bold text={passed.email} />.
        </p>
      )}
      <Mails />
      <Form
        state={form}
        onSubmit={async (values) => {
          const body = {
            email: passed.email ?? values('email').trim(),
            code: bareCode(values('code')),
            password: asksPassword.value ? values('password') : (passed.password ?? ''),
          };
          const { problem } = await outcome(accounts.POST('/api/auth/verify-email', { body }));
          if (problem?.code === 'wrong_credentials') asksPassword.value = true;
          return problem ?? arrive();
        }}
      >
        {passed.email === undefined ? <EmailField form={form} isFirst /> : null}
        <CodeField form={form} label={kit.code} isFirst={passed.email !== undefined} />
        {asksPassword.value ? <PasswordField form={form} hint={auth.verify.passwordHint} /> : null}
        <Submit form={form} fullWidth text={kit.next} busyText={kit.checking} />
      </Form>
      <div class="row apart">
        <SendAgain send={resend} isSent={passed.email !== undefined} />
        <a href={withParameters('/account/sign-up')}>{account.changeEmail}</a>
      </div>
    </FormPage>
  );
};
