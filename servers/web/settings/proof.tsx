import { accounts, outcome, proofAsked } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { bareCode, CodeField, PasswordField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { user } from '../session.ts';
import { t } from '../text/language.ts';
import { a } from './texts.ts';

const Ask = ({ answer }: { readonly answer: (proved: boolean) => void }) => {
  const form = useForm({
    wrong_credentials: 'password',
    password_required: 'password',
    invalid_two_factor_code: 'code',
    code_required: 'code',
  });
  const { proof } = a();
  return (
    <Dialog title={proof.title} onClose={() => answer(false)}>
      <p>{proof.text}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const code = bareCode(values('code'));
          const body = { password: values('password'), ...(code !== '' && { verificationCode: code }) };
          const { problem } = await outcome(accounts.POST('/api/auth/reauthenticate', { body }));
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
        {user.value?.twoFactorEnabled ? (
          <CodeField name="code" label={proof.code} wrong={form.wrong('code')} />
        ) : null}
        <div class="row">
          <Button type="submit" busy={form.busy.value && proof.busy}>
            {proof.act}
          </Button>
          <Button kind="plain" onPress={() => answer(false)}>
            {t().kit.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
};

/** Asks for a fresh proof when a call needs one. The call then goes on. */
export const ProofDialog = () =>
  proofAsked.value === null ? null : <Ask answer={proofAsked.value.answer} />;
