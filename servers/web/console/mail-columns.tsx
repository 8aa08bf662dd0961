import type { Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { Folded } from './folded-text.tsx';
import type { Delivery, Mail } from './response-types.ts';
import { type Sign, State } from './state-signs.tsx';
import { c } from './text.ts';
import { type Emails, Named, UserLink } from './user-link.tsx';

const MAIL_SIGNS: Readonly<Record<Mail['state'], Sign>> = { waiting: 'plain', failing: 'warn', dead: 'bad' };

const Failure = ({ text }: { readonly text: string | null }) => <Folded text={text ?? c().frame.none} />;

/** The columns of mails that wait; `ofOne`: all are to one user. */
export const mailColumns = ({ ofOne = false } = {}): readonly Column<Mail>[] => {
  const { mails } = c();
  const template: Column<Mail> = { title: mails.template, cell: (mail) => <UserText text={mail.template} /> };
  const to: Column<Mail> = {
    title: mails.to,
    cell: ({ userId, to: address }) => <UserLink id={userId} email={address} />,
  };
  return [
    ...(ofOne ? [template] : [to, template]),
    {
      title: mails.state,
      cell: ({ state }) => <State sign={MAIL_SIGNS[state]}>{mails.states[state]}</State>,
    },
    { title: mails.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: mails.due, cell: ({ dueAt }) => <Time at={dueAt} /> },
    { title: mails.tries, isNumber: true, cell: ({ tries }) => tries },
    { title: mails.failure, cell: ({ lastFailure }) => <Failure text={lastFailure} /> },
  ];
};

const STATE_SIGNS: Readonly<Record<string, Sign>> = {
  applied: 'good',
  ignored: 'plain',
  pending: 'plain',
  waiting: 'plain',
  dead: 'bad',
};

/** The columns of deliveries; without `emails` all concern one user. */
export const deliveryColumns = (emails?: Emails): readonly Column<Delivery>[] => {
  const { deliveries } = c();
  const states: Readonly<Record<string, string>> = deliveries.states;
  const user: Column<Delivery> = {
    title: deliveries.user,
    cell: ({ userId }) => <Named name={userId} emails={emails ?? {}} />,
  };
  return [
    {
      title: deliveries.type,
      cell: ({ id, type }) => (
        <>
          <UserText text={type ?? c().frame.none} />
          <div class="muted text">{id}</div>
        </>
      ),
    },
    {
      title: deliveries.state,
      cell: ({ standing }) => (
        <State sign={STATE_SIGNS[standing] ?? 'warn'}>{states[standing] ?? standing}</State>
      ),
    },
    ...(emails === undefined ? [] : [user]),
    { title: deliveries.received, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    { title: deliveries.due, cell: ({ dueAt }) => <Time at={dueAt} /> },
    { title: deliveries.tries, isNumber: true, cell: ({ tries }) => tries },
    { title: deliveries.failure, cell: ({ lastFailure }) => <Failure text={lastFailure} /> },
  ];
};
