import { useSignal } from '@preact/signals';
import { accounts, outcome, type Problem } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { bareCode, CodeField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { hasPasskeys, loadPasskeys } from '../load-passkeys.ts';
import { arrive } from '../session.ts';
import { t } from '../text/language.ts';
import type { Challenge } from './challenge.ts';

interface Step {
  readonly challenge: Challenge;
  /** Called when the first step has expired. */
  readonly onLost: () => void;
}

/** The code of the second factor, or a passkey. */
export const SecondStep = ({ challenge: { methods = ['totp', 'recovery'], ...waiting }, onLost }: Step) => {
  const form = useForm({ invalid_two_factor_code: 'code', code_required: 'code' });
  const hasApp = methods.includes('totp');
  const recovery = useSignal(!hasApp);
  const { kit, auth } = t();
  const { signIn, code } = auth;
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
            fullWidth
            kind={hasApp ? 'plain' : 'primary'}
            onPress={() => form.run(async () => end(await (await loadPasskeys()).answerSecondStep(waiting)))}
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
        <Button kind="link" onPress={() => location.assign('/account/sign-in')}>
          {signIn.back}
        </Button>
      </div>
    </>
  );
};
