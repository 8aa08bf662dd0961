import type { AccountsSchemas } from '../../client/index.ts';
import { accounts, outcome } from '../base/api.ts';
import { deviceName } from '../base/device.ts';
import { Button } from '../kit/button.tsx';
import { Card, Tag } from '../kit/card.tsx';
import { Form, type FormState, Submit, saveChange, useForm } from '../kit/form.tsx';
import { Icon } from '../kit/icon.tsx';
import { Load } from '../kit/load.tsx';
import { UserText } from '../kit/user-text.tsx';
import { locale, shownTime, t } from '../text/language.ts';
import { AccountPage } from './account-page.tsx';

type Session = AccountsSchemas['Session'];

const COMPUTER = 'M4 5h16v11H4zM2 20h20';
const PHONE = 'M7 3h10v18H7zM11 18h2';
const PROGRAM = 'M3 4h18v16H3zM7 9l3 3-3 3M13 15h4';

const iconOf = (userAgent: string): string => {
  if (/\bMobile\b|\bAndroid\b|\biPad\b/.test(userAgent)) return PHONE;
  return userAgent.startsWith('Mozilla/') ? COMPUTER : PROGRAM;
};

const DAY_MS = 86_400_000;

/** Units of time below a day in milliseconds, the longest first. */
const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const startOfDay = (date: Date): number => date.setHours(0, 0, 0, 0);

/** How long ago a time was, such as `2 hours ago`; `now` within the last minute. */
const shownAgo = (time: string): string => {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const age = Date.now() - Date.parse(time);
  // Counts days of the calendar: 30 hours ago can be the day before yesterday. Rounds, since a day can have 23 hours.
  if (age >= DAY_MS) {
    const days = (startOfDay(new Date(time)) - startOfDay(new Date())) / DAY_MS;
    return format.format(Math.round(days), 'day');
  }
  const [unit, length] = UNITS.find(([, unitMs]) => age >= unitMs) ?? [];
  // `numeric: 'auto'` shows 0 seconds as `now`.
  if (unit === undefined) return format.format(0, 'second');
  return format.format(-Math.floor(age / length), unit);
};

/** This device's session first, and each app's after the session that authorized it. Apps cannot authorize other apps. */
const inFamilies = (list: readonly Session[]): readonly Session[] => {
  const isUnderAnother = ({ givenBy }: Session) => list.some(({ id }) => id === givenBy);
  return list
    .toSorted((a, b) => Number(b.current) - Number(a.current))
    .filter((session) => !isUnderAnother(session))
    .flatMap((giver) => [giver, ...list.filter(({ givenBy }) => givenBy === giver.id)]);
};

interface RowProps {
  readonly session: Session;
  /** The session that authorized this app's session. */
  readonly giver: Session | undefined;
  /** Shows the problems of all rows. */
  readonly form: FormState;
  readonly reload: () => Promise<void>;
}

const Row = ({ session, giver, form, reload }: RowProps) => {
  const { sessions } = t();
  const end = () =>
    form.run(() => {
      const params = { path: { id: session.id } };
      const request = outcome(accounts.DELETE('/api/auth/sessions/{id}', { params }));
      // Not found: it has ended already.
      return saveChange(request, sessions.ended, reload, 'session_not_found');
    });
  return (
    <li>
      <Icon path={iconOf(session.userAgent ?? '')} />
      <div>
        <p>
          <UserText bold text={deviceName(session.userAgent)} />
        </p>
        <p class="muted small">
          {giver === undefined ? null : `${sessions.app(deviceName(giver.userAgent))} · `}
          <span title={shownTime(session.lastUsedAt)}>{sessions.active(shownAgo(session.lastUsedAt))}</span>
        </p>
      </div>
      {session.current ? (
        <Tag tone="good">{sessions.here}</Tag>
      ) : (
        <Button kind="plain" label={`${sessions.end}: ${deviceName(session.userAgent)}`} onPress={end}>
          {sessions.end}
        </Button>
      )}
      <details class="small">
        <summary>{t().account.details}</summary>
        <p class="muted">
          {sessions.begun(shownTime(session.createdAt))} · {session.ip}
        </p>
        <p class="muted">
          <UserText text={session.userAgent ?? ''} />
        </p>
      </details>
    </li>
  );
};

const Sessions = ({ list, reload }: Pick<RowProps, 'reload'> & { readonly list: readonly Session[] }) => {
  const form = useForm();
  const { sessions } = t();
  return (
    <Card>
      <p>{sessions.lead}</p>
      <ul class="row-list">
        {inFamilies(list).map((session) => (
          <Row
            key={session.id}
            session={session}
            giver={list.find(({ id }) => id === session.givenBy)}
            form={form}
            reload={reload}
          />
        ))}
      </ul>
      {list.length < 2 ? null : (
        <Form
          state={form}
          onSubmit={() =>
            saveChange(outcome(accounts.DELETE('/api/auth/sessions')), sessions.endedOthers, reload)
          }
        >
          <Submit form={form} kind="danger" text={sessions.endOthers} busyText={sessions.endOthers} />
        </Form>
      )}
    </Card>
  );
};

export const SessionsPage = () => (
  <AccountPage>
    <Load request={() => outcome(accounts.GET('/api/auth/sessions'))}>
      {({ sessions }, reload) => <Sessions list={sessions} reload={reload} />}
    </Load>
  </AccountPage>
);
