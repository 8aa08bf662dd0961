import { useEffect } from 'preact/hooks';
import { accounts, outcome } from '../base/api.ts';
import { user } from '../base/session.ts';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { Field } from '../kit/field.tsx';
import { Form, Refusal, useForm } from '../kit/form.tsx';
import { offline, type Problem } from '../kit/problem.ts';
import { tell } from '../kit/tell.ts';
import { UserText } from '../kit/user-text.tsx';
import {
  chooseLanguage,
  followAccount,
  LANGUAGES,
  type Language,
  language,
  shownDate,
  t,
} from '../text/language.ts';
import { AccountPage } from './account-page.tsx';
import { Avatar } from './avatar.tsx';

const Picture = () => {
  const form = useForm();
  return (
    <>
      <Refusal state={form} />
      <Avatar form={form} />
    </>
  );
};

/** Saves the language of the page as the account's, and again if it changes meanwhile. */
const saveLanguage = async (): Promise<Problem | undefined> => {
  const tag = language();
  const { data, problem } = await outcome(accounts.PATCH('/api/auth/me', { body: { language: tag } }));
  if (data === undefined) return problem;
  user.value = data.user;
  await followAccount(tag);
  return language() === tag ? undefined : saveLanguage();
};

/** The language of the pages in this browser, and of mails. */
const Languages = () => {
  const form = useForm();
  const choose = async (tag: Language) => {
    if (await chooseLanguage(tag)) await form.run(saveLanguage);
    else form.show(offline);
  };
  return (
    <fieldset class="field">
      <legend>{t().kit.language}</legend>
      <Refusal state={form} />
      <div class="choices">
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <label key={tag} lang={tag}>
            <input
              type="radio"
              name="language"
              checked={language() === tag}
              // The form shows a failure.
              onChange={() => void choose(tag as Language)}
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
};

const Details = () => {
  const { profile } = t();
  return (
    <details>
      <summary>{profile.details}</summary>
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
  // A restricted account can still read its profile; another call reveals the restriction.
  useEffect(() => void outcome(accounts.GET('/api/services')), []);
  const form = useForm({ invalid_display_name: 'name' });
  const { profile } = t();
  return (
    <Card>
      <Picture />
      <Form
        state={form}
        onSubmit={async (values) => {
          const displayName = values('name').trim() || null;
          const { data, problem } = await outcome(accounts.PATCH('/api/auth/me', { body: { displayName } }));
          if (data === undefined) return problem;
          user.value = data.user;
          tell(t().kit.saved);
          return undefined;
        }}
      >
        <Field
          name="name"
          label={t().kit.name}
          autocomplete="name"
          optional
          hint={profile.nameHint}
          value={user.value?.displayName ?? ''}
          error={form.errorOf('name')}
        />
        <Button type="submit" busy={form.busy.value && t().kit.save}>
          {t().kit.save}
        </Button>
      </Form>
      <dl class="field parted">
        <dt>{t().kit.email}</dt>
        <dd>
          <UserText text={user.value?.email ?? ''} />
        </dd>
      </dl>
      <Languages />
      <Details />
    </Card>
  );
};

export const ProfilePage = () => <AccountPage>{() => <Profile />}</AccountPage>;
