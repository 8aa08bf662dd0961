import type { Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { UserText } from '../kit/user-text.tsx';
import { Diff } from './diff.tsx';
import { Folded } from './folded-text.tsx';
import type { AuditRow } from './shapes.ts';
import { c } from './text.ts';
import { Named } from './user-link.tsx';

const Who = ({ row }: { readonly row: AuditRow }) => (
  <>
    <Named name={row.actor} />
    {row.person == null ? null : (
      <>
        {' '}
        (<UserText text={row.person} />)
      </>
    )}
    {row.address == null ? null : <span class="muted"> {row.address}</span>}
  </>
);

/** The columns of the audit log; `ofOne`: all rows are about one user. */
export const auditColumns = ({ ofOne = false } = {}): readonly Column<AuditRow>[] => {
  const { audit, frame } = c();
  const target: Column<AuditRow> = { title: audit.target, cell: (row) => <Named name={row.target} /> };
  return [
    {
      title: audit.when,
      cell: ({ at, number }) => (
        <>
          <span class="muted">{number}</span> <Time at={at} />
        </>
      ),
    },
    {
      title: audit.what,
      cell: ({ action }) => (action === null ? <i>{audit.erased}</i> : <UserText text={action} />),
    },
    { title: audit.who, cell: (row) => <Who row={row} /> },
    ...(ofOne ? [] : [target]),
    {
      title: audit.why,
      cell: ({ reason }) => (reason == null ? frame.none : <Folded text={reason} />),
    },
    { title: audit.change, cell: ({ before, after }) => <Diff before={before} after={after} /> },
    {
      title: audit.request,
      cell: ({ requestId }) =>
        requestId == null ? frame.none : <code title={requestId}>{requestId.slice(0, 8)}…</code>,
    },
  ];
};
