import { useSignal } from '@preact/signals';
import type { AccountsSchemas } from '../../client/index.ts';
import { accounts, outcome, type Problem } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { bareCode, CodeField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { arrive } from '../session.ts';
import { t } from '../text/language.ts';
import { hasPasskeys, loadPasskeys } from '../ways.ts';

/** A login that waits for the second factor. The password is forgotten by then. */
export interface Waiting {
  readonly email: string;
  readonly pendingToken: string;
  /** What may be shown; not said where there are no passkeys. */
  readonly methods?: NonNullable<AccountsSchemas['LoginChallenge']['methods']>;
}

/** What the second step needs of the answer to the first. */
export const challengeIn = ({
  pendingToken,
  methods,
}: AccountsSchemas['LoginChallenge']): Omit<Waiting, 'email'> => ({
  pendingToken,
  ...(methods !== undefined && { methods }),
});

interface Step {
  readonly waiting: Waiting;
  /** Called when the first step counts no more. */
  readonly onLost: () => void;
}

/** The code of the second factor, or a passkey. */
export const SecondStep = ({ waiting: { methods = ['totp', 'recovery'], ...waiting }, onLost }: Step) => {
  const form = useForm({ invalid_two_factor_code: 'code', code_required: 'code' });
  const hasApp = methods.includes('totp');
  const recovery = useSignal(!hasApp);
  const { kit, start } = t();
  const { signIn, code } = start;
  const end = async (problem: Problem | undefined) => {
    if (problem === undefined) await arrive();
    else if (problem.code === 'wrong_credentials') onLost();
    return problem;
  };
  return (
    <>
      <p>{!hasApp ? signIn.secondByPasskey : recovery.value ? signIn.secondByRecovery : signIn.second}</p>
      {hasPasskeys && methods.includes('passkey') ? (
        <>
          <Button
            whole
            kind={hasApp ? 'plain' : 'primary'}
            onPress={() => form.run(async () => end(await (await loadPasskeys()).answerSecond(waiting)))}
          >
            {kit.passkey}
          </Button>
          <p class="or">{kit.or}</p>
        </>
      ) : null}
      <Form
        state={form}
        onSubmit={async (values) => {
          const body = { ...waiting, verificationCode: bareCode(values('code')) };
          return end((await outcome(accounts.POST('/api/auth/login', { body }))).problem);
        }}
      >
        <CodeField
          key={String(recovery.value)}
          name="code"
          label={recovery.value ? signIn.recovery : code}
          letters={recovery.value}
          wrong={form.wrong('code')}
        />
        <Button type="submit" whole busy={form.busy.value && signIn.busy}>
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
        <Button kind="link" onPress={() => location.assign('/account/sign-in')}>
          {signIn.back}
        </Button>
      </div>
    </>
  );
};
