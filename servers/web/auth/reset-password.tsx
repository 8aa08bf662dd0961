import { accounts, outcome } from '../base/api.ts';
import { FormPage } from '../base/form-page.tsx';
import { go, withParameters } from '../base/router.ts';
import { Button } from '../kit/button.tsx';
import { CodeField, Field, PasswordField } from '../kit/field.tsx';
import { aboutPassword, Form, useForm } from '../kit/form.tsx';
import { UserText } from '../kit/user-text.tsx';
import { t } from '../text/language.ts';
import { news, passedValues } from './passed-to-next-page.ts';

export const Reset = () => {
  const form = useForm({ ...aboutPassword('newPassword'), invalid_code: 'code', invalid_email: 'email' });
  const passedEmail = passedValues.value.email;
  const { auth, kit } = t();
  return (
    <FormPage>
      {passedEmail === undefined ? null : (
        <p>
          {auth.reset.sent}{' '}
          <b>
            <UserText text={passedEmail} />
          </b>
          .
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
          go(withParameters('/account/sign-in'));
          return undefined;
        }}
      >
        {passedEmail === undefined ? (
          <Field
            name="email"
            type="email"
            label={kit.email}
            autocomplete="username"
            error={form.errorOf('email')}
            isFirst
          />
        ) : null}
        <CodeField
          name="code"
          letters
          label={kit.code}
          hint={auth.reset.codeHint}
          error={form.errorOf('code')}
          isFirst={passedEmail !== undefined}
        />
        <PasswordField
          name="newPassword"
          label={auth.newPassword}
          autocomplete="new-password"
          hint={auth.passwordHint}
          error={form.errorOf('newPassword')}
        />
        <Button type="submit" fullWidth busy={form.busy.value && auth.reset.busy}>
          {auth.reset.button}
        </Button>
      </Form>
      <p>
        <a href={withParameters('/account/forgot')}>{auth.reset.again}</a>
      </p>
    </FormPage>
  );
};
