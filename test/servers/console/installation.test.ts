import { expect } from 'chai';
import { isoDay } from '../../../core/iso-times.ts';
import { useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { askConsole, openSignedInOperator } from './console-client.ts';

/** The dependencies of the account service in this test. */
const DEPENDENCIES = ['store', 'objects', 'mail', 'cache', 'cache_epoch', 'kms', 'billing'];

/** Runs a background job once. */
const run = async (steps: AsyncGenerator<undefined, void>) => {
  for await (const _ of steps);
};

describe('The console’s view of the installation', () => {
  const service = useService({ METADATA_URL: 'http://127.0.0.1:1' });
  let eve: Awaited<ReturnType<typeof openSignedInOperator>>;
  before(async () => {
    eve = await openSignedInOperator(service(), 'dev');
  });

  it('returns statistics of days with statistics only, and refuses a malformed number of days', async () => {
    const { accounts } = service().composition;
    await run(accounts.background.takeStatistics());
    const { status, body } = await eve.get('/api/admin/statistics?days=90');
    expect(status).to.equal(200);
    expect(body.days).to.have.lengthOf(1);
    expect(body.days?.[0]).to.include({ day: isoDay(service().clock.now()) });
    expect(body.days?.[0]).to.have.all.keys(
      ...['day', 'signUps', 'verified', 'total', 'byTier', 'active1', 'active7', 'active30'],
      ...['mailWaitingMost', 'mailDead', 'cacheHits', 'cacheMisses'],
    );
    expect(body.users).to.include({ total: 1, verified: 1, twoFactor: 1, banned: 0, disabled: 0 });
    expect(Object.keys(body.users?.byTier ?? {})).to.deep.equal(['free']);
    expect((await eve.get('/api/admin/statistics')).body).to.deep.equal(body);
    for (const days of ['0', '401', '30.5', 'all', '']) {
      const refused = await eve.get(`/api/admin/statistics?days=${days}`);
      expect([refused.status, refused.body.code], days).to.deep.equal([400, 'invalid_request']);
    }
  });

  it('returns the services, the jobs and the backlog', async () => {
    const jobs = async () => (await eve.get('/api/admin/health')).body.jobs as unknown as Job[];
    // The sign-in moved the clock for a new code, so leases are expired until jobs renew them.
    const hasRun = ({ lastSuccessAt, heldBy }: Job) => lastSuccessAt !== null && heldBy !== null;
    await until(async () => (await jobs()).some(hasRun));
    const { status, body } = await eve.get('/api/admin/health');
    expect(status).to.equal(200);
    expect(body.services).to.deep.equal([
      { service: 'drop-accounts', status: 'ok', down: [], up: DEPENDENCIES },
      { service: 'drop-metadata', status: 'unreachable', down: [], up: [] },
    ]);
    expect(body.backlog).to.include({ mailDead: 0, deliveriesPending: 0, deliveriesDead: 0 });
    const current = await jobs();
    expect(current.map(({ task }) => task)).to.include.members([
      ...['relay', 'mail', 'statistics', 'audit-check', 'billing-events', 'removed-files'],
    ]);
    expect(current.find(({ task }) => task === 'statistics')).to.include({ everySeconds: 3_600 });
  });

  it('returns the keys with the number of values that each sealed', async () => {
    const { accounts } = service().composition;
    service().clock.advance(7_200_000);
    await run(accounts.background.takeStatistics());
    service().clock.advance(-7_200_000);
    const { status, body } = await eve.get('/api/admin/keys');
    expect(status).to.equal(200);
    const keys = body.keys as unknown as Key[];
    expect(keys.map(({ kind, state }) => [kind, state])).to.deep.equal([
      ['signing', 'current'],
      ['master', 'current'],
    ]);
    // The master key sealed the operator's second factor.
    expect(keys.map(({ sealed }) => sealed)).to.deep.equal([null, 1]);
    expect(keys[0]?.countedAt).to.match(/^\d{4}-.*Z$/);
  });

  it('checks the audit log in the background, one check at a time', async () => {
    const verify = () => eve.get('/api/admin/audit/verify');
    expect((await verify()).body).to.include({ state: 'none', checked: 0, verdict: null });
    const replies = await Promise.all(
      Array.from({ length: 3 }, () =>
        askConsole(service(), 'POST', '/api/admin/audit/verify', { cookie: eve.cookie, body: {} }),
      ),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses[0]).to.equal(202);
    // A check that begins after the end of the first also gets 202.
    expect(statuses.every((status) => status === 202 || status === 409)).to.equal(true);
    for (const { status, body } of replies) if (status === 409) expect(body.code).to.equal('already_running');
    await until(async () => (await verify()).body.state?.toString() === 'done');
    const { body } = await verify();
    expect(body.verdict).to.include({ intact: true, broken: null });
    expect(body.checked).to.equal(body.verdict?.rows);
  });
});

interface Job {
  readonly task: string;
  readonly everySeconds: number;
  readonly lastSuccessAt: string | null;
  readonly heldBy: string | null;
}

interface Key {
  readonly kind: string;
  readonly state: string;
  readonly sealed: number | null;
  readonly countedAt: string | null;
}
