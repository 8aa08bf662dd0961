import { useSignal } from '@preact/signals';
import type { AccountsSchemas } from '../../client/index.ts';
import { accounts, outcome } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { Form, useForm } from '../kit/form.tsx';
import { Load } from '../kit/load.tsx';
import { Card, Own, Tag } from '../kit/parts.tsx';
import { tell } from '../kit/tell.ts';
import { shownTime, t } from '../text/language.ts';
import { AccountPage } from './account-page.tsx';
import { deviceOf } from './device.ts';

type Session = AccountsSchemas['Session'];

const nameOf = ({ userAgent }: Session): string => {
  const device = deviceOf(userAgent);
  if (device === undefined) return t().sessions.unknown;
  return device.system === undefined ? device.browser : t().sessions.on(device.browser, device.system);
};

const Row = ({ session, again }: { readonly session: Session; readonly again: () => Promise<void> }) => {
  const busy = useSignal(false);
  const { sessions } = t();
  const end = async () => {
    busy.value = true;
    const { problem } = await outcome(
      accounts.DELETE('/api/auth/sessions/{id}', { params: { path: { id: session.id } } }),
    );
    busy.value = false;
    if (problem !== undefined && problem.code !== 'session_not_found') return;
    tell(sessions.ended);
    await again();
  };
  return (
    <li>
      <div>
        <p>
          <b>
            <Own text={nameOf(session)} />
          </b>
        </p>
        <p class="muted small">
          {sessions.used(shownTime(session.lastUsedAt))} · {sessions.begun(shownTime(session.createdAt))} ·{' '}
          {session.ip}
        </p>
      </div>
      {session.current ? (
        <Tag tone="good">{sessions.here}</Tag>
      ) : (
        <Button
          kind="plain"
          label={`${sessions.end}: ${nameOf(session)}`}
          busy={busy.value && sessions.end}
          onPress={end}
        >
          {sessions.end}
        </Button>
      )}
    </li>
  );
};

const Sessions = ({
  list,
  again,
}: {
  readonly list: readonly Session[];
  readonly again: () => Promise<void>;
}) => {
  const form = useForm();
  const { sessions } = t();
  return (
    <Card>
      <p>{sessions.lead}</p>
      <ul class="row-list">
        {list.map((session) => (
          <Row key={session.id} session={session} again={again} />
        ))}
      </ul>
      {list.length < 2 ? null : (
        <Form
          state={form}
          onSubmit={async () => {
            const { problem } = await outcome(accounts.DELETE('/api/auth/sessions'));
            if (problem !== undefined) return problem;
            tell(sessions.endedOthers);
            await again();
            return undefined;
          }}
        >
          <Button type="submit" kind="danger" busy={form.busy.value && sessions.endOthers}>
            {sessions.endOthers}
          </Button>
        </Form>
      )}
    </Card>
  );
};

export const SessionsPage = () => (
  <AccountPage>
    {() => (
      <Load from={() => outcome(accounts.GET('/api/auth/sessions'))}>
        {({ sessions }, again) => <Sessions list={sessions} again={again} />}
      </Load>
    )}
  </AccountPage>
);
