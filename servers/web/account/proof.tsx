import { accounts, outcome, ownPassword, type Problem, type ProofRequest } from '../api.ts';
import { config } from '../config.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { bareCode, CodeField, PasswordField } from '../kit/field.tsx';
import { Form, Refusal, useForm } from '../kit/form.tsx';
import { hasPasskeys, loadFlows, loadPasskeys } from '../load-passkeys.ts';
import { user } from '../session.ts';
import { t } from '../text/language.ts';

/** The providers that can give the proof. */
const providersOf = (methods: readonly string[]) => {
  const account = user.value;
  if (!account || !methods.includes('oidc')) return [];
  return config.providers.filter(({ id }) => account.oauthAccounts.some(({ provider }) => provider === id));
};

/** Asks for a fresh proof, after which the waiting call goes on. */
export const Ask = ({ needed: { methods }, answer }: ProofRequest) => {
  const form = useForm({
    wrong_password: 'password',
    password_required: 'password',
    invalid_two_factor_code: 'code',
    code_required: 'code',
  });
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
            const { problem } = await outcome(accounts.POST('/api/auth/reauthenticate', { body }));
            return end(ownPassword(problem));
          }}
        >
          <PasswordField
            name="password"
            label={proof.password}
            autocomplete="current-password"
            error={form.errorOf('password')}
          />
          {user.value?.twoFactorEnabled ? (
            <CodeField name="code" letters label={proof.code} error={form.errorOf('code')} />
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
          fullWidth
          onPress={() => form.run(async () => end(await (await loadPasskeys()).proveByPasskey()))}
        >
          {t().kit.passkey}
        </Button>
      ) : null}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          kind="plain"
          fullWidth
          onPress={() => form.run(async () => (await loadFlows()).proveAt(id))}
        >
          {t().account.with(name)}
        </Button>
      ))}
      {hasPassword || byPasskey || providers.length > 0 ? null : <p>{proof.none}</p>}
      {hasPassword ? null : cancel}
    </Dialog>
  );
};
