import { accounts, outcome } from '../base/api.ts';
import { FormPage } from '../base/form-page.tsx';
import { go, withParameters } from '../base/router.ts';
import { EmailField } from '../kit/field.tsx';
import { Form, Submit, useForm } from '../kit/form.tsx';
import { t } from '../text/language.ts';
import { passedValues } from './passed-to-next-page.ts';

export const Forgot = () => {
  const form = useForm({ invalid_email: 'email' });
  const { account, auth, titles } = t();
  return (
    <FormPage>
      <p>{auth.forgot.lead}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const email = values('email').trim();
          const { problem } = await outcome(accounts.POST('/api/auth/password-reset', { body: { email } }));
          if (problem !== undefined) return problem;
          passedValues.value = { ...passedValues.value, email };
          go(withParameters('/account/reset'));
          return undefined;
        }}
      >
        <EmailField form={form} value={passedValues.value.email} isFirst />
        <Submit form={form} fullWidth text={account.sendCode} busyText={auth.forgot.busy} />
      </Form>
      <div class="row apart">
        <a href={withParameters('/account/sign-in')}>{auth.forgot.back}</a>
        <a href={withParameters('/account/reset')}>{auth.forgot.haveCode}</a>
      </div>
      {/* Owners whose email somebody has changed cannot sign in, and look for help here. */}
      <p>
        <a href="/account/undo">{titles['/account/undo']}</a>
      </p>
    </FormPage>
  );
};
