import { useEffect } from 'preact/hooks';
import { accounts, outcome, type Problem, proofAsked } from '../api.ts';
import { config } from '../config.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { bareCode, CodeField, PasswordField } from '../kit/field.tsx';
import { Form, Refusal, useForm } from '../kit/form.tsx';
import { path } from '../router.ts';
import { user } from '../session.ts';
import { t } from '../text/language.ts';
import { hasPasskeys, loadPasskeys, loadTrips } from '../ways.ts';

interface AskProps {
  /** By what the account can be proved. */
  readonly methods: readonly string[];
  readonly answer: (proved: boolean) => void;
}

/** The providers at which somebody can prove it. Their proof goes with no code, so not where a second factor is on. */
const providersOf = (methods: readonly string[]) => {
  const known = user.value;
  if (!known || known.twoFactorEnabled || !methods.includes('oidc')) return [];
  return config.providers.filter(({ id }) => known.oauthAccounts.some(({ provider }) => provider === id));
};

const Ask = ({ methods, answer }: AskProps) => {
  const form = useForm({
    wrong_credentials: 'password',
    password_required: 'password',
    invalid_two_factor_code: 'code',
    code_required: 'code',
  });
  useEffect(() => () => answer(false), []);
  const { proof } = t();
  const hasPassword = methods.includes('password');
  const byPasskey = hasPasskeys && methods.includes('passkey');
  const providers = providersOf(methods);
  const end = (problem: Problem | undefined) => {
    if (problem === undefined) answer(true);
    return problem;
  };
  const cancel = (
    <Button kind="link" onPress={() => answer(false)}>
      {t().kit.cancel}
    </Button>
  );
  return (
    <Dialog title={proof.title} onClose={() => answer(false)}>
      <p>{proof.text}</p>
      {hasPassword ? (
        <Form
          state={form}
          onSubmit={async (values) => {
            const code = bareCode(values('code'));
            const body = { password: values('password'), ...(code !== '' && { verificationCode: code }) };
            return end((await outcome(accounts.POST('/api/auth/reauthenticate', { body }))).problem);
          }}
        >
          <PasswordField
            name="password"
            label={proof.password}
            autocomplete="current-password"
            wrong={form.wrong('password')}
          />
          {user.value?.twoFactorEnabled ? (
            <CodeField name="code" letters label={proof.code} wrong={form.wrong('code')} />
          ) : null}
          <div class="row">
            <Button type="submit" busy={form.busy.value && proof.busy}>
              {proof.act}
            </Button>
            {cancel}
          </div>
        </Form>
      ) : (
        <Refusal state={form} />
      )}
      {hasPassword && (byPasskey || providers.length > 0) ? <p class="or">{t().kit.or}</p> : null}
      {byPasskey ? (
        <Button
          kind="plain"
          whole
          onPress={() => form.run(async () => end(await (await loadPasskeys()).proveByPasskey()))}
        >
          {t().kit.passkey}
        </Button>
      ) : null}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          kind="plain"
          whole
          onPress={() => form.run(async () => (await loadTrips()).proveAt(id))}
        >
          {t().account.with(name)}
        </Button>
      ))}
      {hasPassword || byPasskey || providers.length > 0 ? null : <p>{proof.none}</p>}
      {hasPassword ? null : cancel}
    </Dialog>
  );
};

/** Asks for a fresh proof when a call needs one. The call then goes on. Whoever leaves the page has answered. */
export const ProofDialog = () => {
  const asked = proofAsked.value;
  return asked === null ? null : (
    <Ask key={path.value} methods={asked.needed.methods} answer={asked.answer} />
  );
};
