import { accounts, outcome } from '../api.ts';
import { carried } from '../carried.ts';
import { Button } from '../kit/button.tsx';
import { Field, PasswordField } from '../kit/field.tsx';
import { aboutPassword, Form, useForm } from '../kit/form.tsx';
import { go, withParameters } from '../router.ts';
import { t } from '../text/language.ts';
import { FormPage } from './shell.tsx';

export const SignUp = () => {
  const form = useForm({ ...aboutPassword('password'), invalid_email: 'email' });
  const { auth } = t();
  return (
    <FormPage>
      <Form
        state={form}
        explain={({ code }) =>
          code !== 'email_taken' ? undefined : (
            <p>
              {auth.signUp.taken} <a href={withParameters('/account/sign-in')}>{auth.signUp.signInThere}</a>
            </p>
          )
        }
        onSubmit={async (values) => {
          const body = { email: values('email').trim(), password: values('password') };
          const { problem } = await outcome(accounts.POST('/api/auth/register', { body }));
          carried.value = body;
          if (problem === undefined) go(withParameters('/account/verify'));
          return problem;
        }}
      >
        <Field
          name="email"
          type="email"
          label={auth.email}
          autocomplete="username"
          value={carried.value.email}
          error={form.errorOf('email')}
        />
        <PasswordField
          name="password"
          label={auth.password}
          autocomplete="new-password"
          hint={auth.passwordHint}
          error={form.errorOf('password')}
        />
        <Button type="submit" fullWidth busy={form.busy.value && auth.signUp.busy}>
          {auth.signUp.act}
        </Button>
      </Form>
      <p>
        {auth.signUp.have} <a href={withParameters('/account/sign-in')}>{auth.signUp.signIn}</a>
      </p>
    </FormPage>
  );
};
