import type { Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { Diff } from './diff.tsx';
import { Folded } from './folded-text.tsx';
import type { AuditRow } from './response-types.ts';
import { c } from './text.ts';
import { type Emails, Named } from './user-link.tsx';

const Who = ({ row, emails }: { readonly row: AuditRow; readonly emails: Emails }) => (
  <>
    <Named name={row.actor} emails={emails} />
    {/* Who acted, if several people share the actor, such as `operator:cli`. */}
    {row.person == null ? null : (
      <>
        {' '}
        (<UserText text={row.person} />)
      </>
    )}
    <div class="muted">
      {row.address}{' '}
      {row.requestId === null ? null : (
        <code title={`${c().audit.request} ${row.requestId}`}>{row.requestId.slice(0, 8)}…</code>
      )}
    </div>
  </>
);

/** The columns of the audit log; `ofOne`: all rows are about one user. */
export const auditColumns = (emails: Emails, { ofOne = false } = {}): readonly Column<AuditRow>[] => {
  const { audit, frame, reason: reasonTexts } = c();
  const target: Column<AuditRow> = {
    title: audit.target,
    cell: (row) => <Named name={row.target} emails={emails} />,
  };
  return [
    {
      title: audit.when,
      cell: ({ at, number }) => (
        <>
          <Time at={at} /> <span class="muted">{number}</span>
        </>
      ),
    },
    {
      title: audit.what,
      cell: ({ action }) => (action === null ? <i>{audit.erased}</i> : <UserText text={action} />),
    },
    { title: audit.who, cell: (row) => <Who row={row} emails={emails} /> },
    ...(ofOne ? [] : [target]),
    {
      title: reasonTexts.label,
      cell: ({ reason }) => (reason == null ? frame.none : <Folded text={reason} />),
    },
    { title: audit.change, cell: ({ before, after }) => <Diff before={before} after={after} /> },
  ];
};
