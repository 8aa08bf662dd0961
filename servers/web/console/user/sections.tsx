import { useSignal } from '@preact/signals';
import { deviceName } from '../../base/device.ts';
import { Button } from '../../kit/button.tsx';
import { Tag } from '../../kit/card.tsx';
import { Load } from '../../kit/load.tsx';
import type { Outcome } from '../../kit/problem.ts';
import { type Column, Table } from '../../kit/table.tsx';
import { Time, utc } from '../../kit/time.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { shownMoney } from '../../text/language.ts';
import { ofUser, read } from '../api.ts';
import { auditColumns } from '../audit-columns.tsx';
import { Empty, TableOrEmpty } from '../empty-list.tsx';
import { deliveryColumns, mailColumns } from '../mail-columns.tsx';
import type { AuditPage, BillingAnswer, MailPage, Session, Sold, User } from '../response-types.ts';
import { c } from '../text.ts';
import { ActionDialog } from './action-dialog.tsx';
import { type Action, endSession } from './action-list.ts';

interface OfUser {
  readonly user: User;
  readonly reread: () => Promise<void>;
  readonly onDone: (user: User) => void;
}

const Sessions = ({ user, reread, onDone }: OfUser) => {
  const openAction = useSignal<Action | null>(null);
  const { user: texts, actions } = c();
  const end = actions.list.endSession.name;
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
    {
      title: end,
      isAction: true,
      cell: ({ id, userAgent }) => (
        <Button
          kind="link"
          label={`${end}: ${deviceName(userAgent)}`}
          onPress={() => {
            openAction.value = endSession(id);
          }}
        >
          {end}
        </Button>
      ),
    },
  ];
  return (
    <Load request={() => read<{ readonly sessions: readonly Session[] }>(ofUser(user.id, '/sessions'))}>
      {({ sessions }) => (
        <>
          <TableOrEmpty
            label={texts.sections.sessions}
            columns={columns}
            rows={sessions}
            keyOf={({ id }) => id}
            empty={texts.noSessions}
          />
          {openAction.value === null ? null : (
            <ActionDialog
              action={openAction.value}
              user={user}
              reread={reread}
              onDone={onDone}
              onGone={() => undefined}
              onClose={() => {
                openAction.value = null;
              }}
            />
          )}
        </>
      )}
    </Load>
  );
};

/** The audit rows about a user; older ones are loaded on demand. */
const Audit = ({ user }: OfUser) => {
  const older = useSignal<Pick<AuditPage, 'rows' | 'emails'>>({ rows: [], emails: {} });
  const cursor = useSignal<string | null | undefined>(undefined);
  const busy = useSignal(false);
  const { audit, frame, user: texts } = c();
  const load = async (pageCursor?: string | null): Promise<Outcome<AuditPage>> => {
    const result = await read<AuditPage>(ofUser(user.id, '/audit'), { cursor: pageCursor });
    if (result.data !== undefined) cursor.value = result.data.cursor;
    return result;
  };
  const more = async () => {
    busy.value = true;
    const { data } = await load(cursor.value);
    if (data !== undefined)
      older.value = {
        rows: [...older.value.rows, ...data.rows],
        emails: { ...older.value.emails, ...data.emails },
      };
    busy.value = false;
  };
  return (
    <Load request={() => load()}>
      {({ rows, emails }) => (
        <div class="stack list">
          <TableOrEmpty
            label={texts.sections.audit}
            columns={auditColumns({ ...emails, ...older.value.emails }, { ofOne: true })}
            rows={[...rows, ...older.value.rows]}
            keyOf={({ number }) => String(number)}
            empty={audit.nothingYet}
          />
          {cursor.value ? (
            <Button kind="plain" busy={busy.value && frame.searching} onPress={more}>
              {frame.older}
            </Button>
          ) : null}
        </div>
      )}
    </Load>
  );
};

const Billing = ({ user }: OfUser) => {
  const texts = c().user;
  const columns: readonly Column<Sold>[] = [
    { title: texts.plan, cell: ({ plan, productName }) => <UserText text={plan ?? productName} /> },
    { title: texts.status, cell: ({ status }) => <UserText text={status} /> },
    {
      title: texts.price,
      isNumber: true,
      cell: ({ amount, currency, interval }) =>
        `${shownMoney(amount / 100, currency)} / ${texts.intervals[interval] ?? interval}`,
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

const Mails = ({ user }: OfUser) => {
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

/** Further data of a user. Each section is read when it is opened, and again after an action. */
export const Sections = ({ turn, ...props }: OfUser & { readonly turn: number }) => {
  const openSections = useSignal<readonly Name[]>(['audit']);
  const { sections } = c().user;
  return (
    <div class="sections">
      {(Object.keys(SECTIONS) as Name[]).map((name) => {
        const Section = SECTIONS[name];
        const isOpen = openSections.value.includes(name);
        return (
          <details
            key={name}
            open={isOpen}
            onToggle={(event) => {
              const others = openSections.value.filter((sectionName) => sectionName !== name);
              openSections.value = event.currentTarget.open ? [...others, name] : others;
            }}
          >
            <summary>
              <h2>
                {sections[name]}
                {name === 'sessions' ? ` (${props.user.sessions})` : ''}
              </h2>
            </summary>
            {isOpen ? <Section key={turn} {...props} /> : null}
          </details>
        );
      })}
    </div>
  );
};
