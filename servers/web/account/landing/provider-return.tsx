import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AccountsSchemas, FinishedSignIn } from '../../../client/index.ts';
import { arrive } from '../../auth/arrive-and-sign-out.ts';
import { loadSecondStep } from '../../auth/load-on-demand.ts';
import { passedValues } from '../../auth/passed-to-next-page.ts';
import { finishFlow, takeDestination } from '../../auth/provider-callback.ts';
import { type Challenge, challengeIn } from '../../base/challenge.ts';
import { FormPage } from '../../base/form-page.tsx';
import { go } from '../../base/router.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Load, lazyPiece } from '../../kit/load.tsx';
import { Notice, Skeleton } from '../../kit/messages.tsx';
import { type Problem, problem, wordsOf } from '../../kit/problem.ts';
import { tell } from '../../kit/toast.ts';
import { t } from '../../text/language.ts';
import type { ProofCodeProps } from './ask-email-or-code.tsx';

// Few returns need to ask.
const loadForms = lazyPiece(() => import('./ask-email-or-code.tsx'));

/** The next step after the callback. */
type NextStep =
  | { readonly kind: 'second'; readonly challenge: Challenge }
  /** A proof that waits for the code of the second factor. */
  | ({ readonly kind: 'code' } & ProofCodeProps)
  | { readonly kind: 'email'; readonly needed: AccountsSchemas['EmailRequired'] }
  /** `to`: the page to continue at. */
  | { readonly kind: 'refused'; readonly problem: Problem; readonly to: string };

/** The window of rate limits. */
const MINUTE = 60_000;

const refusalStep = (
  { purpose, error }: Extract<FinishedSignIn, { readonly error: object }>,
  query: string,
): NextStep => {
  const { code, message, linkToken, email } = error;
  if (linkToken !== undefined) passedValues.value = { linkToken, ...(email !== undefined && { email }) };
  return {
    kind: 'refused',
    problem: { ...problem(code, message), until: Date.now() + MINUTE },
    to: purpose === 'link' || purpose === 'reauthenticate' ? '/account/security' : `/account/sign-in${query}`,
  };
};

const afterSignIn = async (
  data: Extract<FinishedSignIn, { readonly purpose: 'login'; readonly data: object }>['data'],
  query: string,
): Promise<NextStep | undefined> => {
  // The sign-in goes on as if it began at the sign-in page.
  history.replaceState(history.state, '', `/account/return${query}`);
  if ('requiresEmail' in data) return { kind: 'email', needed: data };
  if ('requires2FA' in data)
    return { kind: 'second', challenge: { email: data.user.email, ...challengeIn(data) } };
  await arrive();
  return undefined;
};

/** Completes the flow that came back to this page. Returns the next step. */
const finish = async (askCode: (wasWrong: boolean) => Promise<string>): Promise<NextStep | undefined> => {
  const finished = await finishFlow({ askCode });
  const query = takeDestination();
  if (finished === undefined) {
    go('/account', { replace: true });
    return undefined;
  }
  if ('code' in finished) return { kind: 'refused', problem: finished, to: '/account/sign-in' };
  if (finished.error !== undefined) return refusalStep(finished, query);
  if (finished.purpose === 'login') return afterSignIn(finished.data, query);
  tell(finished.purpose === 'link' ? t().account.connected : t().landing.proved);
  go(/^\/account\/[a-z/-]+$/.test(query) ? query : '/account/security', { replace: true });
  return undefined;
};

const Next = ({
  step: current,
  onLost,
}: {
  readonly step: NextStep | undefined;
  readonly onLost: () => void;
}) => {
  if (current === undefined) return <Skeleton />;
  if (current.kind === 'code')
    return <Load request={loadForms}>{({ ProofCode }) => <ProofCode {...current} />}</Load>;
  if (current.kind === 'email')
    return <Load request={loadForms}>{({ EmailNeeded }) => <EmailNeeded needed={current.needed} />}</Load>;
  if (current.kind === 'second')
    return (
      <Load request={loadSecondStep}>
        {({ SecondStep }) => <SecondStep challenge={current.challenge} onLost={onLost} />}
      </Load>
    );
  return (
    <>
      <Notice tone={current.problem.code === 'account_exists' ? 'info' : 'danger'}>
        {wordsOf(current.problem)}
      </Notice>
      <LinkButton to={current.to} fullWidth>
        {current.to === '/account/security' ? t().landing.toSecurity : t().landing.toSignIn}
      </LinkButton>
    </>
  );
};

/** The callback page of providers. */
export const ReturnPage = () => {
  const step = useSignal<NextStep | undefined>(undefined);
  useEffect(() => {
    const run = async () => {
      step.value = await finish(
        (wasWrong) =>
          new Promise((answer) => {
            step.value = { kind: 'code', wasWrong, answer };
          }),
      );
    };
    void run();
  }, []);
  const isSecond = step.value?.kind === 'second';
  return (
    <FormPage key={String(isSecond)} title={isSecond ? t().signIn.codeTitle : undefined}>
      <Next
        step={step.value}
        onLost={() => {
          step.value = { kind: 'refused', problem: problem('invalid_flow'), to: '/account/sign-in' };
        }}
      />
    </FormPage>
  );
};
