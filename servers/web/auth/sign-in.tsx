import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { accounts, outcome } from '../base/api.ts';
import type { Challenge } from '../base/challenge.ts';
import { FormPage } from '../base/form-page.tsx';
import { hasPasskeys } from '../base/load-passkeys.ts';
import { SIGN_IN_FAULTS } from '../base/refused-fields.ts';
import { go, query, withParameters } from '../base/router.ts';
import { EmailField, PasswordField } from '../kit/field.tsx';
import { Form, Submit, useForm } from '../kit/form.tsx';
import { Notice } from '../kit/messages.tsx';
import { type Problem, wordsOf } from '../kit/problem.ts';
import { t } from '../text/language.ts';
import { arrive, loadUser } from './arrive-and-sign-out.ts';
import { SecondStepPage } from './load-second-step.tsx';
import { news, passedValues } from './passed-to-next-page.ts';
import { SignInMethods } from './sign-in-methods.tsx';

const News = () => {
  const { auth, problems } = t();
  if (news.value === null) return null;
  // This message borrows the text of the refusal to verify an email a second time.
  const text = news.value === 'verified' ? problems.codes.already_verified : auth.signIn[news.value];
  return <Notice tone="good">{text}</Notice>;
};

const LockedOut = ({ words }: { readonly words: string }) => (
  <p>
    {words} <a href={withParameters('/account/forgot')}>{t().account.forgotPassword}</a>
  </p>
);

export const SignIn = () => {
  const form = useForm(SIGN_IN_FAULTS);
  const pendingChallenge = useSignal<Challenge | null>(null);
  const notice = useSignal<string | null>(null);
  const { account, auth, signIn } = t();
  const knownEmail = passedValues.value.email ?? query().get('email') ?? undefined;
  useEffect(() => {
    const checkSession = async () => {
      if ((await loadUser()).data) await arrive();
    };
    void checkSession();
    return () => {
      news.value = null;
    };
  }, []);

  const submit = async (email: string, password: string): Promise<Problem | undefined> => {
    notice.value = null;
    const { data, problem } = await outcome(accounts.POST('/api/auth/login', { body: { email, password } }));
    if (problem?.code === 'email_not_verified') {
      passedValues.value = { ...passedValues.value, email, password };
      go(withParameters('/account/verify'));
      return undefined;
    }
    if (data === undefined) return problem;
    // Forgets the password, but not the identity to link.
    const { password: _, ...others } = passedValues.value;
    passedValues.value = { ...others, email };
    if (!('requires2FA' in data)) return arrive();
    pendingChallenge.value = { ...data, email };
    return undefined;
  };

  const challenge = pendingChallenge.value;
  if (challenge !== null)
    return (
      <SecondStepPage
        challenge={challenge}
        onLost={() => {
          pendingChallenge.value = null;
          notice.value = signIn.tooLong;
        }}
      />
    );
  return (
    <FormPage>
      <News />
      {notice.value === null ? null : <Notice tone="danger">{notice.value}</Notice>}
      <Form
        state={form}
        explain={(problem) =>
          problem.code === 'login_held' ? <LockedOut words={wordsOf(problem)} /> : undefined
        }
        onSubmit={(values) => submit(values('email').trim(), values('password'))}
      >
        <EmailField
          form={form}
          autocomplete={hasPasskeys ? 'username webauthn' : 'username'}
          value={knownEmail}
          isFirst={!knownEmail}
        />
        <PasswordField form={form} isFirst={Boolean(knownEmail)} />
        <Submit form={form} fullWidth text={signIn.button} busyText={signIn.busy} />
      </Form>
      <SignInMethods form={form} />
      <div class="row apart">
        <a href={withParameters('/account/forgot')}>{account.forgotPassword}</a>
        <span>
          {auth.signIn.fresh} <a href={withParameters('/account/sign-up')}>{auth.signUp.button}</a>
        </span>
      </div>
    </FormPage>
  );
};
