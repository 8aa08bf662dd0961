import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { bareCode, CodeField, PasswordField } from '../kit/field.tsx';
import { Form, Refusal, Submit, useForm } from '../kit/form.tsx';
import type { Problem } from '../kit/problem.ts';
import { words } from '../text/language.ts';
import { accounts, asWrongPassword, outcome, type ProofRequest } from './api.ts';
import { hasPasskeys, loadPasskeys } from './load-passkeys.ts';
import { PROOF_FAULTS } from './refused-fields.ts';

interface ProofProps extends ProofRequest {
  readonly byPassword: boolean;
  /** The second factor beside the password: `app`: a code of the app; `any`: also a recovery code; `passkey`; null: none. */
  readonly factor: 'app' | 'any' | 'passkey' | null;
  /** Proofs that begin with a redirect, such as to a provider. */
  readonly others?: readonly {
    readonly name: string;
    readonly begin: () => Promise<Problem | undefined>;
  }[];
}

/** Asks for a fresh proof, after which the waiting call goes on. */
export const ProofDialog = ({ needed, answer, byPassword, factor, others = [] }: ProofProps) => {
  const form = useForm(PROOF_FAULTS);
  const { kit, proof } = words();
  const byPasskey = hasPasskeys && needed.methods.includes('passkey');
  const hasOtherMethods = byPasskey || others.length > 0;
  const end = (problem: Problem | undefined) => {
    if (problem === undefined) answer(true);
    return problem;
  };
  const proveByPasskey = async () =>
    end(await (await loadPasskeys()).proveByPasskey(form.ref.current?.password?.value));
  const cancel = (
    <Button kind="link" onPress={() => answer(false)}>
      {kit.cancel}
    </Button>
  );
  return (
    <Dialog title={proof.title} onClose={() => answer(false)}>
      <p>{proof.text}</p>
      {byPassword ? (
        <Form
          state={form}
          onSubmit={async (values) => {
            if (factor === 'passkey') return proveByPasskey();
            const verificationCode = bareCode(values('code'));
            const body = {
              password: values('password'),
              ...(verificationCode !== '' && { verificationCode }),
            };
            const { problem } = await outcome(accounts.POST('/api/auth/reauthenticate', { body }));
            return end(asWrongPassword(problem));
          }}
        >
          <PasswordField form={form} />
          {factor === 'app' || factor === 'any' ? (
            <CodeField form={form} letters={factor === 'any'} label={proof.code} />
          ) : null}
          <div class="row">
            <Submit form={form} text={proof.button} busyText={kit.checking} />
            {cancel}
          </div>
        </Form>
      ) : (
        <Refusal state={form} />
      )}
      {byPassword && hasOtherMethods ? <p class="or">{kit.or}</p> : null}
      {byPasskey ? (
        <Button kind={byPassword ? 'plain' : 'primary'} fullWidth onPress={() => form.run(proveByPasskey)}>
          {kit.passkey}
        </Button>
      ) : null}
      {others.map(({ name, begin }) => (
        <Button key={name} kind="plain" fullWidth onPress={() => form.run(begin)}>
          {name}
        </Button>
      ))}
      {byPassword || hasOtherMethods ? null : <p>{proof.none}</p>}
      {byPassword ? null : cancel}
    </Dialog>
  );
};
