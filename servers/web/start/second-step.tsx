import { useSignal } from '@preact/signals';
import { accounts, outcome } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { bareCode, CodeField } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { arrive } from '../session.ts';
import { t } from '../text/language.ts';
import { FormPage } from './shell.tsx';

/** A login that waits for the second factor. The password is forgotten by then. */
export interface Waiting {
  readonly email: string;
  readonly pendingToken: string;
}

interface Step {
  readonly waiting: Waiting;
  /** Called when the first step counts no more. */
  readonly onLost: () => void;
}

/** The code of the second factor. */
export const SecondStep = ({ waiting, onLost }: Step) => {
  const form = useForm({ invalid_two_factor_code: 'code', code_required: 'code' });
  const recovery = useSignal(false);
  const { signIn, code } = t().start;
  return (
    <FormPage>
      <p>{signIn.second}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const typed = values('code');
          const verificationCode = recovery.value ? typed.trim() : bareCode(typed);
          const body = { ...waiting, verificationCode };
          const { problem } = await outcome(accounts.POST('/api/auth/login', { body }));
          if (problem === undefined) await arrive();
          else if (problem.code === 'wrong_credentials') onLost();
          return problem;
        }}
      >
        <CodeField
          key={String(recovery.value)}
          name="code"
          label={recovery.value ? signIn.recovery : code}
          letters={recovery.value}
          wrong={form.wrong('code')}
        />
        <Button type="submit" whole busy={form.busy.value && signIn.busy}>
          {signIn.secondAct}
        </Button>
      </Form>
      <div class="row apart">
        <Button
          kind="link"
          onPress={() => {
            recovery.value = !recovery.value;
          }}
        >
          {recovery.value ? signIn.useApp : signIn.useRecovery}
        </Button>
        <Button kind="link" onPress={() => location.reload()}>
          {signIn.back}
        </Button>
      </div>
    </FormPage>
  );
};
