import { accounts, outcome } from '../api.ts';
import { carried } from '../carried.ts';
import { Button } from '../kit/button.tsx';
import { Field, PasswordField } from '../kit/field.tsx';
import { aboutPassword, Form, useForm } from '../kit/form.tsx';
import { go, kept } from '../router.ts';
import { t } from '../text/language.ts';
import { FormPage } from './shell.tsx';

export const SignUp = () => {
  const form = useForm({ ...aboutPassword('password'), invalid_email: 'email' });
  const { start } = t();
  return (
    <FormPage>
      <Form
        state={form}
        explain={({ code }) =>
          code !== 'email_taken' ? undefined : (
            <p>
              {start.signUp.taken} <a href={kept('/account/sign-in')}>{start.signUp.signInThere}</a>
            </p>
          )
        }
        onSubmit={async (values) => {
          const body = { email: values('email').trim(), password: values('password') };
          const { problem } = await outcome(accounts.POST('/api/auth/register', { body }));
          carried.value = body;
          if (problem === undefined) go(kept('/account/verify'));
          return problem;
        }}
      >
        <Field
          name="email"
          type="email"
          label={start.email}
          autocomplete="username"
          value={carried.value.email}
          wrong={form.wrong('email')}
        />
        <PasswordField
          name="password"
          label={start.password}
          autocomplete="new-password"
          hint={start.passwordHint}
          wrong={form.wrong('password')}
        />
        <Button type="submit" whole busy={form.busy.value && start.signUp.busy}>
          {start.signUp.act}
        </Button>
      </Form>
      <p>
        {start.signUp.have} <a href={kept('/account/sign-in')}>{start.signUp.signIn}</a>
      </p>
    </FormPage>
  );
};
