import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loadUser, signOut } from '../../auth/arrive-and-sign-out.ts';
import { accounts, outcome } from '../../base/api.ts';
import { FormPage } from '../../base/form-page.tsx';
import { go, query } from '../../base/router.ts';
import { user } from '../../base/session.ts';
import { Button } from '../../kit/button.tsx';
import { Refusal, useForm } from '../../kit/form.tsx';
import { Failed, Notice, Skeleton } from '../../kit/messages.tsx';
import type { Problem } from '../../kit/problem.ts';
import { UserText } from '../../kit/user-text.tsx';
import { t } from '../../text/language.ts';

/** The app's authorization request in the address; undefined if it is incomplete. */
const readRequest = () => {
  const params = query();
  const returnTo = params.get('return_to');
  const state = params.get('state');
  const codeChallenge = params.get('code_challenge');
  if (!returnTo || !state || !codeChallenge || !URL.canParse(returnTo)) return undefined;
  return { returnTo, state, codeChallenge };
};

type AuthorizationRequest = NonNullable<ReturnType<typeof readRequest>>;

/** The name of the app: its host, or the scheme of a native app. */
const appNameOf = (returnTo: string): string => {
  const { host, protocol } = new URL(returnTo);
  return host === '' ? protocol.slice(0, -1) : host;
};

/** Redirects to the app. The server has checked the address, since it issued the code for it. */
const leaveFor = ({ returnTo, state }: AuthorizationRequest, code: string): void => {
  const params = new URLSearchParams({ code, state });
  location.replace(`${returnTo}${returnTo.includes('?') ? '&' : '?'}${params}`);
};

/** The user must confirm, since another site may have linked here. */
const Authorize = ({ request }: { readonly request: AuthorizationRequest }) => {
  const form = useForm();
  const leaving = useSignal(false);
  const { account, appAuthorization, kit, signIn } = t();
  const authorize = () =>
    form.run(async () => {
      const { returnTo, codeChallenge } = request;
      const body = { returnTo, codeChallenge };
      const { data, problem } = await outcome(accounts.POST('/api/auth/handover', { body }));
      if (data === undefined) return problem;
      // The button stays busy until a website replaces this page. A native app leaves the page open: the button must work again.
      leaving.value = /^https?:/.test(returnTo);
      leaveFor(request, data.code);
      return undefined;
    });
  return (
    <>
      <Refusal state={form} />
      <p>
        {appAuthorization.as(appNameOf(request.returnTo))} <UserText bold text={user.value?.email ?? ''} />.
      </p>
      <Button fullWidth busy={(form.busy.value || leaving.value) && account.leaving} onPress={authorize}>
        {kit.next}
      </Button>
      <div class="row apart">
        <Button kind="link" onPress={() => form.run(() => signOut(`/account/sign-in${location.search}`))}>
          {signIn.back}
        </Button>
        <a href="/account">{kit.cancel}</a>
      </div>
    </>
  );
};

const Continue = () => {
  const problem = useSignal<Problem | undefined>(undefined);
  const request = readRequest();
  const load = async () => {
    problem.value = (await loadUser()).problem;
    if (user.value === null) go(`/account/sign-in${location.search}`, { replace: true });
  };
  useEffect(() => {
    if (request !== undefined) void load();
  }, []);
  if (request === undefined) return <Notice tone="danger">{t().appAuthorization.wrong}</Notice>;
  if (user.value) return <Authorize request={request} />;
  return problem.value === undefined ? <Skeleton /> : <Failed problem={problem.value} onRetry={load} />;
};

export const AuthorizeAppPage = () => (
  <FormPage>
    <Continue />
  </FormPage>
);
