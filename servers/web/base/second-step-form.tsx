import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { AccountsSchemas } from '../../client/index.ts';
import { Button } from '../kit/button.tsx';
import { bareCode, CodeField } from '../kit/field.tsx';
import { Form, Submit, useForm } from '../kit/form.tsx';
import type { Problem } from '../kit/problem.ts';
import { UserText } from '../kit/user-text.tsx';
import { words } from '../text/language.ts';
import type { Challenge } from './challenge.ts';
import { hasPasskeys, loadPasskeys } from './load-passkeys.ts';
import { CODE_FAULTS } from './refused-fields.ts';

type SecondStepBody = Pick<Challenge, 'email' | 'pendingToken'> &
  ({ readonly verificationCode: string } | { readonly passkey: AccountsSchemas['PasskeyAnswer'] });

export interface StepProps {
  readonly challenge: Challenge;
  readonly signIn: (body: SecondStepBody) => Promise<Problem | undefined>;
  /** Called when the first step has expired. */
  readonly onLost: () => void;
  readonly onBack: () => void;
  readonly explain?: (problem: Problem) => ComponentChildren;
}

/** The code of the second factor, or a passkey. */
export const SecondStep = ({ challenge, signIn, onLost, onBack, explain }: StepProps) => {
  // The methods are absent where passkeys are off.
  const { email, pendingToken, methods = ['totp', 'recovery'] } = challenge;
  const pendingSignIn = { email, pendingToken };
  const form = useForm(CODE_FAULTS);
  const hasApp = methods.includes('totp');
  const asksRecoveryCode = useSignal(!hasApp);
  const { kit, signIn: texts } = words();
  const leadOfCode = asksRecoveryCode.value ? texts.byRecovery : texts.byApp;
  const end = (problem: Problem | undefined) => {
    // A wrong code has another refusal: this one means that the first step is no longer valid.
    if (problem?.code === 'wrong_credentials') onLost();
    return problem;
  };
  const byPasskey = async () => {
    const { data: passkey, problem } = await (await loadPasskeys()).answerSecondStep(pendingSignIn);
    return end(passkey === undefined ? problem : await signIn({ ...pendingSignIn, passkey }));
  };
  return (
    <>
      <p class="muted">
        {texts.as} <UserText bold text={email} />
      </p>
      <p>{hasApp ? leadOfCode : texts.byPasskey}</p>
      {hasPasskeys && methods.includes('passkey') ? (
        <>
          <Button fullWidth kind={hasApp ? 'plain' : 'primary'} onPress={() => form.run(byPasskey)}>
            {kit.passkey}
          </Button>
          <p class="or">{kit.or}</p>
        </>
      ) : null}
      <Form
        state={form}
        explain={explain}
        onSubmit={async (values) =>
          end(await signIn({ ...pendingSignIn, verificationCode: bareCode(values('code')) }))
        }
      >
        <CodeField
          form={form}
          // Another kind of code gets a new, empty field.
          key={String(asksRecoveryCode.value)}
          label={asksRecoveryCode.value ? texts.recovery : kit.code}
          letters={asksRecoveryCode.value}
          isFirst
        />
        <Submit form={form} fullWidth text={kit.next} busyText={texts.busy} />
      </Form>
      <div class="row apart">
        {hasApp ? (
          <Button
            kind="link"
            onPress={() => {
              form.show(undefined);
              asksRecoveryCode.value = !asksRecoveryCode.value;
            }}
          >
            {asksRecoveryCode.value ? texts.useApp : texts.useRecovery}
          </Button>
        ) : null}
        <Button kind="link" onPress={onBack}>
          {texts.back}
        </Button>
      </div>
    </>
  );
};
