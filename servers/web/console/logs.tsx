import { useSignal } from '@preact/signals';
import type { Pages } from '../base/load-area.ts';
import { Button } from '../kit/button.tsx';
import { useForm } from '../kit/form.tsx';
import type { Column } from '../kit/table.tsx';
import { showToast } from '../kit/toast.ts';
import { call, read } from './api.ts';
import { Page } from './console-page.tsx';
import { Empty } from './empty-list.tsx';
import { Filter } from './list-filter.tsx';
import { deliveryColumns, mailColumns } from './mail-columns.tsx';
import { List } from './paged-list.tsx';
import { parameter, parameters } from './query-parameters.ts';
import { ReasonDialog } from './reason-field.tsx';
import type { Delivery, DeliveryPage, Mail, MailPage, Paged } from './response-types.ts';
import { c } from './text.ts';

/** A log of what is attempted until it succeeds. */
interface Log<T extends Paged, Row extends { readonly id: string }> {
  readonly name: 'mails' | 'deliveries';
  /** The parameter with the state of the shown rows. */
  readonly filter: 'state' | 'standing';
  readonly rowsOf: (page: T) => readonly Row[];
  readonly columnsOf: (page: T) => readonly Column<Row>[];
  /** Names a row in the dialog that retries it. */
  readonly subjectOf: (row: Row) => string;
  /** The last part of the path that retries a row. */
  readonly verb: 'retry' | 'replay';
}

const MAILS: Log<MailPage, Mail> = {
  name: 'mails',
  filter: 'state',
  rowsOf: ({ mails }) => mails,
  columnsOf: () => mailColumns(),
  subjectOf: ({ template, to }) => `${template}, ${to}`,
  verb: 'retry',
};

const DELIVERIES: Log<DeliveryPage, Delivery> = {
  name: 'deliveries',
  filter: 'standing',
  rowsOf: ({ deliveries }) => deliveries,
  columnsOf: ({ emails }) => deliveryColumns(emails),
  subjectOf: ({ type, id }) => `${type ?? ''} ${id}`,
  verb: 'replay',
};

/** A retry of one row or of all, which a button offers and a dialog confirms. */
interface Retry {
  readonly title: string;
  readonly effect: string;
  /** The name of the row; absent for all rows. */
  readonly subject?: string;
  /** After `/api/admin/`. */
  readonly path: string;
}

interface RetryDialogProps {
  readonly retry: Retry;
  readonly doneText: (count: number) => string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

const RetryDialog = ({ retry: { path, ...texts }, doneText, onClose, onDone }: RetryDialogProps) => {
  const form = useForm({ invalid_reason: 'reason' });
  const run = async (reason: string) => {
    const { data, problem } = await call<{ readonly count: number }>('POST', path, { reason });
    if (problem !== undefined) return problem;
    onClose();
    showToast(data.count === 0 ? c().frame.unchanged : doneText(data.count));
    await onDone();
    return undefined;
  };
  return <ReasonDialog {...texts} form={form} onClose={onClose} onSubmit={run} />;
};

const LogPage = <T extends Paged, Row extends { readonly id: string }>(log: Log<T, Row>) => {
  const { name, filter, rowsOf, columnsOf, subjectOf, verb } = log;
  const openRetry = useSignal<Retry | null>(null);
  const { frame, titles, [name]: texts } = c();
  const buttonFor = (retry: Retry) => (
    <Button
      kind={retry.subject === undefined ? 'plain' : 'link'}
      label={retry.subject && `${retry.title}: ${retry.subject}`}
      onPress={() => {
        openRetry.value = retry;
      }}
    >
      {retry.title}
    </Button>
  );
  const retryColumn: Column<Row> = {
    title: texts.retry,
    isAction: true,
    cell: (row) =>
      buttonFor({
        title: texts.retry,
        effect: texts.retryEffect,
        subject: subjectOf(row),
        path: `${name}/${encodeURIComponent(row.id)}/${verb}`,
      }),
  };
  return (
    <Page lead={'lead' in texts ? texts.lead : undefined}>
      <search class="row filters">
        <Filter name={filter} label={frame.status} any={frame.all} options={Object.entries(texts.states)} />
      </search>
      <List<T, Row>
        label={titles[`/${name}`]}
        request={() => read(name, parameters(filter, 'cursor'))}
        rowsOf={rowsOf}
        columnsOf={(page) => [...columnsOf(page), retryColumn]}
        keyOf={({ id }) => id}
        empty={<Empty>{parameter(filter) === '' ? texts.nothing : texts.nothingSo}</Empty>}
      >
        {(reload) => (
          <>
            {'retryAll' in texts
              ? buttonFor({ title: texts.retryAll, effect: texts.retryAllEffect, path: `${name}/${verb}` })
              : null}
            {openRetry.value === null ? null : (
              <RetryDialog
                retry={openRetry.value}
                doneText={texts.retried}
                onDone={reload}
                onClose={() => {
                  openRetry.value = null;
                }}
              />
            )}
          </>
        )}
      </List>
    </Page>
  );
};

export const pages: Pages = {
  '/mails': () => <LogPage {...MAILS} />,
  '/deliveries': () => <LogPage {...DELIVERIES} />,
};
