import { useSignal } from '@preact/signals';
import type { AccountsSchemas } from '../../client/index.ts';
import { accounts, outcome } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { bareCode, CodeField, Field } from '../kit/field.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { Own } from '../kit/parts.tsx';
import { SendAgain } from '../kit/send-again.tsx';
import { arrive } from '../session.ts';
import { t } from '../text/language.ts';

/** The provider vouches for no email: a code goes to the one that somebody names. */
export const EmailNeeded = ({
  needed: { signUpToken, email: suggested },
}: {
  readonly needed: AccountsSchemas['EmailRequired'];
}) => {
  const email = useSignal<string | null>(null);
  const form = useForm({ invalid_email: 'email', email_taken: 'email', invalid_code: 'code' });
  const { start } = t();
  const send = async (to: string) =>
    (await outcome(accounts.POST('/api/auth/providers/sign-up', { body: { signUpToken, email: to } })))
      .problem;
  if (email.value === null)
    return (
      <>
        <p>{t().ends.emailNeeded}</p>
        <Form
          state={form}
          onSubmit={async (values) => {
            const named = values('email').trim();
            const problem = await send(named);
            if (problem === undefined) email.value = named;
            return problem;
          }}
        >
          <Field
            name="email"
            type="email"
            label={start.email}
            autocomplete="email"
            value={suggested ?? undefined}
            wrong={form.wrong('email')}
          />
          <Button type="submit" whole busy={form.busy.value && start.forgot.busy}>
            {start.forgot.act}
          </Button>
        </Form>
      </>
    );
  const sentTo = email.value;
  return (
    <>
      <p>
        {start.verify.sent}{' '}
        <b>
          <Own text={sentTo} />
        </b>
        .
      </p>
      <Form
        key="code"
        state={form}
        onSubmit={async (values) => {
          const body = { email: sentTo, code: bareCode(values('code')), signUpToken };
          const { problem } = await outcome(accounts.POST('/api/auth/verify-email', { body }));
          if (problem === undefined) await arrive();
          return problem;
        }}
      >
        <CodeField name="code" label={start.code} wrong={form.wrong('code')} />
        <Button type="submit" whole busy={form.busy.value && start.verify.busy}>
          {start.verify.act}
        </Button>
      </Form>
      <div class="row apart">
        <SendAgain
          begun
          send={async () => {
            form.problem.value = await send(sentTo);
            return form.problem.value;
          }}
        />
        <Button
          kind="link"
          onPress={() => {
            form.problem.value = undefined;
            email.value = null;
          }}
        >
          {start.verify.change}
        </Button>
      </div>
    </>
  );
};
