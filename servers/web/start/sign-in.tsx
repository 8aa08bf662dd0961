import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { accounts, outcome, type Problem, wordsOf } from '../api.ts';
import { carried, news } from '../carried.ts';
import { Button } from '../kit/button.tsx';
import { Field, PasswordField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { Notice } from '../kit/parts.tsx';
import { go, kept, query } from '../router.ts';
import { arrive, loadUser, user } from '../session.ts';
import { t } from '../text/language.ts';
import { hasPasskeys } from '../ways.ts';
import { challengeIn, SecondStep, type Waiting } from './second-step.tsx';
import { FormPage } from './shell.tsx';
import { Ways } from './ways.tsx';

const News = () => {
  const { signIn, verify } = t().start;
  if (news.value === null) return null;
  const words = { ...signIn, verified: verify.verified }[news.value];
  return <Notice tone="good">{words}</Notice>;
};

const Held = ({ words }: { readonly words: string }) => (
  <p>
    {words} <a href="/account/forgot">{t().start.signIn.forgot}</a>
  </p>
);

export const SignIn = () => {
  const form = useForm({ invalid_email: 'email', password_required: 'password' });
  const waiting = useSignal<Waiting | null>(null);
  const notice = useSignal<string | null>(null);
  const { start } = t();
  useEffect(() => {
    const look = async () => {
      await loadUser();
      if (user.value) await arrive();
    };
    void look();
    return () => {
      news.value = null;
    };
  }, []);

  const signIn = async (email: string, password: string): Promise<Problem | undefined> => {
    notice.value = null;
    const { data, problem } = await outcome(accounts.POST('/api/auth/login', { body: { email, password } }));
    if (problem?.code === 'email_not_verified') {
      carried.value = { ...carried.value, email, password };
      go(kept('/account/verify'));
      return undefined;
    }
    if (data === undefined) return problem;
    // The password is forgotten now, unlike what the sign-in is to connect.
    const { password: _, ...rest } = carried.value;
    carried.value = { ...rest, email };
    if ('requires2FA' in data) waiting.value = { email, ...challengeIn(data) };
    else await arrive();
    return undefined;
  };

  if (waiting.value !== null)
    return (
      <FormPage>
        <SecondStep
          waiting={waiting.value}
          onLost={() => {
            waiting.value = null;
            notice.value = start.signIn.tooLong;
          }}
        />
      </FormPage>
    );
  return (
    <FormPage>
      <News />
      {notice.value === null ? null : <Notice tone="warn">{notice.value}</Notice>}
      <Form
        state={form}
        explain={(problem) => (problem.code === 'login_held' ? <Held words={wordsOf(problem)} /> : undefined)}
        onSubmit={(values) => signIn(values('email').trim(), values('password'))}
      >
        <Field
          name="email"
          type="email"
          label={start.email}
          autocomplete={hasPasskeys ? 'username webauthn' : 'username'}
          value={carried.value.email ?? query().get('email') ?? undefined}
          wrong={form.wrong('email')}
        />
        <PasswordField
          name="password"
          label={start.password}
          autocomplete="current-password"
          wrong={form.wrong('password')}
        />
        <Button type="submit" whole busy={form.busy.value && start.signIn.busy}>
          {start.signIn.act}
        </Button>
      </Form>
      <Ways form={form} />
      <div class="row apart">
        <a href={kept('/account/forgot')}>{start.signIn.forgot}</a>
        <span>
          {start.signIn.fresh} <a href={kept('/account/sign-up')}>{start.signIn.signUp}</a>
        </span>
      </div>
    </FormPage>
  );
};
