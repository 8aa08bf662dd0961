import { useSignal } from '@preact/signals';
import type { AccountsSchemas } from '../../../client/index.ts';
import { leaveTo } from '../../auth/arrive-and-sign-out.ts';
import { news } from '../../auth/passed-to-next-page.ts';
import { accounts, outcome } from '../../base/api.ts';
import { providerName } from '../../base/config.ts';
import { FormPage } from '../../base/form-page.tsx';
import { Button } from '../../kit/button.tsx';
import { CodeField, EmailField } from '../../kit/field.tsx';
import { Form, Submit, useForm } from '../../kit/form.tsx';
import { Notice } from '../../kit/messages.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { t } from '../../text/language.ts';

type Undone = AccountsSchemas['EmailChangeUndone'];

const toSignIn = (): void => {
  news.value = 'undone';
  leaveTo('/account/sign-in');
};

/** The restored and removed data, one line each. */
const linesOf = ({ removed, deletionUndone }: Undone): readonly string[] => {
  const { undo } = t();
  return [
    ...(deletionUndone ? [undo.restored] : []),
    ...(removed.password ? [undo.password] : []),
    ...(removed.secondFactor ? [undo.secondFactor] : []),
    ...removed.passkeys.map(undo.passkey),
    ...removed.identities.map((id) => undo.identity(providerName(id))),
  ];
};

const Outcome = ({ undone }: { readonly undone: Undone }) => {
  const { landing, undo } = t();
  return (
    <>
      <Notice tone="good">{undo.done}</Notice>
      <ul>
        {linesOf(undone).map((line, index) => (
          <li key={index}>
            <UserText text={line} />
          </li>
        ))}
      </ul>
      <Button fullWidth onPress={toSignIn}>
        {landing.toSignIn}
      </Button>
    </>
  );
};

const Undo = () => {
  const undone = useSignal<Undone | undefined>(undefined);
  const form = useForm({ invalid_email: 'email', invalid_code: 'code' });
  const { auth, kit, undo } = t();
  if (undone.value !== undefined) return <Outcome undone={undone.value} />;
  return (
    <>
      <p>{undo.lead}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const body = { email: values('email').trim(), code: values('code').trim() };
          const { data, problem } = await outcome(accounts.POST('/api/auth/email/undo', { body }));
          if (data === undefined) return problem;
          if (linesOf(data).length === 0) toSignIn();
          else undone.value = data;
          return undefined;
        }}
      >
        <EmailField form={form} label={undo.email} isFirst />
        <CodeField form={form} letters label={kit.code} hint={auth.reset.codeHint} />
        <Submit form={form} fullWidth text={undo.button} busyText={auth.reset.busy} />
      </Form>
    </>
  );
};

/** Undoes a change of the email, by the code mailed to the old address. */
export const UndoPage = () => (
  <FormPage>
    <Undo />
  </FormPage>
);
