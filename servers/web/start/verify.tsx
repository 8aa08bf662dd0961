import { useSignal } from '@preact/signals';
import { accounts, outcome } from '../api.ts';
import { carried, news } from '../carried.ts';
import { config } from '../config.ts';
import { Button } from '../kit/button.tsx';
import { bareCode, CodeField, Field, PasswordField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { Own } from '../kit/parts.tsx';
import { SendAgain } from '../kit/send-again.tsx';
import { go, kept } from '../router.ts';
import { arrive } from '../session.ts';
import { t } from '../text/language.ts';
import { FormPage } from './shell.tsx';

/** Where a start for trying out writes its mails. */
const Mails = () =>
  config.trial?.mails == null ? null : (
    <p class="muted small">
      {t().start.verify.mails} <code>{config.trial.mails}</code>
    </p>
  );

const toSignIn = () => {
  news.value = 'verified';
  go(kept('/account/sign-in'));
};

export const Verify = () => {
  const form = useForm({
    invalid_code: 'code',
    invalid_email: 'email',
    wrong_credentials: 'password',
    password_required: 'password',
  });
  const known = carried.value;
  // Asked for again only if a reload has lost it.
  const asksPassword = useSignal(known.password === undefined);
  const { start } = t();
  const resend = async () => {
    const email = carried.value.email ?? form.form.current?.email?.value;
    const { problem } = await outcome(accounts.POST('/api/auth/resend-verification', { body: { email } }));
    if (problem?.code === 'already_verified') toSignIn();
    else form.problem.value = problem;
    return problem;
  };
  return (
    <FormPage>
      {known.email === undefined ? (
        <p>{start.verify.enterEmail}</p>
      ) : (
        <p>
          {start.verify.sent}{' '}
          <b>
            <Own text={known.email} />
          </b>
          .
        </p>
      )}
      <Mails />
      <Form
        state={form}
        onSubmit={async (values) => {
          const body = {
            email: known.email ?? values('email').trim(),
            code: bareCode(values('code')),
            password: known.password ?? values('password'),
          };
          const { problem } = await outcome(accounts.POST('/api/auth/verify-email', { body }));
          if (problem === undefined) await arrive();
          else if (problem.code === 'wrong_credentials') asksPassword.value = true;
          return problem;
        }}
      >
        {known.email === undefined ? (
          <Field
            name="email"
            type="email"
            label={start.email}
            autocomplete="username"
            wrong={form.wrong('email')}
          />
        ) : null}
        <CodeField name="code" label={start.code} wrong={form.wrong('code')} />
        {asksPassword.value ? (
          <PasswordField
            name="password"
            label={start.password}
            autocomplete="current-password"
            hint={start.verify.passwordHint}
            wrong={form.wrong('password')}
          />
        ) : null}
        <Button type="submit" whole busy={form.busy.value && start.verify.busy}>
          {start.verify.act}
        </Button>
      </Form>
      <div class="row apart">
        <SendAgain send={resend} begun={known.email !== undefined} />
        <a href={kept('/account/sign-up')}>{start.verify.change}</a>
      </div>
    </FormPage>
  );
};
