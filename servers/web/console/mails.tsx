import { go } from '../base/router.ts';
import { Select } from '../kit/select.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { read } from './api.ts';
import { Page } from './console-page.tsx';
import { Empty } from './empty-list.tsx';
import { mailColumns } from './mail-columns.tsx';
import { List } from './paged-list.tsx';
import { parameter, withQuery } from './query-parameters.ts';
import type { Mail, MailPage } from './response-types.ts';
import { useRetryDialog } from './retry-dialog.tsx';
import { c } from './text.ts';

const STATES = ['waiting', 'failing', 'dead'] as const;

/** A page of mails, with what can be done to them. */
const Rows = ({
  mails,
  reload,
}: {
  readonly mails: readonly Mail[];
  readonly reload: () => Promise<void>;
}) => {
  const { buttonFor, dialog } = useRetryDialog(reload);
  const { mails: texts, titles } = c();
  const retry: Column<Mail> = {
    title: texts.retry,
    isAction: true,
    cell: ({ id, to, template }) =>
      buttonFor({
        title: texts.retry,
        effect: texts.retryEffect,
        subject: `${template}, ${to}`,
        path: `mails/${encodeURIComponent(id)}/retry`,
        doneText: texts.retried,
      }),
  };
  return (
    <>
      <Table
        label={titles['/mails']}
        columns={[...mailColumns(), retry]}
        rows={mails}
        keyOf={({ id }) => id}
      />
      {buttonFor({
        title: texts.retryAll,
        effect: texts.retryAllEffect,
        path: 'mails/retry',
        doneText: texts.retried,
      })}
      {dialog}
    </>
  );
};

export const Mails = () => {
  const { mails: texts } = c();
  const state = parameter('state');
  return (
    <Page>
      <search class="filters">
        <Select
          name="state"
          label={texts.state}
          value={state}
          options={[
            ['', texts.all],
            ...STATES.map((mailState) => [mailState, texts.states[mailState]] as const),
          ]}
          onChange={(mailState) => go(withQuery({ state: mailState }))}
        />
      </search>
      <List<MailPage>
        request={(cursor) => read('mails', { state, cursor })}
        isEmpty={({ mails }) => mails.length === 0}
        empty={<Empty>{state === '' ? texts.nothing : texts.nothingSo}</Empty>}
      >
        {({ mails }, reload) => <Rows mails={mails} reload={reload} />}
      </List>
    </Page>
  );
};
