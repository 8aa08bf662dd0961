import { leaveTo } from '../auth/arrive-and-sign-out.ts';
import { accounts, asWrongPassword, outcome } from '../base/api.ts';
import { PROOF_FAULTS } from '../base/refused-fields.ts';
import { user } from '../base/session.ts';
import { Card } from '../kit/card.tsx';
import { bareCode, CodeField, EmailField, PasswordField } from '../kit/field.tsx';
import { Form, Submit, useForm } from '../kit/form.tsx';
import { Load } from '../kit/load.tsx';
import { makeProblem } from '../kit/problem.ts';
import { t } from '../text/language.ts';
import { AccountPage } from './account-page.tsx';

const Delete = ({ hasPassword }: { readonly hasPassword: boolean }) => {
  const form = useForm({ ...PROOF_FAULTS, email_differs: 'email' });
  const { kit, proof, remove } = t();
  const email = user.value?.email ?? '';
  return (
    <Card>
      <p>{remove.also}</p>
      <ul>
        {remove.list.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <p class="final">{remove.final}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          if (values('email').trim().toLowerCase() !== email.toLowerCase())
            return makeProblem('email_differs');
          const verificationCode = bareCode(values('code'));
          const body = {
            ...(hasPassword && { password: values('password') }),
            ...(verificationCode !== '' && { verificationCode }),
          };
          const refused = (await outcome(accounts.POST('/api/auth/delete-account', { body }))).problem;
          if (refused !== undefined) return asWrongPassword(refused);
          leaveTo('/account/gone');
          return undefined;
        }}
      >
        <EmailField form={form} autocomplete="off" label={kit.typeToConfirm(email)} />
        {hasPassword ? <PasswordField form={form} /> : null}
        {user.value?.twoFactorEnabled ? <CodeField form={form} letters label={proof.code} /> : null}
        <div class="row">
          <Submit form={form} kind="danger" text={kit.deleteAccount} busyText={remove.busy} />
          <a href="/account">{kit.cancel}</a>
        </div>
      </Form>
    </Card>
  );
};

/** The sign-in methods of a banned or disabled account cannot be read. Nearly every account has a password: ask for it. */
const assumePassword = () => <Delete hasPassword />;

export const DeletePage = () => (
  <AccountPage>
    <Load
      request={() => outcome(accounts.GET('/api/auth/security'))}
      instead={{ account_banned: assumePassword, account_disabled: assumePassword }}
    >
      {({ hasPassword }) => <Delete hasPassword={hasPassword} />}
    </Load>
  </AccountPage>
);
