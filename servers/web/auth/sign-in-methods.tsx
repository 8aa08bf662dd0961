import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { config } from '../base/config.ts';
import { hasPasskeys } from '../base/load-passkeys.ts';
import { Button } from '../kit/button.tsx';
import type { FormState } from '../kit/form.tsx';
import type { Problem } from '../kit/problem.ts';
import { t } from '../text/language.ts';
import { arrive } from './arrive-and-sign-out.ts';
import { loadFlows, loadPasskeySignIn } from './load-on-demand.ts';

/** Offers passkeys in the email field while the page is shown. */
const useOffer = (form: FormState) =>
  useEffect(() => {
    if (!hasPasskeys) return undefined;
    let stop = (): void => undefined;
    let isUnmounted = false;
    const begin = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
      const { offerPasskeys } = await loadPasskeySignIn();
      if (isUnmounted) return;
      stop = offerPasskeys((problem) => form.run(async () => problem ?? arrive()));
    };
    void begin();
    return () => {
      isUnmounted = true;
      stop();
    };
  }, []);

/** The sign-in methods beside a password. Refusals show in the form. */
export const SignInMethods = ({ form }: { readonly form: FormState }) => {
  const { account, kit } = t();
  /** The id of the provider whose sign-in runs; empty while a sign-in by a passkey runs; null while none runs. */
  const busy = useSignal<string | null>(null);
  useOffer(form);
  if (!hasPasskeys && config.providers.length === 0) return null;
  const start = async (id: string, work: () => Promise<Problem | undefined>) => {
    busy.value = id;
    await form.run(work);
    busy.value = null;
  };
  const signInByPasskey = async () => {
    const passkeys = await loadPasskeySignIn();
    return (await passkeys.signInByPasskey()) ?? arrive();
  };
  return (
    <>
      <p class="or">{kit.or}</p>
      <div class="methods">
        {hasPasskeys ? (
          <Button
            kind="plain"
            fullWidth
            busy={busy.value === '' && account.passkeyBusy}
            onPress={() => start('', signInByPasskey)}
          >
            {kit.passkey}
          </Button>
        ) : null}
        {config.providers.map(({ id, name }) => (
          <Button
            key={id}
            kind="plain"
            fullWidth
            busy={busy.value === id && account.leaving}
            onPress={() => start(id, async () => (await loadFlows()).signInAt(id, location.search))}
          >
            {account.with(name)}
          </Button>
        ))}
      </div>
    </>
  );
};
