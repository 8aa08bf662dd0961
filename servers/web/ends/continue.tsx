import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { accounts, outcome, type Problem } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { Refusal, useForm } from '../kit/form.tsx';
import { Failed, Notice, Own, Skeleton } from '../kit/parts.tsx';
import { go, query } from '../router.ts';
import { loadUser, signOut, user } from '../session.ts';
import { FormPage } from '../start/shell.tsx';
import { t } from '../text/language.ts';

/** What the app asks for in the address; undefined if something is missing. */
const asked = () => {
  const given = query();
  const [returnTo, state, codeChallenge] = ['return_to', 'state', 'code_challenge'].map(
    (name) => given.get(name) ?? '',
  );
  if (!returnTo || !state || !codeChallenge || !URL.canParse(returnTo)) return undefined;
  return { returnTo, state, codeChallenge };
};

type Asked = NonNullable<ReturnType<typeof asked>>;

/** What the app is called: its host, or the scheme of a native one. */
const placeOf = (returnTo: string): string => {
  const { host, protocol } = new URL(returnTo);
  return host === '' ? protocol.slice(0, -1) : host;
};

/** The way back, which is one that the server knows: it has given the code for this very text. */
const leaveFor = ({ returnTo, state }: Asked, code: string): void => {
  const more = new URLSearchParams({ code, state });
  location.replace(`${returnTo}${returnTo.includes('?') ? '&' : '?'}${more}`);
};

/** Nobody is handed over without a press: another site may have led here. */
const Handover = ({ wanted }: { readonly wanted: Asked }) => {
  const form = useForm();
  const leaving = useSignal(false);
  const { handover } = t();
  const hand = () =>
    form.run(async () => {
      const { returnTo, codeChallenge } = wanted;
      const body = { returnTo, codeChallenge };
      const { data, problem } = await outcome(accounts.POST('/api/auth/handover', { body }));
      if (data === undefined) return problem;
      leaving.value = true;
      leaveFor(wanted, data.code);
      return undefined;
    });
  return (
    <>
      <Refusal state={form} />
      <p>
        {handover.as(placeOf(wanted.returnTo))}{' '}
        <b>
          <Own text={user.value?.email ?? ''} />
        </b>
      </p>
      <Button whole busy={(form.busy.value || leaving.value) && handover.busy} onPress={hand}>
        {handover.act}
      </Button>
      <Button kind="link" onPress={() => signOut(`/account/sign-in${location.search}`)}>
        {handover.other}
      </Button>
    </>
  );
};

const Continue = () => {
  const problem = useSignal<Problem | undefined>(undefined);
  const wanted = asked();
  const load = async () => {
    problem.value = (await loadUser()).problem;
    if (user.value === null) go(`/account/sign-in${location.search}`, { replace: true });
  };
  useEffect(() => {
    if (wanted !== undefined) void load();
  }, []);
  if (wanted === undefined) return <Notice tone="danger">{t().handover.wrong}</Notice>;
  if (user.value) return <Handover wanted={wanted} />;
  return problem.value === undefined ? <Skeleton /> : <Failed problem={problem.value} again={load} />;
};

/** From the pages to the app that sent somebody here. */
export const ContinuePage = () => (
  <FormPage>
    <Continue />
  </FormPage>
);
