import { useEffect } from 'preact/hooks';
import type { Problem, ProofAsked } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { bareCode, CodeField, PasswordField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { call } from './api.ts';
import { hasPasskeys, proveByPasskey } from './passkey.ts';
import { c } from './text.ts';

/** Asks for a fresh proof when an act needs one. The act then goes on. */
export const Ask = ({ needed, answer }: ProofAsked) => {
  const form = useForm({
    wrong_credentials: 'password',
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
  const { proof, kit, signIn } = c();
  return (
    <Dialog title={proof.title} onClose={() => answer(false)}>
      <p>{proof.text}</p>
      {hasPasskeys && needed.methods.includes('passkey') ? (
        <Button
          kind={hasApp ? 'plain' : 'primary'}
          whole
          onPress={() => form.run(async () => end(await proveByPasskey()))}
        >
          {kit.passkey}
        </Button>
      ) : null}
      <Form
        state={form}
        onSubmit={async (values) => {
          const body = { password: values('password'), verificationCode: bareCode(values('code')) };
          return end((await call('POST', '/api/auth/reauthenticate', { body })).problem);
        }}
      >
        <PasswordField
          name="password"
          label={proof.password}
          autocomplete="current-password"
          wrong={form.wrong('password')}
        />
        <CodeField
          name="code"
          label={hasApp ? proof.code : signIn.recovery}
          letters={!hasApp}
          wrong={form.wrong('code')}
        />
        <div class="row">
          <Button type="submit" busy={form.busy.value && proof.busy}>
            {proof.act}
          </Button>
          <Button kind="plain" onPress={() => answer(false)}>
            {kit.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
};
