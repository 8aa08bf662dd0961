import type { Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { Folded } from './folded-text.tsx';
import type { Delivery, Mail } from './response-types.ts';
import { type Sign, State } from './state-signs.tsx';
import { c } from './text.ts';
import { type Emails, Named, UserLink } from './user-link.tsx';

/** The columns about attempts, which mails and deliveries share. */
const attemptColumns = (): readonly Column<Pick<Mail | Delivery, 'dueAt' | 'tries' | 'lastFailure'>>[] => {
  const { mails, frame } = c();
  return [
    { title: mails.due, cell: ({ dueAt }) => <Time at={dueAt} /> },
    { title: mails.tries, isNumber: true, cell: ({ tries }) => tries },
    { title: mails.failure, cell: ({ lastFailure }) => <Folded text={lastFailure ?? frame.none} /> },
  ];
};

const SIGNS: Readonly<Record<Mail['state'] | Delivery['standing'], Sign>> = {
  pending: 'plain',
  waiting: 'plain',
  failing: 'warn',
  dead: 'bad',
  applied: 'good',
  ignored: 'plain',
};

/** The columns of mails that are not sent yet; `ofOne`: all are to one user. */
export const mailColumns = ({ ofOne = false } = {}): readonly Column<Mail>[] => {
  const { mails, frame } = c();
  const template: Column<Mail> = { title: mails.template, cell: (mail) => <UserText text={mail.template} /> };
  const to: Column<Mail> = {
    title: mails.to,
    cell: ({ userId, to: address }) => <UserLink id={userId} email={address} />,
  };
  return [
    ...(ofOne ? [template] : [to, template]),
    {
      title: frame.status,
      cell: ({ state }) => <State sign={SIGNS[state]}>{mails.states[state]}</State>,
    },
    { title: mails.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...attemptColumns(),
  ];
};

/** The columns of the payment provider's deliveries; without `emails` all concern one user. */
export const deliveryColumns = (emails?: Emails): readonly Column<Delivery>[] => {
  const { deliveries, frame, titles } = c();
  const user: Column<Delivery> = {
    title: titles['/users/{id}'],
    cell: ({ userId }) => <Named name={userId} emails={emails ?? {}} />,
  };
  return [
    {
      title: deliveries.type,
      cell: ({ id, type }) => (
        <>
          <UserText text={type ?? frame.none} />
          <div class="muted text">{id}</div>
        </>
      ),
    },
    {
      title: frame.status,
      cell: ({ standing }) => <State sign={SIGNS[standing]}>{deliveries.states[standing]}</State>,
    },
    ...(emails === undefined ? [] : [user]),
    { title: deliveries.received, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    ...attemptColumns(),
  ];
};
