import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AccountsSchemas } from '../../../client/index.ts';
import { arrive } from '../../auth/arrive-and-sign-out.ts';
import { SendAgain } from '../../auth/send-again.tsx';
import { accounts, outcome } from '../../base/api.ts';
import { Button } from '../../kit/button.tsx';
import { bareCode, CodeField, EmailField } from '../../kit/field.tsx';
import { Form, Submit, useForm } from '../../kit/form.tsx';
import { makeProblem, wordsOf } from '../../kit/problem.ts';
import { UserText } from '../../kit/user-text.tsx';
import { t } from '../../text/language.ts';

/** Asks for an email, which is verified by a code, where the provider gave no verified email. */
export const EmailNeeded = ({ signUpToken, email: suggested }: AccountsSchemas['EmailRequired']) => {
  /** The email that the form begins with: the provider's, until the user sends another one. */
  const latestEmail = useSignal(suggested);
  const codeSentTo = useSignal<string | null>(null);
  const form = useForm({ invalid_email: 'email', email_taken: 'email', invalid_code: 'code' });
  const { account, auth, kit } = t();
  const send = async (to: string) =>
    (await outcome(accounts.POST('/api/auth/providers/sign-up', { body: { signUpToken, email: to } })))
      .problem;
  if (codeSentTo.value === null)
    return (
      <>
        <p>{t().landing.emailNeeded}</p>
        <Form
          state={form}
          onSubmit={async (values) => {
            const address = values('email').trim();
            latestEmail.value = address;
            const refusal = await send(address);
            if (refusal === undefined) codeSentTo.value = address;
            return refusal;
          }}
        >
          <EmailField form={form} autocomplete="email" value={latestEmail.value ?? undefined} isFirst />
          <Submit form={form} fullWidth text={account.sendCode} busyText={auth.forgot.busy} />
        </Form>
      </>
    );
  const email = codeSentTo.value;
  // The key makes Preact build a new form, instead of keeping the email's form with other fields.
  return (
    <>
      <p>
        {auth.verify.sent} <UserText bold text={email} />.
      </p>
      <Form
        key="code"
        state={form}
        onSubmit={async (values) => {
          const body = { email, code: bareCode(values('code')), signUpToken };
          const refusal = (await outcome(accounts.POST('/api/auth/verify-email', { body }))).problem;
          // This refusal means that another sign-up with the same email has replaced this one. Its usual text names a password,
          // which nobody typed here.
          if (refusal?.code === 'wrong_credentials') return makeProblem('invalid_flow');
          return refusal ?? arrive();
        }}
      >
        <CodeField form={form} label={kit.code} />
        <Submit form={form} fullWidth text={kit.next} busyText={kit.checking} />
      </Form>
      <div class="row apart">
        <SendAgain
          isSent
          send={async () => {
            const refusal = await send(email);
            form.show(refusal);
            return refusal;
          }}
        />
        <Button
          kind="link"
          onPress={() => {
            form.show(undefined);
            codeSentTo.value = null;
          }}
        >
          {account.changeEmail}
        </Button>
      </div>
    </>
  );
};

interface ProofCodeProps {
  readonly wasWrong: boolean;
  readonly answer: (code: string) => void;
}

/** Asks for the code of the second factor, for a proof by a provider. */
export const ProofCode = ({ wasWrong, answer }: ProofCodeProps) => {
  const form = useForm();
  /** The last `answer` that was called. The button is busy until a wrong code brings a new `answer`. */
  const calledAnswer = useSignal<ProofCodeProps['answer'] | undefined>(undefined);
  const { kit, proof } = t();
  useEffect(() => {
    const field = form.ref.current?.elements.namedItem('code');
    if (wasWrong && field instanceof HTMLElement) field.focus();
  }, [answer]);
  return (
    <Form
      state={form}
      onSubmit={async (values) => {
        calledAnswer.value = answer;
        answer(bareCode(values('code')));
        return undefined;
      }}
    >
      <p>{proof.text}</p>
      <CodeField
        letters
        label={proof.code}
        error={wasWrong ? wordsOf(makeProblem('invalid_two_factor_code')) : undefined}
      />
      <Button type="submit" fullWidth busy={calledAnswer.value === answer && kit.checking}>
        {proof.button}
      </Button>
    </Form>
  );
};
