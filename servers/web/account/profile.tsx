import { useEffect } from 'preact/hooks';
import { accounts, outcome } from '../base/api.ts';
import { user } from '../base/session.ts';
import { LinkButton } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { Field } from '../kit/field.tsx';
import { Form, Submit, useForm } from '../kit/form.tsx';
import { showToast } from '../kit/toast.ts';
import { UserText } from '../kit/user-text.tsx';
import { shownDate, t } from '../text/language.ts';
import { AccountPage } from './account-page.tsx';
import { Avatar } from './avatar.tsx';

const Details = () => {
  const { profile } = t();
  return (
    <details>
      <summary>{t().account.details}</summary>
      <dl class="definition">
        <dt>{profile.id}</dt>
        <dd>
          <code>{user.value?.id}</code>
        </dd>
        <dt>{profile.since}</dt>
        <dd>{shownDate(user.value?.createdAt ?? 0)}</dd>
      </dl>
    </details>
  );
};

const Profile = () => {
  // Finds out whether the account is restricted: such an account can still read its profile, but this call is refused, and
  // `outcome` stores the refusal in `restricted`.
  useEffect(() => void outcome(accounts.GET('/api/services')), []);
  const form = useForm({ invalid_display_name: 'name' });
  const { profile } = t();
  return (
    <Card>
      <Avatar />
      <Form
        state={form}
        onSubmit={async (values) => {
          const displayName = values('name').trim() || null;
          const { data, problem } = await outcome(accounts.PATCH('/api/auth/me', { body: { displayName } }));
          if (data === undefined) return problem;
          user.value = data.user;
          showToast(t().account.saved);
          return undefined;
        }}
      >
        <Field
          form={form}
          name="name"
          label={t().kit.name}
          autocomplete="name"
          optional
          hint={profile.nameHint}
          value={user.value?.displayName ?? ''}
        />
        <Submit form={form} text={t().kit.save} busyText={t().kit.save} />
      </Form>
      <dl class="field parted">
        <dt>{t().kit.email}</dt>
        <dd>
          <UserText text={user.value?.email ?? ''} />
        </dd>
      </dl>
      <Details />
    </Card>
  );
};

const Delete = () => (
  <Card title={t().kit.deleteAccount}>
    <p>{t().remove.lead}</p>
    <LinkButton to="/account/delete" kind="danger">
      {t().kit.deleteAccount}
    </LinkButton>
  </Card>
);

export const ProfilePage = () => (
  <AccountPage>
    <Profile />
    <Delete />
  </AccountPage>
);
