import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AccountsSchemas, FinishedSignIn } from '../../client/index.ts';
import { type Problem, problem, wordsOf } from '../api.ts';
import { carried } from '../carried.ts';
import { LinkButton } from '../kit/button.tsx';
import { Notice, Skeleton } from '../kit/parts.tsx';
import { tell } from '../kit/tell.ts';
import { go } from '../router.ts';
import { arrive } from '../session.ts';
import { challengeIn, SecondStep, type Waiting } from '../start/second-step.tsx';
import { FormPage } from '../start/shell.tsx';
import { t } from '../text/language.ts';
import { afterTrip, endTrip } from '../trips.ts';
import { EmailNeeded } from './email-needed.tsx';

/** What the way back leaves to do. */
type Left =
  | { readonly kind: 'second'; readonly waiting: Waiting }
  | { readonly kind: 'email'; readonly needed: AccountsSchemas['EmailRequired'] }
  /** `to`: where one goes on from the refusal. */
  | { readonly kind: 'refused'; readonly problem: Problem; readonly to: string };

/** The window in which a limit counts. */
const MINUTE = 60_000;

const refused = (
  { purpose, error }: Extract<FinishedSignIn, { readonly error: object }>,
  after: string,
): Left => {
  const { code, message, linkToken, email } = error;
  if (linkToken !== undefined) carried.value = { linkToken, ...(email !== undefined && { email }) };
  return {
    kind: 'refused',
    problem: { ...problem(code, message), until: Date.now() + MINUTE },
    to: purpose === 'link' || purpose === 'reauthenticate' ? '/account/security' : `/account/sign-in${after}`,
  };
};

const entered = async (
  data: Extract<FinishedSignIn, { readonly purpose: 'login'; readonly data: object }>['data'],
  after: string,
): Promise<Left | undefined> => {
  // The login goes on as if it had been made at the sign-in page.
  history.replaceState(null, '', `/account/return${after}`);
  if ('requiresEmail' in data) return { kind: 'email', needed: data };
  if ('requires2FA' in data)
    return { kind: 'second', waiting: { email: data.user.email, ...challengeIn(data) } };
  await arrive();
  return undefined;
};

/** Takes up the trip that came back to this page. Gives what is left to do. */
const takeUp = async (): Promise<Left | undefined> => {
  const finished = await endTrip();
  const after = afterTrip();
  if (finished === undefined) {
    go('/account', { replace: true });
    return undefined;
  }
  if ('code' in finished) return { kind: 'refused', problem: finished, to: '/account/sign-in' };
  if (finished.error !== undefined) return refused(finished, after);
  if (finished.purpose === 'login') return entered(finished.data, after);
  tell(finished.purpose === 'link' ? t().account.connected : t().ends.proved);
  go(/^\/account\/[a-z/-]+$/.test(after) ? after : '/account/security', { replace: true });
  return undefined;
};

const Return = () => {
  const left = useSignal<Left | undefined>(undefined);
  useEffect(() => {
    const run = async () => {
      left.value = await takeUp();
    };
    void run();
  }, []);
  const found = left.value;
  if (found === undefined) return <Skeleton />;
  if (found.kind === 'email') return <EmailNeeded needed={found.needed} />;
  if (found.kind === 'second')
    return (
      <SecondStep
        waiting={found.waiting}
        onLost={() => {
          left.value = { kind: 'refused', problem: problem('invalid_flow'), to: '/account/sign-in' };
        }}
      />
    );
  return (
    <>
      <Notice tone={found.problem.code === 'account_exists' ? 'info' : 'danger'}>
        {wordsOf(found.problem)}
      </Notice>
      <LinkButton to={found.to} whole>
        {found.to === '/account/security' ? t().setup.back : t().ends.toSignIn}
      </LinkButton>
    </>
  );
};

/** Where the browser comes back to from a provider. */
export const ReturnPage = () => (
  <FormPage>
    <Return />
  </FormPage>
);
