import { proofAsked } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { bareCode, CodeField, PasswordField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { call } from './api.ts';
import { c } from './text.ts';

const Ask = ({ answer }: { readonly answer: (proved: boolean) => void }) => {
  const form = useForm({
    wrong_credentials: 'password',
    password_required: 'password',
    invalid_two_factor_code: 'code',
    code_required: 'code',
  });
  const { proof, kit } = c();
  return (
    <Dialog title={proof.title} onClose={() => answer(false)}>
      <p>{proof.text}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const body = { password: values('password'), verificationCode: bareCode(values('code')) };
          const { problem } = await call('POST', '/api/auth/reauthenticate', { body });
          if (problem === undefined) answer(true);
          return problem;
        }}
      >
        <PasswordField
          name="password"
          label={proof.password}
          autocomplete="current-password"
          wrong={form.wrong('password')}
        />
        <CodeField name="code" label={proof.code} wrong={form.wrong('code')} />
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

/** Asks for a fresh proof when an act needs one. The act then goes on. */
export const Proof = () => (proofAsked.value === null ? null : <Ask answer={proofAsked.value.answer} />);
