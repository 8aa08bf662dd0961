import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Problem, wordsOf } from '../api.ts';
import { config } from '../config.ts';
import { Button } from '../kit/button.tsx';
import { bareCode, CodeField, Field, PasswordField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { link } from '../kit/link.ts';
import { Heading } from '../kit/page.tsx';
import { Copy, Notice } from '../kit/parts.tsx';
import type { Pages } from '../parts.ts';
import { call } from './api.ts';
import { answerSecondStep, hasPasskeys, signInByPasskey } from './passkey.ts';
import { arrive, self, wasSignedOut } from './session.ts';
import { c } from './text.ts';

type Method = 'totp' | 'passkey' | 'recovery';

/** A sign-in that waits for the second factor, without the password. */
interface Challenge {
  readonly email: string;
  readonly pendingToken: string;
  /** The possible methods; absent where passkeys are off. */
  readonly methods?: readonly Method[];
}

type Answer = { readonly requires2FA?: true } & Partial<Omit<Challenge, 'email'>>;

const send = (body: object) => call<Answer>('POST', '/api/admin/sign-in', { body });

/** Arrives unless there is a problem, which it returns. */
const arriveUnless = async (problem: Problem | undefined): Promise<Problem | undefined> =>
  problem ?? (await arrive());

/** A refusal with a link to the next step. */
const Refused = ({ problem }: { readonly problem: Problem }) => {
  const accounts = config.console?.accounts ?? null;
  const leads = problem.code === 'two_factor_required' && accounts !== null;
  return (
    <p>
      {wordsOf(problem)}{' '}
      {leads ? <a href={link(`${accounts}/account/security/two-factor`)}>{c().signIn.setUp}</a> : null}
    </p>
  );
};

const explain = (problem: Problem) => <Refused problem={problem} />;

const SecondStep = ({
  challenge: { methods = ['totp', 'recovery'], ...challenge },
  onLost,
}: {
  readonly challenge: Challenge;
  readonly onLost: () => void;
}) => {
  const form = useForm({ invalid_two_factor_code: 'code', code_required: 'code' });
  const hasApp = methods.includes('totp');
  const recovery = useSignal(!hasApp);
  const { kit, signIn } = c();
  const end = async (proof: object) => {
    const { problem } = await send({ ...challenge, ...proof });
    if (problem?.code === 'wrong_credentials') onLost();
    return arriveUnless(problem);
  };
  const byPasskey = async () => {
    const { data, problem } = await answerSecondStep(challenge);
    if (problem?.code === 'wrong_credentials') onLost();
    return problem ?? end({ passkey: data });
  };
  return (
    <>
      <p>{hasApp ? signIn.second : signIn.secondByPasskey}</p>
      {hasPasskeys && methods.includes('passkey') ? (
        <Button fullWidth kind={hasApp ? 'plain' : 'primary'} onPress={() => form.run(byPasskey)}>
          {kit.passkey}
        </Button>
      ) : null}
      <Form
        state={form}
        explain={explain}
        onSubmit={(values) => end({ verificationCode: bareCode(values('code')) })}
      >
        <CodeField
          key={String(recovery.value)}
          name="code"
          label={recovery.value ? signIn.recovery : signIn.code}
          letters={recovery.value}
          error={form.errorOf('code')}
        />
        <Button type="submit" fullWidth busy={form.busy.value && signIn.busy}>
          {signIn.secondAct}
        </Button>
      </Form>
      <div class="row apart">
        {hasApp ? (
          <Button
            kind="link"
            onPress={() => {
              recovery.value = !recovery.value;
            }}
          >
            {recovery.value ? signIn.useApp : signIn.useRecovery}
          </Button>
        ) : null}
        <Button kind="link" onPress={() => location.reload()}>
          {signIn.back}
        </Button>
      </div>
    </>
  );
};

const FirstStep = ({ challenge }: { readonly challenge: Signal<Challenge | null> }) => {
  const form = useForm({ invalid_email: 'email', password_required: 'password' });
  const { kit, signIn } = c();
  return (
    <>
      <Form
        state={form}
        explain={explain}
        onSubmit={async (values) => {
          const email = values('email').trim();
          const { data, problem } = await send({ email, password: values('password') });
          if (!data?.requires2FA) return arriveUnless(problem);
          const { pendingToken = '', methods } = data;
          challenge.value = { email, pendingToken, ...(methods && { methods }) };
          return undefined;
        }}
      >
        <Field
          name="email"
          type="email"
          label={signIn.email}
          autocomplete="username"
          error={form.errorOf('email')}
        />
        <PasswordField
          name="password"
          label={signIn.password}
          autocomplete="current-password"
          error={form.errorOf('password')}
        />
        <Button type="submit" fullWidth busy={form.busy.value && signIn.busy}>
          {signIn.act}
        </Button>
      </Form>
      {hasPasskeys ? (
        <>
          <p class="or">{kit.or}</p>
          <Button
            kind="plain"
            fullWidth
            onPress={() => form.run(async () => arriveUnless(await signInByPasskey()))}
          >
            {kit.passkey}
          </Button>
        </>
      ) : null}
    </>
  );
};

const SignIn = () => {
  const challenge = useSignal<Challenge | null>(null);
  const isLost = useSignal(false);
  useEffect(() => {
    wasSignedOut.value = false;
    if (self.value) void arrive();
  }, []);
  const { signIn } = c();
  const grant = config.console?.grant ?? null;
  const lose = () => {
    challenge.value = null;
    isLost.value = true;
  };
  return (
    <main class="form">
      <div class="card">
        <div class="stack wide">
          <div>
            <Heading />
            <p class="muted">{signIn.lead}</p>
          </div>
          {isLost.value ? <Notice tone="warn">{signIn.tooLong}</Notice> : null}
          {challenge.value === null ? (
            <FirstStep challenge={challenge} />
          ) : (
            <SecondStep challenge={challenge.value} onLost={lose} />
          )}
          {grant === null || challenge.value !== null ? null : (
            <div class="stack small">
              <p class="muted">{signIn.grant}</p>
              <div class="row">
                <code>{grant}</code>
                <Copy text={grant} />
              </div>
            </div>
          )}
        </div>
      </div>
    </main>
  );
};

// Both concern the operator's identity.
export { Ask } from './proof.tsx';

export const pages: Pages = { '/sign-in': SignIn };
