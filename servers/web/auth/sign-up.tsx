import { accounts, outcome } from '../base/api.ts';
import { FormPage } from '../base/form-page.tsx';
import { go, withParameters } from '../base/router.ts';
import { EmailField, PasswordField } from '../kit/field.tsx';
import { Form, passwordFaults, Submit, useForm } from '../kit/form.tsx';
import { wordsOf } from '../kit/problem.ts';
import { t } from '../text/language.ts';
import { Consent } from './consent.tsx';
import { passedValues } from './passed-to-next-page.ts';

export const SignUp = () => {
  const form = useForm({ ...passwordFaults('password'), invalid_email: 'email' });
  const { account, auth, signIn } = t();
  return (
    <FormPage>
      <Form
        state={form}
        explain={(problem) =>
          problem.code !== 'email_taken' ? undefined : (
            <p>
              {wordsOf(problem)} <a href={withParameters('/account/sign-in')}>{auth.signUp.signInThere}</a>
            </p>
          )
        }
        onSubmit={async (values) => {
          const body = { email: values('email').trim(), password: values('password') };
          const { problem } = await outcome(accounts.POST('/api/auth/register', { body }));
          // Also after a refusal: if the email is taken, the field of the sign-in page begins with it.
          passedValues.value = body;
          if (problem === undefined) go(withParameters('/account/verify'));
          return problem;
        }}
      >
        <EmailField form={form} value={passedValues.value.email} isFirst />
        <PasswordField form={form} autocomplete="new-password" hint={account.passwordHint} />
        <Submit form={form} fullWidth text={auth.signUp.button} busyText={auth.signUp.busy} />
        <Consent />
      </Form>
      <p>
        {auth.signUp.have} <a href={withParameters('/account/sign-in')}>{signIn.button}</a>
      </p>
    </FormPage>
  );
};
