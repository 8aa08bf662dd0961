import { accounts, outcome } from '../../base/api.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Tag } from '../../kit/card.tsx';
import { CopyIcon } from '../../kit/copy-icon.tsx';
import { Field } from '../../kit/field.tsx';
import { Form, Refusal, Submit, saveChange, useForm } from '../../kit/form.tsx';
import { Load } from '../../kit/load.tsx';
import { Notice } from '../../kit/messages.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { t } from '../../text/language.ts';
import { AccountPage } from '../account-page.tsx';

const PATH = '/api/user/custom-domain';

const readDomain = () => outcome(accounts.GET(PATH));
type Domain = Extract<Awaited<ReturnType<typeof readDomain>>, { readonly data: object }>['data'];

interface DomainProps {
  readonly domain: Domain;
  readonly reload: () => Promise<void>;
}

/** The TXT record that the user must add to the DNS. */
const RequiredRecord = ({ name, value }: { readonly name: string; readonly value: string }) => {
  const { domain: texts } = t();
  const rows = [
    [texts.recordType, 'TXT'],
    [t().kit.name, name],
    [texts.recordValue, value],
  ] as const;
  return (
    <>
      <p>{texts.due}</p>
      <dl class="definition record">
        {rows.map(([label, text]) => (
          <div key={label} class="pair">
            <dt>{label}</dt>
            <dd class="with-icon">
              <code>{text}</code>
              <CopyIcon text={text} of={label} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
};

const CurrentDomain = ({
  domain: { customDomain, customDomainVerified, verification },
  reload,
}: DomainProps) => {
  const form = useForm();
  const { domain: texts } = t();
  const check = () =>
    form.run(() => saveChange(outcome(accounts.POST(`${PATH}/verify`)), texts.verified, reload));
  const remove = () => form.run(() => saveChange(outcome(accounts.DELETE(PATH)), texts.removed, reload));
  return (
    <Card>
      <div class="row">
        <UserText bold text={customDomain ?? ''} />
        <Tag tone={customDomainVerified ? 'good' : 'warn'}>
          {customDomainVerified ? texts.verified : texts.waiting}
        </Tag>
      </div>
      <Refusal state={form} />
      {customDomainVerified || verification === undefined ? null : <RequiredRecord {...verification} />}
      <div class="row">
        {customDomainVerified ? null : (
          <Button busy={form.busy.value && t().kit.checking} onPress={check}>
            {texts.check}
          </Button>
        )}
        <Button kind="danger" onPress={remove}>
          {texts.remove}
        </Button>
      </div>
    </Card>
  );
};

const SetDomain = ({ reload }: Pick<DomainProps, 'reload'>) => {
  const form = useForm({ invalid_domain: 'domain', reserved_domain: 'domain', domain_taken: 'domain' });
  const { domain: texts } = t();
  return (
    <Card>
      <p class="muted">{texts.lead}</p>
      <Form
        state={form}
        onSubmit={async (values) => {
          const body = { domain: values('domain').trim() };
          const { problem } = await outcome(accounts.POST(PATH, { body }));
          if (problem === undefined) await reload();
          return problem;
        }}
      >
        <Field
          form={form}
          name="domain"
          label={t().kit.domain}
          autocomplete="off"
          inputMode="url"
          hint={texts.hint}
        />
        <Submit form={form} text={texts.set} busyText={t().kit.checking} />
      </Form>
    </Card>
  );
};

export const DomainPage = () => (
  <AccountPage>
    <Load
      request={readDomain}
      instead={{ enterprise_only: () => <Notice>{t().securityCodes.enterprise_only}</Notice> }}
    >
      {(domain, reload) =>
        domain.hasCustomDomain ? (
          <CurrentDomain domain={domain} reload={reload} />
        ) : (
          <SetDomain reload={reload} />
        )
      }
    </Load>
  </AccountPage>
);
