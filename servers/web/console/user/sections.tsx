import { useSignal } from '@preact/signals';
import { deviceName } from '../../base/device.ts';
import { BusyButton, Button } from '../../kit/button.tsx';
import { Tag } from '../../kit/card.tsx';
import { Load } from '../../kit/load.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Time, utc } from '../../kit/time.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { shownInterval } from '../../text/interval.ts';
import { locale, shownMoney } from '../../text/language.ts';
import { ofUser, read } from '../api.ts';
import { auditColumns } from '../audit-columns.tsx';
import { Empty, TableOrEmpty } from '../empty-list.tsx';
import { deliveryColumns, mailColumns } from '../mail-columns.tsx';
import type { AuditPage, BillingAnswer, MailPage, Session, Subscription, User } from '../response-types.ts';
import { c } from '../text.ts';
import { type Action, endSession, mayRestrict } from './action-list.ts';

interface SectionProps {
  readonly user: User;
  readonly onAction: (action: Action) => void;
}

const Sessions = ({ user, onAction }: SectionProps) => {
  const { user: texts, actions } = c();
  const end = actions.list.endSession.name;
  const endColumn: Column<Session> = {
    title: end,
    isAction: true,
    cell: ({ id, userAgent }) => (
      <Button kind="link" label={`${end}: ${deviceName(userAgent)}`} onPress={() => onAction(endSession(id))}>
        {end}
      </Button>
    ),
  };
  const columns: readonly Column<Session>[] = [
    {
      title: texts.device,
      cell: ({ userAgent, kind }) => (
        <span title={userAgent ?? ''}>
          <UserText text={deviceName(userAgent)} />{' '}
          {kind === 'console' ? <Tag tone="warn">{texts.console}</Tag> : null}
        </span>
      ),
    },
    { title: texts.address, cell: ({ ip }) => <code>{ip}</code> },
    { title: texts.used, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { title: texts.begun, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(mayRestrict(user) ? [endColumn] : []),
  ];
  return (
    <Load request={() => read<{ readonly sessions: readonly Session[] }>(ofUser(user.id, '/sessions'))}>
      {({ sessions }) => (
        <TableOrEmpty
          label={texts.sections.sessions}
          columns={columns}
          rows={sessions}
          keyOf={({ id }) => id}
          empty={texts.noSessions}
        />
      )}
    </Load>
  );
};

/** The audit rows about a user; older ones are loaded on demand. */
const Audit = ({ user }: SectionProps) => {
  const pages = useSignal<readonly AuditPage[]>([]);
  const { audit, frame, user: texts } = c();
  /** Reads the next page of rows, and adds it to those that are shown. */
  const load = async () => {
    const result = await read<AuditPage>(ofUser(user.id, '/audit'), { cursor: pages.value.at(-1)?.cursor });
    if (result.data !== undefined) pages.value = [...pages.value, result.data];
    return result;
  };
  const emails = Object.fromEntries(pages.value.flatMap((page) => Object.entries(page.emails)));
  return (
    <Load request={load}>
      {(_, readMore) => (
        <div class="stack list">
          <TableOrEmpty
            label={texts.sections.audit}
            columns={auditColumns(emails, { ofOne: true })}
            rows={pages.value.flatMap(({ rows }) => rows)}
            keyOf={({ number }) => String(number)}
            empty={audit.nothingYet}
          />
          {pages.value.at(-1)?.cursor ? (
            <BusyButton kind="plain" text={texts.older} busyText={frame.searching} onPress={readMore} />
          ) : null}
        </div>
      )}
    </Load>
  );
};

const Billing = ({ user }: SectionProps) => {
  const { user: texts, frame } = c();
  const columns: readonly Column<Subscription>[] = [
    { title: texts.plan, cell: ({ plan, productName }) => <UserText text={plan ?? productName} /> },
    { title: frame.status, cell: ({ status }) => <UserText text={status} /> },
    {
      title: texts.price,
      isNumber: true,
      cell: ({ amount, currency, interval }) =>
        `${shownMoney(amount / 100, currency)} / ${shownInterval(interval, locale())}`,
    },
    {
      title: texts.renewal,
      cell: ({ currentPeriodEnd, cancelAtPeriodEnd }) => (
        <>
          {currentPeriodEnd === null ? '–' : utc(currentPeriodEnd)}
          {cancelAtPeriodEnd ? ` (${texts.cancelled})` : ''}
        </>
      ),
    },
  ];
  return (
    <Load request={() => read<BillingAnswer>(ofUser(user.id, '/billing'))}>
      {({ billing, deliveries }) => {
        const sold = billing?.subscriptions ?? [];
        if (sold.length + deliveries.length === 0) return <Empty>{texts.noBilling}</Empty>;
        return (
          <div class="stack list">
            {sold.length === 0 ? null : (
              <Table label={texts.subscriptions} columns={columns} rows={sold} keyOf={({ id }) => id} />
            )}
            {deliveries.length === 0 ? null : (
              <>
                <h3>{texts.deliveries}</h3>
                <Table
                  label={texts.deliveries}
                  columns={deliveryColumns()}
                  rows={deliveries}
                  keyOf={({ id }) => id}
                />
              </>
            )}
          </div>
        );
      }}
    </Load>
  );
};

const Mails = ({ user }: SectionProps) => {
  const texts = c().user;
  return (
    <Load request={() => read<MailPage>(ofUser(user.id, '/mails'))}>
      {({ mails }) => (
        <TableOrEmpty
          label={texts.sections.mails}
          columns={mailColumns({ ofOne: true })}
          rows={mails}
          keyOf={({ id }) => id}
          empty={texts.noMails}
        />
      )}
    </Load>
  );
};

const SECTIONS = { sessions: Sessions, audit: Audit, billing: Billing, mails: Mails };
type Name = keyof typeof SECTIONS;

interface AnySectionProps extends SectionProps {
  readonly name: Name;
  /** Counts actions and refreshes; the section is read again after each. */
  readonly turn: number;
}

/** Further data of a user, which are read when they are unfolded. The audit rows are unfolded from the start. */
const Section = ({ name, turn, ...props }: AnySectionProps) => {
  const isOpen = useSignal(name === 'audit');
  const Content = SECTIONS[name];
  return (
    <details
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        <h2>
          {c().user.sections[name]}
          {name === 'sessions' ? ` (${props.user.sessions})` : ''}
        </h2>
      </summary>
      {isOpen.value ? <Content key={turn} {...props} /> : null}
    </details>
  );
};

export const Sections = (props: Omit<AnySectionProps, 'name'>) => (
  <div class="sections">
    {(Object.keys(SECTIONS) as Name[]).map((name) => (
      <Section key={name} name={name} {...props} />
    ))}
  </div>
);
