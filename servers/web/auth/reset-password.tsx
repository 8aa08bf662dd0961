import { accounts, outcome } from '../base/api.ts';
import { FormPage } from '../base/form-page.tsx';
import { withParameters } from '../base/router.ts';
import { CodeField, EmailField, PasswordField } from '../kit/field.tsx';
import { Form, passwordFaults, Submit, useForm } from '../kit/form.tsx';
import { UserText } from '../kit/user-text.tsx';
import { t } from '../text/language.ts';
import { leaveTo } from './arrive-and-sign-out.ts';
import { news, passedValues } from './passed-to-next-page.ts';

export const Reset = () => {
  const form = useForm({ ...passwordFaults('newPassword'), invalid_code: 'code', invalid_email: 'email' });
  const passedEmail = passedValues.value.email;
  const { account, auth, kit } = t();
  return (
    <FormPage>
      {passedEmail === undefined ? null : (
        <p>
          {auth.reset.sent} <UserText bold text={passedEmail} />.
        </p>
      )}
      <Form
        state={form}
        onSubmit={async (values) => {
          const email = passedEmail ?? values('email').trim();
          const body = { email, code: values('code').trim(), newPassword: values('newPassword') };
          const { problem } = await outcome(accounts.POST('/api/auth/password-reset/confirm', { body }));
          if (problem !== undefined) return problem;
          passedValues.value = { ...passedValues.value, email };
          news.value = 'passwordSet';
          // A new password ends all sessions, also that of this browser.
          leaveTo(withParameters('/account/sign-in'));
          return undefined;
        }}
      >
        {passedEmail === undefined ? (
          <EmailField form={form} isFirst />
        ) : (
          // For password managers, which save the new password under this name.
          <input hidden autocomplete="username" value={passedEmail} />
        )}
        <CodeField
          form={form}
          letters
          label={kit.code}
          hint={auth.reset.codeHint}
          isFirst={passedEmail !== undefined}
        />
        <PasswordField
          form={form}
          name="newPassword"
          label={account.newPassword}
          autocomplete="new-password"
          hint={account.passwordHint}
        />
        <Submit form={form} fullWidth text={auth.reset.button} busyText={auth.reset.busy} />
      </Form>
      <p>
        <a href={withParameters('/account/forgot')}>{auth.reset.again}</a>
      </p>
    </FormPage>
  );
};
