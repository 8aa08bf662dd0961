import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { config } from '../config.ts';
import { Button } from '../kit/button.tsx';
import type { FormState } from '../kit/form.tsx';
import { arrive } from '../session.ts';
import { t } from '../text/language.ts';
import { hasPasskeys, loadPasskeys, loadTrips } from '../ways.ts';

const arriveUnless = async (problem: Problem | undefined): Promise<Problem | undefined> => {
  if (problem === undefined) await arrive();
  return problem;
};

/** Has the browser offer passkeys in the field of the email, while the page is shown. */
const useOffer = (form: FormState) =>
  useEffect(() => {
    if (!hasPasskeys) return undefined;
    let stop = (): void => undefined;
    let over = false;
    const begin = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
      const { offerPasskeys } = await loadPasskeys();
      if (over) return;
      stop = offerPasskeys((problem) => form.run(() => arriveUnless(problem)));
    };
    void begin();
    return () => {
      over = true;
      stop();
    };
  }, []);

/** The ways to sign in beside a password. Refusals show in the form. */
export const Ways = ({ form }: { readonly form: FormState }) => {
  const { account, kit, start } = t();
  const busy = useSignal<string | null>(null);
  useOffer(form);
  if (!hasPasskeys && config.providers.length === 0) return null;
  const take = (name: string, work: () => Promise<Problem | undefined>) => async () => {
    busy.value = name;
    await form.run(work);
    busy.value = null;
  };
  return (
    <>
      <p class="or">{kit.or}</p>
      <div class="ways">
        {hasPasskeys ? (
          <Button
            kind="plain"
            whole
            busy={busy.value === '' && kit.passkeyBusy}
            onPress={take('', async () => arriveUnless(await (await loadPasskeys()).signInByPasskey()))}
          >
            {kit.passkey}
          </Button>
        ) : null}
        {config.providers.map(({ id, name }) => (
          <Button
            key={id}
            kind="plain"
            whole
            busy={busy.value === id && start.signIn.leaving}
            onPress={take(id, async () => (await loadTrips()).signInAt(id, location.search))}
          >
            {account.with(name)}
          </Button>
        ))}
      </div>
    </>
  );
};
