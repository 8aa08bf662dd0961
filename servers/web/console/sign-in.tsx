import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ProofRequest } from '../base/api.ts';
import type { Challenge } from '../base/challenge.ts';
import { config } from '../base/config.ts';
import { FormPage } from '../base/form-page.tsx';
import type { Pages } from '../base/load-area.ts';
import { hasPasskeys, loadPasskeys } from '../base/load-passkeys.ts';
import { ProofDialog } from '../base/proof-dialog.tsx';
import { SIGN_IN_FAULTS } from '../base/refused-fields.ts';
import { SecondStep } from '../base/second-step-form.tsx';
import { wasSignedOut } from '../base/session.ts';
import { Button } from '../kit/button.tsx';
import { CopyIcon } from '../kit/copy-icon.tsx';
import { Field, PasswordField } from '../kit/field.tsx';
import { Form, Submit, useForm } from '../kit/form.tsx';
import { link } from '../kit/link.ts';
import { Notice } from '../kit/messages.tsx';
import { type Problem, wordsOf } from '../kit/problem.ts';
import { call } from './api.ts';
import type { SignInResult } from './response-types.ts';
import { arrive, self } from './session.ts';
import { c } from './text.ts';

const send = (body: object) => call<SignInResult>('POST', 'sign-in', body);

/** The text of a refusal. Operators without two-factor authentication get a link to the page where they set it up. */
const explain = (problem: Problem) => {
  const accounts = config.console?.accounts ?? null;
  const hasLink = problem.code === 'two_factor_required' && accounts !== null;
  return (
    <p>
      {wordsOf(problem)}{' '}
      {hasLink ? <a href={link(`${accounts}/account/security/two-factor`)}>{c().signIn.setUp}</a> : null}
    </p>
  );
};

const byPasskey = async (): Promise<Problem | undefined> => {
  const { data, problem } = await (await loadPasskeys()).choosePasskey();
  if (data === undefined) return problem;
  return (await call('POST', 'sign-in/passkey', data)).problem ?? arrive();
};

interface FirstStepProps {
  readonly challenge: Signal<Challenge | null>;
  /** The email of the sign-in that expired. */
  readonly email: string | undefined;
}

const FirstStep = ({ challenge, email: knownEmail }: FirstStepProps) => {
  const form = useForm(SIGN_IN_FAULTS);
  const { kit, signIn } = c();
  return (
    <>
      <Form
        state={form}
        explain={explain}
        onSubmit={async (values) => {
          const email = values('email').trim();
          const { data, problem } = await send({ email, password: values('password') });
          if (data === undefined || !('requires2FA' in data)) return problem ?? arrive();
          challenge.value = { ...data, email };
          return undefined;
        }}
      >
        <Field
          form={form}
          name="email"
          type="email"
          label={kit.email}
          autocomplete="username"
          value={knownEmail}
          isFirst={knownEmail === undefined}
        />
        <PasswordField form={form} isFirst={knownEmail !== undefined} />
        <Submit form={form} fullWidth text={signIn.button} busyText={signIn.busy} />
      </Form>
      {hasPasskeys ? (
        <>
          <p class="or">{kit.or}</p>
          <Button kind="plain" fullWidth onPress={() => form.run(byPasskey)}>
            {kit.passkey}
          </Button>
        </>
      ) : null}
    </>
  );
};

const SignIn = () => {
  const challenge = useSignal<Challenge | null>(null);
  const lostEmail = useSignal<string | undefined>(undefined);
  useEffect(() => {
    wasSignedOut.value = false;
    if (self.value) void arrive();
  }, []);
  const { signIn } = c();
  const grantCommand = config.console?.grant ?? null;
  const restart = () => {
    lostEmail.value = challenge.value?.email;
    challenge.value = null;
  };
  return (
    <FormPage lead={signIn.lead}>
      {lostEmail.value === undefined ? null : <Notice tone="danger">{signIn.tooLong}</Notice>}
      {challenge.value === null ? (
        <FirstStep challenge={challenge} email={lostEmail.value} />
      ) : (
        <SecondStep
          challenge={challenge.value}
          signIn={async (body) => (await send(body)).problem ?? arrive()}
          onLost={restart}
          // Loads the page again: this also drops the notice about a sign-in that expired.
          onBack={() => location.reload()}
          explain={explain}
        />
      )}
      {grantCommand === null || challenge.value !== null ? null : (
        <div class="stack small">
          <p class="muted">{signIn.grant}</p>
          <div class="row named">
            <code>{grantCommand}</code>
            <CopyIcon text={grantCommand} />
          </div>
        </div>
      )}
    </FormPage>
  );
};

/**
 * Asks for a fresh proof. The console requires a second factor, and a proof accepts no recovery code. So a password counts only
 * together with a code of the app (`totp`) or with a passkey, even one that did not verify the user, for example by a PIN. The
 * dialog stands in this module, since it shares the texts of the sign-in.
 */
export const Ask = (request: ProofRequest) => {
  const { methods } = request.needed;
  const hasApp = methods.includes('totp');
  const hasSecondFactor = hasApp || (hasPasskeys && methods.includes('passkey'));
  return (
    <ProofDialog
      {...request}
      byPassword={methods.includes('password') && hasSecondFactor}
      factor={hasApp ? 'app' : 'passkey'}
    />
  );
};

export const pages: Pages = { '/sign-in': SignIn };
