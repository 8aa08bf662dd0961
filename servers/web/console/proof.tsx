import { useEffect } from 'preact/hooks';
import { ownPassword, type Problem, type ProofRequest } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { bareCode, CodeField, PasswordField } from '../kit/field.tsx';
import { Form, Refusal, useForm } from '../kit/form.tsx';
import { call } from './api.ts';
import { hasPasskeys, proveByPasskey } from './passkey.ts';
import { c } from './text.ts';

/** Asks for a fresh proof when an act needs it, after which the act goes on. A recovery code is not accepted. */
export const Ask = ({ needed, answer }: ProofRequest) => {
  const form = useForm({
    wrong_password: 'password',
    password_required: 'password',
    invalid_two_factor_code: 'code',
    code_required: 'code',
  });
  useEffect(() => () => answer(false), []);
  const end = (problem: Problem | undefined) => {
    if (problem === undefined) answer(true);
    return problem;
  };
  const hasApp = needed.methods.includes('totp');
  const hasPasskey = hasPasskeys && needed.methods.includes('passkey');
  const { proof, kit } = c();
  const cancel = (
    <Button kind="plain" onPress={() => answer(false)}>
      {kit.cancel}
    </Button>
  );
  return (
    <Dialog title={proof.title} onClose={() => answer(false)}>
      <p>{proof.text}</p>
      {hasPasskey ? (
        <Button
          kind={hasApp ? 'plain' : 'primary'}
          fullWidth
          onPress={() => form.run(async () => end(await proveByPasskey()))}
        >
          {kit.passkey}
        </Button>
      ) : null}
      {hasApp ? (
        <Form
          state={form}
          onSubmit={async (values) => {
            const body = { password: values('password'), verificationCode: bareCode(values('code')) };
            const { problem } = await call('POST', '/api/auth/reauthenticate', { body });
            return end(ownPassword(problem));
          }}
        >
          <PasswordField
            name="password"
            label={proof.password}
            autocomplete="current-password"
            error={form.errorOf('password')}
          />
          <CodeField name="code" label={proof.code} error={form.errorOf('code')} />
          <div class="row">
            <Button type="submit" busy={form.busy.value && proof.busy}>
              {proof.act}
            </Button>
            {cancel}
          </div>
        </Form>
      ) : (
        <>
          <Refusal state={form} />
          {hasPasskey ? null : <p>{proof.none}</p>}
          {cancel}
        </>
      )}
    </Dialog>
  );
};
