import { accounts, outcome } from '../base/api.ts';
import { withParameters } from '../base/router.ts';
import { SecondStep as Step, type StepProps } from '../base/second-step-form.tsx';
import { arrive } from './arrive-and-sign-out.ts';

export type SecondStepProps = Pick<StepProps, 'challenge' | 'onLost'>;

/** The second step of a sign-in to an account. */
export const SecondStep = (props: SecondStepProps) => (
  <Step
    {...props}
    signIn={async (body) => {
      const { problem } = await outcome(accounts.POST('/api/auth/login', { body }));
      return problem ?? arrive();
    }}
    // Loads the page again: on the sign-in page itself, `go` would change nothing, and the challenge would stay.
    onBack={() => location.assign(withParameters('/account/sign-in'))}
  />
);
