import { accounts, outcome } from '../api.ts';
import { carried, news } from '../carried.ts';
import { Button } from '../kit/button.tsx';
import { CodeField, Field, PasswordField } from '../kit/field.tsx';
import { aboutPassword, Form, useForm } from '../kit/form.tsx';
import { Own } from '../kit/parts.tsx';
import { go, kept } from '../router.ts';
import { t } from '../text/language.ts';
import { FormPage } from './shell.tsx';

export const Reset = () => {
  const form = useForm({ ...aboutPassword('newPassword'), invalid_code: 'code', invalid_email: 'email' });
  const known = carried.value.email;
  const { start } = t();
  return (
    <FormPage>
      {known === undefined ? null : (
        <p>
          {start.reset.sent}{' '}
          <b>
            <Own text={known} />
          </b>
          .
        </p>
      )}
      <Form
        state={form}
        onSubmit={async (values) => {
          const email = known ?? values('email').trim();
          const body = { email, code: values('code').trim(), newPassword: values('newPassword') };
          const { problem } = await outcome(accounts.POST('/api/auth/password-reset/confirm', { body }));
          if (problem !== undefined) return problem;
          carried.value = { ...carried.value, email };
          news.value = 'passwordSet';
          go(kept('/account/sign-in'));
          return undefined;
        }}
      >
        {known === undefined ? (
          <Field
            name="email"
            type="email"
            label={start.email}
            autocomplete="username"
            wrong={form.wrong('email')}
          />
        ) : null}
        <CodeField
          name="code"
          letters
          label={start.code}
          hint={start.reset.codeHint}
          wrong={form.wrong('code')}
        />
        <PasswordField
          name="newPassword"
          label={start.newPassword}
          autocomplete="new-password"
          hint={start.passwordHint}
          wrong={form.wrong('newPassword')}
        />
        <Button type="submit" whole busy={form.busy.value && start.reset.busy}>
          {start.reset.act}
        </Button>
      </Form>
      <p>
        <a href={kept('/account/forgot')}>{start.reset.again}</a>
      </p>
    </FormPage>
  );
};
