import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FinishedSignIn, SignInRefusal } from '../../../client/index.ts';
import { arrive } from '../../auth/arrive-and-sign-out.ts';
import { SecondStepPage } from '../../auth/load-second-step.tsx';
import { passedValues } from '../../auth/passed-to-next-page.ts';
import { finishFlow, takeDestination } from '../../auth/provider-callback.ts';
import { FormPage } from '../../base/form-page.tsx';
import { go } from '../../base/router.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Load, lazyPiece } from '../../kit/load.tsx';
import { Notice, Skeleton } from '../../kit/messages.tsx';
import { makeProblem, type Problem, wordsOf } from '../../kit/problem.ts';
import { showToast } from '../../kit/toast.ts';
import { readStored } from '../../text/browser-storage.ts';
import { t } from '../../text/language.ts';

const loadForms = lazyPiece(() => import('./ask-email-or-code.tsx'));

/** The window of rate limits. The callback's error does not say when to retry, so the page names the time after one window. */
const MINUTE_MS = 60_000;

interface RefusedProps {
  readonly problem: Problem;
  /** The page to continue at. */
  readonly to: string;
}

const Refused = ({ problem, to }: RefusedProps) => (
  <FormPage>
    <Notice tone={problem.code === 'account_exists' ? 'info' : 'danger'}>{wordsOf(problem)}</Notice>
    <LinkButton to={to} fullWidth>
      {to === '/account/security' ? t().account.toSecurity : t().landing.toSignIn}
    </LinkButton>
  </FormPage>
);

type Show = (page: ComponentChildren) => void;

const showRefusal = ({ code, message, linkToken, email }: SignInRefusal, to: string, show: Show): void => {
  if (linkToken !== undefined) passedValues.value = { linkToken, ...(email !== undefined && { email }) };
  show(<Refused problem={{ ...makeProblem(code, message), until: Date.now() + MINUTE_MS }} to={to} />);
};

type SignInData = Extract<FinishedSignIn, { readonly purpose: 'login'; readonly data: object }>['data'];

const goOnAfterSignIn = async (data: SignInData, query: string, show: Show): Promise<void> => {
  // `arrive` reads the destination from the address, as at the sign-in page.
  history.replaceState(history.state, '', `/account/return${query}`);
  if ('requiresEmail' in data)
    show(
      <FormPage>
        <Load request={loadForms}>{({ EmailNeeded }) => <EmailNeeded {...data} />}</Load>
      </FormPage>,
    );
  else if ('requires2FA' in data)
    show(
      <SecondStepPage
        challenge={{ ...data, email: data.user.email }}
        onLost={() => show(<Refused problem={makeProblem('invalid_flow')} to={`/account/sign-in${query}`} />)}
      />,
    );
  else {
    const refused = await arrive();
    if (refused !== undefined) show(<Refused problem={refused} to={`/account/sign-in${query}`} />);
  }
};

/** Completes the flow that came back to this page, and goes on with it. */
const finish = async (show: Show): Promise<void> => {
  // Without storage (`undefined`) no flow was stored that could be completed.
  if (readStored('') === undefined) {
    const blocked = makeProblem('cookies_blocked', t().signIn.cookiesBlocked);
    show(<Refused problem={blocked} to="/account/sign-in" />);
    return;
  }
  const askCode = (wasWrong: boolean) =>
    new Promise<string>((answer) => {
      show(
        <FormPage>
          <Load request={loadForms}>
            {({ ProofCode }) => <ProofCode wasWrong={wasWrong} answer={answer} />}
          </Load>
        </FormPage>,
      );
    });
  const finished = await finishFlow({ askCode });
  // The path of the page that began the flow; for a sign-in only the query of the sign-in page, which does not begin with `/`.
  const destination = takeDestination();
  const back = destination.startsWith('/') ? '/account/security' : `/account/sign-in${destination}`;
  // `undefined`: this was no callback, for example after a reload of the second step, whose address has the query of the sign-in
  // page. The sign-in page sends users who are signed in to their account.
  if (finished === undefined) go(`/account/sign-in${location.search}`, { replace: true });
  // Only a `Problem` has a `code`: the server did not answer.
  else if ('code' in finished) show(<Refused problem={finished} to={back} />);
  else if (finished.error !== undefined) showRefusal(finished.error, back, show);
  else if (finished.purpose === 'login') await goOnAfterSignIn(finished.data, destination, show);
  else {
    showToast(finished.purpose === 'link' ? t().account.connected : t().landing.proved);
    go(/^\/account\/[a-z/-]+$/.test(destination) ? destination : '/account/security', { replace: true });
  }
};

export const ReturnPage = () => {
  const page = useSignal<ComponentChildren>(
    <FormPage>
      <Skeleton />
    </FormPage>,
  );
  useEffect(() => {
    void finish((next) => {
      page.value = next;
    });
  }, []);
  return <>{page.value}</>;
};
