import { go } from '../base/router.ts';
import { Select } from '../kit/select.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { Empty } from './empty-list.tsx';
import { deliveryColumns } from './mail-columns.tsx';
import { List } from './paged-list.tsx';
import { parameter, withQuery } from './query-parameters.ts';
import type { Delivery, DeliveryPage } from './response-types.ts';
import { useRetryDialog } from './retry-dialog.tsx';
import { c } from './text.ts';

const STATES = ['pending', 'waiting', 'dead', 'applied', 'ignored'] as const;

interface RowsProps extends Pick<DeliveryPage, 'deliveries' | 'emails'> {
  readonly reload: () => Promise<void>;
}

/** A page of deliveries, each of which can be applied again. */
const Rows = ({ deliveries, emails, reload }: RowsProps) => {
  const { buttonFor, dialog } = useRetryDialog(reload);
  const { deliveries: texts, titles } = c();
  const replay: Column<Delivery> = {
    title: texts.replay,
    isAction: true,
    cell: ({ id, type }) =>
      buttonFor({
        title: texts.replay,
        effect: texts.replayEffect,
        subject: `${type ?? ''} ${id}`,
        path: `deliveries/${encodeURIComponent(id)}/replay`,
        doneText: texts.replayed,
      }),
  };
  return (
    <>
      <Table
        label={titles['/deliveries']}
        columns={[...deliveryColumns(emails), replay]}
        rows={deliveries}
        keyOf={({ id }) => id}
      />
      {dialog}
    </>
  );
};

export const Deliveries = () => {
  const { deliveries: texts } = c();
  const state = parameter('standing');
  return (
    <Page lead={texts.lead}>
      <search class="filters">
        <Select
          name="standing"
          label={texts.state}
          value={state}
          options={[['', texts.all], ...STATES.map((name) => [name, texts.states[name]] as const)]}
          onChange={(standing) => go(withQuery({ standing }))}
        />
      </search>
      <List<DeliveryPage>
        request={(cursor) => read('deliveries', { standing: state, cursor })}
        isEmpty={({ deliveries }) => deliveries.length === 0}
        empty={<Empty>{state === '' ? texts.nothing : texts.nothingSo}</Empty>}
      >
        {({ deliveries, emails }, reload) => <Rows deliveries={deliveries} emails={emails} reload={reload} />}
      </List>
    </Page>
  );
};
